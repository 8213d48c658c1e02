//! Tables of the fields and parameters in an API description: name, value, and meaning.

use maud::{Markup, html};
use serde_json::Value;

use super::text_format::prose;

/// Limits from this value on are not displayed, because no caller reaches them.
const NO_BOUND: u64 = 999_999_999;

/// Table row: a field of an object, or a parameter.
pub(super) struct FieldRow<'a> {
    /// Name in requests and responses.
    pub name: &'a str,
    /// Location of a parameter: path, query, or header. `None` for a field.
    pub location: Option<&'a str>,
    /// True if requests must contain the field or parameter.
    pub is_required: bool,
    pub schema: &'a Value,
    /// Description. Empty if the document contains none.
    pub meaning: &'a str,
}

/// Resolves a `$ref` in `document`. Any other value is returned unchanged.
pub(super) fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"].as_str().map(|name| name.trim_start_matches('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

/// Returns the name of the schema that `schema` refers to, directly or in one of its alternatives.
pub(super) fn name_of(schema: &Value) -> Option<&str> {
    let forms = ["anyOf", "allOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
    std::iter::once(schema).chain(forms).find_map(|form| form["$ref"].as_str()?.rsplit('/').next())
}

/// Returns the string member `name` of `value`. Empty if the member is missing.
pub(super) fn string_member<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Returns the parameters of an operation.
pub(super) fn parameters(operation: &Value) -> Vec<FieldRow<'_>> {
    let field = |parameter| FieldRow {
        name: string_member(parameter, "name"),
        location: parameter["in"].as_str(),
        is_required: parameter["required"] == true,
        schema: &parameter["schema"],
        meaning: string_member(parameter, "description"),
    };
    operation["parameters"].as_array().into_iter().flatten().map(field).collect()
}

/// Returns the fields of an object. Required fields are marked.
pub(super) fn fields<'a>(schema: &'a Value) -> Vec<FieldRow<'a>> {
    // Only schemas of request objects forbid other fields.
    let is_sent = schema["additionalProperties"] == false;
    let required = schema["required"].as_array().filter(|_| is_sent);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
    let field = |(name, shape): (&'a String, &'a Value)| FieldRow {
        name,
        location: None,
        is_required: is_required(name),
        schema: shape,
        meaning: meaning_of(shape),
    };
    schema["properties"].as_object().into_iter().flatten().map(field).collect()
}

/// Returns the description of a field, or of its first alternative if the field itself has none.
fn meaning_of(schema: &Value) -> &str {
    let own = schema["description"].as_str();
    own.or_else(|| forms(schema).next()?["description"].as_str()).unwrap_or_default()
}

/// Renders a table of fields. On narrow screens it is displayed as a list.
pub(super) fn table(document: &Value, title: &str, fields: &[FieldRow<'_>]) -> Markup {
    let has_locations = fields.iter().any(|field| field.location.is_some());
    html! { @if !fields.is_empty() {
        h4 { (title) }
        table.cards.fields {
            thead { tr { th scope="col" { "Name" } @if has_locations { th scope="col" { "In" } } th scope="col" { "Value" } th scope="col" { "Meaning" } } }
            tbody { @for field in fields {
                tr {
                    th scope="row" { code { (field.name) } @if field.is_required { " " span.required { "required" } } }
                    @if has_locations { td data-label="In" { (field.location.unwrap_or_default()) } }
                    td data-label="Value" { (kind_of(document, field.schema)) }
                    td { (prose(field.meaning)) }
                }
            } }
        }
    } }
}

/// Returns the alternatives of a schema.
fn forms(schema: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "allOf", "oneOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten()
}

/// Describes the values that a schema allows.
fn kind_of(document: &Value, schema: &Value) -> Markup {
    let is_null = |form: &Value| form["type"] == "null";
    let has_null =
        |kinds: &Value| kinds.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"));
    let is_nullable = has_null(&schema["type"]) || forms(schema).any(is_null);
    html! {
        (value_of(document, schema))
        @if is_nullable { " or " code { "null" } }
    }
}

fn value_of(document: &Value, schema: &Value) -> Markup {
    let target = resolved(document, schema);
    if let Some(words) = target["enum"].as_array() {
        return one_of(words);
    }
    let kind = target["type"].as_str().or_else(|| {
        let kinds = target["type"].as_array()?.iter();
        kinds.filter_map(Value::as_str).find(|kind| *kind != "null")
    });
    match kind {
        Some("array") => html! { "list of" (count(target)) " " (value_of(document, &target["items"])) },
        Some("object") => {
            let name = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next());
            name.map_or_else(|| html! { "object" }, |name| html! { a href={ "#type-" (name) } { (name) } })
        }
        Some("integer") => html! { "integer" (range(target, "minimum", "maximum", "")) },
        Some("number") => html! { "number" },
        Some("boolean") => html! { code { "true" } " or " code { "false" } },
        Some("string") => text_of(target),
        Some(_) | None => several(document, target),
    }
}

