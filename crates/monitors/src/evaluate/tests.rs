//! Change detection over several checks.

mod conditions;
mod flips;
mod forms;
mod lists;
mod noise;
mod pages;
mod returns;

use extract::watch::{
    ExtractedItem, FieldValue, Ignore, NumberChoice, SnapshotBlock, Target, Trigger, TriggerKind,
    WatchedField, learn,
};

use super::*;
use kernel::clock::{DAY, HOUR};

fn definition() -> Definition {
    Definition::of(Target::Page { selector: None })
}

fn content(texts: &[&str]) -> Snapshot {
    let block = |(position, text): (u32, &&str)| SnapshotBlock {
        text: (*text).to_owned(),
        position,
        ..SnapshotBlock::default()
    };
    Snapshot::Blocks((1..).zip(texts).map(block).collect())
}

fn page(news: &str) -> Snapshot {
    content(&[
        "The harbour wakes before the town does, and the boats go out with the tide.",
        "Bread is sold at the corner of the market, and books are lent behind it.",
        news,
    ])
}

/// Simulated monitor that is checked every hour.
struct SimulatedMonitor {
    definition: Definition,
    baseline: Option<Baseline>,
    observed: Option<Snapshot>,
    contents: Vec<Baseline>,
    recent_contents: RecentContents,
    memory: Memory,
    now: Millis,
}

impl SimulatedMonitor {
    fn new(definition: Definition) -> Self {
        Self {
            definition,
            baseline: None,
            observed: None,
            contents: Vec::new(),
            recent_contents: RecentContents::default(),
            memory: Memory::default(),
            now: 0,
        }
    }

    fn check(&mut self, seen: &Snapshot) -> Evaluation {
        self.now += HOUR;
        let before = PreviousState {
            baseline: self.baseline.clone(),
            recent_contents: self.recent_contents.clone(),
            memory: self.memory.clone(),
        };
        let kind = TargetType::of(&self.definition.target);
        let seen = TimedSnapshot { snapshot: seen, at: self.now };
        let evaluation = evaluate(&self.definition, kind, before, seen).unwrap();
        for content in &evaluation.contents {
            let snapshot = Snapshot::decode(&content.encoded).unwrap();
            self.contents.push(Baseline { hash: content.hash.clone(), snapshot });
        }
        let stored = |hash: &str| self.contents.iter().find(|content| content.hash == hash).unwrap().clone();
        self.baseline = Some(stored(&evaluation.baseline_hash));
        self.observed = Some(stored(&evaluation.observed_hash).snapshot);
        self.recent_contents.clone_from(&evaluation.recent_contents);
        self.memory = evaluation.memory.clone();
        evaluation
    }

    fn check_pages(&mut self, news: &[&str]) -> Vec<&'static str> {
        news.iter().map(|news| self.check(&page(news)).outcome.as_str()).collect()
    }

    /// Sets a new trigger, as an edit by the owner does.
    fn retrigger(&mut self, trigger: Trigger) {
        self.definition.trigger = trigger;
        let (baseline, observed) = (self.baseline.clone().unwrap(), self.observed.clone().unwrap());
        let seen = TimedSnapshot { snapshot: &observed, at: self.now };
        let (truths, reference) = retrigger(&self.definition, &baseline.snapshot, seen, None);
        self.memory.truths = truths;
        if let Some(snapshot) = reference {
            let content = PackedSnapshot::of(&snapshot).unwrap();
            self.contents.push(Baseline { hash: content.hash.clone(), snapshot: snapshot.clone() });
            self.baseline = Some(Baseline { hash: content.hash, snapshot });
        }
    }
}

#[test]
fn change_and_its_reversal_are_both_reported() {
    let mut monitor = SimulatedMonitor::new(definition());
    let said = [
        "Nine o'clock is late.", "Nine o'clock is late.", "It rains in the north.", "It rains in the north.",
        "Nine o'clock is late.",
    ];
    assert_eq!(monitor.check_pages(&said), ["baseline", "unchanged", "changed", "unchanged", "changed"]);
}

