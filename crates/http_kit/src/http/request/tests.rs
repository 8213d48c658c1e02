//! Tests of `request!`: parsing and description from one declaration.

use serde_json::json;

use super::*;
use crate::http::params::{Flag, Integer, Text, Url};
use crate::http::value::{List, Nullable};

request! {
    /// Something nested.
    struct Part in camelCase {
        /// Its name.
        part_name: Text<1, 3>,
    }
}

request! {
    /// Something to make,
    /// in two lines.
    struct Whole in camelCase {
        /// Where.
        target_url: Url = "https://example.com/",
        /// How many.
        how_many: Integer<1, 25> = 3 => 8_u32,
        /// May be nothing.
        note: Option<Nullable<Text<0, 5>>>,
        /// Parts.
        parts: Option<List<Part, 1, 2>>,
        /// Yes or no.
        flag: Option<Flag>,
        /// Names.
        names: Option<List<Text<1, 3>, 0, 2>>,
        /// May be unknown.
        count: Option<Nullable<Integer<1, 9>>>,
    }
}

request! {
    /// One way or the other.
    struct Choice in snake_case {
        /// One way.
        by_id: Option<Integer<1, 9>>,
        /// The other.
        by_name: Option<Nullable<Text<1, 9>>>,
    }
    with exactly one of [by_id, by_name]
}

fn fault(value: &Value) -> String {
    Whole::parse(value).unwrap_err().to_string()
}

#[test]
fn sent_fields_are_parsed_and_omitted_fields_get_defaults() {
    let whole = Whole::parse(&json!({"targetUrl": "u", "howMany": "9", "note": null})).unwrap();
    assert_eq!((whole.how_many, &whole.note), (Integer(9), &Some(Nullable(None))));
    let whole =
        Whole::parse(&json!({"targetUrl": "u", "flag": "1", "parts": "[{\"partName\":\"a\"}]"})).unwrap();
    assert_eq!((whole.how_many, whole.note, whole.flag), (Integer(8), None, Some(Flag(true))));
    let parts = Some(List(vec![Part { part_name: Text("a".into()) }]));
    assert_eq!(whole.parts, parts);
    // Forms may send each object of a list as its own value.
    for sent in [json!("{\"partName\":\"a\"}"), json!(["{\"partName\":\"a\"}"])] {
        assert_eq!(Whole::parse(&json!({"targetUrl": "u", "parts": sent})).unwrap().parts, parts);
    }
}

#[test]
fn request_faults_point_to_the_invalid_field() {
    assert_eq!(fault(&json!([])), "/: must be an object");
    assert_eq!(fault(&json!({})), "/targetUrl: is missing");
    assert_eq!(fault(&json!({"targetUrl": null})), "/targetUrl: is missing");
    assert_eq!(fault(&json!({"targetUrl": "u", "howMany": null})), "/howMany: must be an integer");
    assert_eq!(fault(&json!({"targetUrl": "u", "howMany": 26})), "/howMany: must be between 1 and 25");
    for wrong in [json!(7.5), json!("7x"), json!(""), json!("1234567890123456")] {
        let sent = json!({"targetUrl": "u", "howMany": wrong});
        assert_eq!(fault(&sent), "/howMany: must be an integer", "{sent}");
    }
    assert_eq!(fault(&json!({"targetUrl": "u", "parts": []})), "/parts: has fewer items than 1");
    let long = json!([{"partName": "äöüß"}]);
    assert_eq!(fault(&json!({"targetUrl": "u", "parts": long})), "/parts/0/partName: longer than 3");
    let parts = json!([{"partName": "äöü"}, {"partName": ""}]);
    assert_eq!(fault(&json!({"targetUrl": "u", "parts": parts})), "/parts/1/partName: must not be empty");
    assert_eq!(fault(&json!({"targetUrl": "u", "co/lour": 1})), "/co~1lour: there is no such property");
    assert_eq!(fault(&json!({"targetUrl": "u".repeat(4097)})), "/targetUrl: longer than 4096");
    for wrong in [json!({}), json!({"by_id": 1, "by_name": "a"}), json!({"by_name": null})] {
        let fault = Choice::parse(&wrong).unwrap_err().to_string();
        assert_eq!(fault, "/: must have exactly one of by_id, by_name");
    }
}

#[test]
fn camel_case_is_equal_at_compile_time_and_run_time() {
    for name in ["url", "interval_minutes", "a_b_c"] {
        assert_eq!(camel_length(name), camel_case(name).len());
    }
    assert_eq!(camel_case("interval_minutes"), "intervalMinutes");
    assert_eq!(wire_name!(camelCase interval_minutes), "intervalMinutes");
}

#[test]
fn schema_matches_the_declaration_of_the_request() {
    let mut registry = Registry::new();
    Whole::register(&mut registry);
    let described = serde_json::to_value(&registry.schemas["Whole"]).unwrap();
    assert_eq!(described["description"], "Something to make, in two lines.");
    assert_eq!(described["required"], json!(["targetUrl"]));
    assert_eq!(described["example"], json!({"targetUrl": "https://example.com/", "howMany": 3}));
    assert_eq!(described["properties"]["howMany"]["anyOf"][1]["pattern"], "^([1-9]|1[0-9]|2[0-5])$");
    assert_eq!(described["properties"]["note"]["nullable"], true);
    assert!(registry.schemas.contains_key("Part"));
    Choice::register(&mut registry);
    let choice = serde_json::to_value(&registry.schemas["Choice"]).unwrap();
    let one = json!([
        {"required": ["by_id"]},
        {"required": ["by_name"], "properties": {"by_name": {"type": "string"}}},
    ]);
    assert_eq!(choice["oneOf"], one);
}

#[test]
fn form_encodings_are_not_accepted_in_json_bodies() {
    let sent = json!({"targetUrl": "u", "names": "a", "count": ""});
    let whole = Whole::parse(&Whole::of_form(sent.clone())).unwrap();
    assert_eq!((whole.names, whole.count), (Some(List(vec![Text("a".into())])), Some(Nullable(None))));
    assert_eq!(fault(&sent), "/names: must be a list");
    assert_eq!(fault(&json!({"targetUrl": "u", "count": ""})), "/count: must be an integer");
    let whole = Whole::parse(&json!({"targetUrl": "u", "names": ["a"], "count": "7"})).unwrap();
    assert_eq!((whole.names.unwrap().0.len(), whole.count), (1, Some(Nullable(Some(Integer(7))))));
    assert_eq!(Whole::of_form(json!({"names": ["a", "b"]})), json!({"names": ["a", "b"]}));
}