/// Describes a value with several alternatives. A number that may also be sent as text is displayed as a
/// number.
fn several(document: &Value, schema: &Value) -> Markup {
    let says =
        |form: &Value| ["type", "$ref", "enum", "anyOf", "allOf"].iter().any(|key| !form[key].is_null());
    let forms: Vec<&Value> = forms(schema).filter(|form| form["type"] != "null" && says(form)).collect();
    if let Some(number) = forms.first().filter(|form| form["type"] == "integer") {
        return value_of(document, number);
    }
    let formats: Vec<&str> = forms.iter().filter_map(|form| form["format"].as_str()).collect();
    if formats.contains(&"date-time") {
        return html! { "time" };
    }
    html! { @for (index, form) in forms.iter().enumerate() {
        @if index > 0 { " or " }
        (value_of(document, form))
    } }
}

fn text_of(schema: &Value) -> Markup {
    match schema["format"].as_str() {
        Some("uri") => html! { "URL" },
        Some("uuid") => html! { "UUID" },
        Some("date-time") => html! { "time" },
        Some(_) | None if forms(schema).any(|form| form["format"] == "date-time") => html! { "time" },
        Some(_) | None => html! { "text" (range(schema, "minLength", "maxLength", " characters")) },
    }
}

/// Lists the allowed values of an enumeration.
fn one_of(words: &[Value]) -> Markup {
    let words: Vec<String> = words
        .iter()
        .filter(|word| !word.is_null())
        .map(|word| word.as_str().map_or_else(|| word.to_string(), str::to_owned))
        .collect();
    html! { @for (index, word) in words.iter().enumerate() {
        @if index > 0 { @if index + 1 == words.len() { " or " } @else { ", " } }
        code { (word) }
    } }
}

/// Describes the allowed number of items in a list.
fn count(schema: &Value) -> Markup {
    let bounds = range(schema, "minItems", "maxItems", " ").into_string();
    let bounds = bounds.trim_start_matches(", ").trim_end();
    html! { @if !bounds.is_empty() { " " (bounds) ":" } }
}

/// Describes bounds: `, 1 to 80 characters`, `, at least 1`. Empty if the schema has none.
fn range(schema: &Value, least: &str, most: &str, unit: &str) -> Markup {
    let bound = |name: &str| schema[name].as_i64();
    let most = bound(most).filter(|most| most.unsigned_abs() < NO_BOUND);
    let least = bound(least).filter(|least| *least != 0 || most.is_none() && unit.is_empty());
    html! { @match (least, most) {
        (None, None) => {},
        (Some(least), Some(most)) if least == most => { ", " (number(least)) (unit) },
        (Some(least), Some(most)) => { ", " (number(least)) " to " (number(most)) (unit) },
        (Some(least), None) if unit.is_empty() => { ", " (number(least)) " or more" },
        (Some(least), None) => { ", at least " (number(least)) (unit) },
        (None, Some(most)) if unit.is_empty() => { ", 0 to " (number(most)) },
        (None, Some(most)) => { ", at most " (number(most)) (unit) },
    } }
}

/// Formats a number with thousands separators: `25,000`.
fn number(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}
