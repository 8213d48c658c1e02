//! Common kinds of change with their summaries.

use super::*;

const LIST: &str =
    "<h2>Fruit</h2><ul><li>Apples from the hill</li><li>Pears in the crate</li><li>Plums, late</li></ul>";

#[test]
fn reordered_list_is_reported_if_order_matters() {
    let after =
        "<h2>Fruit</h2><ul><li>Plums, late</li><li>Apples from the hill</li><li>Pears in the crate</li></ul>";
    assert_eq!(summary_under(&ordered(), LIST, after), "List under “Fruit” reordered: 1 list item moved");
    assert_eq!(summary_of(LIST, after), "");
}

#[test]
fn price_change_is_reported_with_currency_and_direction() {
    assert_eq!(
        summary_of("<p>Price: <b>12,00 €</b></p>", "<p>Price: <b>10,00 €</b></p>"),
        "Price fell from 12,00 € to 10,00 €"
    );
    assert_eq!(
        summary_of("<span class=price>1,049.50 EUR</span>", "<span class=price>1,100.00 EUR</span>"),
        "Price rose from 1,049.50 EUR to 1,100.00 EUR"
    );
    assert_eq!(summary_of("<p class=price>$12</p>", "<p class=price>$9</p>"), "Price fell from $12 to $9");
    let row = |price: &str| {
        format!("<table><tr><th>Thing</th><th>Price</th></tr><tr><td>Lamp</td><td>{price}</td></tr></table>")
    };
    assert_eq!(summary_of(&row("12.00"), &row("11.00")), "Lamp fell from 12.00 to 11.00");
}

#[test]
fn changed_time_of_day_is_quoted_as_a_whole() {
    for (before, after) in [
        ("18:45", "18:55"),
        ("1.299,00", "1.399,00"),
        ("2026-11-22", "2026-11-23"),
        ("22/11/2026", "23/11/2026"),
        ("v1.2.3", "v1.2.4"),
    ] {
        let text = |value: &str| format!("<p>The last ferry of the day sails at {value} from the pier.</p>");
        let operations =
            compared(&snapshot(&text(before)), &snapshot(&text(after)), &Rules::default()).operations;
        let segments =
            render::segments(&operations[0]).into_iter().filter(|segment| segment.side != render::Side::Same);
        assert_eq!(segments.map(|segment| segment.text).collect::<Vec<_>>(), [before, after]);
        let (old_markup, new_markup) = (format!(">{before}</del> "), format!(">{after}</ins>"));
        let markup = render::html(&operations);
        assert!(markup.contains(&old_markup) && markup.contains(&new_markup), "{markup}");
    }
}

#[test]
fn rotated_advertisement_is_not_reported() {
    let ad = |text: &str| format!("<p>Words of the page.</p><div class=\"ad-slot\"><p>{text}</p></div>");
    assert_eq!(summary_of(&ad("Buy a lamp"), &ad("Fly to the sea, now")), "");
}

#[test]
fn dates_clocks_and_counters_are_not_reported() {
    let clock = |text: &str| format!("<p>{text}</p><p>Words of the page.</p>");
    for (before, after) in [
        ("Last updated: 20 November 2026, 10:31", "Last updated: 21 November 2026, 09:02"),
        ("Friday, 20 November 2026", "Saturday, 21 November 2026"),
        ("10:31:07", "10:32:08"),
        ("Posted 3 hours ago by Jane", "Posted 4 hours ago by Jane"),
        (
            "This page was last updated on 2026-11-20 at 10:31 UTC.",
            "This page was last updated on 2026-11-21 at 08:00 UTC.",
        ),
        ("Stand: 20.11.2026 10:31 Uhr", "Stand: 21.11.2026 10:31 Uhr"),
        ("更新: 2026年11月20日", "更新: 2026年11月21日"),
        ("vor 3 Stunden", "vor 5 Stunden"),
        ("il y a 3 jours", "il y a 4 jours"),
        ("1,204 views", "1,311 views"),
        ("12 Kommentare · 1.204 Aufrufe", "14 Kommentare · 1.311 Aufrufe"),
        ("Request ID: 7f3a9c2e11", "Request ID: 88ab01c9de"),
    ] {
        assert_eq!(summary_of(&clock(before), &clock(after)), "", "{before}");
    }
}

#[test]
fn new_paragraph_is_reported_with_its_text() {
    assert_eq!(
        summary_of("<p>First words here.</p>", "<p>First words here.</p><p>Second thoughts, quite new.</p>"),
        "Paragraph added: “Second thoughts, quite new.”"
    );
    assert_eq!(
        summary_of(
            "<p>First words here.</p><p>Old one here.</p>",
            "<p>First words here.</p><p>Something else.</p><p>And more!</p>"
        ),
        "2 paragraphs added, 1 removed"
    );
}

