//! Filtering of changes by triggers.

use super::super::{InvalidReason, Kind, Op, Operation, Trigger, TriggerKind, WatchedField};
use super::*;

fn comparison(before: &str, after: &str) -> Comparison {
    compared(&snapshot(before), &snapshot(after), &Rules::default())
}

fn trigger(kind: TriggerKind, value: Option<&str>) -> Trigger {
    Trigger { kind, value: value.map(str::to_owned), ..Trigger::default() }
}

fn filtered_title(kind: TriggerKind, value: Option<&str>, before: &str, after: &str) -> Option<String> {
    let trigger = trigger(kind, value);
    assert_eq!(trigger.check(&whole()), []);
    trigger.apply(comparison(before, after)).map(|change| render::title(&change))
}

#[test]
fn share_trigger_counts_blocks_of_a_page() {
    // One of the five blocks differs. The heading and the first paragraph are blocks, too.
    let before = "<p>One two three four five six seven eight.</p><p>Nine ten.</p><p>Stay.</p>";
    let after = "<p>One two three four five six seven eight.</p><p>Eleven twelve!</p><p>Stay.</p>";
    assert!((comparison(before, after).share_percent - 20.0).abs() < 0.01);
    assert!(filtered_title(TriggerKind::Share, Some("20"), before, after).is_some());
    assert!(filtered_title(TriggerKind::Share, Some("20.5"), before, after).is_none());
}

#[test]
fn added_and_removed_triggers_filter_operations() {
    let list = |items: &[&str]| {
        let items: String = items.iter().flat_map(|item| ["<li>", item, "</li>"]).collect();
        format!("<ul>{items}</ul>")
    };
    let (before, after) =
        (list(&["Oak desk", "Pine shelf"]), list(&["Oak desk", "Walnut chair", "Steel lamp"]));
    let title_of = |kind, value| filtered_title(kind, value, &before, &after);
    assert_eq!(title_of(TriggerKind::Added, None).as_deref(), Some("+ Walnut chair, + Steel lamp"));
    assert_eq!(title_of(TriggerKind::Added, Some("lamp")).as_deref(), Some("+ Steel lamp"));
    assert_eq!(title_of(TriggerKind::Added, Some("sofa")), None);
    assert_eq!(title_of(TriggerKind::Removed, None).as_deref(), Some("− Pine shelf"));
    assert_eq!(title_of(TriggerKind::Removed, Some("oak")), None);
}

#[test]
fn triggers_do_not_fire_without_a_change() {
    let same = "<p>In stock</p>";
    for kind in [TriggerKind::Any, TriggerKind::Share, TriggerKind::Added, TriggerKind::Removed] {
        assert_eq!(filtered_title(kind, Some("1"), same, same), None);
    }
}

#[test]
fn invalid_trigger_is_rejected() {
    let field = |name: &str| WatchedField::new(name, "p");
    let problems_on = |names: &[&str], kind: TriggerKind, value: Option<&str>, of: Option<&str>| {
        let trigger = Trigger { field: of.map(str::to_owned), ..trigger(kind, value) };
        let fields = names.iter().map(|name| field(name)).collect();
        let rejected = trigger.check(&Target::Extract { items: None, fields });
        rejected.into_iter().map(|invalid| (invalid.pointer, invalid.problem)).collect::<Vec<_>>()
    };
    let problems = |kind, value, field| problems_on(&["price"], kind, value, field);
    assert_eq!(problems(TriggerKind::Above, None, None), [("/value".to_owned(), InvalidReason::Required)]);
    assert_eq!(
        problems(TriggerKind::Above, Some("cheap"), None),
        [("/value".to_owned(), InvalidReason::Number(""))]
    );
    assert_eq!(problems(TriggerKind::Share, Some("101"), None).len(), 1);
    for kind in [TriggerKind::TextAppears, TriggerKind::Added] {
        assert_eq!(problems(kind, Some("*"), None), [("/value".to_owned(), InvalidReason::Empty)]);
        assert_eq!(problems(kind, Some("Ticket*"), None), []);
    }
    assert_eq!(problems(TriggerKind::Below, Some("-2.5"), Some("price")), []);
    assert_eq!(problems(TriggerKind::Added, None, None), []);
    assert_eq!(
        problems(TriggerKind::Any, None, Some("size")),
        [("/field".to_owned(), InvalidReason::UnknownField)]
    );
}

#[test]
fn numeric_trigger_requires_a_single_value() {
    let limit = trigger(TriggerKind::Below, Some("100"));
    let pointers = |target: &Target| -> Vec<String> {
        limit.check(target).into_iter().map(|invalid| invalid.pointer).collect()
    };
    let field = |name: &str| WatchedField::new(name, "p");
    assert_eq!(pointers(&whole()), [""]);
    assert_eq!(pointers(&Target::Sitemap { include: Vec::new(), exclude: Vec::new() }), [""]);
    assert_eq!(pointers(&Target::Page { selector: Some("p".to_owned()) }), [""; 0]);
    assert_eq!(pointers(&Target::Extract { items: None, fields: vec![field("price")] }), [""; 0]);
    let two = Target::Extract { items: None, fields: vec![field("price"), field("size")] };
    assert_eq!(pointers(&two), [""]);
}

