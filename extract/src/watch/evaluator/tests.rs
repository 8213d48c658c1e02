//! Previews of triggers: the numbers that a trigger compares, and the texts that contain its text.

use super::*;
use crate::watch::snapshot::{SnapshotBlock, UrlEntry};
use crate::watch::target::WatchedField;
use crate::watch::trigger::TriggerKind;

fn trigger(kind: TriggerKind, value: &str) -> Trigger {
    Trigger { kind, value: Some(value.to_owned()), field: None, ..Trigger::default() }
}

fn field(name: &str, key: bool, number: NumberChoice) -> WatchedField {
    WatchedField { name: name.to_owned(), selector: format!(".{name}"), key, number }
}

fn shop(number: NumberChoice) -> Target {
    Target::Extract {
        items: Some(".lamp".into()),
        fields: vec![field("name", false, NumberChoice::First), field("price", false, number)],
    }
}

fn lamp(name: &str, price: Option<&str>) -> ExtractedItem {
    let value = |name: &str, value: Option<&str>| FieldValue {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    };
    ExtractedItem {
        key: name.to_owned(),
        title: name.to_owned(),
        link: None,
        fields: vec![value("name", Some(name)), value("price", price)],
    }
}

fn evaluation_input<'a>(target: &'a Target, ignore: &'a [Ignore], seen: &'a Snapshot) -> EvaluationInput<'a> {
    EvaluationInput { target, ignore, seen, at: 0, language: None }
}

fn blocks(texts: &[&str]) -> Snapshot {
    Snapshot::Blocks(
        texts
            .iter()
            .map(|text| SnapshotBlock { text: (*text).to_owned(), ..SnapshotBlock::default() })
            .collect(),
    )
}

#[test]
fn readings_are_the_numbers_that_the_trigger_compares() {
    let seen = Snapshot::Items(vec![
        lamp("Desk", Some("90 € or 75 €")),
        lamp("Wall", None),
        lamp("", Some("on request")),
    ]);
    let below = Trigger { field: Some("price".into()), ..trigger(TriggerKind::Below, "80") };
    let last = shop(NumberChoice::Last);
    let result = readings(&below, evaluation_input(&last, &[], &seen));
    let summary: Vec<_> =
        result.iter().map(|one| (one.item.as_deref(), one.number.as_deref(), one.numbers)).collect();
    assert_eq!(summary, [(Some("Desk"), Some("75"), 2), (Some("Wall"), None, 0), (None, None, 0)]);
    assert_eq!((result[0].field.as_deref(), result[0].currency.as_deref()), (Some("price"), Some("EUR")));
    let first = shop(NumberChoice::First);
    assert_eq!(readings(&below, evaluation_input(&first, &[], &seen))[0].number.as_deref(), Some("90"));
    let ignore = [Ignore::Text("90 €".into())];
    assert_eq!(
        readings(&below, evaluation_input(&first, &ignore, &seen))[0].number,
        None,
        "an ignored text has no number"
    );
    assert_eq!(
        readings(&trigger(TriggerKind::TextAppears, "lamp"), evaluation_input(&first, &[], &seen)),
        []
    );
}

#[test]
fn first_number_of_a_page_is_read_by_its_language() {
    let target = Target::Page { selector: Some("main".into()) };
    let seen = blocks(&["Nothing here", "Now 1.500", "or 2.000"]);
    let above = trigger(TriggerKind::Above, "1000");
    let german = EvaluationInput { language: Some("de"), ..evaluation_input(&target, &[], &seen) };
    let result = readings(&above, german);
    assert_eq!(result.len(), 1);
    assert_eq!((result[0].item.as_deref(), result[0].number.as_deref()), (None, Some("1500")));
    let english = EvaluationInput { language: Some("en"), ..evaluation_input(&target, &[], &seen) };
    assert_eq!(readings(&above, english)[0].number.as_deref(), Some("1.5"));
    let urls = Snapshot::Urls(vec![UrlEntry { url: "https://example.com/5".into(), lastmod: None }]);
    assert_eq!(readings(&above, evaluation_input(&target, &[], &urls)), []);
}

#[test]
fn matches_are_the_texts_that_contain_the_trigger_text() {
    let page = Target::Page { selector: None };
    let seen = blocks(&["A storm comes", "calm", "storm, again", "storm 3", "storm 4", "storm 5", "storm 6"]);
    let storm = trigger(TriggerKind::TextAppears, "storm");
    assert_eq!(matches(&storm, evaluation_input(&page, &[], &seen)).len(), MAX_MATCHES);
    assert_eq!(matches(&storm, evaluation_input(&page, &[], &seen))[..2], ["A storm comes", "storm, again"]);
    let gone = trigger(TriggerKind::TextDisappears, "calm");
    assert_eq!(matches(&gone, evaluation_input(&page, &[], &seen)), ["calm"]);
    let ignore = [Ignore::Text("storm, again".into())];
    assert_eq!(matches(&storm, evaluation_input(&page, &ignore, &seen))[..2], ["A storm comes", "storm 3"]);
    assert_eq!(matches(&trigger(TriggerKind::Added, "storm"), evaluation_input(&page, &[], &seen)), [""; 0]);
    let target = shop(NumberChoice::First);
    let items = Snapshot::Items(vec![lamp("Desk", Some("sold out")), lamp("Wall", None)]);
    let sold = Trigger { field: Some("price".into()), ..trigger(TriggerKind::TextAppears, "sold out") };
    assert_eq!(matches(&sold, evaluation_input(&target, &[], &items)), ["sold out"]);
}

#[test]
fn value_equal_to_the_limit_is_neither_above_nor_below() {
    let target = shop(NumberChoice::First);
    let rules = Rules::default();
    let seen = blocks(&[]);
    let holds = |kind: TriggerKind, text: &str| {
        let trigger = trigger(kind, "80");
        let evaluator =
            Evaluator::new(&trigger, CompiledRules::new(&rules), evaluation_input(&target, &[], &seen));
        let texts = SourceTexts { all: vec![text], numeric: vec![text] };
        evaluator.holds(&evaluator.results(TestSubject::Texts(&texts), None, &[]))
    };
    let [above, below] = [TriggerKind::Above, TriggerKind::Below];
    assert_eq!(["79", "80", "81"].map(|text| holds(above, text)), [Some(false), Some(false), Some(true)]);
    assert_eq!(["79", "80", "81"].map(|text| holds(below, text)), [Some(true), Some(false), Some(false)]);
    assert_eq!(holds(above, "on request"), None);
    assert_eq!(holds(TriggerKind::TextDisappears, "80"), Some(false));
    assert_eq!(holds(TriggerKind::TextDisappears, "none"), Some(true));
}

#[test]
fn items_without_key_and_link_are_nameless() {
    let target = shop(NumberChoice::First);
    let items = || vec![lamp("Desk", None), lamp("Wall", None)];
    assert!(is_nameless(&Snapshot::Items(items()), &target));
    assert!(!is_nameless(&Snapshot::Items(Vec::new()), &target));
    assert!(!is_nameless(&blocks(&["Desk"]), &target));
    let mut linked = items();
    linked[1].link = Some("https://example.com/wall".into());
    assert!(!is_nameless(&Snapshot::Items(linked), &target));
    let keyed = Target::Extract {
        items: Some(".lamp".into()),
        fields: vec![field("name", true, NumberChoice::First)],
    };
    assert!(!is_nameless(&Snapshot::Items(items()), &keyed));
}
