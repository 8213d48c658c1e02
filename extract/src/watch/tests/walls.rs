//! Walls in front of a page, and doubts about observations.

use super::super::{Doubt, UrlEntry, Wall, doubt};
use super::*;

fn observed(markup: &str) -> Observation {
    observe_html(markup, &whole(), &[]).unwrap()
}

fn titled(title: &str, text: &str) -> Observation {
    observed(&format!("<html><head><title>{title}</title></head><body><main>{text}</main></body></html>"))
}

#[test]
fn wall_is_recognised_if_its_name_is_a_whole_part_of_the_title() {
    let wall = |title: &str| titled(title, "<p>Some words.</p>").suspicion.map(|suspicion| suspicion.wall);
    for (title, expected) in [
        ("Just a moment...", Wall::RobotCheck),
        ("Attention Required! | Cloudflare", Wall::RobotCheck),
        ("Before you continue", Wall::Consent),
        ("Shop – Anmelden", Wall::SignIn),
        ("Log in | Shop", Wall::SignIn),
        ("Wartungsarbeiten", Wall::Maintenance),
        ("We’ll be back soon!", Wall::Maintenance),
        ("404", Wall::Error),
        ("404 Not Found", Wall::Error),
        ("503 Service Temporarily Unavailable", Wall::Error),
        ("HTTP Status 500 – Internal Server Error", Wall::Error),
        ("Страница не найдена", Wall::Error),
        ("Waiting Room", Wall::Queue),
        ("Page not found (404)", Wall::Error),
        ("403 Forbidden - nginx", Wall::Error),
        ("Unavailable for legal reasons", Wall::RegionBlock),
    ] {
        assert_eq!(wall(title), Some(expected), "{title}");
    }
    for title in [
        "404 Main Street",
        "Error codes of the X200 washer",
        "500 recipes",
        "Error 404 T-shirt",
        "How to log in to a router",
        "Maintenance of bicycles",
        "Queue theory",
        "Lamp",
    ] {
        assert_eq!(wall(title), None, "{title}");
    }
}

#[test]
fn wall_with_a_title_of_one_word_and_a_site_name_is_certain_only_with_a_typical_sentence() {
    let certain =
        |title: &str, text: &str| titled(title, text).suspicion.map(|suspicion| suspicion.is_certain);
    let novel = "<p>Two friends meet on a forbidden island, and one of them does not come back from it.</p>";
    for title in ["Forbidden – a novel", "Captcha | Games", "Errore - Film"] {
        assert_eq!(certain(title, novel), Some(false), "{title}");
        assert!(!titled(title, novel).suspicion.unwrap().is_refused_at_first(), "{title}");
    }
    assert_eq!(certain("Error | Shop", "<p>Something went wrong. Please try it later.</p>"), Some(true));
    assert_eq!(certain("Error", novel), Some(true));
}

#[test]
fn wall_is_certain_if_typical_sentences_are_most_of_the_text() {
    let suspicion = |text: &str| titled("Shop", text).suspicion;
    let certain = |text: &str| suspicion(text).map(|suspicion| suspicion.is_certain);
    assert_eq!(certain("<p>Verify you are human to continue.</p>"), Some(true));
    let words =
        "<p>The lamp is made of brass and glass, and each part of it was cast by hand in the village.</p>";
    assert_eq!(
        certain(&format!("{words}<p>We use cookies and similar technologies.</p>{words}")),
        Some(false)
    );
    assert_eq!(certain(words), None);
    let long = format!("<p>Verify you are human.</p>{}", words.repeat(20));
    assert_eq!(certain(&long), None, "a long page is not a wall");
    let form = "<p>Members</p><form><input name=u><input type=password></form>";
    assert_eq!(suspicion(form).map(|suspicion| suspicion.wall), Some(Wall::SignIn));
}

fn lamp(parts: usize, more: &str) -> String {
    let text = |part: usize| {
        format!(
            "<p>Part {part} of the lamp was cast by hand, and its light is warm across the whole table.</p>"
        )
    };
    let text: String = (0..parts).map(text).collect::<Vec<_>>().concat();
    format!("<html><head><title>Lamp</title></head><body><main>{text}{more}</main></body></html>")
}

