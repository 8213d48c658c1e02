//! Sources that change in several steps, with the expected report of each step.

use extract::watch::observe;

use super::*;

/// Includes the bodies of a source from `testdata`, in this order.
macro_rules! bodies {
    ($($file:literal),+ $(,)?) => {
        [$(include_bytes!(concat!("../../../testdata/", $file)).as_slice()),+]
    };
}

const HTML: &str = "text/html; charset=utf-8";

fn part(selector: Option<&str>) -> Definition {
    Definition { target: Target::Page { selector: selector.map(str::to_owned) }, ..definition() }
}

fn extract(items: Option<&str>, name: &str, selector: &str, key: bool) -> Definition {
    let field =
        WatchedField { name: name.into(), selector: selector.into(), key, number: NumberChoice::First };
    let target = Target::Extract { items: items.map(str::to_owned), fields: vec![field] };
    Definition { target, ..definition() }
}

fn on(kind: TriggerKind, value: Option<&str>, definition: Definition) -> Definition {
    Definition {
        trigger: Trigger { kind, value: value.map(str::to_owned), ..Trigger::default() },
        ..definition
    }
}

fn snapshot(definition: &Definition, mime: &str, body: &[u8]) -> Snapshot {
    let url = Some("https://shop.example/page");
    observe(body, Some(mime), url, &definition.target, &definition.ignore).unwrap().snapshot
}

/// Titles and summaries of the steps after the first step. `·` denotes a step without a change.
fn reports(definition: &Definition, mime: &str, bodies: &[&[u8]]) -> Vec<(String, String)> {
    let mut monitor = SimulatedMonitor::new(definition.clone());
    let mut reports = Vec::new();
    for body in bodies {
        let change = monitor.check(&snapshot(definition, mime, body)).change;
        let none = || ("·".to_owned(), String::new());
        reports.push(change.map_or_else(none, |change| (change.title, change.summary)));
    }
    reports.split_off(1)
}

fn titles(definition: &Definition, mime: &str, bodies: &[&[u8]]) -> Vec<String> {
    reports(definition, mime, bodies).into_iter().map(|(title, _)| title).collect()
}

/// Page with a text and some unchanged words.
fn body(main: &str) -> Vec<u8> {
    let lamp = "<p>The lamp is made of brass and glass, and its light is warm and even.</p>";
    format!("<html><body><main><h1>Shop</h1>{main}{lamp}</main></body></html>").into_bytes()
}

