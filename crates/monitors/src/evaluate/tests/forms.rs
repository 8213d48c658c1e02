//! First check after an upgrade to a version that reads sources into a new form of snapshot.

use super::*;

/// Title of the change that the first check after the upgrade reports. `None` if it reports no change.
fn title(definition: &Definition, known: Snapshot, seen: &Snapshot) -> Option<String> {
    let hash = PackedSnapshot::of(&known).unwrap().hash;
    let before = PreviousState {
        baseline: Some(Baseline { hash, snapshot: known }),
        recent_contents: RecentContents::default(),
        memory: Memory::read("{}"),
    };
    let seen = TimedSnapshot { snapshot: seen, at: HOUR };
    let before = renewed(definition, before, seen).unwrap();
    let evaluation = evaluate(definition, TargetType::Page, before, seen).unwrap();
    let observed = PackedSnapshot::of(seen.snapshot).unwrap().hash;
    assert_eq!((&evaluation.observed_hash, &evaluation.baseline_hash), (&observed, &observed));
    evaluation.change.map(|change| change.title)
}

fn part(kind: TriggerKind, value: Option<&str>) -> Definition {
    let trigger = Trigger { kind, value: value.map(str::to_owned), ..Trigger::default() };
    Definition { target: Target::Page { selector: Some(".x".to_owned()) }, trigger, ..definition() }
}

#[test]
fn new_snapshot_form_is_not_reported_as_a_change() {
    let button =
        SnapshotBlock { is_marginal: true, text: "Buy [disabled]".into(), ..SnapshotBlock::default() };
    let Snapshot::Blocks(mut blocks) = content(&["The lamp", "~~129 €~~ 89⁹⁹ €", "5 left"]) else {
        panic!()
    };
    blocks.push(button);
    let seen = Snapshot::Blocks(blocks);
    let any = part(TriggerKind::Any, None);
    assert_eq!(title(&any, content(&["The lamp", "129 € 8999 €", "5 left"]), &seen), None);
    assert!(title(&any, content(&["The lamp", "129 € 8999 €", "6 left"]), &seen).is_some());
    let rows = content(&["b: 2", "a: 1"]);
    assert_eq!(title(&any, rows, &content(&["a: 1", "b: 2"])), None, "members in their order");
}

#[test]
fn trigger_is_evaluated_again_after_a_new_snapshot_form() {
    let below = part(TriggerKind::Below, Some("10000"));
    let price = |text: &str| content(&[text]);
    assert_eq!(title(&below, price("R$ 12.990"), &price("R$ 12.990")), None);
    assert!(title(&below, price("14.990 Ft"), &price("9.990 Ft")).is_some());
    let gone = part(TriggerKind::TextDisappears, Some("lieferbar"));
    let denied = "Derzeit nicht lieferbar";
    assert_eq!(title(&gone, price(denied), &price(denied)), None, "it was not in stock before");
    assert!(title(&gone, price("Sofort lieferbar"), &price(denied)).is_some());
    let sold = part(TriggerKind::TextAppears, Some("Sold out"));
    let Snapshot::Blocks(mut blocks) = content(&["The lamp"]) else { panic!("blocks") };
    blocks.push(SnapshotBlock { is_marginal: true, text: "Sold out".into(), ..SnapshotBlock::default() });
    assert_eq!(title(&sold, price("The lamp"), &Snapshot::Blocks(blocks)), None, "controls were not read");
}

#[test]
fn persistent_new_currency_is_accepted() {
    let mut monitor = SimulatedMonitor::new(part(TriggerKind::Below, Some("100")));
    let mut check = |text: &str, pause: Millis| {
        monitor.now += pause;
        monitor.check(&content(&[text])).change.is_some()
    };
    assert!(!check("120 €", 0) && !check("$89", 0), "the country of the reader may decide");
    assert!(!check("$88", 13 * DAY) && !check("$87", 2 * DAY) && !check("$110", 0));
    assert!(check("$95", 0), "the shop sells in dollars now");
}
