//! Texts that are compared: values below labels, controls, marks, and dates of sitemaps.

use super::super::{
    EvaluationInput, Kind, Trigger, TriggerKind, Truths, UnwatchedReason, UrlEntry, WatchedField, readings,
    unwatched,
};
use super::*;

fn reasons(main: &str) -> Vec<(String, UnwatchedReason)> {
    let hidden = unwatched(&snapshot(main), &Rules::default());
    hidden.into_iter().map(|block| (block.text, block.reason)).collect()
}

#[test]
fn unwatched_texts_are_listed_with_their_reason() {
    let main = "<p>Words of the page, and more.</p><p>Updated 12 May 2026, 10:31</p><p>1,204 views</p>\
                <button>Buy</button><h2>Next departure</h2><p>14:30</p>";
    let expected = [
        ("Updated 12 May 2026, 10:31".to_owned(), UnwatchedReason::Clock),
        ("1,204 views".to_owned(), UnwatchedReason::Part),
        ("Buy".to_owned(), UnwatchedReason::Margin),
    ];
    assert_eq!(reasons(main), expected);
    assert_eq!(reasons("<p>Words of the page, and more.</p>"), []);
    let ignore = vec![Ignore::Text("words".to_owned())];
    let hidden = unwatched(&snapshot("<p>Words of the page.</p>"), &Rules { ignore, ..Rules::default() });
    assert_eq!(hidden.iter().map(|block| block.reason).collect::<Vec<_>>(), [UnwatchedReason::Ignored]);
    assert_eq!(hidden[0].describe(), None, "the owner knows the own rules");
}

#[test]
fn value_below_a_heading_or_label_is_compared() {
    for (before, after) in [
        ("<h2>Next departure</h2><p>14:30</p>", "<h2>Next departure</h2><p>15:10</p>"),
        ("<h2>Result</h2><p>52 votes</p>", "<h2>Result</h2><p>61 votes</p>"),
        ("<h2>12 May 2026</h2><p>20:00</p>", "<h2>12 May 2026</h2><p>20:30</p>"),
        ("<div>Start of sale:</div><div>12 March</div>", "<div>Start of sale:</div><div>13 March</div>"),
    ] {
        assert_ne!(summary_of(before, after), "", "{before}");
    }
    for (before, after) in [
        ("<h2>Last updated</h2><p>12 May 2026</p>", "<h2>Last updated</h2><p>13 May 2026</p>"),
        ("<h2>Story</h2><p>1,204 views</p>", "<h2>Story</h2><p>1,311 views</p>"),
        (
            "<p>A sentence is no label.</p><p>12 May 2026</p>",
            "<p>A sentence is no label.</p><p>13 May 2026</p>",
        ),
    ] {
        assert_eq!(summary_of(before, after), "", "{before}");
    }
}

#[test]
fn controls_are_compared_only_with_the_margin() {
    let (before, after) = ("<button>Notify me</button>", "<button>Add to cart</button>");
    assert_eq!(summary_of(before, after), "");
    let rules = Rules { has_margin: true, ..Rules::default() };
    assert_ne!(summary_under(&rules, before, after), "");
    assert_ne!(summary_of("<p>One <s>two</s> three.</p>", "<p>One two three.</p>"), "");
}

#[test]
fn number_in_a_control_is_not_the_price() {
    let price = "<div class=buy><select><option>38<option>39</select><input type=number value=1>\
                 <p>129.00</p><button>Buy 2, pay 1</button></div>";
    let only = "<div class=buy><button>Buy for 129.00</button></div>";
    let target = Target::Page { selector: Some(".buy".to_owned()) };
    let trigger = Trigger { kind: TriggerKind::Below, value: Some("100".to_owned()), ..Trigger::default() };
    for markup in [price, only] {
        let seen = observe_html(&page(markup), &target, &[]).unwrap().snapshot;
        let input =
            EvaluationInput { target: &target, ignore: &[], seen: &seen, at: 0, language: Some("en") };
        let numbers: Vec<Option<String>> =
            readings(&trigger, input).into_iter().map(|reading| reading.number).collect();
        assert_eq!(numbers, [Some("129".to_owned())], "{markup}");
        assert_eq!(Truths::of(&trigger, input).holds(), Some(false), "{markup}");
    }
}

#[test]
fn lists_of_asides_and_of_the_page_have_distinct_numbers() {
    let main = "<ul><li>Oak desk</li></ul><aside><ul><li>Pine shelf</li></ul></aside>";
    let Snapshot::Blocks(blocks) = snapshot(main) else { panic!("blocks") };
    let items = blocks.iter().filter(|block| block.kind == Kind::ListItem);
    let lists: Vec<(u32, bool)> = items.map(|block| (block.list, block.is_marginal)).collect();
    assert_eq!(lists, [(1, false), (2, true)]);
}

