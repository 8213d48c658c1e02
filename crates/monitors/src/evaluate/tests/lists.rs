//! Tests of lists, whose items each have their own trigger state.

use super::*;

#[test]
fn each_list_item_has_its_own_trigger_state() {
    let mut eye = watch_prices(TriggerKind::TextAppears, "in stock");
    let (out, back) = (Some("Sold out"), Some("In stock"));
    assert_eq!(eye.look(&prices(&[("lamp", back), ("vase", out)])).outcome, Outcome::Baseline);
    let restocked = eye.look(&prices(&[("lamp", back), ("vase", back)]));
    assert_eq!(restocked.outcome, Outcome::Changed);
    assert_eq!(eye.look(&prices(&[("lamp", back)])).outcome, Outcome::Unchanged, "the vase is gone");
    assert_eq!(eye.look(&prices(&[("lamp", back), ("vase", back)])).outcome, Outcome::Unchanged);
    let new = eye.look(&prices(&[("lamp", back), ("vase", back), ("bowl", back)]));
    assert_eq!(new.outcome, Outcome::Changed, "a new item counts as false before");
}

#[test]
fn trigger_is_false_for_an_empty_list() {
    let mut eye = watch_prices(TriggerKind::TextAppears, "in stock");
    let lamp = prices(&[("lamp", Some("In stock"))]);
    let mut holds = |seen: &Snapshot| {
        eye.look(seen);
        eye.memory.truths.as_ref().unwrap().holds()
    };
    assert_eq!(holds(&lamp), Some(true));
    assert_eq!(holds(&prices(&[])), Some(false), "nothing is in stock");
    assert_eq!(holds(&lamp), Some(true));
}

#[test]
fn new_item_does_not_count_as_disappeared_text() {
    let mut eye = watch_prices(TriggerKind::TextDisappears, "sold out");
    assert_eq!(eye.look(&prices(&[("lamp", Some("Sold out"))])).outcome, Outcome::Baseline);
    let new = eye.look(&prices(&[("lamp", Some("Sold out")), ("vase", Some("9 EUR"))]));
    assert_eq!(new.outcome, Outcome::Unchanged);
    let back = eye.look(&prices(&[("lamp", Some("8 EUR")), ("vase", Some("9 EUR"))]));
    assert_eq!(back.outcome, Outcome::Changed);
}

#[test]
fn indistinguishable_items_are_counted() {
    let list = |stocks: &[&str]| {
        let item = |(at, stock): (usize, &&str)| Item {
            key: if at == 0 { (*stock).to_owned() } else { format!("{stock}#{}", at + 1) },
            title: String::new(),
            link: None,
            fields: vec![FieldValue { name: "price".into(), value: Some((*stock).to_owned()) }],
        };
        Snapshot::Items(stocks.iter().enumerate().map(item).collect())
    };
    let mut eye = watch_prices(TriggerKind::TextAppears, "in stock");
    let (out, back) = ("Sold out", "In stock");
    let mut look = |stocks: &[&str]| {
        let looked = eye.look(&list(stocks));
        let told = looked.change.map(|change| change.operations.len());
        (looked.outcome.as_str(), told, eye.memory.truths.as_ref().unwrap().holds())
    };
    let (same, told) = (("unchanged", None, Some(true)), ("changed", Some(2), Some(true)));
    assert_eq!(look(&[back, out, out]), ("baseline", None, Some(true)));
    assert_eq!(look(&[out, back, out]), same, "as many as before");
    assert_eq!(look(&[back, back, out]), told);
    assert_eq!(look(&[back, out, out]), same);
    assert_eq!(look(&[back, back, out]), told, "shown against what was there in between");
    assert_eq!(look(&[out, out, out]), ("unchanged", None, Some(false)));
    assert_eq!(look(&[]), ("unchanged", None, Some(false)));
}

#[test]
fn added_and_removed_triggers_report_only_their_kind() {
    let list = |names: &[&str]| {
        let items: Vec<(&str, Option<&str>)> = names.iter().map(|name| (*name, Some("1 EUR"))).collect();
        prices(&items)
    };
    let mut eye = watch_prices(TriggerKind::Added, "0");
    eye.definition.trigger.value = None;
    assert_eq!(eye.look(&list(&["lamp", "vase"])).outcome, Outcome::Baseline);
    assert_eq!(eye.look(&list(&["lamp"])).outcome, Outcome::Unchanged, "one fell off the page");
    let added = eye.look(&list(&["bowl", "lamp"]));
    assert_eq!((added.outcome, added.added, added.removed), (Outcome::Changed, 1, 0));
    assert_eq!(added.change.unwrap().title, "+ bowl");
    let mut eye = watch_prices(TriggerKind::Removed, "vase");
    assert_eq!(eye.look(&list(&["lamp", "vase", "bowl"])).outcome, Outcome::Baseline);
    assert_eq!(eye.look(&list(&["lamp", "vase"])).outcome, Outcome::Unchanged, "another one went");
    assert_eq!(eye.look(&list(&["lamp"])).change.unwrap().title, "− vase");
}
