//! Learning of masks from the first three fetches, and their expiry.

use super::super::{Masks, learn};
use super::*;

const BODY: &str = "<p>Words of the page that stay as they are, for there are many of them, and none of them moves at \
                    all, whatever happens round it, from one visit to the next and the one after that.</p>";

fn learned(pages: [&str; 3]) -> (Vec<Snapshot>, Rules) {
    let seen: Vec<Snapshot> = pages.iter().map(|main| snapshot(&format!("{BODY}{main}"))).collect();
    let masks = learn(&seen.iter().collect::<Vec<_>>());
    (seen, Rules { masks, ..Rules::default() })
}

fn after(rules: &Rules, seen: &[Snapshot], main: &str) -> String {
    render::summary(&compared(&seen[2], &snapshot(&format!("{BODY}{main}")), rules))
}

#[test]
fn fewer_than_three_fetches_do_not_yield_masks() {
    let (one, two) = (snapshot("<p>a b c 1</p>"), snapshot("<p>a b c 2</p>"));
    assert_eq!(learn(&[&one, &two]), Masks::default());
}

#[test]
fn only_the_word_that_differs_at_each_fetch_is_masked() {
    let line = |ms: &str| format!("<p class=speed>Answer made by the third machine within {ms} of it</p>");
    let (seen, rules) = learned([&line("12 ms"), &line("31 ms"), &line("9 ms")]);
    assert_eq!(rules.masks.learned.len(), 1);
    assert!(rules.masks.describe()[0].contains("Answer made by the third machine within … ms of it"));
    assert_eq!(after(&rules, &seen, &line("77 ms")), "");
    assert_ne!(
        after(&rules, &seen, "<p class=speed>Answer made by the fourth machine within 9 ms of it</p>"),
        ""
    );
}

#[test]
fn position_with_new_text_at_each_fetch_is_masked_as_a_whole() {
    let quote = |text: &str| format!("<div class=quote><p>{text}</p></div>");
    let (seen, rules) =
        learned([&quote("Books are doors."), &quote("Read slowly, again"), &quote("Silence helps all")]);
    assert_eq!(rules.masks.learned.len(), 1);
    assert_eq!(after(&rules, &seen, &quote("Another saying altogether")), "");
    assert_eq!(after(&rules, &seen, "<p>But this is news.</p>"), "Paragraph added: “But this is news.”");
}

#[test]
fn link_of_a_masked_text_is_masked() {
    let list = |words: [&str; 2]| {
        let rows = words.map(|word| format!("<li><a href=/{word}>{word} shelf</a></li>"));
        format!("<ul class=see>{}</ul>", rows.concat())
    };
    let (seen, rules) =
        learned([&list(["birch", "ember"]), &list(["cedar", "fjord"]), &list(["delta", "grove"])]);
    assert!(!rules.masks.is_empty());
    assert_eq!(after(&rules, &seen, &list(["heron", "islet"])), "");
}

#[test]
fn price_that_changes_three_times_is_not_masked() {
    let price = |text: &str| format!("<p class=price>{text}</p>");
    let (seen, rules) = learned([&price("12 EUR"), &price("11 EUR"), &price("10 EUR")]);
    assert!(rules.masks.is_empty());
    assert!(after(&rules, &seen, &price("9 EUR")).starts_with("Price"));
    let (_, rules) = learned([&price("12"), &price("11"), &price("10")]);
    assert!(rules.masks.is_empty(), "a falling number may be a price or a stock, and is not masked");
}

#[test]
fn page_with_new_items_at_each_fetch_is_not_masked() {
    let news = |from: u32| {
        let words = ["harbour", "garden", "railway", "theatre", "market", "library", "river", "school"];
        let item = |n: u32| {
            format!("<li><a href=/n/{n}>The {} reopens, council says {n}</a></li>", words[(n % 8) as usize])
        };
        format!("<ul>{}</ul>", (from..from + 8).map(item).collect::<String>())
    };
    let (seen, rules) = learned([&news(0), &news(10), &news(20)]);
    assert!(rules.masks.is_empty(), "{:?}", rules.masks);
    assert_ne!(after(&rules, &seen, &news(30)), "");
}

#[test]
fn mask_is_dropped_after_ten_unchanged_checks() {
    let line = |ms: &str| format!("<p class=speed>Answer made by the third machine within {ms} of it</p>");
    let (seen, mut rules) = learned([&line("12 ms"), &line("31 ms"), &line("9 ms")]);
    let restless = snapshot(&format!("{BODY}{}", line("55 ms")));
    assert!(!rules.masks.update(&seen[2], &restless), "a changing line does not change the mask");
    for check in 1..=10 {
        assert!(!rules.masks.is_empty(), "check {check}");
        assert!(rules.masks.update(&restless, &restless.clone()));
    }
    assert!(rules.masks.is_empty());
}

#[test]
fn sitemap_dates_that_change_at_each_fetch_are_ignored() {
    let map = |day: u32| {
        let entry = |n: u32| super::super::UrlEntry {
            url: format!("https://a.example/{n}"),
            lastmod: Some(format!("2026-11-{day}")),
        };
        Snapshot::Urls((10..30).map(entry).collect())
    };
    let masks = learn(&[&map(1), &map(2), &map(3)]);
    assert!(masks.lastmod);
    let rules = Rules { masks, ..Rules::default() };
    assert!(compared(&map(3), &map(4), &rules).is_empty());
    assert!(!learn(&[&map(1), &map(1), &map(3)]).lastmod);
}
