//! Elements that are removed and added again. Triggers on additions and removals report each of these
//! changes.

use extract::watch::UrlEntry;

use super::*;

fn on(kind: TriggerKind, target: Target, value: Option<&str>) -> SimulatedMonitor {
    let trigger = Trigger { kind, value: value.map(str::to_owned), ..Trigger::default() };
    SimulatedMonitor::new(Definition { target, trigger, allow_empty: true, ..definition() })
}

fn list() -> Target {
    let field = |name: &str| WatchedField::new(name, &format!(".{name}"));
    Target::Extract { items: Some("li".into()), fields: vec![field("price")] }
}

fn items(names: &[&str]) -> Snapshot {
    prices(&names.iter().map(|name| (*name, Some("1 EUR"))).collect::<Vec<_>>())
}

fn urls(paths: &[&str]) -> Snapshot {
    let entry = |path: &&str| UrlEntry { url: format!("https://site.example/{path}"), lastmod: None };
    Snapshot::Urls(paths.iter().map(entry).collect())
}

/// Titles of the changes over several checks. `·` denotes a check without a change.
fn titles(monitor: &mut SimulatedMonitor, seen: &[Snapshot]) -> Vec<String> {
    let mut titles = Vec::new();
    for seen in seen {
        titles.push(monitor.check(seen).change.map_or_else(|| "·".to_owned(), |change| change.title));
    }
    titles
}

#[test]
fn item_that_returns_is_reported_each_time() {
    let mut monitor = on(TriggerKind::Added, list(), None);
    let (few, more) = (items(&["mon", "tue"]), items(&["mon", "tue", "wed"]));
    let seen = [few.clone(), more.clone(), few.clone(), more.clone(), few, more];
    assert_eq!(titles(&mut monitor, &seen), ["·", "+ wed", "·", "+ wed", "·", "+ wed"]);
}

#[test]
fn item_added_to_an_empty_list_is_reported_each_time() {
    let mut monitor = on(TriggerKind::Added, list(), None);
    let (none, one) = (items(&[]), items(&["mon 9:00"]));
    let seen = [none.clone(), one.clone(), none.clone(), one.clone(), none, one];
    assert_eq!(titles(&mut monitor, &seen), ["·", "+ mon 9:00", "·", "+ mon 9:00", "·", "+ mon 9:00"]);
}

#[test]
fn item_that_is_removed_again_is_reported_each_time() {
    let mut monitor = on(TriggerKind::Removed, list(), Some("wed"));
    let (few, more) = (items(&["mon"]), items(&["mon", "wed"]));
    let seen = [more.clone(), few.clone(), more.clone(), few.clone(), more, few];
    assert_eq!(titles(&mut monitor, &seen), ["·", "− wed", "·", "− wed", "·", "− wed"]);
}

#[test]
fn block_that_returns_is_reported_each_time() {
    let text = "Python developer wanted for the observatory.";
    let mut monitor = on(TriggerKind::Added, Target::Page { selector: None }, Some("Python"));
    let (few, more) = (content(&["Vacancies of the month"]), content(&["Vacancies of the month", text]));
    let seen = [few.clone(), more.clone(), few.clone(), more.clone(), few, more];
    let added = format!("+ {text}");
    let added = added.as_str();
    assert_eq!(titles(&mut monitor, &seen), ["·", added, "·", added, "·", added]);
}

#[test]
fn url_that_returns_is_reported_each_time() {
    let sitemap = || Target::Sitemap { include: Vec::new(), exclude: Vec::new() };
    let (few, more) = (urls(&["a", "b"]), urls(&["a", "b", "c"]));
    let seen = [few.clone(), more.clone(), few.clone(), more.clone(), few.clone()];
    let added = "+ https://site.example/c";
    assert_eq!(titles(&mut on(TriggerKind::Added, sitemap(), None), &seen), ["·", added, "·", added, "·"]);
    let removed = "− https://site.example/c";
    assert_eq!(
        titles(&mut on(TriggerKind::Removed, sitemap(), None), &seen),
        ["·", "·", removed, "·", removed]
    );
}

#[test]
fn addition_after_an_unreported_removal_is_compared_with_the_last_list() {
    let mut monitor = on(TriggerKind::Added, list(), None);
    let seen = [items(&["mon", "tue"]), items(&["mon"]), items(&["mon", "fri"]), items(&["tue", "fri"])];
    assert_eq!(titles(&mut monitor, &seen), ["·", "·", "+ fri", "+ tue"]);
}
