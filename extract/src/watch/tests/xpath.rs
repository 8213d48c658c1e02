//! Targets and ignore rules with XPath: parts of pages, attribute values, items and fields.

use super::super::{InvalidReason, ObservationWarning, WatchedField, check_ignores};
use super::*;

const SHOP: &str = "<body><h1>Shop</h1><div class=ad>Buy now</div>\
    <div class=i><a href=/l?utm_source=x title='A lamp'>Lamp</a><b>12 EUR</b></div>\
    <div class=i><a href=/d>Desk</a><b>80 EUR</b><i>new</i></div><p>2 offers<br>today</p></body>";

fn path(selector: &str) -> Target {
    Target::Page { selector: Some(selector.to_owned()) }
}

fn items(items: Option<&str>, fields: &[(&str, &str)]) -> Target {
    let field = |(name, selector): &(&str, &str)| WatchedField::new(name, selector);
    Target::Extract { items: items.map(str::to_owned), fields: fields.iter().map(field).collect() }
}

fn texts(seen: &Observation) -> Vec<&str> {
    let Snapshot::Blocks(blocks) = &seen.snapshot else { panic!("blocks") };
    blocks.iter().map(|block| block.text.as_str()).collect()
}

/// Values of each item.
fn values(target: &Target) -> Vec<Vec<Option<String>>> {
    let Snapshot::Items(items) = observe_html(SHOP, target, &[]).unwrap().snapshot else { panic!("items") };
    items.into_iter().map(|item| item.fields.into_iter().map(|field| field.value).collect()).collect()
}

fn problems(target: &Target) -> Vec<String> {
    target.check().iter().map(ToString::to_string).collect()
}

#[test]
fn xpath_selects_a_part_of_a_page_or_its_values() {
    for (selector, expected) in [
        ("//div[@class='i'][b[starts-with(., '8')]]", vec!["Desk80 EURnew"]),
        ("(//b)[last()]", vec!["80 EUR"]),
        ("//div//b | //h1", vec!["Shop", "12 EUR", "80 EUR"]),
        ("//p/text()", vec!["2 offers", "today"]),
        ("//div/a/@href", vec!["https://a.example/l", "https://a.example/d"]),
        ("//a/@title", vec!["A lamp"]),
        ("xpath:count(//div[b])", vec!["2"]),
        ("xpath: normalize-space(//h1)", vec!["Shop"]),
        ("xpath://h1 = 'Shop'", vec!["true"]),
    ] {
        let seen = observe_html(SHOP, &path(selector), &[]).unwrap();
        assert_eq!(texts(&seen), expected, "{selector}");
    }
    for selector in ["//table", "//a/@rel", "xpath:string(//table)"] {
        let seen = observe_html(SHOP, &path(selector), &[]).unwrap();
        assert_eq!(seen.absent.as_deref(), Some("/selector"), "{selector}");
    }
}

#[test]
fn fields_are_read_with_xpath_from_their_item() {
    let fields = [
        ("name", ".//a"),
        ("link", "./a/@href"),
        ("price", "xpath:substring-before(b, ' ')"),
        ("badge", "i"),
    ];
    let read = values(&items(Some("//div[b]"), &fields));
    let value = |text: &str| Some(text.to_owned());
    assert_eq!(
        read,
        [
            [value("Lamp"), value("https://a.example/l"), value("12"), None],
            [value("Desk"), value("https://a.example/d"), value("80"), value("new")],
        ]
    );
    let whole = values(&items(None, &[("title", "//h1"), ("offers", "xpath:count(//div[b])")]));
    assert_eq!(whole, [[value("Shop"), value("2")]]);
    let mixed = values(&items(Some(".i"), &[("name", "a"), ("price", "./b/text()")]));
    assert_eq!(mixed[1], [value("Desk"), value("80 EUR")]);
}

#[test]
fn nodes_ignored_with_xpath_are_not_compared() {
    let rule = |selector: &str| [Ignore::Selector(selector.to_owned())];
    let seen = observe_html(SHOP, &path("//body"), &rule("//div[@class='ad' or b]")).unwrap();
    assert_eq!(texts(&seen), ["Shop", "2 offers", "today"]);
    let seen = observe_html(SHOP, &path("//a/@href"), &rule("//div[i]")).unwrap();
    assert_eq!(texts(&seen), ["https://a.example/l"]);
    let seen = observe_html(SHOP, &path("//body"), &rule("//table")).unwrap();
    assert!(seen.warnings.contains(&ObservationWarning::IgnoreMatchesNothing));
}

