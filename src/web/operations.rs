//! The operations of an API description as a page shows them: contents, parameters, bodies and responses.

use std::fmt::Write as _;

use maud::{Markup, html};
use serde_json::Value;

use super::docs::prose;

/// All operations of a document, in its order.
pub(super) fn operations(document: &Value) -> Markup {
    html! {
        (contents(document))
        @for (path, methods) in document["paths"].as_object().into_iter().flatten() {
            @for (method, operation) in methods.as_object().into_iter().flatten() {
                section id=(operation["operationId"].as_str().unwrap_or_default()) {
                    h2 { (operation["summary"].as_str().unwrap_or_default()) }
                    p { span.method { (method.to_uppercase()) } code { (path) } }
                    @if let Some(about) = operation["description"].as_str() { p { (prose(about)) } }
                    (parameters(document, operation))
                    (body(document, operation))
                    (answers(operation))
                }
            }
        }
    }
}

/// A list of all operations, with links to them.
fn contents(document: &Value) -> Markup {
    html! {
        nav aria-label="Operations" {
            h2 { "Contents" }
            ul { @for (path, methods) in document["paths"].as_object().into_iter().flatten() {
                @for (method, operation) in methods.as_object().into_iter().flatten() {
                    li {
                        a href={ "#" (operation["operationId"].as_str().unwrap_or_default()) } { (operation["summary"].as_str().unwrap_or_default()) }
                        " " span.soft.small { (method.to_uppercase()) " " code { (path) } }
                    }
                }
            } }
        }
    }
}

fn parameters(document: &Value, operation: &Value) -> Markup {
    let Some(list) = operation["parameters"].as_array().filter(|list| !list.is_empty()) else {
        return html! {};
    };
    html! {
        h3 { "Parameters" }
        div.scroll tabindex="0" { table {
            thead { tr { th { "Name" } th { "In" } th { "Value" } th { "Meaning" } } }
            tbody { @for parameter in list {
                tr {
                    td { code { (parameter["name"].as_str().unwrap_or_default()) } @if parameter["required"] == true { " *" } }
                    td { (parameter["in"].as_str().unwrap_or_default()) }
                    td { (kind_of(document, &parameter["schema"])) }
                    td { (prose(parameter["description"].as_str().unwrap_or_default())) }
                }
            } }
        } }
    }
}

fn body(document: &Value, operation: &Value) -> Markup {
    let content = &operation["requestBody"]["content"]["application/json"];
    let Some(name) = content["schema"]["$ref"].as_str().and_then(|path| path.rsplit('/').next()) else {
        return html! {};
    };
    let schema = &document["components"]["schemas"][name];
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    html! {
        h3 { "Body" }
        div.scroll tabindex="0" { table {
            thead { tr { th { "Field" } th { "Value" } th { "Meaning" } } }
            tbody { @for (field, shape) in schema["properties"].as_object().into_iter().flatten() {
                tr {
                    td { code { (field) } @if required.contains(&field.as_str()) { " *" } }
                    td { (kind_of(document, shape)) }
                    td { (prose(meaning_of(shape))) }
                }
            } }
        } }
        @if !content["example"].is_null() {
            pre tabindex="0" { code { (serde_json::to_string_pretty(&content["example"]).unwrap_or_default()) } }
        }
    }
}

fn answers(operation: &Value) -> Markup {
    html! {
        h3 { "Responses" }
        ul { @for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
            li { code { (status) } " " (prose(answer["description"].as_str().unwrap_or_default())) }
        } }
    }
}

/// What a field means, which may be said of the first of its forms.
fn meaning_of(schema: &Value) -> &str {
    let own = schema["description"].as_str();
    own.or_else(|| first_form(schema)?["description"].as_str()).unwrap_or_default()
}

/// The first of several forms of a value: a number that may also come as a text, or a value that may be null.
fn first_form(schema: &Value) -> Option<&Value> {
    ["anyOf", "allOf"].into_iter().find_map(|key| schema[key].get(0))
}

fn kind_of(document: &Value, schema: &Value) -> String {
    let words = words_of(document, schema);
    if !words.is_empty() {
        return words.join(", ");
    }
    if let Some(first) = first_form(schema).filter(|_| schema["type"].is_null() && schema["$ref"].is_null()) {
        return kind_of(document, first);
    }
    let mut text = match &schema["type"] {
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => {
            let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
            name.unwrap_or("any").to_owned()
        }
    };
    for (name, words) in
        [("minimum", "from"), ("maximum", "to"), ("minLength", "at least"), ("maxLength", "at most")]
    {
        if let Some(bound) = schema[name].as_i64() {
            let _ = write!(text, ", {words} {bound}");
        }
    }
    text
}

/// The words of an enum, which may stand in the schema itself, in one it names, or in one of several.
fn words_of<'a>(document: &'a Value, schema: &'a Value) -> Vec<&'a str> {
    let named = |schema: &'a Value| {
        let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        name.map_or(schema, |name| &document["components"]["schemas"][name])
    };
    let forms = ["anyOf", "allOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
    let all = std::iter::once(schema).chain(forms);
    all.filter_map(|schema| named(schema)["enum"].as_array()).flatten().filter_map(Value::as_str).collect()
}