#[test]
fn trigger_that_does_not_fire_retains_the_baseline() {
    let trigger =
        Trigger { kind: TriggerKind::TextAppears, value: Some("cancelled".into()), ..Trigger::default() };
    let mut monitor = SimulatedMonitor::new(Definition { trigger, ..definition() });
    assert_eq!(monitor.check_pages(&["Ferry at nine.", "Ferry at ten."]), ["baseline", "unchanged"]);
    let evaluation = monitor.check(&page("Ferry cancelled."));
    assert_eq!(evaluation.outcome, Outcome::Changed);
    let operations = evaluation.change.unwrap().operations;
    assert_eq!(operations[0].before.as_deref(), Some("Ferry at nine."));
}

#[test]
fn ignored_text_is_not_reported() {
    let ignore = vec![Ignore::Text("weather".into())];
    let mut monitor = SimulatedMonitor::new(Definition { ignore, ..definition() });
    assert_eq!(
        monitor.check_pages(&["Weather: rain", "Weather: sun", "Quite another thing."]),
        ["baseline", "unchanged", "changed"]
    );
}

#[test]
fn learned_noise_is_not_reported() {
    let mut monitor = SimulatedMonitor::new(definition());
    let noise = |words: &str| page(&format!("Today we recommend the story of {words} to all readers"));
    assert_eq!(monitor.check(&noise("Aldo")).outcome, Outcome::Baseline);
    let pages = [noise("Berta"), noise("Cesar"), noise("Dora")];
    monitor.memory.learn(learn(&pages.iter().collect::<Vec<_>>()));
    for name in ["Berta", "Emil", "Frida", "Gustav"] {
        assert_eq!(monitor.check(&noise(name)).outcome, Outcome::Unchanged, "{name}");
    }
    assert_eq!(monitor.check_pages(&["The library is closed from Monday on."]), ["changed"]);
}

/// Prices of a shop as an extract with an item and a price. `None` means that the price is missing.
fn prices(all: &[(&str, Option<&str>)]) -> Snapshot {
    let item = |(name, price): &(&str, Option<&str>)| ExtractedItem {
        key: (*name).to_owned(),
        title: (*name).to_owned(),
        link: Some(format!("https://shop.example/{name}")),
        fields: vec![FieldValue { name: "price".into(), value: price.map(str::to_owned) }],
    };
    Snapshot::Items(all.iter().map(item).collect())
}

fn watch_prices(kind: TriggerKind, value: &str) -> SimulatedMonitor {
    let price = WatchedField::new("price", ".price");
    SimulatedMonitor::new(Definition {
        target: Target::Extract { items: Some("li".into()), fields: vec![price] },
        trigger: Trigger { kind, value: Some(value.into()), ..Trigger::default() },
        ..definition()
    })
}

/// Reported price changes over several checks, as `before → after`.
fn reported(monitor: &mut SimulatedMonitor, pages: &[Option<&str>]) -> Vec<String> {
    let mut changes = Vec::new();
    for price in pages {
        if let Some(change) = monitor.check(&prices(&[("lamp", *price)])).change {
            let said = |text: &Option<String>| text.clone().unwrap_or_default();
            let operation = &change.operations[0];
            changes.push(format!("{} → {}", said(&operation.before), said(&operation.after)));
        }
    }
    changes
}

#[test]
fn price_that_falls_again_is_reported_again() {
    let mut monitor = watch_prices(TriggerKind::Below, "100");
    assert_eq!(
        reported(&mut monitor, &[Some("120"), Some("90"), Some("150"), Some("90")]),
        ["120 → 90", "150 → 90"]
    );
    let mut monitor = watch_prices(TriggerKind::Below, "100");
    assert_eq!(
        reported(&mut monitor, &[Some("120"), Some("90"), Some("150"), Some("80")]),
        ["120 → 90", "150 → 80"]
    );
}

#[test]
fn text_that_appears_again_is_reported_each_time() {
    let (out, back) = (Some("Sold out"), Some("In stock"));
    let mut monitor = watch_prices(TriggerKind::TextAppears, "in stock");
    let said = reported(&mut monitor, &[out, back, out, back, back, out, back]);
    assert_eq!(said, ["Sold out → In stock"; 3]);
}

#[test]
fn price_equal_to_limit_is_not_below() {
    let mut monitor = watch_prices(TriggerKind::Below, "100");
    assert_eq!(reported(&mut monitor, &[Some("120"), Some("100"), Some("90")]), ["120 → 90"]);
}

