//! What is noise to whoever waits for something that comes, and what is not.

use super::*;

/// A page that says more than it always does.
fn with(more: &[&str]) -> Snapshot {
    let always = [
        "The harbour wakes before the town does, and the boats go out with the tide.",
        "Bread is sold at the corner of the market, and books are lent behind it.",
    ];
    content(&[always.as_slice(), more].concat())
}

/// What becomes of one more line on the page.
fn one_more(line: &str, value: Option<&str>, set: impl FnOnce(&mut Eye)) -> Outcome {
    let trigger = Trigger { kind: TriggerKind::Added, value: value.map(str::to_owned), field: None };
    let mut eye = Eye::on(Definition { trigger, ..definition() });
    set(&mut eye);
    assert_eq!(eye.look(&with(&[])).outcome, Outcome::Baseline);
    eye.look(&with(&[line])).outcome
}

#[test]
fn a_clock_that_comes_is_told_to_who_waits_for_its_words_alone() {
    let clock = "5 minutes ago";
    assert_eq!(one_more(clock, None, |_| {}), Outcome::Unchanged);
    assert_eq!(one_more(clock, Some("minutes"), |_| {}), Outcome::Changed);
}

#[test]
fn what_comes_at_a_restless_place_is_told_to_who_waits_for_its_words_alone() {
    let restless = |eye: &mut Eye| {
        let masks = r#"{"learned":[{"place":3,"words":null,"example":"Storm."}]}"#;
        eye.memory.learn(serde_json::from_str(masks).unwrap());
    };
    let line = "Tickets for the ferry are sold again.";
    assert_eq!(one_more(line, None, restless), Outcome::Unchanged);
    assert_eq!(one_more(line, Some("tickets"), restless), Outcome::Changed);
}

#[test]
fn what_is_left_out_is_left_out_of_what_is_waited_for() {
    let without = |eye: &mut Eye| eye.definition.ignore.push(Ignore::Text("advert".into()));
    assert_eq!(one_more("Advert: tickets", Some("tickets"), without), Outcome::Unchanged);
    assert_eq!(one_more("Tickets", Some("tickets"), without), Outcome::Changed);
}