#[test]
fn doubt_depends_on_the_baseline() {
    let doubt_of = |before: &str, after: &str| doubt(&observed(before).snapshot, &observed(after));
    let page = lamp(6, "");
    let notice = "<p>The site is down for maintenance.</p>";
    assert_eq!(doubt_of(&page, &lamp(0, notice)), Some(Doubt::Wall(Wall::Maintenance)));
    assert_eq!(doubt_of(&page, &lamp(6, notice)), None, "most of the page is there");
    assert_eq!(doubt_of(&lamp(0, notice), &lamp(0, &format!("{notice}<p>News</p>"))), None);
    assert_eq!(doubt_of(&page, &lamp(0, "<p>Sorry.</p>")), Some(Doubt::Lost));
    assert_eq!(doubt_of(&lamp(1, ""), &lamp(0, "<p>Sorry.</p>")), None, "a short page can change as a whole");
    assert_eq!(doubt_of(&page, &lamp(4, "")), None, "paragraphs were removed");
    assert_eq!(doubt_of(&page, &lamp(3, "<p>Part 3 of the lamp was ca</p>")), Some(Doubt::Cut));
    assert_eq!(doubt_of(&page, &lamp(6, "<p>Part 6 is new.</p>")), None);
}

#[test]
fn short_page_replaced_by_another_layout_is_doubtful() {
    let doubt_of = |before: &str, after: &str| doubt(&observed(before).snapshot, &observed(after));
    let page = lamp(1, "<h2>Stock</h2><p>Three lamps are left in the shop.</p>");
    let bare = |text: &str| format!("<html><head><title>Lamp</title></head><body>{text}</body></html>");
    for text in [
        "<p>This account has no more traffic.</p>",
        "<div>Loading the lamps</div>",
        "<center><h1>It works!</h1></center>",
    ] {
        assert_eq!(doubt_of(&page, &bare(text)), Some(Doubt::Lost), "{text}");
    }
    let sold = lamp(0, "<p>All are sold.</p>");
    assert_eq!(doubt_of(&page, &sold), None, "the same layout");
    assert_eq!(doubt_of(&page, &bare("<div>Stock</div>")), None, "a text of the page remains");
    assert_eq!(doubt_of(&bare("<p>Open</p>"), &bare("<div>Shut</div>")), None, "a page of one word");
}

#[test]
fn sign_in_form_without_text_is_observed_as_a_wall() {
    let form = |title: &str| {
        let fields = "<form><input name=u><input type=password></form>";
        observed(&format!("<html><head><title>{title}</title></head><body>{fields}</body></html>"))
    };
    for title in ["Sign in", "Shop"] {
        let seen = form(title);
        assert!(seen.snapshot.is_empty(), "{title}");
        let page = observed(&lamp(1, ""));
        assert_eq!(doubt(&page.snapshot, &seen), Some(Doubt::Wall(Wall::SignIn)), "{title}");
    }
}

#[test]
fn rewritten_page_with_the_sentence_of_a_wall_is_not_mistaken_for_a_wall() {
    let doubt_of = |before: &str, after: &str| doubt(&observed(before).snapshot, &observed(after));
    let text = |word: &str| {
        let line = |part: usize| {
            format!("<p>The {word} of part {part} is open to all who live in the town or near it.</p>")
        };
        (0..4).map(line).collect::<Vec<_>>().concat()
    };
    let cookies = "<p>We use cookies and similar technologies.</p>";
    let opening = "<p>Our new waiting room is open.</p>";
    let (old, new) = (lamp(0, &text("surgery")), lamp(0, &format!("{}{opening}", text("clinic"))));
    assert_eq!(doubt_of(&old, &new), Some(Doubt::Lost), "it is checked again, and then reported");
    let both = |word: &str| lamp(0, &format!("{cookies}{}", text(word)));
    assert_eq!(doubt_of(&both("surgery"), &both("clinic")), None, "the sentence is a text of the page");
    let consent = lamp(0, "<p>Before you continue to the shop, accept all cookies.</p>");
    assert_eq!(doubt_of(&both("surgery"), &consent), Some(Doubt::Wall(Wall::Consent)));
}

