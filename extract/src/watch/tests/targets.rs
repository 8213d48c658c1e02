//! Targets: pages, parts of pages, sitemaps, extracts and JSON documents.

use std::io::Write;

use super::super::{InvalidReason, ObservationWarning, UrlEntry, WatchedField, check_ignores};
use super::*;

fn texts(seen: &Observation) -> Vec<&str> {
    let Snapshot::Blocks(blocks) = &seen.snapshot else { panic!("blocks") };
    blocks.iter().map(|block| block.text.as_str()).collect()
}

fn field(name: &str, selector: &str, key: bool) -> WatchedField {
    WatchedField { key, ..WatchedField::new(name, selector) }
}

#[test]
fn page_is_read_as_lines_of_its_main_text() {
    let seen = observe_html(
        &page("<p>One<br>two</p><ul><li><h3>Lamp</h3><p>12 EUR</p></li></ul><table><tr><td>a</td><td>b</td></tr></table>\
               <aside>beside</aside><div hidden>hidden</div><pre>x = 1\ny = 2</pre>"),
        &whole(),
        &[],
    )
    .unwrap();
    assert_eq!(seen.title.as_deref(), Some("A page"));
    let expected = ["One", "two", "Lamp · 12 EUR", "a | b", "x = 1", "y = 2", "beside"];
    assert_eq!(texts(&seen)[2..], expected);
    let Snapshot::Blocks(blocks) = &seen.snapshot else { panic!("blocks") };
    let margin: Vec<bool> = blocks[6..].iter().map(|block| block.is_marginal).collect();
    assert_eq!(margin, [false, false, true], "the aside is not part of the main text");
}

#[test]
fn selector_reads_only_the_matched_elements() {
    let markup = "<body><nav class=menu><p>Home</p></nav><div class=menu><p>Soup</p></div></body>";
    let chosen = |css: &str| observe_html(markup, &Target::Page { selector: Some(css.to_owned()) }, &[]);
    assert_eq!(texts(&chosen(".menu").unwrap()), ["Home", "Soup"]);
    assert_eq!(texts(&chosen("div, div p").unwrap()), ["Soup"], "nested matches are read once");
    assert_eq!(chosen(".gone").unwrap().absent.as_deref(), Some("/selector"));
    assert!(matches!(chosen("p:has(b) i"), Err(ObserveError::Target { .. })));
    assert_eq!(texts(&chosen("div:has(> p)").unwrap()), ["Soup"]);
    assert_eq!(texts(&chosen("nav, div:contains(\"Soup\")").unwrap()), ["Home", "Soup"]);
    assert_eq!(texts(&chosen("//div[@class='menu']/p").unwrap()), ["Soup"]);
    assert_eq!(texts(&chosen("//p[contains(., 'Soup')]").unwrap()), ["Soup"]);
    assert_eq!(chosen("//p/following-sibling::div").unwrap().absent.as_deref(), Some("/selector"));
}

#[test]
fn page_without_text_is_an_error() {
    assert_eq!(
        observe_html("<body><div id=app></div><script>go()</script></body>", &whole(), &[]),
        Err(ObserveError::NoText)
    );
    let deep = "<div>".repeat(5_000);
    assert!(matches!(observe_html(&deep, &whole(), &[]), Err(ObserveError::TooComplex { .. })));
    let png = observe(b"\x89PNG", Some("image/png"), None, &whole(), &[]);
    assert_eq!(png, Err(ObserveError::Unsupported { mime: "image/png".to_owned() }));
}

#[test]
fn items_are_compared_by_key_and_value() {
    let list = |price: &str, last: &str| {
        format!(
            "<ul><li class=i><a href=/l?utm_source=x><h3>Lamp</h3></a><b>{price}</b></li>\
             <li class=i><a href=/d><h3>Desk</h3></a><b>80 EUR</b></li><li class=i><a href=/{last}><h3>{last}</h3></a></li></ul>"
        )
    };
    let target = Target::Extract {
        items: Some(".i".to_owned()),
        fields: vec![field("name", "h3", false), field("price", "b", false), field("link", "a@href", false)],
    };
    let seen = |markup: &str| observe_html(markup, &target, &[]).unwrap();
    let before = seen(&list("12.50 EUR", "Chair"));
    assert_eq!(before.warnings, [ObservationWarning::FieldMissing]);
    let Snapshot::Items(items) = &before.snapshot else { panic!("items") };
    assert_eq!(items[0].key, "https://a.example/l");
    assert_eq!(items[0].fields[2].value.as_deref(), Some("https://a.example/l"));
    let after = seen(&list("10 EUR", "Chair"));
    let comparison = compared(&before.snapshot, &after.snapshot, &Rules::default());
    assert_eq!(render::summary(&comparison), "“Lamp”: price fell from 12.50 EUR to 10 EUR");
    let after = seen(&list("12.50 EUR", "Stool"));
    let comparison = compared(&before.snapshot, &after.snapshot, &Rules::default());
    assert_eq!(render::summary(&comparison), "Item “Chair” removed, “Stool” added");
    assert_eq!((comparison.added, comparison.removed, comparison.modified), (1, 1, 0));
}

