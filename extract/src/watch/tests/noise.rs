//! Texts that masks must not hide, and ignore rules of users.

use super::*;

#[test]
fn dates_stock_and_versions_in_content_are_not_masked() {
    for (before, after) in [
        (
            "<p>The exhibition opens on 12 May 2026 in the hall.</p>",
            "<p>The exhibition opens on 19 May 2026 in the hall.</p>",
        ),
        ("<p>Only 12 left in stock</p>", "<p>Only 3 left in stock</p>"),
        ("<p>Version 2.4.1 is out</p>", "<p>Version 2.4.2 is out</p>"),
        ("<p>sha256: 4f3a9c2e11aa</p>", "<p>sha256: 88ab01c9deff</p>"),
        (
            "<ul><li>12 May 2026</li><li>13 May 2026</li></ul>",
            "<ul><li>12 May 2026</li><li>14 May 2026</li></ul>",
        ),
        (
            "<table><tr><td>Concert</td><td>12 May 2026</td></tr></table>",
            "<table><tr><td>Concert</td><td>19 May 2026</td></tr></table>",
        ),
        ("<p>A 3 day trip to the sea</p>", "<p>A 4 day trip to the sea</p>"),
        ("<p>Room 12</p>", "<p>Room 14</p>"),
    ] {
        assert_ne!(summary_of(before, after), "", "{before}");
    }
}

#[test]
fn selected_counter_is_watched() {
    let chosen = Target::Page { selector: Some(".views".to_owned()) };
    let seen = |count: u32| {
        let markup = page(&format!("<p class=views>{count} views</p>"));
        observe_html(&markup, &chosen, &[]).unwrap().snapshot
    };
    let comparison = compared(&seen(12), &seen(15), &Rules::default());
    assert_eq!(render::summary(&comparison), "Paragraph changed: “12” became “15”");
}

#[test]
fn ignored_texts_and_expressions_are_not_compared() {
    let before = "<p>Words of the page.</p><p>Visitors from Rome: 12 of them</p><p>Build r1234 of it</p>";
    let after = "<p>Words of the page.</p><p>Visitors from Oslo, and more: 99</p><p>Build r1299 of it</p>";
    let text = Ignore::Text("visitors FROM".to_owned());
    let regex = Ignore::Regex(r"r\d+".to_owned());
    let under = |ignore: Vec<Ignore>| summary_under(&Rules { ignore, ..Rules::default() }, before, after);
    assert_eq!(under(vec![text.clone(), regex.clone()]), "");
    assert!(under(vec![text]).contains("r1234"));
    assert!(under(vec![regex]).contains("Rome"));
    assert_eq!(under(vec![Ignore::Regex("(".to_owned())]), under(vec![]), "an invalid rule is ignored");
}

#[test]
fn ignored_element_is_not_in_the_snapshot() {
    let markup = page("<p>Words of the page.</p><div class=live><p>One, two, three</p></div>");
    let ignore = [Ignore::Selector(".live".to_owned())];
    let seen = observe_html(&markup, &whole(), &ignore).unwrap();
    let text = serde_json::to_string(&seen.snapshot).unwrap();
    assert!(text.contains("Words of the page") && !text.contains("three"));
    assert!(seen.warnings.is_empty());
    let absent = observe_html(&markup, &whole(), &[Ignore::Selector(".gone".to_owned())]).unwrap();
    assert_eq!(absent.warnings, [super::super::ObservationWarning::IgnoreMatchesNothing]);
}

#[test]
fn changed_word_is_reported_without_the_adjacent_clock() {
    let before = "<p>Lecture hall open, status 3 minutes ago: quiet</p>";
    let after = "<p>Lecture hall open, status 9 minutes ago: crowded</p>";
    assert_eq!(summary_of(before, after), "Paragraph changed: “quiet” became “crowded”");
}

#[test]
fn dates_and_numbers_in_content_are_reported() {
    for (before, after) in [
        ("<h2>12 May 2026</h2><p>Concert.</p>", "<h2>13 May 2026</h2><p>Concert.</p>"),
        ("<ul><li>Deadline: 12 May 2026</li></ul>", "<ul><li>Deadline: 19 May 2026</li></ul>"),
        ("<p>Open from 9:00 to 17:00.</p>", "<p>Open from 10:00 to 17:00.</p>"),
        ("<p>Only 3 left in stock.</p>", "<p>Only 2 left in stock.</p>"),
        ("<p>Version 2.1 is out.</p>", "<p>Version 2.2 is out.</p>"),
        ("<p>Rates as of 12 March: 3.4 %</p>", "<p>Rates as of 12 March: 3.1 %</p>"),
        ("<p>Stand 12.03.2026: 14 Plätze frei</p>", "<p>Stand 12.03.2026: 11 Plätze frei</p>"),
    ] {
        assert_ne!(summary_of(before, after), "", "{before}");
    }
}

#[test]
fn standalone_clocks_and_counters_are_noise() {
    for (before, after) in [
        ("<p>Posted 3 hours ago</p>", "<p>Posted 4 hours ago</p>"),
        ("<p>Updated 12 May 2026, 10:31</p>", "<p>Updated 13 May 2026, 08:02</p>"),
        ("<p>Prices as of 12 May 2026</p>", "<p>Prices as of 13 May 2026</p>"),
        ("<p>1,234 views</p>", "<p>1,301 views</p>"),
        (
            "<p><a href='/x;jsessionid=1F2A?a=1'>Map</a></p>",
            "<p><a href='/x;jsessionid=9B0C?a=1'>Map</a></p>",
        ),
        ("<p>Request ID: 8f14e45fceea167a</p>", "<p>Request ID: 45c48cce2e2d7fbd</p>"),
    ] {
        assert_eq!(summary_of(before, after), "", "{before}");
    }
}