#[test]
fn invalid_xpath_is_rejected_with_position() {
    for (target, expected) in [
        (path("//a[1"), "/selector: is not a usable XPath: \"]\" is missing, at character 6"),
        (path(" xpath: //ä]"), "/selector: is not a usable XPath: \"]\" is not expected, at character 12"),
        (
            path("//a[ends-with(., 'x')]"),
            "/selector: is not a usable XPath: XPath 1.0 has no function \"ends-with\", at character 5",
        ),
        (
            items(Some("//a/@href"), &[("x", ".")]),
            "/items: is not a usable XPath: it must select elements, not attributes or a value",
        ),
        (
            items(Some("//div"), &[("x", "//a")]),
            "/fields/0/selector: is not a usable XPath: it selects the same value for each item; begin it with a dot, as in .//a",
        ),
        (
            items(Some("//div"), &[("x", "$.a")]),
            "/fields: must select from JSON or from markup like the other selectors",
        ),
    ] {
        assert_eq!(problems(&target), [expected]);
    }
    let ignored = check_ignores(&[Ignore::Selector("//a/@href".to_owned())]);
    assert!(matches!(&ignored[0].problem, InvalidReason::XPath(_)), "{ignored:?}");
    assert!(problems(&items(Some("div"), &[("x", "@href"), ("y", "")])).is_empty());
}

#[test]
fn costly_xpath_fails_with_its_pointer() {
    let markup = format!("<body>{}</body>", "<p>x <b>y</b></p>".repeat(5_000));
    let costly = "//*[count(preceding::*) > count(following::*)]";
    let failed = |pointer: &str| -> Result<Observation, ObserveError> {
        let reason = "it needs too many steps on this source".to_owned();
        Err(ObserveError::SelectorFailed { pointer: pointer.to_owned(), reason })
    };
    assert_eq!(observe_html(&markup, &path(costly), &[]), failed("/selector"));
    let field = items(None, &[("a", "//p"), ("b", costly)]);
    assert_eq!(observe_html(&markup, &field, &[]), failed("/fields/1/selector"));
    let rule = [Ignore::Selector(costly.to_owned())];
    assert_eq!(observe_html(&markup, &whole(), &rule), failed("/ignore/0/selector"));
}

#[test]
fn matches_beyond_the_limit_cause_a_warning() {
    let many = format!("<body>{}</body>", "<p title=x>y</p>".repeat(20_001));
    let long = format!("<body><p title='{0}'></p><p title='{0}'></p></body>", "word ".repeat(2_000_000));
    for (markup, target) in [
        (&many, path("p")),
        (&many, path("//p")),
        (&many, path("p\n//p")),
        (&many, path("//p/@title")),
        (&many, items(Some("//p"), &[("title", "@title")])),
        (&long, path("//p/@title")),
        (&long, path("xpath:concat(//p[1]/@title, //p[2]/@title)")),
    ] {
        let seen = observe_html(markup, &target, &[]).unwrap();
        let count = seen.warnings.iter().filter(|warning| **warning == ObservationWarning::TruncatedSource);
        assert_eq!(count.count(), 1, "{target:?}");
    }
}

#[test]
fn xpath_does_not_match_json() {
    let seen = observe(b"{\"a\": 1}", Some("application/json"), None, &path("//a"), &[]);
    assert!(matches!(seen, Err(ObserveError::Absent { .. })));
}

#[test]
fn added_and_removed_xpath_match_is_a_difference() {
    let list = |last: &str| {
        observe_html(&page(&format!("<ul><li>One<li>Two{last}</ul>")), &path("//main//li"), &[])
            .unwrap()
            .snapshot
    };
    let summary = |before: &str, after: &str| {
        render::summary(&compared(&list(before), &list(after), &Rules::default()))
    };
    assert!(compared(&list(""), &list(""), &Rules::default()).is_empty());
    assert!(summary("", "<li>Three").contains("Three"), "{}", summary("", "<li>Three"));
    assert!(summary("<li>Three", "").contains("Three"), "{}", summary("<li>Three", ""));
}