#[test]
fn missing_price_does_not_change_the_trigger_state() {
    let below = || watch_prices(TriggerKind::Below, "100");
    assert_eq!(reported(&mut below(), &[Some("120"), None, Some("90")]).len(), 1);
    assert_eq!(reported(&mut below(), &[Some("120"), Some("call us"), Some("90")]), ["120 → 90"]);
    assert!(reported(&mut below(), &[Some("90"), None, Some("90")]).is_empty());
    assert_eq!(reported(&mut below(), &[Some("120"), Some("90"), None, Some("150"), Some("80")]).len(), 2);
    assert_eq!(
        reported(&mut below(), &[None, Some("120"), Some("90")]),
        ["120 → 90"],
        "a baseline without a price does not trigger"
    );
}

#[test]
fn noise_does_not_suppress_the_trigger_text() {
    let trigger =
        Trigger { kind: TriggerKind::TextAppears, value: Some("Gustav".into()), ..Trigger::default() };
    let mut monitor = SimulatedMonitor::new(Definition { trigger, ..definition() });
    let noise = |words: &str| page(&format!("Today we recommend the story of {words} to all readers"));
    assert_eq!(monitor.check(&noise("Aldo")).outcome, Outcome::Baseline);
    let pages = [noise("Berta"), noise("Cesar"), noise("Dora")];
    monitor.memory.learn(learn(&pages.iter().collect::<Vec<_>>()));
    assert_eq!(monitor.check(&noise("Emil")).outcome, Outcome::Unchanged);
    let fired = monitor.check(&noise("Gustav"));
    assert_eq!(fired.outcome, Outcome::Changed);
    assert!(!fired.change.unwrap().operations.is_empty());
}

#[test]
fn first_check_and_new_trigger_report_no_change() {
    let mut monitor = watch_prices(TriggerKind::Below, "100");
    assert!(reported(&mut monitor, &[Some("90"), Some("85")]).is_empty());
    assert_eq!(monitor.memory.truths.as_ref().unwrap().holds(), Some(true));
    monitor.retrigger(Trigger { value: Some("200".into()), ..monitor.definition.trigger.clone() });
    assert!(reported(&mut monitor, &[Some("85"), Some("80")]).is_empty());
    assert_eq!(reported(&mut monitor, &[Some("210"), Some("190")]), ["210 → 190"]);
}

#[test]
fn new_trigger_is_evaluated_on_the_last_observation() {
    let mut monitor = watch_prices(TriggerKind::Below, "100");
    assert_eq!(reported(&mut monitor, &[Some("120"), Some("95"), Some("80")]), ["120 → 95"]);
    monitor.retrigger(Trigger { value: Some("90".into()), ..monitor.definition.trigger.clone() });
    assert!(
        reported(&mut monitor, &[Some("80"), Some("79")]).is_empty(),
        "a price that was below the new threshold does not trigger"
    );
    monitor.retrigger(Trigger { value: Some("60".into()), ..monitor.definition.trigger.clone() });
    assert_eq!(reported(&mut monitor, &[Some("70"), Some("55")]).len(), 1);
    monitor.retrigger(Trigger::default());
    assert!(reported(&mut monitor, &[Some("55")]).is_empty(), "an equal price is no change");
    assert_eq!(reported(&mut monitor, &[Some("56")]), ["55 → 56"]);
}

#[test]
fn price_in_another_currency_does_not_change_the_trigger_state() {
    let mut monitor = watch_prices(TriggerKind::Below, "100");
    assert!(
        reported(&mut monitor, &[Some("120 €"), Some("$89"), Some("121 €")]).is_empty(),
        "a price in another currency does not trigger"
    );
    assert_eq!(reported(&mut monitor, &[Some("$89"), Some("90 €")]), ["120 € → 90 €"]);
}

#[test]
fn missing_field_is_evaluated_as_empty_text() {
    let mut monitor = watch_prices(TriggerKind::TextDisappears, "buy now");
    let (button, none) = (Some("Buy now"), None);
    assert_eq!(reported(&mut monitor, &[button, none, none, button, none]).len(), 2);
    let mut monitor = watch_prices(TriggerKind::TextAppears, "buy now");
    assert_eq!(reported(&mut monitor, &[none, button, none, button]).len(), 2);
}

#[test]
fn thousands_separators_are_recognized() {
    let mut monitor = watch_prices(TriggerKind::Below, "100");
    assert!(reported(&mut monitor, &[Some("999 €"), Some("1.299 €"), Some("1 299,00 €")]).is_empty());
    let mut monitor = watch_prices(TriggerKind::Below, "100");
    assert!(
        reported(&mut monitor, &[Some("1.299,00"), Some("1.199")]).is_empty(),
        "the format of the previous price applies"
    );
    assert_eq!(reported(&mut monitor, &[Some("99,90")]).len(), 1);
}

