//! Lists, in which each item has its own trigger state.

use super::*;

#[test]
fn each_list_item_has_its_own_trigger_state() {
    let mut monitor = watch_prices(TriggerKind::TextAppears, "in stock");
    let (out, back) = (Some("Sold out"), Some("In stock"));
    assert_eq!(monitor.check(&prices(&[("lamp", back), ("vase", out)])).outcome, Outcome::Baseline);
    let restocked = monitor.check(&prices(&[("lamp", back), ("vase", back)]));
    assert_eq!(restocked.outcome, Outcome::Changed);
    assert_eq!(
        monitor.check(&prices(&[("lamp", back)])).outcome,
        Outcome::Unchanged,
        "a missing item does not trigger"
    );
    assert_eq!(monitor.check(&prices(&[("lamp", back), ("vase", back)])).outcome, Outcome::Unchanged);
    let new = monitor.check(&prices(&[("lamp", back), ("vase", back), ("bowl", back)]));
    assert_eq!(new.outcome, Outcome::Changed, "a new item counts as previously false");
}

#[test]
fn condition_is_false_for_an_empty_list() {
    let mut monitor = watch_prices(TriggerKind::TextAppears, "in stock");
    let lamp = prices(&[("lamp", Some("In stock"))]);
    let mut holds = |seen: &Snapshot| {
        monitor.check(seen);
        monitor.memory.truths.as_ref().unwrap().holds()
    };
    assert_eq!(holds(&lamp), Some(true));
    assert_eq!(holds(&prices(&[])), Some(false), "an empty list does not satisfy the trigger");
    assert_eq!(holds(&lamp), Some(true));
}

#[test]
fn new_item_is_not_reported_as_disappeared_text() {
    let mut monitor = watch_prices(TriggerKind::TextDisappears, "sold out");
    assert_eq!(monitor.check(&prices(&[("lamp", Some("Sold out"))])).outcome, Outcome::Baseline);
    let new = monitor.check(&prices(&[("lamp", Some("Sold out")), ("vase", Some("9 EUR"))]));
    assert_eq!(new.outcome, Outcome::Unchanged);
    let back = monitor.check(&prices(&[("lamp", Some("8 EUR")), ("vase", Some("9 EUR"))]));
    assert_eq!(back.outcome, Outcome::Changed);
}

#[test]
fn indistinguishable_items_are_counted() {
    let list = |stocks: &[&str]| {
        let item = |(at, stock): (usize, &&str)| ExtractedItem {
            key: if at == 0 { (*stock).to_owned() } else { format!("{stock}#{}", at + 1) },
            title: String::new(),
            link: None,
            fields: vec![FieldValue { name: "price".into(), value: Some((*stock).to_owned()) }],
        };
        Snapshot::Items(stocks.iter().enumerate().map(item).collect())
    };
    let mut monitor = watch_prices(TriggerKind::TextAppears, "in stock");
    let (out, back) = ("Sold out", "In stock");
    let mut check = |stocks: &[&str]| {
        let evaluation = monitor.check(&list(stocks));
        let operation_count = evaluation.change.map(|change| change.operations.len());
        (evaluation.outcome.as_str(), operation_count, monitor.memory.truths.as_ref().unwrap().holds())
    };
    let (same, changed) = (("unchanged", None, Some(true)), ("changed", Some(2), Some(true)));
    assert_eq!(check(&[back, out, out]), ("baseline", None, Some(true)));
    assert_eq!(check(&[out, back, out]), same, "the count is unchanged");
    assert_eq!(check(&[back, back, out]), changed);
    assert_eq!(check(&[back, out, out]), same);
    assert_eq!(check(&[back, back, out]), changed, "the change is relative to the previous check");
    assert_eq!(check(&[out, out, out]), ("unchanged", None, Some(false)));
    assert_eq!(check(&[]), ("unchanged", None, Some(false)));
}

#[test]
fn added_and_removed_triggers_report_only_their_kind() {
    let list = |names: &[&str]| {
        let items: Vec<(&str, Option<&str>)> = names.iter().map(|name| (*name, Some("1 EUR"))).collect();
        prices(&items)
    };
    let mut monitor = watch_prices(TriggerKind::Added, "0");
    monitor.definition.trigger.value = None;
    assert_eq!(monitor.check(&list(&["lamp", "vase"])).outcome, Outcome::Baseline);
    assert_eq!(
        monitor.check(&list(&["lamp"])).outcome,
        Outcome::Unchanged,
        "a removed item does not trigger"
    );
    let added = monitor.check(&list(&["bowl", "lamp"]));
    assert_eq!((added.outcome, added.added, added.removed), (Outcome::Changed, 1, 0));
    assert_eq!(added.change.unwrap().title, "+ bowl");
    let mut monitor = watch_prices(TriggerKind::Removed, "vase");
    assert_eq!(monitor.check(&list(&["lamp", "vase", "bowl"])).outcome, Outcome::Baseline);
    assert_eq!(
        monitor.check(&list(&["lamp", "vase"])).outcome,
        Outcome::Unchanged,
        "only the removal of the named item triggers"
    );
    assert_eq!(monitor.check(&list(&["lamp"])).change.unwrap().title, "− vase");
}