#[test]
fn white_space_and_inline_markup_are_not_changes() {
    assert_eq!(
        summary_of("<p>Two  words\n and&nbsp;three</p>", "<p>\n\tTwo words and three \u{200b}</p>"),
        ""
    );
    assert_eq!(summary_of("<p>One <b>word</b></p>", "<div><p>One <i>word</i></p></div>"), "");
}

#[test]
fn changed_link_target_is_reported() {
    let link = |href: &str| format!("<p>Get it <a href=\"{href}\">here</a> today, free of charge.</p>");
    assert_eq!(
        summary_of(&link("/old.zip"), &link("/new.zip")),
        "Link target of “Get it here today, free of charge.” changed to https://a.example/new.zip"
    );
    assert_eq!(summary_of(&link("/a?id=1&utm_source=x"), &link("/a?id=1&utm_source=y")), "");
}

#[test]
fn removed_and_added_list_items_are_not_an_edit() {
    let after = "<h2>Fruit</h2><ul><li>Apples from the hill</li><li>Quinces, hard as wood</li><li>Plums, late</li></ul>";
    assert_eq!(
        summary_of(LIST, after),
        "List item “Pears in the crate” removed, “Quinces, hard as wood” added"
    );
    let jobs = |numbers: &[u32]| {
        let items =
            numbers.iter().map(|n| format!("<li><a href=\"/job/{n}\">Reader at the desk {n}</a></li>"));
        format!("<ul>{}</ul>", items.collect::<String>())
    };
    assert_eq!(
        summary_of(&jobs(&[1, 2, 3]), &jobs(&[2, 3, 4])),
        "List item “Reader at the desk 1” removed, “Reader at the desk 4” added"
    );
}

#[test]
fn unicode_normal_forms_are_equal_and_ideographs_are_single_words() {
    assert_eq!(summary_of("<p>Caf\u{e9} ouvert</p>", "<p>Cafe\u{301} ouvert</p>"), "");
    assert_eq!(
        summary_of("<p>図書館は九時に開館します。</p>", "<p>図書館は十時に開館します。</p>"),
        "Paragraph changed: “九” became “十”"
    );
}

#[test]
fn huge_page_is_aligned_within_the_deadline() {
    let rows = |edits: &[usize]| -> Snapshot {
        let row = |at: usize| {
            let text = if edits.contains(&at) { "other words here" } else { "the quiet margin of a folio" };
            super::super::SnapshotBlock {
                text: format!("row {at} of the catalogue, {text}"),
                position: 7,
                ..Default::default()
            }
        };
        Snapshot::Blocks((0..45_000).map(row).collect())
    };
    let comparison = compared(&rows(&[]), &rows(&[5, 22_000, 44_999]), &Rules::default());
    assert!(!comparison.too_large);
    assert_eq!(render::summary(&comparison), "3 paragraphs changed");
}

#[test]
fn moved_paragraph_is_reported_as_moved() {
    let (one, two, three) = ("<p>One is first.</p>", "<p>Two is next.</p>", "<p>Three ends it.</p>");
    assert_eq!(
        summary_of(&format!("{one}{two}{three}"), &format!("{three}{one}{two}")),
        "Paragraph moved: “Three ends it.”"
    );
}

#[test]
fn changed_word_is_quoted() {
    assert_eq!(
        summary_of(
            "<h2>Hours</h2><p>The room is closed on Monday.</p>",
            "<h2>Hours</h2><p>The room is closed on Tuesday.</p>"
        ),
        "Paragraph under “Hours” changed: “Monday” became “Tuesday”"
    );
    assert_eq!(
        summary_of("<p>Open for all of us.</p>", "<p>Open for all of us, every day.</p>"),
        "Paragraph changed: “, every day” added"
    );
}

#[test]
fn title_contains_the_changed_words() {
    let titled = |before: &str, after: &str| {
        render::title(&compared(&snapshot(before), &snapshot(after), &Rules::default()))
    };
    let table = |time: &str| format!("<table><tr><td>Ferry</td><td>{time}</td></tr></table>");
    let dogs = "<p>Dogs must be kept on a lead on all decks of the ship.</p>";
    assert_eq!(titled(&table("18:45"), &table("18:55")), "Ferry: 18:45 → 18:55");
    assert_eq!(
        titled(&table("18:45"), &format!("{}{dogs}", table("18:55"))),
        "Ferry: 18:45 → 18:55, + Dogs must be kept on a lead on…"
    );
    assert_eq!(titled(dogs, ""), "− Dogs must be kept on a lead on all decks of the ship.");
    let many: String = (0..20)
        .flat_map(|n| {
            ["<p>Notice number ".to_owned(), n.to_string(), " of the harbour office</p>".to_owned()]
        })
        .collect();
    let title = titled("", &many);
    assert!(title.starts_with("+ Notice number 0") && title.ends_with("and 17 more"), "{title}");
}