#[test]
fn three_changes_at_one_position_restart_noise_learning() {
    let mut monitor = SimulatedMonitor::new(definition());
    monitor.memory.learn(Masks::default());
    let said = ["Storm.", "Sun over the bay.", "Market day tomorrow."];
    monitor.check_pages(&said);
    assert!(!monitor.memory.should_learn());
    assert_eq!(
        monitor.check_pages(&["Ferry cancelled until Monday."]),
        ["changed"],
        "masks are not learned from changes"
    );
    assert!(monitor.memory.should_learn());
    monitor.memory.drop_masks();
    assert!(!monitor.memory.should_learn(), "dropped masks are not learned again");
}

#[test]
fn dropped_masks_are_not_relearned_by_a_running_check() {
    let mut monitor = SimulatedMonitor::new(definition());
    let noise = |words: &str| page(&format!("Today we recommend the story of {words} to all readers"));
    let pages = [noise("Aldo"), noise("Berta"), noise("Cesar")];
    let learned = learn(&pages.iter().collect::<Vec<_>>());
    monitor.check(&pages[0]);
    monitor.memory.learn(learned.clone());
    assert_eq!(monitor.check(&noise("Dora")).outcome, Outcome::Unchanged);
    monitor.memory.drop_masks();
    monitor.memory.learn(learned);
    assert_eq!(monitor.memory.masks.describe(), [] as [String; 0]);
    assert_eq!(monitor.check(&noise("Emil")).outcome, Outcome::Changed);
}

#[test]
fn learned_mask_expires_after_ten_equal_checks() {
    let mut monitor = SimulatedMonitor::new(definition());
    let noise = |words: &str| page(&format!("Today we recommend the story of {words} to all readers"));
    monitor.check(&noise("Aldo"));
    let pages = [noise("Berta"), noise("Cesar"), noise("Dora")];
    monitor.memory.learn(learn(&pages.iter().collect::<Vec<_>>()));
    assert_eq!(monitor.memory.masks.describe().len(), 1);
    for _ in 0..11 {
        assert_eq!(monitor.check(&noise("Emil")).outcome, Outcome::Unchanged);
    }
    assert_eq!(monitor.memory.masks.describe().len(), 0);
    assert_eq!(
        monitor.check(&noise("Frida")).outcome,
        Outcome::Changed,
        "a mask that no longer applies is removed"
    );
}

#[test]
fn change_records_the_time_of_the_previous_check() {
    let mut monitor = watch_prices(TriggerKind::Below, "100");
    monitor.check(&prices(&[("lamp", Some("120"))]));
    let last = monitor.now;
    monitor.now += 20 * DAY;
    let change = monitor.check(&prices(&[("lamp", Some("90"))])).change.unwrap();
    assert_eq!(change.previous_check_at, Some(last));
}

#[test]
fn list_order_is_compared_only_if_ordered() {
    for (ordered, expected) in [(false, Outcome::Unchanged), (true, Outcome::Changed)] {
        let mut monitor = watch_prices(TriggerKind::Any, "");
        monitor.definition.trigger = Trigger::default();
        monitor.definition.ordered = ordered;
        monitor.check(&prices(&[("lamp", Some("12")), ("desk", Some("90"))]));
        let turned = prices(&[("desk", Some("90")), ("lamp", Some("12"))]);
        assert_eq!(monitor.check(&turned).outcome, expected, "{ordered}");
    }
}

#[test]
fn differs_is_true_only_for_a_baseline_with_other_content() {
    let definition = definition();
    let of = |seen: Option<&Snapshot>| PreviousState {
        baseline: seen.map(|seen| Baseline { hash: "told".into(), snapshot: seen.clone() }),
        recent_contents: RecentContents::default(),
        memory: Memory::default(),
    };
    let (reported, other) = (page("Ferry at nine."), page("Ferry cancelled."));
    assert!(differs(&definition, &of(Some(&reported)), &other));
    assert!(!differs(&definition, &of(Some(&reported)), &reported));
    assert!(!differs(&definition, &of(None), &other), "without a reported state there is no difference");
}