#[test]
fn incomplete_items_are_doubtful_only_if_no_item_is_complete() {
    let field = |name: &str| super::super::WatchedField {
        key: name == "train",
        ..super::super::WatchedField::new(name, &format!(".{name}"))
    };
    let target =
        Target::Extract { items: Some("li".to_owned()), fields: vec![field("train"), field("gate")] };
    let seen = |title: &str, rows: &str| {
        let markup = format!("<html><head><title>{title}</title></head><body><ul>{rows}</ul></body></html>");
        observe_html(&markup, &target, &[]).unwrap()
    };
    let row =
        |train: &str, gate: &str| format!("<li><b class=train>{train}</b><i class={gate}>{gate}</i></li>");
    let full = seen("Queue", &format!("{}{}", row("IC 8", "gate"), row("RE 3", "gate")));
    let partial = seen("Queue", &format!("{}{}", row("IC 8", "gate"), row("RE 3", "none")));
    assert_eq!(doubt(&full.snapshot, &partial), None);
    let wall = seen("Waiting room", "<li>You are now in line.</li>");
    assert_eq!(doubt(&full.snapshot, &wall), Some(Doubt::Wall(Wall::Queue)));
}

#[test]
fn sitemap_that_lost_nearly_all_urls_is_doubtful() {
    let urls = |range: std::ops::Range<u32>| {
        let entry = |n: u32| UrlEntry { url: format!("https://a.example/{n:03}"), lastmod: None };
        Snapshot::Urls(range.map(entry).collect())
    };
    let doubt_of = |before: Snapshot, after: Snapshot| doubt(&before, &Observation::of(after));
    assert_eq!(doubt_of(urls(0..2), urls(0..0)), Some(Doubt::Empty));
    assert_eq!(doubt_of(urls(0..0), urls(0..0)), None);
    assert_eq!(doubt_of(urls(0..100), urls(0..3)), Some(Doubt::Lost));
    assert_eq!(doubt_of(urls(0..100), urls(0..50)), None);
    assert_eq!(doubt_of(urls(0..100), urls(100..200)), None, "all are new, and none is missing");
}

#[test]
fn page_replaced_by_another_format_is_doubtful() {
    let seen = |mime: &str, body: &str| observe(body.as_bytes(), Some(mime), None, &whole(), &[]).unwrap();
    let json = |body: &str| seen("application/json", body);
    let doubt_of = |before: &Observation, after: &Observation| doubt(&before.snapshot, after);
    let page = observed("<html><body><p>Ropes of the harbour</p></body></html>");
    let feed = "<rss version='2.0'><channel><title>News</title><item><title>Ropes of the harbour</title>\
        <description>They are new.</description></item></channel></rss>";
    let (feed, stock) = (seen("application/rss+xml", feed), json(r#"{"price": 12, "stock": {"left": 3}}"#));
    let list = json(r#"[{"id": 1, "name": "Rope"}]"#);
    let text = seen("text/plain", "The tide is at ten.");
    let other = observed("<html><body><p>The quay is closed today</p></body></html>");
    for before in [&feed, &stock, &list, &text] {
        assert_eq!(doubt_of(before, &other), Some(Doubt::Lost), "{before:?}");
        assert_eq!(doubt_of(&other, before), Some(Doubt::Lost), "{before:?}");
        for error in [
            r#"{"error": "rate limit"}"#,
            r#"{"error": {"code": 429}, "help": "https://a.example/"}"#,
            r#"{"errors": [{"message": "rate limit"}]}"#,
        ] {
            assert_eq!(doubt_of(before, &json(error)), Some(Doubt::Lost), "{before:?} {error}");
        }
    }
    assert_eq!(doubt_of(&page, &other), None);
    assert_eq!(doubt_of(&stock, &json(r#"{"cost": 12}"#)), None, "members may be dates");
    assert_eq!(doubt_of(&stock, &json(r#"{"price": 11, "error": "x"}"#)), None, "a member remains");
    assert_eq!(doubt_of(&json(r#"{"error": null}"#), &json(r#"{"error": "x"}"#)), None);
    assert_eq!(doubt_of(&json("[\"ok\"]"), &json(r#"{"error": "x"}"#)), Some(Doubt::Lost));
    assert_eq!(doubt_of(&text, &seen("text/plain", "error: no tide")), None, "a text is not JSON");
}

#[test]
fn calendar_without_events_is_doubtful() {
    let calendar = |events: &str| {
        let text = format!("BEGIN:VCALENDAR\n{events}END:VCALENDAR\n");
        let target = Target::Calendar;
        observe(text.as_bytes(), Some("text/calendar"), None, &target, &[]).unwrap()
    };
    let (full, empty) = (calendar("BEGIN:VEVENT\nUID:1\nSUMMARY:Talk\nEND:VEVENT\n"), calendar(""));
    assert_eq!(doubt(&full.snapshot, &empty), Some(Doubt::Empty));
    assert_eq!(doubt(&empty.snapshot, &empty), None);
}
