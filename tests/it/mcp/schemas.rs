//! Rules for the input schemas of all tools, so that clients can convert them unchanged: `OpenAI` in strict
//! mode, Gemini, and Anthropic.
//!
//! 1. Every schema is an object with `type`, one type only, and keywords of [`KEYWORDS`]: no `$ref`, `anyOf`,
//!    `oneOf`, `allOf`, `not`, `default`, `const`, `pattern`, or `format`.
//! 2. Every object has `properties` and `additionalProperties: false`; only the root may have no properties.
//! 3. Every array has `items`.
//! 4. An `enum` contains only strings, from 1 to 250 of them.
//! 5. `required` contains only names of properties.
//! 6. Objects are nested at most five levels deep. A tool has at most 200 properties, and the names and `enum`
//!    values of a tool have at most 15,000 characters in total.

use serde_json::Value;

use super::Agent;
use crate::support::person::Person;
use crate::support::{Setup, World, run};

const KEYWORDS: [&str; 11] = [
    "type", "properties", "required", "additionalProperties", "enum", "items", "minimum", "maximum",
    "minItems", "maxItems", "description",
];

/// Totals for one tool.
#[derive(Default)]
struct Counts {
    properties: usize,
    characters: usize,
}

fn check(path: &str, schema: &Value, depth: usize, counts: &mut Counts) {
    let members = schema.as_object().unwrap_or_else(|| panic!("{path} is not a schema"));
    for keyword in members.keys() {
        assert!(KEYWORDS.contains(&keyword.as_str()), "{path} has the keyword {keyword}");
    }
    let kind = schema["type"].as_str().unwrap_or_else(|| panic!("{path} has no single type"));
    assert!(["object", "array", "string", "integer", "number", "boolean"].contains(&kind), "{path}: {kind}");
    assert_eq!(kind == "object", members.contains_key("properties"), "{path}");
    assert_eq!(kind == "object", schema["additionalProperties"] == false, "{path}");
    assert_eq!(kind == "array", members.contains_key("items"), "{path}");
    assert!(depth <= 6, "{path} is nested too deeply");
    if let Some(words) = schema["enum"].as_array() {
        assert!(kind == "string" && (1..=250).contains(&words.len()), "{path}");
        counts.characters += words.iter().map(|word| word.as_str().unwrap().len()).sum::<usize>();
    }
    if kind == "object" {
        let properties = schema["properties"].as_object().unwrap();
        assert!(depth == 0 || !properties.is_empty(), "{path} is an object without fields");
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(properties.contains_key(required.as_str().unwrap()), "{path}: {required}");
        }
        counts.properties += properties.len();
        for (name, property) in properties {
            counts.characters += name.len();
            check(&format!("{path}.{name}"), property, depth + 1, counts);
        }
    }
    if kind == "array" {
        check(&format!("{path}[]"), &schema["items"], depth, counts);
    }
}

#[test]
fn every_input_schema_is_accepted_by_strict_clients() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        for path in ["/mcp", "/mcp/x/all", "/mcp/x/monitors", "/mcp?output=structured", super::ALL_OPERATIONS]
        {
            for tool in Agent::of(&app, &who).at(path).tools().await {
                let (name, mut counts) = (tool["name"].as_str().unwrap(), Counts::default());
                check(name, &tool["inputSchema"], 0, &mut counts);
                assert!(counts.properties <= 200, "{name}: {} properties", counts.properties);
                assert!(counts.characters <= 15_000, "{name}: {} characters", counts.characters);
                assert_eq!(
                    tool.get("outputSchema").is_some(),
                    path.contains("output=structured"),
                    "{path} {name}"
                );
            }
        }
    });
}