#[test]
fn trigger_value_parses_from_text_or_number() {
    let trigger: Trigger = serde_json::from_str(r#"{"kind":"above","value":12.5}"#).unwrap();
    assert_eq!(trigger.value.as_deref(), Some("12.5"));
    assert_eq!(serde_json::from_str::<Trigger>("{}").unwrap(), Trigger::default());
    assert!(serde_json::from_str::<Trigger>(r#"{"value":[1]}"#).is_err());
}

#[test]
fn share_outside_0_to_100_is_rejected() {
    let problem_count = |value| trigger(TriggerKind::Share, Some(value)).check(&whole()).len();
    for value in ["0", "-1", "100.1", "many"] {
        assert_eq!(problem_count(value), 1, "{value}");
    }
    for value in ["0.1", "20", "100"] {
        assert_eq!(problem_count(value), 0, "{value}");
    }
}

#[test]
fn unaligned_change_is_filtered_by_counts() {
    let fires = |kind, added, removed| {
        let operations = vec![Operation::new(Op::Changed, Kind::Whole, 1)];
        let comparison = Comparison { operations, too_large: true, added, removed, ..Comparison::default() };
        trigger(kind, None).apply(comparison).is_some()
    };
    assert!(fires(TriggerKind::Added, 1, 0) && !fires(TriggerKind::Added, 0, 5));
    assert!(fires(TriggerKind::Removed, 0, 1) && !fires(TriggerKind::Removed, 5, 0));
}

#[test]
fn operation_with_trigger_text_is_not_omitted() {
    let items = |count: usize| {
        let item = |n: usize| super::super::ExtractedItem {
            key: n.to_string(),
            title: format!("Job {n}"),
            link: None,
            fields: Vec::new(),
        };
        Snapshot::Items((0..count).map(item).collect())
    };
    let rules = Rules { words: Some("job 1400".to_owned()), ..Rules::default() };
    let comparison = compared(&items(0), &items(1_500), &rules);
    assert_eq!((comparison.operations.len(), comparison.omitted), (1_001, 499));
    let added = trigger(TriggerKind::Added, Some("job 1400")).apply(comparison).unwrap();
    assert_eq!(render::title(&added), "+ Job 1400");
}

#[test]
fn omitted_operations_are_counted() {
    let operation =
        |op, text: &str| Operation { after: Some(text.to_owned()), ..Operation::new(op, Kind::default(), 1) };
    let counts_of = |kind, value: Option<&str>, omitted| {
        let operations =
            vec![operation(Op::Added, "one"), operation(Op::Added, "two"), operation(Op::Removed, "one")];
        let (added, removed) = if omitted == 0 { (2, 1) } else { (5, 3) };
        let all = Comparison { operations, omitted, added, removed, modified: 4, ..Comparison::default() };
        let filtered = trigger(kind, value).apply(all).unwrap();
        (filtered.operations.len(), filtered.added, filtered.removed, filtered.modified, filtered.omitted)
    };
    assert_eq!(counts_of(TriggerKind::Added, None, 9), (2, 5, 0, 0, 3));
    assert_eq!(counts_of(TriggerKind::Removed, None, 9), (1, 0, 3, 0, 2));
    assert_eq!(counts_of(TriggerKind::Added, None, 0), (2, 2, 0, 0, 0));
    assert_eq!(
        counts_of(TriggerKind::Added, Some("two"), 9),
        (1, 1, 0, 0, 0),
        "items that do not match are not counted"
    );
    assert_eq!(counts_of(TriggerKind::Removed, Some("one"), 9), (1, 0, 1, 0, 0));
}

#[test]
fn field_trigger_fires_for_its_field_and_for_added_or_removed_items() {
    let fires = |of: Option<&str>, op, kind, field: Option<&str>| {
        let trigger = Trigger { field: of.map(str::to_owned), ..Trigger::default() };
        let operation = Operation { field: field.map(str::to_owned), ..Operation::new(op, kind, 1) };
        trigger.apply(Comparison { operations: vec![operation], ..Comparison::default() }).is_some()
    };
    let price = Some("price");
    assert!(fires(price, Op::Changed, Kind::Field, price));
    assert!(!fires(price, Op::Changed, Kind::Field, Some("name")));
    assert!(fires(price, Op::Added, Kind::Item, None) && fires(price, Op::Removed, Kind::Item, None));
    assert!(!fires(price, Op::Moved, Kind::Item, None));
    assert!(!fires(price, Op::Added, Kind::Paragraph, None));
    assert!(fires(None, Op::Moved, Kind::Item, None) && fires(None, Op::Changed, Kind::Field, Some("name")));
}
