//! Pages that alternate between two contents.

use super::*;

#[test]
fn flipping_page_is_reported_when_it_settles() {
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let mut monitor = SimulatedMonitor::new(definition());
    assert_eq!(
        monitor.check_pages(&[a, b, a, b, a, b]),
        ["baseline", "changed", "changed", "unchanged", "unchanged", "unchanged"]
    );
    assert!(monitor.memory.is_flipping());
    for _ in 0..23 {
        assert_eq!(monitor.check(&page(b)).outcome, Outcome::Unchanged, "the new state has not lasted a day");
    }
    let settled = monitor.check(&page(b));
    assert_eq!(
        settled.outcome,
        Outcome::Changed,
        "the new state has lasted a day and differs from the reported one"
    );
    assert_eq!(settled.change.unwrap().operations[0].before.as_deref(), Some(a));
    assert!(!monitor.memory.is_flipping());
}

#[test]
fn third_content_stops_flipping() {
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let mut monitor = SimulatedMonitor::new(definition());
    monitor.check_pages(&[a, b, a, b]);
    let third = monitor.check(&page("The museum moves to the harbour."));
    assert_eq!(third.outcome, Outcome::Changed);
    assert_eq!(
        third.change.unwrap().operations[0].before.as_deref(),
        Some(a),
        "the change is relative to the reported state"
    );
    let mut monitor = SimulatedMonitor::new(definition());
    monitor.check_pages(&[a, b, a, b]);
    for _ in 0..30 {
        assert_eq!(
            monitor.check(&page(a)).outcome,
            Outcome::Unchanged,
            "the lasting state is the reported one"
        );
    }
    assert_eq!(monitor.check_pages(&[b]), ["changed"], "the flipping has ended");
}

#[test]
fn slow_flips_are_all_reported() {
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let mut monitor = SimulatedMonitor::new(definition());
    let mut reported = 0;
    for day in 0..6 {
        let words = if day % 2 == 0 { a } else { b };
        for _ in 0..12 {
            reported += u32::from(monitor.check(&page(words)).outcome == Outcome::Changed);
        }
    }
    assert_eq!(reported, 5);
}

#[test]
fn flips_of_selected_content_are_reported() {
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let target = Target::Page { selector: Some("main".into()) };
    let mut monitor = SimulatedMonitor::new(Definition { target, ..definition() });
    assert_eq!(
        monitor.check_pages(&[a, b, a, b, a]),
        ["baseline", "changed", "changed", "changed", "changed"]
    );
    let mut monitor = watch_prices(TriggerKind::Any, "0");
    monitor.definition.trigger = Trigger::default();
    let prices = [Some("120"), Some("90"), Some("120"), Some("90"), Some("120")];
    assert_eq!(reported(&mut monitor, &prices).len(), 4);
}

#[test]
fn relearning_noise_does_not_stop_flip_detection() {
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let mut monitor = SimulatedMonitor::new(definition());
    let mut reported = Vec::new();
    for words in [a, b, a, b, a, b, a] {
        if monitor.memory.should_learn() && monitor.baseline.is_some() {
            // Fetches within seconds return the same content, so no noise is learned.
            assert!(!monitor.memory.learn(Masks::default()));
        }
        reported.push(monitor.check(&page(words)).outcome.as_str());
    }
    assert_eq!(reported[1..], ["changed", "changed", "unchanged", "unchanged", "unchanged", "unchanged"]);
}

#[test]
fn flips_of_a_page_with_noise_are_recognised() {
    let with = |noise: &str, words: &str| {
        content(&[&format!("Today we recommend the story of {noise} to all readers"), words])
    };
    let (a, b) = ("The museum is open today.", "The museum is closed today.");
    let mut monitor = SimulatedMonitor::new(definition());
    monitor.check(&with("Aldo", a));
    let looks = [with("Berta", a), with("Cesar", a), with("Dora", a)];
    monitor.memory.learn(learn(&looks.iter().collect::<Vec<_>>()));
    monitor.recent_contents = RecentContents::default();
    // The noise does not change at each check.
    let noises = ["Emil", "Emil", "Frida", "Gustav", "Gustav"];
    let reported: Vec<&str> = [b, a, b, a, b]
        .iter()
        .zip(noises)
        .map(|(words, noise)| monitor.check(&with(noise, words)).outcome.as_str())
        .collect();
    assert_eq!(
        reported,
        ["changed", "changed", "changed", "unchanged", "unchanged"],
        "the monitor recognizes flips between four states that it observed"
    );
    assert!(monitor.memory.is_flipping());
}