#[test]
fn extract_without_items_reads_the_whole_page() {
    let target = Target::Extract { items: None, fields: vec![field("price", ".p", false)] };
    let seen =
        |price: &str| observe_html(&page(&format!("<b class=p>{price}</b>")), &target, &[]).unwrap().snapshot;
    let comparison = compared(&seen("12"), &seen("10"), &Rules::default());
    assert_eq!(render::summary(&comparison), "Price fell from 12 to 10");
    let absent = observe_html(&page(""), &target, &[]).unwrap();
    assert_eq!(absent.absent.as_deref(), Some("/fields/0/selector"));
}

#[test]
fn missing_field_is_compared_like_a_value() {
    let fields = vec![field("name", "h2", false), field("price", ".p", false)];
    let target = Target::Extract { items: None, fields };
    let seen = observe_html(&page("<h2>Lamp</h2>"), &target, &[]).unwrap();
    assert_eq!(
        (seen.absent.as_deref(), seen.warnings.as_slice()),
        (None, &[ObservationWarning::FieldMissing][..])
    );
    let items = Target::Extract { items: Some("li".to_owned()), fields: vec![field("name", "b", true)] };
    for main in ["<p>No appointment is free.</p>", "<ul><li><i>nothing</i></li></ul>"] {
        let empty = observe_html(&page(main), &items, &[]).unwrap();
        assert_eq!((empty.absent.as_deref(), empty.snapshot), (Some("/items"), Snapshot::Items(Vec::new())));
    }
}

#[test]
fn wall_is_not_comparable() {
    let wall = "<html><head><title>Just a moment...</title></head><body><main><h1>shop.example</h1>\
         <p>Checking your browser before accessing the shop.</p></main></body></html>";
    let price = |items: Option<&str>| Target::Extract {
        items: items.map(str::to_owned),
        fields: vec![field("price", ".p", false)],
    };
    for target in [whole(), price(None), price(Some("li")), Target::Page { selector: Some(".p".to_owned()) }]
    {
        assert!(!observe_html(wall, &target, &[]).unwrap().is_comparable(), "{target:?}");
    }
    let sold_out = "<h2>Lamp</h2><p>Sold out. We will be back.</p>";
    assert!(observe_html(&page(sold_out), &price(None), &[]).unwrap().is_comparable());
    let titled = "<html><head><title>Error 404 T-shirt</title></head><body><b class=p>12</b></body></html>";
    assert!(
        observe_html(titled, &price(None), &[]).unwrap().is_comparable(),
        "a page on which the selector finds the price is comparable"
    );
}

#[test]
fn incomplete_sitemap_is_not_comparable() {
    let whole = b"<urlset><url><loc>https://a.example/1</loc></url></urlset>";
    assert!(sitemap(whole, &[], &[]).unwrap().is_comparable());
    assert!(!sitemap(&whole[..whole.len() - 9], &[], &[]).unwrap().is_comparable());
}

#[test]
fn order_of_items_is_compared_only_if_ordered() {
    let target = Target::Extract { items: Some("li".to_owned()), fields: vec![field("name", "", true)] };
    let seen = |markup: &str| observe_html(markup, &target, &[]).unwrap().snapshot;
    let (before, after) = (seen("<li>a</li><li>b</li><li>c</li>"), seen("<li>c</li><li>a</li><li>b</li>"));
    assert!(compared(&before, &after, &Rules::default()).is_empty());
    assert_eq!(render::summary(&compared(&before, &after, &ordered())), "List reordered: 1 item moved");
}