fn titles_of_texts(definition: &Definition, texts: &[&str]) -> Vec<String> {
    let bodies: Vec<Vec<u8>> = texts.iter().map(|text| body(text)).collect();
    titles(definition, HTML, &bodies.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

#[test]
fn returning_item_of_a_page_is_reported() {
    let bodies = bodies![
        "returning-item.0.html", "returning-item.1.html", "returning-item.2.html", "returning-item.3.html",
        "returning-item.4.html", "returning-item.5.html",
    ];
    let definition = on(TriggerKind::Added, None, extract(Some("li.s"), "slot", "", true));
    assert_eq!(titles(&definition, HTML, &bodies), ["+ C", "·", "+ C", "·", "+ D"]);
}

#[test]
fn change_at_the_end_of_a_long_field_is_reported() {
    let definition = extract(None, "terms", ".t", false);
    let bodies = bodies!["long-field.0.html", "long-field.1.html"];
    let expected = ("terms: kept → sold".to_owned(), "Terms changed from “kept” to “sold”".to_owned());
    assert_eq!(reports(&definition, HTML, &bodies), [expected]);
    let definition = on(TriggerKind::TextAppears, Some("sold"), extract(None, "t", ".x", false));
    assert_eq!(
        titles(&definition, HTML, &bodies!["late-word.0.html", "late-word.1.html"]),
        ["t: kept → sold"]
    );
}

#[test]
fn change_at_the_end_of_a_long_json_text_is_reported() {
    let bodies = bodies!["long-json.0.json", "long-json.1.json"];
    assert_eq!(titles(&part(Some("$.text")), "application/json", &bodies), ["kept → sold"]);
    assert_eq!(titles(&part(None), "application/json", &bodies), ["kept → sold"]);
}

#[test]
fn change_at_the_end_of_a_long_paragraph_is_quoted() {
    let bodies = bodies!["long-paragraph.0.html", "long-paragraph.1.html"];
    let summary = "Paragraph changed: “good” became “perfect”".to_owned();
    assert_eq!(reports(&part(None), HTML, &bodies), [("good → perfect".to_owned(), summary)]);
}

#[test]
fn title_contains_the_words_of_the_trigger_at_any_position() {
    let clauses =
        |from: usize| (from..from + 400).map(|n| format!("Clause {n} is valid.")).collect::<Vec<_>>();
    let long = |word: &str| {
        format!("<p>{word} {} It is {word} out. {}</p>", clauses(0).join(" "), clauses(400).join(" "))
    };
    let appears = on(TriggerKind::TextAppears, Some("sold out"), part(None));
    let (before, after) = (long("worn"), long("sold"));
    let title = titles_of_texts(&appears, &[&before, &after]).remove(0);
    assert!(title.contains("sold out"), "{title}");
    let many =
        |last: &str| (0..60).map(|n| format!("<p>Line {n} of {last}</p>")).collect::<Vec<_>>().concat();
    let after = format!("{}<p>Now at last it is sold out.</p>", many("the second page"));
    let title = titles_of_texts(&appears, &[&many("a first one"), &after]).remove(0);
    assert!(title.contains("sold out") && title.chars().count() <= 121, "{title}");
    let added = on(TriggerKind::Added, Some("python*"), part(None));
    let after = format!("<p>{} Pythonistas wanted.</p>", clauses(0).join(" "));
    let title = titles_of_texts(&added, &["", &after]).remove(0);
    assert!(title.contains("Pythonistas"), "{title}");
    let disappears = on(TriggerKind::TextDisappears, Some("Add to cart"), part(None));
    let before = format!("{}<p>Add to cart</p>", many("the second page"));
    let title = titles_of_texts(&disappears, &[&before, &many("a first one")]).remove(0);
    assert!(title.starts_with("− Add to cart"), "{title}");
}

#[test]
fn numbers_that_are_not_quantities_have_no_difference() {
    let of = |bodies: &[&[u8]]| reports(&part(None), HTML, bodies).remove(0);
    let (title, summary) = of(&bodies!["version.0.html", "version.1.html"]);
    assert_eq!(title, "Version: 1.9 → 1.10");
    assert_eq!(summary, "Paragraph changed: “1.9” became “1.10”");
    let (title, summary) = of(&bodies!["room.0.html", "room.1.html"]);
    assert_eq!(
        (title.as_str(), summary.as_str()),
        ("Room: 112 → 98", "Paragraph changed: “112” became “98”")
    );
    let (title, summary) = of(&bodies!["account-number.0.html", "account-number.1.html"]);
    assert_eq!(title, "Account: DE12 5001 0517 0648 4898 90 → DE12 5001 0517 0648 4898 91");
    assert!(summary.contains(" became "), "{summary}");
    let deadline = bodies!["deadline.0.html", "deadline.1.html", "deadline.2.html"];
    assert_eq!(titles(&part(None), HTML, &deadline), ["·", "Deadline: 12 March 2026 → 9 March 2026"]);
    let paragraph = |text: &str| body(&format!("<p>{text}</p>"));
    for (before, after) in [
        ("Hotline 030 1234", "Hotline 030 1299"),
        ("Annual budget of 2025", "Annual budget of 2026"),
        ("Our train leaves from platform 12", "Our train leaves from platform 9"),
        ("The offer ends on May 28", "The offer ends on May 30"),
    ] {
        let (old, new) = (paragraph(before), paragraph(after));
        let (_, summary) = of(&[old.as_slice(), new.as_slice()]);
        assert!(summary.contains(" became "), "{summary}");
    }
    for (before, after, expected) in [
        ("The lamp costs 14 990 Kč", "The lamp costs 9 990 Kč", "fell from 14 990 Kč to 9 990 Kč"),
        ("Interest of 3.5 % a year", "Interest of 4 % a year", "rose from 3.5 % to 4 %"),
        ("Price: 129.00", "Price: 99.00", "Price fell from 129.00 to 99.00"),
        ("Level of the lake is 4 m today", "Level of the lake is 5 m today", "rose from 4 m to 5 m"),
    ] {
        let (old, new) = (paragraph(before), paragraph(after));
        let (_, summary) = of(&[old.as_slice(), new.as_slice()]);
        assert!(summary.ends_with(expected), "{summary}");
    }
}

#[test]
fn numeric_fields_have_a_difference() {
    let summary = |name: &str, before: &str, after: &str| {
        let field = |value: &str| body(&format!("<p class=v>{value}</p>"));
        let definition = extract(None, name, ".v", false);
        let (old, new) = (field(before), field(after));
        reports(&definition, HTML, &[old.as_slice(), new.as_slice()]).remove(0).1
    };
    assert_eq!(summary("stock", "12", "9"), "Stock fell from 12 to 9");
    assert_eq!(summary("version", "1.9", "1.10"), "Version changed from “1.9” to “1.10”");
    assert_eq!(summary("phone", "0301234", "0301299"), "Phone changed from “0301234” to “0301299”");
    assert_eq!(summary("budget", "2025", "2026"), "Budget changed from “2025” to “2026”");
    assert_eq!(summary("price", "12 €", "$9"), "Price changed from “12 €” to “$9”");
}

#[test]
fn reordered_json_members_are_unchanged() {
    let bodies = bodies!["key-order.0.json", "key-order.1.json", "key-order.2.json"];
    assert_eq!(titles(&part(Some("$")), "application/json", &bodies), ["·", "y: 2 → 3"]);
    let object = extract(None, "data", "$.b", false);
    assert_eq!(titles(&object, "application/json", &bodies[..2]), ["·"]);
}

#[test]
fn single_json_value_is_reported_as_changed() {
    let bodies: [&[u8]; 3] = [br#"{"p":10}"#, br#"{"p":null}"#, br#"{"p":12}"#];
    let titles = titles(&part(Some("$.p")), "application/json", &bodies);
    assert_eq!(titles, ["10 → null", "null → 12"]);
}

#[test]
fn csv_is_compared_row_by_row() {
    let bodies: [&[u8]; 3] = [
        b"id,name,price\n1,Ada,5\n2,Bob,7\n",
        b"id,name,price\n1,Ada,5\n2,Bob,7\n3,Cid,8\n",
        b"id,name,price\n1,Ada,5\n2,Bob,6\n3,Cid,8\n",
    ];
    let reports = reports(&part(None), "text/csv", &bodies);
    assert_eq!(reports[0].0, "+ 3 | Cid | 8");
    assert_eq!(reports[1], ("Bob: 7 → 6".to_owned(), "Bob fell from 7 to 6".to_owned()));
}

#[test]
fn title_contains_the_name_of_the_row_or_section() {
    let table = |platform: &str, price: &str| {
        format!(
            "<table><tr><th>Train</th><th>Time</th><th>Platform</th><th>Price</th></tr>\
             <tr><td>IC 8</td><td>08:15</td><td>{platform}</td><td>{price}</td></tr>\
             <tr><td>RE 3</td><td>08:15</td><td>2</td><td>12</td></tr></table>"
        )
    };
    let (first, second, third) = (table("2", "20"), table("5", "20"), table("5", "18"));
    assert_eq!(titles_of_texts(&part(None), &[&first, &second, &third]), ["IC 8: 2 → 5", "IC 8: 20 → 18"]);
    let halls = |other: &str| format!("<h2>Hall A</h2><p>open</p><h2>Hall B</h2><p>{other}</p>");
    let titles = titles_of_texts(&part(None), &[&halls("open"), &halls("closed")]);
    assert_eq!(titles, ["Hall B: + closed, Hall B: − open"]);
}

#[test]
fn text_after_a_negation_does_not_fire_the_trigger() {
    let definition = on(TriggerKind::TextAppears, Some("In stock"), part(None));
    let bodies = bodies!["denied-stock.0.html", "denied-stock.1.html", "denied-stock.2.html"];
    let titles = titles(&definition, HTML, &bodies);
    assert!(titles[0] == "·" && titles[1].contains("In stock"), "{titles:?}");
    let gone = on(TriggerKind::TextDisappears, Some("lieferbar"), part(None));
    let said = ["<p>Sofort lieferbar</p>", "<p>Nicht mehr lieferbar</p>", "<p>Derzeit nicht lieferbar</p>"];
    let titles = titles_of_texts(&gone, &said);
    assert!(titles[0].contains("lieferbar") && titles[1] == "·", "{titles:?}");
}

#[test]
fn asterisk_in_a_trigger_matches_within_a_word() {
    let definition = on(TriggerKind::TextAppears, Some("Ticket*"), part(None));
    let titles = titles_of_texts(&definition, &["<p>Nothing yet for sale.</p>", "<p>Tickets for sale.</p>"]);
    assert!(titles[0].contains("Tickets"), "{titles:?}");
}

#[test]
fn alert_outside_the_main_part_is_reported() {
    let bodies = bodies!["alert-banner.0.html", "alert-banner.1.html"];
    assert_eq!(titles(&part(None), HTML, &bodies), ["+ School is closed on Monday because of snow."]);
}

#[test]
fn sitemap_with_one_new_date_for_all_urls_is_unchanged() {
    let target = Target::Sitemap { include: Vec::new(), exclude: Vec::new() };
    let bodies =
        bodies!["dated-sitemap.0.xml", "dated-sitemap.1.xml", "dated-sitemap.2.xml", "dated-sitemap.3.xml",];
    assert_eq!(
        titles(&Definition { target, ..definition() }, "application/xml", &bodies),
        ["·", "+ https://example.org/c", "− https://example.org/c"]
    );
}

#[test]
fn page_that_appears_is_reported_if_the_trigger_accepts_it() {
    let definition = |kind, value: Option<&str>| on(kind, value, part(None));
    let arrival = |definition: &Definition| {
        let seen = snapshot(definition, HTML, &body("<p>Tickets are on sale.</p>"));
        let before = PreviousState {
            baseline: None,
            recent_contents: RecentContents::default(),
            memory: Memory::default(),
        };
        let seen = TimedSnapshot { snapshot: &seen, at: HOUR };
        evaluate_arrival(definition, TargetType::Page, before, seen).unwrap()
    };
    let evaluation = arrival(&definition(TriggerKind::Any, None)).unwrap();
    let change = evaluation.change.unwrap();
    assert!(change.title.starts_with("The page exists now: + Shop, + Tickets are"), "{}", change.title);
    assert!(evaluation.contents.iter().any(|content| content.hash == change.before_hash));
    assert_eq!(evaluation.baseline_hash, change.after_hash);
    assert!(arrival(&definition(TriggerKind::TextAppears, Some("on sale"))).is_some());
    assert!(arrival(&definition(TriggerKind::TextAppears, Some("sold out"))).is_none());
    assert!(arrival(&definition(TriggerKind::TextDisappears, Some("on sale"))).is_none());
    assert!(arrival(&definition(TriggerKind::Removed, None)).is_none());
}
