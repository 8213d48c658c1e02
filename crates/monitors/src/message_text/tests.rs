//! Tests of the texts of messages in other languages.

use std::path::Path;

use entities::ids::{ChangeId, MonitorId, MonitorRunId};
use language::testing::{faults_of_keys, faults_of_languages};

use super::*;

fn change(title: &str, operations: Vec<Operation>) -> Change {
    Change {
        id: ChangeId::from_u128(1),
        monitor_id: MonitorId::from_u128(1),
        run_id: MonitorRunId::from_u128(1),
        detected_at: 0,
        kind: "changed".to_owned(),
        url: "https://example.org/".to_owned(),
        title: title.to_owned(),
        summary: "English summary".to_owned(),
        operations,
        before_hash: None,
        after_hash: None,
        previous_check_at: None,
        explanation: None,
    }
}

fn operations(ops: &[Op]) -> Vec<Operation> {
    ops.iter().map(|op| Operation::new(*op, Kind::Paragraph, 1)).collect()
}

fn german(title: &str, operations: Vec<Operation>, facts: ChangeFacts) -> (String, String) {
    let text = of_change(Language::German, &change(title, operations), &facts);
    (text.title, text.summary)
}

#[test]
fn every_language_has_every_text_about_changes() {
    assert_eq!(faults_of_languages(&CHANGES), Vec::<String>::new());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    assert_eq!(faults_of_keys(&CHANGES, &folder, "Key(\""), Vec::<String>::new());
}

#[test]
fn changed_texts_list_previous_and_new_texts_without_moves() {
    let operation = |op, before: Option<&str>, after: Option<&str>| Operation {
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
        ..Operation::new(op, Kind::Paragraph, 1)
    };
    let price = Operation {
        field: Some("price".to_owned()),
        ..operation(Op::Changed, Some("120 €"), Some("90 €"))
    };
    let added = operation(Op::Added, None, Some("In stock"));
    let moved = operation(Op::Moved, Some("Shop"), Some("Shop"));
    let texts = changed_texts(&[moved, added.clone(), operation(Op::Removed, Some("Sold out"), None), price]);
    let expected = ChangedTexts {
        before: "Sold out\n120 €".to_owned(),
        after: "In stock\n90 €".to_owned(),
        value: "90 €".to_owned(),
        lines: "+ In stock\n- Sold out\n- 120 €\n+ 90 €".to_owned(),
    };
    assert_eq!(texts, expected);
    assert_eq!(changed_texts(&[added]).value, "In stock");
    let many = vec![operation(Op::Added, None, Some("x")); 50];
    assert_eq!(changed_texts(&many).after.lines().count(), MAX_OPERATIONS);
}

#[test]
fn stored_texts_of_changes_are_english() {
    let change = change("A and 2 more", operations(&[Op::Added, Op::Removed]));
    let text = of_change(Language::English, &change, &ChangeFacts::default());
    assert_eq!((text.title.as_str(), text.summary.as_str()), ("A and 2 more", "English summary"));
}

#[test]
fn title_keeps_the_words_of_the_page_and_summary_counts_differences() {
    let facts = ChangeFacts::default();
    let price = german("Price: 120 € → 90 €", operations(&[Op::Changed]), facts);
    assert_eq!(price, ("Price: 120 € → 90 €".to_owned(), "Price: 120 € → 90 €".to_owned()));
    let several = [Op::Added, Op::Added, Op::Removed, Op::Changed];
    let several = german("+ One, + Two and 2 more", operations(&several), facts);
    assert_eq!(several.0, "+ One, + Two und 2 weitere");
    assert_eq!(several.1, "2 hinzugefügt, 1 entfernt, 1 geändert");
    let one = german("+ Bread and 2 more", operations(&[Op::Added]), facts);
    assert_eq!(one.0, "+ Bread and 2 more", "the text of a page is not translated");
}

#[test]
fn texts_of_every_cause_are_translated() {
    let of = |title: &str, operations, cause| {
        german(title, operations, ChangeFacts { cause, ..ChangeFacts::default() })
    };
    let arrival = of("The page exists now: + Shop", operations(&[Op::Added]), ChangeCause::Arrival);
    assert_eq!(arrival.0, "Die Seite gibt es jetzt: + Shop");
    let wall = of("The page now shows a robot check", Vec::new(), ChangeCause::Wall(Wall::RobotCheck));
    assert_eq!(wall.0, "Die Seite ist jetzt eine Roboterprüfung");
    assert!(wall.1.starts_with(&wall.0), "{}", wall.1);
    let condition = of("True now: price below 80", Vec::new(), ChangeCause::Difference);
    assert_eq!(condition.0, "Jetzt erfüllt: price below 80");
    let whole = vec![Operation::new(Op::Changed, Kind::Whole, 1)];
    let large = of("Too large to align: 3 new blocks ", whole, ChangeCause::Difference);
    assert_eq!(large.0, "Die Änderung ist zu groß, um sie Zeile für Zeile zu zeigen");
    let moved = vec![Operation::new(Op::Moved, Kind::ListItem, 1); 3];
    let moved = of("List reordered: 3 list items moved", moved, ChangeCause::Difference);
    assert_eq!(moved.0, "Reihenfolge geändert: 3 verschoben");
    let facts = ChangeFacts { omitted: 4, previous_check_at: Some(60_000), ..ChangeFacts::default() };
    let omitted = german("+ One and 5 more", operations(&[Op::Added, Op::Added]), facts);
    let summary = "2 hinzugefügt und 4 weitere (verglichen mit dem Stand vom 1. Januar 1970, 00:01 UTC)";
    assert_eq!(omitted, ("+ One und 5 weitere".to_owned(), summary.to_owned()));
}
