//! What is a change and what is none, over several looks.

use extract::watch::{Block, Ignore, Target, Trigger, TriggerKind};

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
    memory: Memory,
}

impl Eye {
    fn on(definition: Definition) -> Self {
        let memory = Memory::default();
        Self { definition, baseline: None, contents: Vec::new(), recent: Vec::new(), memory }
    }

    fn look(&mut self, seen: &Snapshot) -> Weighed {
        let before = Before {
            baseline: self.baseline.clone(),
            recent: self.recent.clone(),
            memory: self.memory.clone(),
        };
        let weighed = weigh(&self.definition, TargetType::Page, before, seen).unwrap();
        if let Some(content) = &weighed.kept {
            self.contents.push(Baseline { hash: content.hash.clone(), snapshot: seen.clone() });
        }
        let at = &weighed.baseline_hash;
        self.baseline = Some(self.contents.iter().find(|content| content.hash == *at).unwrap().clone());
        self.recent.clone_from(&weighed.recent);
        self.memory = weighed.memory.clone();
        weighed
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
    let weighed = eye.look(&page("Ferry cancelled."));
    assert_eq!(weighed.outcome, Outcome::Changed);
    let operations = weighed.change.unwrap().operations;
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
