//! Selection of the parser for a body, and detection of walls.

use super::*;
use crate::watch::target::WatchedField;

const PAGE: Target = Target::Page { selector: None };

fn seen(body: &str, mime: &str, target: &Target) -> Result<Observation, ObserveError> {
    observe(body.as_bytes(), Some(mime), Some("https://example.com/list"), target, &[])
}

fn texts(seen: &Observation) -> Vec<(Kind, &str)> {
    match &seen.snapshot {
        Snapshot::Blocks(blocks) => blocks.iter().map(|block| (block.kind, block.text.as_str())).collect(),
        Snapshot::Items(_) | Snapshot::Urls(_) => Vec::new(),
    }
}

fn price() -> Target {
    let field = WatchedField::new("price", ".price");
    Target::Extract { items: None, fields: vec![field] }
}

#[test]
fn plain_text_is_read_as_lines_even_if_it_contains_markup() {
    let observation = seen("one <b>line</b>\n\n  another \n", "text/plain", &PAGE).unwrap();
    assert_eq!(texts(&observation), [(Kind::Paragraph, "one <b>line</b>"), (Kind::Paragraph, "another")]);
    assert!(matches!(seen("a", "text/plain", &price()), Err(ObserveError::Absent { .. })));
    assert!(matches!(seen(" \n", "text/plain", &PAGE), Err(ObserveError::NoText)));
}

#[test]
fn markdown_is_read_with_block_kinds_and_links() {
    let markdown =
        "# Harbour\n\nBoats go out. [Times](https://example.com/times)\n\n- first\n\n```\nlet a = 1;\n```\n";
    let observation = seen(markdown, "text/markdown", &PAGE).unwrap();
    let expected = [
        (Kind::Heading, "Harbour"),
        (Kind::Paragraph, "Boats go out. Times"),
        (Kind::ListItem, "first"),
        (Kind::Code, "let a = 1;"),
    ];
    let kinds: Vec<_> = texts(&observation).into_iter().filter(|(_, text)| *text != "Harbour").collect();
    assert_eq!(kinds, expected[1..]);
    assert_eq!(observation.title.as_deref(), Some("Harbour"));
    let Snapshot::Blocks(blocks) = &observation.snapshot else { panic!("no blocks") };
    let paragraph = blocks.iter().find(|block| block.text.starts_with("Boats")).unwrap();
    assert_eq!(paragraph.links, ["https://example.com/times"]);
    let figure = "# Harbour\n\nBoats go out.\n\n![Two boats](https://example.com/boats.png)\n";
    let observation = seen(figure, "text/markdown", &PAGE).unwrap();
    assert!(texts(&observation).contains(&(Kind::Figure, "Two boats")), "{observation:?}");
    let headings = "# Harbour\n\n## Times\n\nBoats go out with the tide.\n";
    let observation = seen(headings, "text/markdown", &PAGE).unwrap();
    assert!(texts(&observation).contains(&(Kind::Heading, "Times")), "{observation:?}");
}

#[test]
fn body_with_selectors_is_read_as_markup_for_any_content_type() {
    let body = "<div class=price>12 €</div>";
    let observation = seen(body, "application/octet-stream", &price()).unwrap();
    let Snapshot::Items(items) = &observation.snapshot else { panic!("no items") };
    assert_eq!(items[0].fields[0].value.as_deref(), Some("12 €"));
    let chosen = Target::Page { selector: Some(".price".into()) };
    assert_eq!(texts(&seen(body, "application/octet-stream", &chosen).unwrap())[0].1, "12 €");
    let offer = "<offer><b class='price'>12 €</b></offer>";
    assert_eq!(texts(&seen(offer, "application/xml", &chosen).unwrap())[0].1, "12 €");
}

#[test]
fn json_is_recognised_by_content_type() {
    let observation = seen("{\"price\": 12}", "application/json", &PAGE).unwrap();
    assert!(observation.is_comparable());
    assert!(!texts(&observation).is_empty() || !matches!(observation.snapshot, Snapshot::Blocks(_)));
    assert_ne!(texts(&observation), [(Kind::Paragraph, "{\"price\": 12}")]);
}

#[test]
fn wall_in_front_of_the_watched_page_is_suspect() {
    let wall = "<title>Just a moment...</title><body><p>Checking your browser before you go on.</p></body>";
    let is_suspect = |body: &str, target: &Target| {
        let seen = seen(body, "text/html", target).unwrap();
        seen.warnings.contains(&ObservationWarning::SuspectText)
    };
    let chosen = Target::Page { selector: Some("main".into()) };
    assert!(is_suspect(wall, &PAGE));
    assert!(is_suspect(wall, &chosen), "a wall is suspect if the selector finds nothing");
    assert!(is_suspect(wall, &price()));
    let shop = "<title>Lamp</title><body><main><p>A lamp of brass.</p><p class=price>12 €</p></main></body>";
    for target in [&PAGE, &chosen, &price()] {
        assert!(!is_suspect(shop, target), "{target:?}");
    }
    let titled_wall =
        "<title>Just a moment...</title><body><p>Checking your browser</p><p class=price>12 €</p></body>";
    assert!(
        !is_suspect(titled_wall, &price()),
        "a page on which the selectors find something is not suspect"
    );
    let wall = "<title>Lamp</title><body><p>Checking your browser</p><p class=price>12 €</p></body>";
    assert!(
        is_suspect(wall, &chosen),
        "a page that names itself a wall is suspect if the selector finds nothing"
    );
    let price_part = Target::Page { selector: Some(".price".into()) };
    assert!(!is_suspect(wall, &price_part), "a found part without the text of a wall is not suspect");
    let part = "<title>Access denied</title><body><main><p>Boats go out at noon.</p></main></body>";
    assert!(is_suspect(part, &chosen), "a found part of a page with the title of a wall is suspect");
}

