//! Tests of pages that flip between two contents.

use super::*;

#[test]
fn flipping_page_is_reported_when_it_settles() {
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let mut eye = Eye::on(definition());
    assert_eq!(
        eye.looks(&[a, b, a, b, a, b]),
        ["baseline", "changed", "changed", "unchanged", "unchanged", "unchanged"]
    );
    assert!(eye.memory.is_flipping());
    for _ in 0..23 {
        assert_eq!(eye.look(&page(b)).outcome, Outcome::Unchanged, "it has not stood for a day");
    }
    let settled = eye.look(&page(b));
    assert_eq!(settled.outcome, Outcome::Changed, "b has stood for a day, and a was told last");
    assert_eq!(settled.change.unwrap().operations[0].before.as_deref(), Some(a));
    assert!(!eye.memory.is_flipping());
}

#[test]
fn third_content_stops_flipping() {
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let mut eye = Eye::on(definition());
    eye.looks(&[a, b, a, b]);
    let third = eye.look(&page("The museum moves to the harbour."));
    assert_eq!(third.outcome, Outcome::Changed);
    assert_eq!(third.change.unwrap().operations[0].before.as_deref(), Some(a), "against what was told last");
    let mut eye = Eye::on(definition());
    eye.looks(&[a, b, a, b]);
    for _ in 0..30 {
        assert_eq!(eye.look(&page(a)).outcome, Outcome::Unchanged, "what stays is what was told last");
    }
    assert_eq!(eye.looks(&[b]), ["changed"], "the flipping is over");
}

#[test]
fn slow_flips_are_reported_each_time() {
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let mut eye = Eye::on(definition());
    let mut told = 0;
    for day in 0..6 {
        let words = if day % 2 == 0 { a } else { b };
        for _ in 0..12 {
            told += u32::from(eye.look(&page(words)).outcome == Outcome::Changed);
        }
    }
    assert_eq!(told, 5);
}

#[test]
fn flips_of_selected_content_are_reported() {
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let target = Target::Page { selector: Some("main".into()) };
    let mut eye = Eye::on(Definition { target, ..definition() });
    assert_eq!(eye.looks(&[a, b, a, b, a]), ["baseline", "changed", "changed", "changed", "changed"]);
    let mut eye = watch_prices(TriggerKind::Any, "0");
    eye.definition.trigger = Trigger::default();
    let prices = [Some("120"), Some("90"), Some("120"), Some("90"), Some("120")];
    assert_eq!(told(&mut eye, &prices).len(), 4);
}

#[test]
fn relearning_noise_does_not_end_flipping() {
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let mut eye = Eye::on(definition());
    let mut told = Vec::new();
    for words in [a, b, a, b, a, b, a] {
        if eye.memory.wants_to_learn() && eye.baseline.is_some() {
            // Checks within seconds see the same content, so there is nothing to learn.
            assert!(!eye.memory.learn(Masks::default()));
        }
        told.push(eye.look(&page(words)).outcome.as_str());
    }
    assert_eq!(told[1..], ["changed", "changed", "unchanged", "unchanged", "unchanged", "unchanged"]);
}

#[test]
fn page_with_noise_flips_like_others() {
    let with = |noise: &str, words: &str| {
        content(&[&format!("Today we recommend the story of {noise} to all readers"), words])
    };
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let mut eye = Eye::on(definition());
    eye.look(&with("Aldo", a));
    let looks = [with("Berta", a), with("Cesar", a), with("Dora", a)];
    eye.memory.learn(learn(&looks.iter().collect::<Vec<_>>()));
    eye.trail = Trail::default();
    // The noise is the same in some consecutive checks.
    let noises = ["Emil", "Emil", "Frida", "Gustav", "Gustav"];
    let told: Vec<&str> = [b, a, b, a, b]
        .iter()
        .zip(noises)
        .map(|(words, noise)| eye.look(&with(noise, words)).outcome.as_str())
        .collect();
    assert_eq!(
        told,
        ["changed", "changed", "changed", "unchanged", "unchanged"],
        "four that it saw like that"
    );
    assert!(eye.memory.is_flipping());
}