#[test]
fn sidebars_and_announcements_outside_the_main_part_are_margin() {
    let margin = |outside: &str| -> Vec<String> {
        let markup = page("").replace("</main>", &format!("</main>{outside}"));
        let Snapshot::Blocks(blocks) = observe_html(&markup, &whole(), &[]).unwrap().snapshot else {
            panic!("blocks")
        };
        blocks.into_iter().filter(|block| block.is_marginal).map(|block| block.text).collect()
    };
    for name in ["class=sidebar", "class='col left-sidebar'", "id=leftSidebar", "class=announcement"] {
        let part = format!("<div {name}><div class=sidebar-box><p>Closed on Monday</p></div></div>");
        assert_eq!(margin(&part), ["Closed on Monday"], "{name}");
    }
    for name in ["class='sidebar ad'", "class=sidebar-newsletter", "class=announce"] {
        assert!(margin(&format!("<div {name}><p>Closed on Monday</p></div>")).is_empty(), "{name}");
    }
    let alert = "<aside><p>Closed on Monday</p><div role=alert>Storm</div></aside>";
    assert!(
        margin(alert).contains(&"Closed on Monday".to_owned()),
        "an alert does not make it the main part"
    );
    let footer = "<footer><div class=announcement><p>Closed on Monday</p></div></footer>";
    assert!(margin(footer).is_empty(), "it is a part of the footer");
    let wrapped =
        page("").replace("<main>", "<div class=has-sidebar><main>").replace("</main>", "</main></div>");
    let Snapshot::Blocks(blocks) = observe_html(&wrapped, &whole(), &[]).unwrap().snapshot else {
        panic!("blocks")
    };
    assert_eq!(blocks.iter().filter(|block| block.is_marginal).count(), 0, "it contains the main part");
}

#[test]
fn field_values_contain_marks_for_struck_out_and_disabled_parts() {
    let value = |markup: &str, selector: &str| {
        let field = WatchedField::new("value", selector);
        let target = Target::Extract { items: None, fields: vec![field] };
        let Snapshot::Items(items) = observe_html(&page(markup), &target, &[]).unwrap().snapshot else {
            panic!("items")
        };
        items[0].fields[0].value.clone().unwrap_or_default()
    };
    for (markup, selector, expected) in [
        ("<b class=x><del>129 €</del> <ins>89 €</ins></b>", ".x", "~~129 €~~ 89 €"),
        ("<b class=x><span>89</span><sup>99</sup> €</b>", ".x", "89⁹⁹ €"),
        ("<b class=x>1.45<sup>9</sup></b>", ".x", "1.45⁹"),
        ("<b class=x>In 2026<sup>1</sup></b>", ".x", "In 20261"),
        ("<button class=x disabled>Buy</button>", ".x", "Buy [disabled]"),
        ("<button class=x disabled>Buy</button>", ".x@disabled", "disabled"),
        ("<select class=x><option>S<option disabled>M</select>", ".x", "S · M [disabled]"),
    ] {
        assert_eq!(value(markup, selector), expected, "{markup}");
    }
}

#[test]
fn element_named_after_its_content_is_not_boilerplate() {
    let part = |name: &str, text: &str| format!("<div class='{name}'><p>{text}</p></div>");
    let summary = |name: &str| summary_of(&part(name, "Twelve are left"), &part(name, "Nine are left"));
    for name in ["share-price", "related-vacancies", "socialHousing box", "promo_price"] {
        assert_ne!(summary(name), "", "{name}");
    }
    for name in ["share-buttons", "related", "shop promo", "cookie-banner", "shop-footer"] {
        assert_eq!(summary(name), "", "{name}");
    }
}

fn map(entries: &[(&str, &str)]) -> Snapshot {
    let entry = |(path, date): &(&str, &str)| UrlEntry {
        url: format!("https://a.example/{path}"),
        lastmod: Some((*date).to_owned()),
    };
    Snapshot::Urls(entries.iter().map(entry).collect())
}

#[test]
fn sitemap_dates_that_are_all_set_to_one_day_are_unchanged() {
    let differences = |before: &Snapshot, after: &Snapshot, rules: &Rules| {
        let comparison = compare(before, after, rules, soon());
        (comparison.added, comparison.removed, comparison.modified)
    };
    let before = map(&[("a", "2026-01-01"), ("b", "2026-01-01T10:00"), ("c", "2025-12-01")]);
    let stamped = map(&[("a", "2026-01-02"), ("b", "2026-01-02T08:30"), ("c", "2026-01-02")]);
    let rules = Rules::default();
    assert_eq!(differences(&before, &stamped, &rules), (0, 0, 0));
    let edited = map(&[("a", "2026-01-02"), ("b", "2026-01-01T10:00"), ("c", "2025-12-01")]);
    assert_eq!(differences(&before, &edited, &rules), (0, 0, 1));
    let named = Rules { ignore: vec![Ignore::Text("lastmod".to_owned())], ..Rules::default() };
    assert_eq!(differences(&before, &edited, &named), (0, 0, 0));
    let single = map(&[("a", "2026-01-01")]);
    assert_eq!(differences(&single, &map(&[("a", "2026-01-02")]), &rules), (0, 0, 1));
}

#[test]
fn summary_lists_added_urls_before_updated_urls() {
    let paths: Vec<String> = (0..300).map(|n| format!("p/{n:03}")).collect();
    let dated = |day: &dyn Fn(usize) -> String, more: &[(&str, &str)]| {
        let days: Vec<String> = (0..300).map(day).collect();
        let mut entries: Vec<(&str, &str)> =
            paths.iter().zip(&days).map(|(path, day)| (path.as_str(), day.as_str())).collect();
        entries.extend(more);
        map(&entries)
    };
    let before = dated(&|_| "2026-01-01".to_owned(), &[]);
    let after = dated(&|n| format!("2026-01-{:02}", 2 + n % 20), &[("z/new", "2026-01-02")]);
    let comparison = compared(&before, &after, &Rules::default());
    assert_eq!((comparison.added, comparison.modified), (1, 300));
    assert_eq!(comparison.operations[0].after.as_deref(), Some("https://a.example/z/new"));
    assert!(render::title(&comparison).contains("z/new"), "{}", render::title(&comparison));
}
