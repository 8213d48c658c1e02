//! Results of conditions for items of a list, and shares of changed items.

use super::super::{
    EvaluationInput, ExtractedItem, FieldValue, Trigger, TriggerKind, Truths, UrlEntry, Verdict, WatchedField,
};
use super::*;

const DAY: i64 = 24 * 60 * 60 * 1_000;

fn shop() -> Target {
    let stock = WatchedField::new("stock", "b");
    Target::Extract { items: Some("li".into()), fields: vec![stock] }
}

/// Snapshot of items with their stock texts.
fn stock<'a>(things: impl IntoIterator<Item = (&'a str, &'a str)>) -> Snapshot {
    let item = |(name, said): (&str, &str)| ExtractedItem {
        key: name.to_owned(),
        title: name.to_owned(),
        link: Some(format!("https://shop.example/{name}")),
        fields: vec![FieldValue { name: "stock".into(), value: Some(said.into()) }],
    };
    Snapshot::Items(things.into_iter().map(item).collect())
}

/// Snapshot of items that are in stock.
fn in_stock<'a>(names: impl IntoIterator<Item = &'a str>) -> Snapshot {
    stock(names.into_iter().map(|name| (name, "In stock")))
}

fn appears() -> Trigger {
    Trigger { kind: TriggerKind::TextAppears, value: Some("in stock".into()), ..Trigger::default() }
}

fn seen<'a>(target: &'a Target, seen: &'a Snapshot, at: i64) -> EvaluationInput<'a> {
    EvaluationInput { target, ignore: &[], seen, at, language: None }
}

#[test]
fn result_of_a_missing_item_is_retained_for_thirty_days() {
    let (target, both, one) = (shop(), in_stock(["lamp", "vase"]), in_stock(["vase"]));
    let mut truths = Truths::of(&appears(), seen(&target, &both, 0));
    let mut fires = |content: &Snapshot, day: i64| {
        truths.observe(&both, seen(&target, content, day * DAY)) == Verdict::Fired
    };
    assert!(!fires(&one, 1));
    assert!(!fires(&both, 29), "the item was in stock when it was last seen");
    assert!(!fires(&one, 30));
    assert!(fires(&both, 60), "the result of a missing item expires");
}

/// Number of stored results.
fn result_count(truths: &Truths) -> usize {
    serde_json::to_value(truths).unwrap()["things"].as_object().unwrap().len()
}

#[test]
fn result_of_a_missing_item_expires_after_exactly_thirty_days() {
    let (target, both, one) = (shop(), in_stock(["lamp", "vase"]), in_stock(["vase"]));
    let fires_after = |gone: i64| {
        let mut truths = Truths::of(&appears(), seen(&target, &both, DAY));
        truths.observe(&both, seen(&target, &one, 2 * DAY));
        truths.observe(&both, seen(&target, &both, DAY + gone)) == Verdict::Fired
    };
    assert!(!fires_after(30 * DAY - 1) && fires_after(30 * DAY));
    let count_after = |gone: i64| {
        let mut truths = Truths::of(&appears(), seen(&target, &both, DAY));
        truths.observe(&both, seen(&target, &one, DAY + gone));
        result_count(&truths)
    };
    assert_eq!((count_after(30 * DAY - 1), count_after(30 * DAY)), (2, 1));
}

#[test]
fn item_that_returns_without_the_text_does_not_fire() {
    let target = shop();
    let reported = stock([("lamp", "Sold out"), ("vase", "In stock")]);
    let mut truths = Truths::of(&appears(), seen(&target, &reported, 0));
    let one = in_stock(["vase"]);
    assert_eq!(truths.observe(&reported, seen(&target, &one, 20 * DAY)), Verdict::NotFired);
    let back = stock([("lamp", "On its way"), ("vase", "In stock")]);
    assert_eq!(truths.observe(&reported, seen(&target, &back, 51 * DAY)), Verdict::NotFired);
}

#[test]
fn stored_results_apply_only_to_their_own_trigger() {
    let (target, both) = (shop(), in_stock(["lamp", "vase"]));
    let truths = Truths::of(&appears(), seen(&target, &both, 0));
    assert!(truths.are_of(&appears()));
    assert!(!truths.are_of(&Trigger { value: Some("sold out".into()), ..appears() }));
}

#[test]
fn results_are_limited_to_the_last_five_thousand_items() {
    let target = shop();
    let names = |from: usize, to: usize| (from..to).map(|n| format!("{n:05}")).collect::<Vec<String>>();
    let of = |names: &[String]| in_stock(names.iter().map(String::as_str));
    // The new names sort after all other names, or before them.
    for (first, second) in [((0, 5_000), (5_000, 5_010)), ((10, 5_010), (0, 10))] {
        let (first, second) = (of(&names(first.0, first.1)), of(&names(second.0, second.1)));
        let mut truths = Truths::of(&appears(), seen(&target, &first, 0));
        assert_eq!(result_count(&truths), 5_000);
        assert_eq!(truths.observe(&first, seen(&target, &second, DAY)), Verdict::Fired);
        assert_eq!(result_count(&truths), 5_000);
        let again = truths.observe(&second, seen(&target, &second, 2 * DAY));
        assert_eq!(again, Verdict::NotFired, "the results of the new items are stored");
    }
}

#[test]
fn items_with_equal_keys_are_numbered() {
    let list =
        "<ul><li><a href=/l>Lamp</a></li><li><a href=/l>Lamp</a></li><li><a href=/v>Vase</a></li></ul>";
    let name = WatchedField { key: true, ..WatchedField::new("name", "a") };
    let target = Target::Extract { items: Some("li".into()), fields: vec![name] };
    let Snapshot::Items(items) = observe_html(&page(list), &target, &[]).unwrap().snapshot else {
        panic!("items")
    };
    let keys: Vec<&str> = items.iter().map(|item| item.key.as_str()).collect();
    assert_eq!(keys, ["Lamp", "Lamp#2", "Vase"]);
}

#[test]
fn share_trigger_counts_items_and_urls() {
    let share =
        |before: &Snapshot, after: &Snapshot| compared(before, after, &Rules::default()).share_percent;
    let (four, two) = (in_stock(["a", "b", "c", "d"]), in_stock(["a", "e"]));
    assert!((share(&four, &two) - 75.0).abs() < 0.01, "three of four items are gone");
    assert!((share(&two, &four) - 75.0).abs() < 0.01, "the share is relative to the longer list");
    let urls = |paths: &[&str]| {
        let entry = |path: &&str| UrlEntry { url: format!("https://a.example/{path}"), lastmod: None };
        Snapshot::Urls(paths.iter().map(entry).collect())
    };
    assert!((share(&urls(&["a", "b", "c", "d"]), &urls(&["a", "b", "c"])) - 25.0).abs() < 0.01);
}
