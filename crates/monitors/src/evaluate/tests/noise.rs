//! Noise, for triggers that report added content.

use super::*;

/// Creates a page with fixed lines and additional lines.
fn with(more: &[&str]) -> Snapshot {
    let always = [
        "The harbour wakes before the town does, and the boats go out with the tide.",
        "Bread is sold at the corner of the market, and books are lent behind it.",
    ];
    content(&[always.as_slice(), more].concat())
}

/// Outcome of a check after a line was added to the page.
fn one_more(line: &str, value: Option<&str>, set: impl FnOnce(&mut SimulatedMonitor)) -> Outcome {
    let trigger = Trigger { kind: TriggerKind::Added, value: value.map(str::to_owned), ..Trigger::default() };
    let mut monitor = SimulatedMonitor::new(Definition { trigger, ..definition() });
    set(&mut monitor);
    assert_eq!(monitor.check(&with(&[])).outcome, Outcome::Baseline);
    monitor.check(&with(&[line])).outcome
}

#[test]
fn added_clock_is_reported_only_if_the_trigger_contains_its_text() {
    let clock = "5 minutes ago";
    assert_eq!(one_more(clock, None, |_| {}), Outcome::Unchanged);
    assert_eq!(one_more(clock, Some("minutes"), |_| {}), Outcome::Changed);
}

#[test]
fn addition_at_noisy_position_is_reported_only_if_it_contains_the_trigger_text() {
    let restless = |monitor: &mut SimulatedMonitor| {
        let masks = r#"{"learned":[{"place":3,"words":null,"example":"Storm."}]}"#;
        monitor.memory.learn(serde_json::from_str(masks).unwrap());
    };
    let line = "Tickets for the ferry are sold again.";
    assert_eq!(one_more(line, None, restless), Outcome::Unchanged);
    assert_eq!(one_more(line, Some("tickets"), restless), Outcome::Changed);
}

#[test]
fn ignored_text_is_not_reported_even_if_it_is_the_trigger_text() {
    let without =
        |monitor: &mut SimulatedMonitor| monitor.definition.ignore.push(Ignore::Text("advert".into()));
    assert_eq!(one_more("Advert: tickets", Some("tickets"), without), Outcome::Unchanged);
    assert_eq!(one_more("Tickets", Some("tickets"), without), Outcome::Changed);
}
