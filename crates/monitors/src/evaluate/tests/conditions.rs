//! Texts of changes that are reported by triggers with conditions.

use super::*;
use extract::watch::Condition;

fn watch_condition(lines: &str) -> SimulatedMonitor {
    let condition = Some(Condition::parse(lines).unwrap());
    let mut monitor = watch_prices(TriggerKind::Condition, "");
    monitor.definition.trigger = Trigger { kind: TriggerKind::Condition, condition, ..Trigger::default() };
    monitor
}

#[test]
fn fall_is_reported_relative_to_the_price_before_it() {
    let mut monitor = watch_condition("price falls by 10%");
    let prices = ["100", "150", "140", "130", "129", "117"].map(Some);
    assert_eq!(reported(&mut monitor, &prices), ["150 → 130", "130 → 117"]);
}

#[test]
fn repeated_report_of_a_condition_has_the_condition_as_title() {
    let mut monitor = watch_condition("price below 80");
    monitor.definition.trigger.repeat_hours = Some(2);
    let title = |monitor: &mut SimulatedMonitor, price: &str| {
        monitor.check(&prices(&[("lamp", Some(price))])).change.map(|change| change.title)
    };
    assert_eq!(title(&mut monitor, "90"), None);
    assert!(title(&mut monitor, "70").is_some());
    assert!(monitor.memory.depends_on_time(), "an unchanged price is evaluated too");
    assert_eq!(title(&mut monitor, "70"), None);
    assert_eq!(title(&mut monitor, "70").as_deref(), Some("True now: price below 80"));
    assert_eq!(title(&mut monitor, "90"), None);
    assert!(!monitor.memory.depends_on_time());
}

#[test]
fn text_outside_the_main_part_meets_a_condition() {
    let condition = Some(Condition::parse("matches Sold \\w+").unwrap());
    let trigger = Trigger { kind: TriggerKind::Condition, condition, ..Trigger::default() };
    let mut monitor = SimulatedMonitor::new(Definition { trigger, ..definition() });
    let with_button = |words: &str| {
        let Snapshot::Blocks(mut blocks) = page("A chair.") else { panic!("a page has blocks") };
        blocks.push(SnapshotBlock { text: words.into(), is_marginal: true, ..SnapshotBlock::default() });
        Snapshot::Blocks(blocks)
    };
    assert_eq!(monitor.check(&with_button("Buy now")).outcome, Outcome::Baseline);
    let evaluation = monitor.check(&with_button("Sold out"));
    assert_eq!(evaluation.outcome, Outcome::Changed);
    assert!(!evaluation.change.unwrap().operations.is_empty());
}
