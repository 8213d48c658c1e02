//! What is a change and what is none, over several looks.

use extract::watch::{Block, Field, FieldValue, Ignore, Item, Target, Trigger, TriggerKind};

use super::*;

fn definition() -> Definition {
    Definition {
        target: Target::Page { selector: None },
        ignore: Vec::new(),
        trigger: Trigger::default(),
        ordered: false,
    }
}

fn content(texts: &[&str]) -> Snapshot {
    let block = |(place, text): (u32, &&str)| Block { text: (*text).to_owned(), place, ..Block::default() };
    Snapshot::Blocks((1..).zip(texts).map(block).collect())
}

fn page(news: &str) -> Snapshot {
    content(&[
        "The harbour wakes before the town does, and the boats go out with the tide.",
        "Bread is sold at the corner of the market, and books are lent behind it.",
        news,
    ])
}

/// A monitor that looks again and again.
struct Eye {
    definition: Definition,
    baseline: Option<Baseline>,
    contents: Vec<Baseline>,
    recent: Vec<String>,
    memory: NoiseModel,
}

impl Eye {
    fn on(definition: Definition) -> Self {
        let memory = NoiseModel::default();
        Self { definition, baseline: None, contents: Vec::new(), recent: Vec::new(), memory }
    }

    fn look(&mut self, seen: &Snapshot) -> Evaluation {
        let before = Previous {
            baseline: self.baseline.clone(),
            recent: self.recent.clone(),
            memory: self.memory.clone(),
            at: 0,
        };
        let evaluation = evaluate(&self.definition, TargetType::Page, before, seen).unwrap();
        if let Some(content) = &evaluation.kept {
            let snapshot = Snapshot::decode(&content.packed).unwrap();
            self.contents.push(Baseline { hash: content.hash.clone(), snapshot });
        }
        let at = &evaluation.baseline_hash;
        self.baseline = Some(self.contents.iter().find(|content| content.hash == *at).unwrap().clone());
        self.recent.clone_from(&evaluation.recent);
        self.memory = evaluation.memory.clone();
        evaluation
    }

    fn looks(&mut self, news: &[&str]) -> Vec<&'static str> {
        news.iter().map(|news| self.look(&page(news)).outcome.as_str()).collect()
    }
}

#[test]
fn a_change_is_told_once_and_what_comes_back_is_none() {
    let mut eye = Eye::on(definition());
    let said = [
        "Nine o'clock is late.",
        "Nine o'clock is late.",
        "It rains in the north.",
        "It rains in the north.",
    ];
    assert_eq!(eye.looks(&said), ["baseline", "unchanged", "changed", "unchanged"]);
    assert_eq!(eye.looks(&["Nine o'clock is late.", "It rains in the north."]), ["unchanged", "unchanged"]);
    assert_eq!(eye.looks(&["The mayor resigned today."]), ["changed"]);
}

#[test]
fn only_the_last_five_contents_come_back_silently() {
    let mut eye = Eye::on(definition());
    let said = [
        "Storm.",
        "Sun over the bay.",
        "Market day tomorrow.",
        "Ferry cancelled.",
        "New baker in town.",
        "Lamps repaired at last.",
    ];
    let outcomes = eye.looks(&said);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == "changed").count(), 5, "{outcomes:?}");
    assert_eq!(eye.looks(&["Sun over the bay."]), ["unchanged"]);
    assert_eq!(eye.looks(&["Storm."]), ["changed"], "six contents ago");
}

#[test]
fn a_filter_that_finds_nothing_keeps_the_baseline() {
    let trigger = Trigger { kind: TriggerKind::TextAppears, value: Some("cancelled".into()), field: None };
    let mut eye = Eye::on(Definition { trigger, ..definition() });
    assert_eq!(eye.looks(&["Ferry at nine.", "Ferry at ten."]), ["baseline", "unchanged"]);
    let evaluation = eye.look(&page("Ferry cancelled."));
    assert_eq!(evaluation.outcome, Outcome::Changed);
    let operations = evaluation.change.unwrap().operations;
    assert_eq!(operations[0].before.as_deref(), Some("Ferry at nine."));
}

#[test]
fn what_is_ignored_is_no_change_and_moves_nothing() {
    let ignore = vec![Ignore::Text("weather".into())];
    let mut eye = Eye::on(Definition { ignore, ..definition() });
    assert_eq!(
        eye.looks(&["Weather: rain", "Weather: sun", "Quite another thing."]),
        ["baseline", "unchanged", "changed"]
    );
}

#[test]
fn what_differed_in_three_looks_at_once_is_told_no_more() {
    let mut eye = Eye::on(definition());
    let noise = |words: &str| page(&format!("Today we recommend the story of {words} to all readers"));
    assert_eq!(eye.look(&noise("Aldo")).outcome, Outcome::Baseline);
    let looks = [noise("Berta"), noise("Cesar"), noise("Dora")];
    eye.memory.learn(&looks.iter().collect::<Vec<_>>());
    for name in ["Berta", "Emil", "Frida", "Gustav"] {
        assert_eq!(eye.look(&noise(name)).outcome, Outcome::Unchanged, "{name}");
    }
    assert_eq!(eye.looks(&["The library is closed from Monday on."]), ["changed"]);
}

