//! Comparisons: changes that are reported, and differences that are not reported.

mod conditions;
mod jq;
mod kinds;
mod learning;
mod noise;
mod parts;
mod snapshots;
mod targets;
mod triggers;
mod truths;
mod walls;
mod watched;
mod xpath;

use std::time::{Duration, Instant};

use super::{
    Comparison, Ignore, Observation, ObserveError, Rules, Snapshot, Target, compare, fingerprint, observe,
    render,
};

/// Page with boilerplate before and after its text.
fn page(main: &str) -> String {
    format!(
        "<!doctype html><html><head><title>A page</title><script>var t={};</script></head><body>\
         <nav>Home About Contact</nav><main><h1>The reading room</h1>\
         <p>The room opens at nine, and by ten every desk beside a window is taken.</p>{main}</main>\
         <footer>All of it by us</footer></body></html>",
        main.len()
    )
}

fn observe_html(markup: &str, target: &Target, ignore: &[Ignore]) -> Result<Observation, ObserveError> {
    observe(
        markup.as_bytes(),
        Some("text/html; charset=utf-8"),
        Some("https://a.example/room/"),
        target,
        ignore,
    )
}

fn whole() -> Target {
    Target::Page { selector: None }
}

fn snapshot(main: &str) -> Snapshot {
    observe_html(&page(main), &whole(), &[]).unwrap().snapshot
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

/// Compares two snapshots and checks the invariants of every comparison.
fn compared(before: &Snapshot, after: &Snapshot, rules: &Rules) -> Comparison {
    let comparison = compare(before, after, rules, soon());
    let same = fingerprint(before, rules) == fingerprint(after, rules);
    assert_eq!(
        same,
        comparison.is_empty(),
        "fingerprints are equal exactly if there is no difference: {comparison:?}"
    );
    let stored = serde_json::to_string(&comparison).unwrap();
    assert_eq!(serde_json::from_str::<Comparison>(&stored).unwrap(), comparison);
    comparison
}

/// Summary of the change from one text to another.
fn summary_of(before: &str, after: &str) -> String {
    summary_under(&Rules::default(), before, after)
}

fn summary_under(rules: &Rules, before: &str, after: &str) -> String {
    render::summary(&compared(&snapshot(before), &snapshot(after), rules))
}

fn ordered() -> Rules {
    Rules { ordered: true, ..Rules::default() }
}