#[test]
fn source_code_is_read_as_lines() {
    for (body, mime) in [
        ("a: 1\nb:\n  - c\n", "application/yaml"),
        ("a: 1\nb:\n  - c\n", ""),
        ("a {\n  b: c\n}\n", "text/css"),
    ] {
        let observation = seen(body, mime, &PAGE).unwrap();
        assert_eq!(texts(&observation).len(), 3, "{mime}");
    }
}

#[test]
fn page_in_xml_syntax_is_read_as_html() {
    let page = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head><body><p>Boats go out.</p></body></html>";
    let observation = seen(page, "application/xhtml+xml", &PAGE).unwrap();
    assert_eq!(texts(&observation), [(Kind::Paragraph, "Boats go out.")]);
}

#[test]
fn binary_data_is_unsupported_for_any_content_type() {
    for mime in ["text/html", "text/plain", "", "application/json"] {
        let jpeg = observe(b"\xff\xd8\xff\xe0\0\x10JFIF\0", Some(mime), None, &PAGE, &[]);
        assert!(
            matches!(jpeg, Err(ObserveError::Unsupported { .. } | ObserveError::NotJson)),
            "{mime}: {jpeg:?}"
        );
    }
}

#[test]
fn embedded_json_of_a_page_is_read_by_path() {
    let page = r#"<html lang=de><head><title>Lamp</title><script type="application/ld+json">
        [{"@type":"Product","name":"Lamp","offers":{"price":"90.00"}}]</script>
        <script type="application/ld+json">{"@type":"Organization"}</script>
        <script type="application/ld+json">{"@type":</script>
        <script id="__NEXT_DATA__" type="application/json">{"props":{"stock":3}}</script>
        <script type="application/json">{"a":1}</script></head><body><p>Lamp</p></body></html>"#;
    let part = |path: &str| {
        let observation = seen(page, "text/html", &Target::Page { selector: Some(path.into()) }).unwrap();
        texts(&observation).into_iter().map(|(_, text)| text.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(part("$['ld+json'][?@['@type']=='Product'].offers.price"), ["90.00"]);
    assert_eq!(part("$['ld+json'][*]['@type']"), ["Product", "Organization"]);
    assert_eq!(part("$.__NEXT_DATA__.props.stock"), ["3"]);
    assert_eq!(part("$.json[0].a"), ["1"]);
    let field = WatchedField::new("price", "$.offers.price");
    let extract = Target::Extract { items: Some("$['ld+json']".into()), fields: vec![field] };
    let observation = seen(page, "text/html", &extract).unwrap();
    assert_eq!((observation.title.as_deref(), observation.language.as_deref()), (Some("Lamp"), Some("de")));
    let Snapshot::Items(items) = &observation.snapshot else { panic!("no items") };
    assert_eq!(items[0].fields[0].value.as_deref(), Some("90.00"));
    let absent = seen(page, "text/html", &Target::Page { selector: Some("$.gone".into()) }).unwrap();
    assert_eq!(absent.absent.as_deref(), Some("/selector"));
    assert!(seen("plain", "text/plain", &extract).is_err());
}

#[test]
fn xml_code_and_other_plain_files_are_read_as_lines() {
    let xml = "<?xml version=\"1.0\"?>\n<ferries>\n  <ferry at=\"9:00\">North</ferry>\n</ferries>\n";
    let robots = "User-agent: *\nDisallow: /harbour/\n";
    let script = "const fare = 12;\nexport { fare };\n";
    for (body, mime) in [
        (xml, "application/xml"),
        (xml, "text/xml; charset=utf-8"),
        (robots, "text/plain"),
        (script, "text/javascript"),
        (script, "application/javascript"),
        ("a,\nb {\n  color: red;\n}\n", "text/css"),
        ("[harbour]\nfare = 12\n", "application/toml"),
    ] {
        let observation = seen(body, mime, &PAGE).unwrap();
        let lines: Vec<&str> = texts(&observation).into_iter().map(|(_, text)| text).collect();
        assert_eq!(lines, body.lines().map(str::trim).collect::<Vec<_>>(), "{mime}");
    }
}

#[test]
fn change_in_a_long_line_of_code_is_displayed() {
    let script =
        |fare: u32| format!("var a=1;{}fare={fare};{}", "f(x);".repeat(2_000), "g(y);".repeat(2_000));
    let snapshot = |fare: u32| seen(&script(fare), "text/javascript", &PAGE).unwrap().snapshot;
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let comparison =
        crate::watch::compare(&snapshot(12), &snapshot(15), &crate::watch::Rules::default(), until);
    let title = crate::watch::render::title(&comparison);
    assert!(title.contains("12") && title.contains("15"), "{title}");
}