/// A shop's prices as an extract sees them: item, price; no price is a field that is not there.
fn prices(all: &[(&str, Option<&str>)]) -> Snapshot {
    let item = |(name, price): &(&str, Option<&str>)| Item {
        key: (*name).to_owned(),
        title: (*name).to_owned(),
        link: Some(format!("https://shop.example/{name}")),
        fields: vec![FieldValue { name: "price".into(), value: price.map(str::to_owned) }],
    };
    Snapshot::Items(all.iter().map(item).collect())
}

fn watch_prices(kind: TriggerKind, value: &str) -> Eye {
    let price = Field { name: "price".into(), selector: ".price".into(), key: false };
    Eye::on(Definition {
        target: Target::Extract { items: Some("li".into()), fields: vec![price] },
        trigger: Trigger { kind, value: Some(value.into()), field: None },
        ..definition()
    })
}

/// What is told of a lamp's price from look to look: `before → after`.
fn told(eye: &mut Eye, looks: &[Option<&str>]) -> Vec<String> {
    let mut told = Vec::new();
    for price in looks {
        if let Some(change) = eye.look(&prices(&[("lamp", *price)])).change {
            let said = |text: &Option<String>| text.clone().unwrap_or_default();
            let operation = &change.operations[0];
            told.push(format!("{} → {}", said(&operation.before), said(&operation.after)));
        }
    }
    told
}

#[test]
fn a1_a_price_that_falls_again_is_told_again() {
    let mut eye = watch_prices(TriggerKind::Below, "100");
    assert_eq!(told(&mut eye, &[Some("120"), Some("90"), Some("150"), Some("90")]), ["120 → 90", "150 → 90"]);
    let mut eye = watch_prices(TriggerKind::Below, "100");
    assert_eq!(told(&mut eye, &[Some("120"), Some("90"), Some("150"), Some("80")]), ["120 → 90", "150 → 80"]);
}

#[test]
fn a1_three_restocks_to_the_same_words_are_told_three_times() {
    let (out, back) = (Some("Sold out"), Some("In stock"));
    let mut eye = watch_prices(TriggerKind::TextAppears, "in stock");
    let said = told(&mut eye, &[out, back, out, back, back, out, back]);
    assert_eq!(said, ["Sold out → In stock"; 3]);
}

#[test]
fn a2_a_price_on_the_limit_is_not_below_it() {
    let mut eye = watch_prices(TriggerKind::Below, "100");
    assert_eq!(told(&mut eye, &[Some("120"), Some("100"), Some("90")]), ["120 → 90"]);
}

#[test]
fn a3_a_price_that_is_missing_leaves_the_truth_as_it_was() {
    let below = || watch_prices(TriggerKind::Below, "100");
    assert_eq!(told(&mut below(), &[Some("120"), None, Some("90")]).len(), 1);
    assert_eq!(told(&mut below(), &[Some("120"), Some("call us"), Some("90")]), ["120 → 90"]);
    assert!(told(&mut below(), &[Some("90"), None, Some("90")]).is_empty());
    assert_eq!(told(&mut below(), &[Some("120"), Some("90"), None, Some("150"), Some("80")]).len(), 2);
}

#[test]
fn a4_each_item_of_a_list_has_a_truth_of_its_own() {
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
fn a4_what_comes_new_has_lost_no_text() {
    let mut eye = watch_prices(TriggerKind::TextDisappears, "sold out");
    assert_eq!(eye.look(&prices(&[("lamp", Some("Sold out"))])).outcome, Outcome::Baseline);
    let new = eye.look(&prices(&[("lamp", Some("Sold out")), ("vase", Some("9 EUR"))]));
    assert_eq!(new.outcome, Outcome::Unchanged);
    let back = eye.look(&prices(&[("lamp", Some("8 EUR")), ("vase", Some("9 EUR"))]));
    assert_eq!(back.outcome, Outcome::Changed);
}

#[test]
fn a7_noise_does_not_silence_a_text_that_is_waited_for() {
    let trigger = Trigger { kind: TriggerKind::TextAppears, value: Some("Gustav".into()), field: None };
    let mut eye = Eye::on(Definition { trigger, ..definition() });
    let noise = |words: &str| page(&format!("Today we recommend the story of {words} to all readers"));
    assert_eq!(eye.look(&noise("Aldo")).outcome, Outcome::Baseline);
    let looks = [noise("Berta"), noise("Cesar"), noise("Dora")];
    eye.memory.learn(&looks.iter().collect::<Vec<_>>());
    assert_eq!(eye.look(&noise("Emil")).outcome, Outcome::Unchanged);
    let fired = eye.look(&noise("Gustav"));
    assert_eq!(fired.outcome, Outcome::Changed);
    assert!(!fired.change.unwrap().operations.is_empty());
}

#[test]
fn a13_a_first_look_and_a_new_trigger_tell_nothing() {
    let mut eye = watch_prices(TriggerKind::Below, "100");
    assert!(told(&mut eye, &[Some("90"), Some("85")]).is_empty());
    eye.definition.trigger.value = Some("200".into());
    assert!(told(&mut eye, &[Some("85"), Some("80")]).is_empty());
}
