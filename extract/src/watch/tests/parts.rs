//! Pages with several selectors. A change is reported when one of them starts or stops matching.

use super::super::{
    Filter, FilterKind, Invalid, ObservationPurpose, ObserveInput, Trigger, TriggerKind, observe_input,
};
use super::*;

const SHOP: &str = "<body><h1>Shop</h1><p id=price>12 EUR</p><ul><li>One<li>Two</ul></body>";

fn parts(selectors: &str) -> Target {
    Target::Page { selector: Some(selectors.to_owned()) }
}

fn texts(seen: &Observation) -> Vec<&str> {
    let Snapshot::Blocks(blocks) = &seen.snapshot else { panic!("blocks") };
    blocks.iter().map(|block| block.text.as_str()).collect()
}

fn seen(selectors: &str) -> Observation {
    observe_html(SHOP, &parts(selectors), &[]).unwrap()
}

fn problems(selectors: &str) -> Vec<String> {
    parts(selectors).check().iter().map(Invalid::to_string).collect()
}

#[test]
fn each_of_several_selectors_reports_whether_it_matches() {
    let both = seen("#price\n//li\r\n\n.stock\n#price\n");
    let expected = ["#price: present", "12 EUR", "//li: present", "One", "Two", ".stock: missing"];
    assert_eq!(texts(&both), expected);
    assert_eq!(both.absent, None);
    let none = seen(".stock\n//table");
    assert_eq!((none.absent.as_deref(), texts(&none).len()), (Some("/selector"), 2));
    assert_eq!(texts(&seen("\n#price\n")), ["12 EUR"], "a single selector has no state");
    assert_eq!(texts(&seen("ul\n  li")), ["One", "Two"], "an indented line continues the selector");
    let values = seen("xpath:count(//li)\n//p/@id");
    assert_eq!(texts(&values), ["xpath:count(//li): present", "2", "//p/@id: present", "price"]);
}

#[test]
fn each_of_several_json_selectors_reports_whether_it_matches() {
    let body = br#"{"price": 12, "names": ["One", "Two"]}"#;
    let read =
        |selectors: &str| observe(body, Some("application/json"), None, &parts(selectors), &[]).unwrap();
    let both = read("$.price\njq:.names\n  | .[]\n$.none");
    let expected = ["$.price: present", "12", "jq:.names | .[]: present", "One", "Two", "$.none: missing"];
    assert_eq!(texts(&both), expected);
    assert_eq!(read("$.none\njq:.no").absent.as_deref(), Some("/selector"));
}

#[test]
fn selector_that_starts_or_stops_matching_is_a_difference() {
    let snapshot = |markup: &str| observe_html(markup, &parts("#price\n.stock"), &[]).unwrap().snapshot;
    let rules = Rules { has_margin: true, ..Rules::default() };
    let (with, without) =
        (snapshot("<p id=price>12</p><p class=stock>In stock</p>"), snapshot("<p id=price>12</p>"));
    let moved = snapshot("<p class=stock>In stock</p><p id=price>12</p>");
    let gone = compared(&with, &without, &rules);
    let texts: Vec<_> = gone
        .operations
        .iter()
        .map(|operation| (operation.before.as_deref(), operation.after.as_deref()))
        .collect();
    assert!(texts.contains(&(Some(".stock: present"), Some(".stock: missing"))), "{texts:?}");
    assert!(texts.contains(&(Some("In stock"), None)), "{texts:?}");
    let empty = snapshot("<p id=price>12</p><b class=stock></b>");
    let only_state = compared(&without, &empty, &rules);
    assert_eq!(only_state.operations.len(), 1, "an element without text comes and goes too");
    assert_eq!(only_state.operations[0].after.as_deref(), Some(".stock: present"));
    assert!(compared(&with, &moved, &rules).is_empty(), "the order is that of the selectors");
}

#[test]
fn filters_do_not_drop_match_states_of_selectors() {
    let input = ObserveInput {
        bytes: SHOP.as_bytes().to_vec(),
        content_type: Some("text/html".to_owned()),
        url: None,
        target: parts("#price\nli"),
        ignore: Vec::new(),
        filters: vec![Filter {
            kind: FilterKind::Drop,
            pattern: Some("One|12|present".to_owned()),
            with: None,
        }],
        purpose: ObservationPurpose::Run,
    };
    assert_eq!(texts(&observe_input(&input).unwrap()), ["#price: present", "li: present", "Two"]);
}

#[test]
fn invalid_selector_is_rejected_with_its_line() {
    assert_eq!(
        problems("#price\n\n//a["),
        ["/selector: line 3 is not a usable XPath: the expression is incomplete, at character 5"]
    );
    assert_eq!(
        problems("#price\np:has("),
        ["/selector: line 2 is not a usable CSS selector: it does not parse"]
    );
    assert_eq!(
        problems("#price\n$.price"),
        ["/selector: must select from JSON or from markup like the other selectors"]
    );
    let many = (0..11).map(|number| format!("#p{number}\n")).collect::<Vec<_>>().concat();
    assert_eq!(problems(&many), ["/selector: more than 10"]);
    let long = (0..5).map(|number| format!("#p{number}{}\n", "x".repeat(450))).collect::<Vec<_>>().concat();
    assert_eq!(problems(&long), ["/selector: longer than 2000"]);
    assert!(problems("#price\n//li\njq-is-an-element").is_empty());
    let above = Trigger { kind: TriggerKind::Above, value: Some("3".to_owned()), ..Trigger::default() };
    assert!(above.check(&parts("#price")).is_empty());
    assert_eq!(above.check(&parts("#price\nli")).len(), 1, "there is no single number");
}