#[test]
fn json_is_read_with_a_path_or_as_a_whole() {
    let text = |price: f64| {
        format!(r#"{{"name":"Shop","open":true,"items":[{{"id":1,"price":{price}}},{{"id":2,"price":7}}]}}"#)
    };
    let read =
        |text: &str, target: &Target| observe(text.as_bytes(), Some("application/json"), None, target, &[]);
    let seen = read(&text(12.0), &whole()).unwrap();
    assert_eq!(
        texts(&seen),
        ["items: id: 1 · price: 12", "items: id: 2 · price: 7", "name: Shop", "open: true"]
    );
    let path = Target::Page { selector: Some("$.items[0].price".to_owned()) };
    assert_eq!(texts(&read(&text(12.5), &path).unwrap()), ["12.5"]);
    let target = Target::Extract {
        items: Some("$.items".to_owned()),
        fields: vec![field("id", "$.id", true), field("price", "$.price", false)],
    };
    let (before, after) = (read(&text(12.0), &target).unwrap(), read(&text(10.5), &target).unwrap());
    let comparison = compared(&before.snapshot, &after.snapshot, &Rules::default());
    assert_eq!(render::summary(&comparison), "“1”: price fell from 12 to 10.5");
    assert_eq!(read("<p>no</p>", &path), Err(ObserveError::NotJson));
    let none = Target::Page { selector: Some("$.nothing".to_owned()) };
    assert_eq!(read(&text(1.0), &none).unwrap().absent.as_deref(), Some("/selector"));
}

fn sitemap(bytes: &[u8], include: &[&str], exclude: &[&str]) -> Result<Observation, ObserveError> {
    let own = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let target = Target::Sitemap { include: own(include), exclude: own(exclude) };
    observe(bytes, Some("application/xml"), Some("https://a.example/sitemap.xml"), &target, &[])
}

const MAP: &str = "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
    xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>\
    <url><loc>https://a.example/blog/b?x=1&amp;y=2#top</loc><lastmod>2026-11-02</lastmod></url>\
    <url><loc> https://a.example/about </loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image></url>\
    <url><loc>https://a.example/blog/a</loc></url><url><loc>ftp://a.example/x</loc></url></urlset>";

fn urls(seen: &Observation) -> Vec<&str> {
    let Snapshot::Urls(urls) = &seen.snapshot else { panic!("urls") };
    urls.iter().map(|entry| entry.url.as_str()).collect()
}

#[test]
fn sitemap_is_read_as_sorted_urls() {
    let seen = sitemap(MAP.as_bytes(), &[], &[]).unwrap();
    assert_eq!(
        urls(&seen),
        ["https://a.example/about", "https://a.example/blog/a", "https://a.example/blog/b?x=1&y=2"]
    );
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(MAP.as_bytes()).unwrap();
    assert_eq!(sitemap(&packer.finish().unwrap(), &[], &[]), Ok(seen));
    assert_eq!(
        urls(&sitemap(MAP.as_bytes(), &["/blog/"], &["*/a$"]).unwrap()),
        ["https://a.example/blog/b?x=1&y=2"]
    );
    assert_eq!(
        urls(&sitemap(MAP.as_bytes(), &["https://a.example/ab*t"], &[]).unwrap()),
        ["https://a.example/about"]
    );
    let none = sitemap(MAP.as_bytes(), &["/shop/"], &[]).unwrap();
    assert_eq!(none.warnings, [ObservationWarning::PatternsLeaveNothing]);
    assert_eq!(urls(&sitemap(b"https://a.example/1\nhttps://a.example/2\n", &[], &[]).unwrap()).len(), 2);
    assert_eq!(sitemap(b"<html><body>No</body></html>", &[], &[]), Err(ObserveError::NotASitemap));
    assert_eq!(sitemap(b"", &[], &[]), Err(ObserveError::NotASitemap));
}

#[test]
fn parts_of_a_sitemap_index_are_merged() {
    let index = "<sitemapindex><sitemap><loc>https://a.example/1.xml.gz</loc><lastmod>2026-01-01</lastmod></sitemap>\
                 <sitemap><loc>/2.xml</loc></sitemap></sitemapindex>";
    let seen = sitemap(index.as_bytes(), &[], &[]).unwrap();
    let part = |url: &str, lastmod: Option<&str>| UrlEntry {
        url: url.to_owned(),
        lastmod: lastmod.map(str::to_owned),
    };
    assert_eq!(
        seen.sitemaps,
        [part("https://a.example/1.xml.gz", Some("2026-01-01")), part("https://a.example/2.xml", None)]
    );
    let mut whole = seen.snapshot;
    whole.absorb(sitemap(MAP.as_bytes(), &[], &[]).unwrap().snapshot);
    whole.absorb(sitemap(b"https://a.example/about\nhttps://a.example/1", &[], &[]).unwrap().snapshot);
    assert_eq!(whole.len(), 4);
}

#[test]
fn sitemap_comparison_reports_added_removed_and_updated_urls() {
    let map = |entries: &[(&str, &str)]| {
        let entry = |(path, date): &(&str, &str)| UrlEntry {
            url: format!("https://a.example/{path}"),
            lastmod: Some((*date).to_owned()),
        };
        Snapshot::Urls(entries.iter().map(entry).collect())
    };
    let before = map(&[("a", "1"), ("b", "1"), ("c", "1")]);
    let after = map(&[("b", "2"), ("c", "1"), ("d", "1"), ("e", "1")]);
    let comparison = compared(&before, &after, &Rules::default());
    assert_eq!(render::summary(&comparison), "2 pages added, 1 removed, 1 updated");
    let one = compared(&before, &map(&[("a", "1"), ("b", "2"), ("c", "1")]), &Rules::default());
    assert_eq!(render::summary(&one), "Page updated: https://a.example/b (1 → 2)");
}

#[test]
fn invalid_target_is_rejected_with_pointer() {
    let pointers =
        |target: Target| target.check().into_iter().map(|invalid| invalid.pointer).collect::<Vec<_>>();
    let page = |selector: &str| pointers(Target::Page { selector: Some(selector.to_owned()) });
    for good in [
        "p", "main > .x, #y", "$.a[*].b", "a[href^='x, y']", "li:has(> a.x)", "main p:contains('a (b')",
        r".md\:w-1",
    ] {
        assert!(page(good).is_empty(), "{good}");
    }
    for bad in [
        "",
        "p >",
        "::",
        "p:has(a b)",
        "p:has(a) b",
        "p:has(a, b)",
        "p:has(a)\u{c}[b]",
        "p:has",
        "p /*(*/ a",
        "p:has(:has(a))",
        "p:not(:has(a))",
        r"p:h\61s(a)",
        "$.[",
        "$..a..b..c",
        "$[?match(@.a, 'x')]",
        &"a ".repeat(30),
    ] {
        assert_eq!(page(bad), ["/selector"], "{bad}");
    }
    let extract = Target::Extract {
        items: Some("li".to_owned()),
        fields: vec![field("a", "$.x", false), field("a", "", false), field(" ", ">", false)],
    };
    assert_eq!(pointers(extract), ["/fields", "/fields/1/name", "/fields/2/name", "/fields/2/selector"]);
    let map = Target::Sitemap {
        include: vec!["/a b".to_owned()],
        exclude: vec!["*".to_owned(), "ftp://x".to_owned()],
    };
    assert_eq!(pointers(map), ["/include/0", "/exclude/0", "/exclude/1"]);
    let rules = [
        Ignore::Text(" ".to_owned()),
        Ignore::Regex("(".to_owned()),
        Ignore::Regex(r"[\w\W]{10000}".to_owned()),
        Ignore::Regex("x*".to_owned()),
        Ignore::Selector("{}".to_owned()),
        Ignore::Regex(r"\d+ views".to_owned()),
    ];
    let problems = check_ignores(&rules);
    let locations: Vec<&str> = problems.iter().map(|invalid| invalid.pointer.as_str()).collect();
    assert_eq!(locations, ["/0/text", "/1/regex", "/2/regex", "/3/regex", "/4/selector"]);
    assert_eq!(problems[2].problem, InvalidReason::Regex("it is too big".to_owned()));
}

#[test]
fn targets_and_rules_parse_from_api_json() {
    let target: Target = serde_json::from_str(r#"{"type":"page"}"#).unwrap();
    assert_eq!(target, whole());
    let ignore: Vec<Ignore> =
        serde_json::from_str(r#"[{"text":"a"},{"regex":"b"},{"selector":"c"}]"#).unwrap();
    assert_eq!(ignore[1], Ignore::Regex("b".to_owned()));
}

#[test]
fn invalid_header_names_are_rejected() {
    let problems = |fields: &[(&str, &str)]| -> Vec<String> {
        let fields = fields.iter().map(|(name, header)| field(name, header, false)).collect();
        Target::Headers { fields }.check().into_iter().map(|problem| problem.pointer).collect()
    };
    assert_eq!(problems(&[]), [""; 0]);
    assert_eq!(
        problems(&[("etag", ""), ("size", "Content-Length"), ("when changed", "last-modified")]),
        [""; 0]
    );
    assert_eq!(
        problems(&[("when changed", ""), ("a", "h1 > b")]),
        ["/fields/0/selector", "/fields/1/selector"]
    );
    assert_eq!(problems(&[("a", "x"), ("a", "y"), ("status", "z")]), ["/fields/1/name", "/fields/2/name"]);
    let long = "x".repeat(101);
    assert_eq!(problems(&[("a", long.as_str())]), ["/fields/0/selector"]);
}
