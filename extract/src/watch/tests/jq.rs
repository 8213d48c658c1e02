//! Targets with jq programs: lines, items and fields of JSON documents and of the data in pages.

use super::super::{ObservationWarning, WatchedField};
use super::*;

const SHOP: &str = r#"{"items": [
    {"name": "Lamp", "price": 12.5, "url": "https://a.example/l", "tags": ["new"]},
    {"name": "Desk", "price": 80, "url": "https://a.example/d", "tags": []}
], "open": true}"#;

fn lines(program: &str) -> Target {
    Target::Page { selector: Some(program.to_owned()) }
}

fn items(items: Option<&str>, fields: &[(&str, &str)]) -> Target {
    let field = |(name, selector): &(&str, &str)| WatchedField::new(name, selector);
    Target::Extract { items: items.map(str::to_owned), fields: fields.iter().map(field).collect() }
}

fn observe_json(text: &str, target: &Target) -> Result<Observation, ObserveError> {
    observe(text.as_bytes(), Some("application/json"), Some("https://a.example/api"), target, &[])
}

fn texts(seen: &Observation) -> Vec<&str> {
    let Snapshot::Blocks(blocks) = &seen.snapshot else { panic!("blocks") };
    blocks.iter().map(|block| block.text.as_str()).collect()
}

fn values(target: &Target) -> Vec<Vec<Option<String>>> {
    let Snapshot::Items(items) = observe_json(SHOP, target).unwrap().snapshot else { panic!("items") };
    items.into_iter().map(|item| item.fields.into_iter().map(|field| field.value).collect()).collect()
}

#[test]
fn outputs_of_a_jq_program_become_lines() {
    for (program, expected) in [
        ("jq:.items[].name", vec!["Lamp", "Desk"]),
        ("jq: .items | length", vec!["2"]),
        ("jq:.items[] | select(.price > 20) | \"\\(.name) at \\(.price)\"", vec!["Desk at 80"]),
        ("jq:.items[] | {name, price}", vec!["name: Lamp · price: 12.5", "name: Desk · price: 80"]),
        ("jq:.items[].tags[]?, .open", vec!["new", "true"]),
    ] {
        assert_eq!(texts(&observe_json(SHOP, &lines(program)).unwrap()), expected, "{program}");
    }
    for program in ["jq:.none", "jq:empty", "jq:.items[].none"] {
        assert_eq!(observe_json(SHOP, &lines(program)).unwrap().absent.as_deref(), Some("/selector"));
    }
}

#[test]
fn items_and_fields_are_read_with_jq_programs() {
    let value = |text: &str| Some(text.to_owned());
    let fields = [("name", "jq:.name | ascii_upcase"), ("price", "$.price"), ("tag", "jq:.tags[0]")];
    let expected = [[value("LAMP"), value("12.5"), value("new")], [value("DESK"), value("80"), None]];
    assert_eq!(values(&items(Some("jq:.items[]"), &fields)), expected);
    assert_eq!(values(&items(Some("jq:.items"), &fields)), expected, "a list is its elements");
    assert_eq!(values(&items(Some("$.items[*]"), &fields)), expected);
    let whole = items(None, &[("total", "jq:.items | map(.price) | add"), ("open", "$.open")]);
    assert_eq!(values(&whole), [[value("92.5"), value("true")]]);
}

#[test]
fn jq_program_reads_embedded_data_of_a_page() {
    let markup = r#"<body><script type="application/ld+json">{"@type": "Product", "offers": {"price": 12}}</script>
        <script id=__NEXT_DATA__ type="application/json">{"props": {"stock": 3}}</script><p>Lamp</p></body>"#;
    let seen = |program: &str| observe_html(markup, &lines(program), &[]).unwrap();
    assert_eq!(texts(&seen("jq:.__NEXT_DATA__.props.stock")), ["3"]);
    assert_eq!(
        texts(&seen("jq:.[\"ld+json\"][] | select(.[\"@type\"] == \"Product\") | .offers.price")),
        ["12"]
    );
}

#[test]
fn failed_jq_program_is_reported_with_pointer_and_reason() {
    let failed = |target: &Target| match observe_json(SHOP, target) {
        Err(ObserveError::SelectorFailed { pointer, reason }) => (pointer, reason),
        other => panic!("{other:?}"),
    };
    let (pointer, reason) = failed(&lines("jq:.open.name"));
    assert!(pointer == "/selector" && reason.starts_with("cannot index"), "{reason}");
    assert_eq!(failed(&lines("jq:error(\"gone\")")).1, "gone");
    let field = items(Some("jq:.items[]"), &[("a", "$.name"), ("b", "jq:.name.x")]);
    assert_eq!(failed(&field).0, "/fields/1/selector");
    assert_eq!(failed(&items(Some("jq:.open[]"), &[("a", "$.name")])).0, "/items");
    let text = observe(b"no JSON", Some("text/plain"), None, &lines("jq:."), &[]);
    assert_eq!(text, Err(ObserveError::NotJson));
}

#[test]
fn invalid_jq_program_is_rejected_with_position() {
    let problems = |target: &Target| target.check().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        problems(&lines(" jq: .a | nope")),
        ["/selector: is not a usable jq program: there is no function nope, at character 11"]
    );
    assert!(problems(&lines("jq:env"))[0].contains("no function env, at character 4"));
    assert_eq!(
        problems(&lines("jq:"))[0],
        "/selector: is not a usable jq program: term is expected, at character 4"
    );
    let mixed = items(Some("jq:.items[]"), &[("a", ".//a")]);
    assert_eq!(problems(&mixed), ["/fields: must select from JSON or from markup like the other selectors"]);
    assert!(problems(&items(Some("$.items"), &[("a", "jq:.a"), ("b", "")])).is_empty());
    assert!(lines("jq:.a").is_program() && lines("jq:.a").is_json() && !lines("$.a").is_program());
}

#[test]
fn endless_jq_outputs_are_truncated_with_a_warning() {
    let seen = observe_json(SHOP, &lines("jq:range(1e12)")).unwrap();
    assert!(seen.warnings.contains(&ObservationWarning::TruncatedSource));
    assert_eq!(texts(&seen).len(), 20_000);
}

#[test]
fn added_and_removed_jq_output_is_a_difference() {
    let list = |names: &[&str]| {
        let items: Vec<_> = names.iter().map(|name| serde_json::json!({"name": name, "in": true})).collect();
        let text = serde_json::json!({"items": items}).to_string();
        observe_json(&text, &lines("jq:.items[] | select(.in) | .name")).unwrap().snapshot
    };
    let summary = |before: &[&str], after: &[&str]| {
        render::summary(&compared(&list(before), &list(after), &Rules::default()))
    };
    assert!(compared(&list(&["a", "b"]), &list(&["a", "b"]), &Rules::default()).is_empty());
    let added = summary(&["Lamp", "Desk"], &["Lamp", "Desk", "Chair"]);
    assert!(added.contains("Chair"), "{added}");
    let removed = summary(&["Lamp", "Desk", "Chair"], &["Lamp", "Chair"]);
    assert!(removed.contains("Desk"), "{removed}");
}
