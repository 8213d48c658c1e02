//! Conversion of OpenAPI schemas to the subset that MCP clients accept: inlined; inputs have only types,
//! enums, bounds and descriptions. Some clients reject a whole conversation because of one unsupported
//! keyword.

use serde_json::{Map, Value, json};

use crate::strict;

/// Bounds above this value are omitted: they only reflect the integer type.
const LARGEST_BOUND: f64 = 1e14;
/// Maximum length of the description of a field, in characters. Only the leading sentences of a longer description
/// are used, because the tool list has a maximum size.
const MAX_FIELD_DESCRIPTION: usize = 200;
/// Argument that names the fields to set to null.
pub(super) const CLEAR: &str = "clear";

/// Note on an argument that takes an object as JSON text.
const JSON_TEXT: &str = "A JSON object as text.";

/// Named schemas of the API description.
#[derive(Clone, Copy)]
pub(super) struct Schemas<'a>(pub &'a Value);

/// Handling of nullable fields in inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nulls {
    /// Null has a meaning: fields to set to null are named in `clear`.
    Cleared,
    /// Null means the same as omitting the field.
    Ignored,
}

impl Schemas<'_> {
    /// Resolves `$ref` and `allOf`.
    pub(super) fn resolved(self, schema: &Value) -> Map<String, Value> {
        let own = schema.as_object().cloned().unwrap_or_default();
        let mut resolved = Map::new();
        if let Some(name) = own.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next()) {
            resolved = self.resolved(&self.0[name]);
        }
        for part in own.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            resolved.extend(self.resolved(part));
        }
        resolved.extend(own.into_iter().filter(|(key, _)| key != "$ref" && key != "allOf"));
        resolved
    }

    /// Input schema.
    pub(super) fn input(self, schema: &Value, nulls: Nulls) -> Value {
        let schema = self.resolved(schema);
        let alternatives = schema.get("anyOf").and_then(Value::as_array);
        if let (None, Some(alternatives)) = (schema.get("type"), alternatives) {
            let of = |kind: &str| {
                alternatives.iter().find(|one| self.resolved(one).get("type").is_some_and(|own| own == kind))
            };
            let chosen =
                of("integer").or_else(|| of("string")).or_else(|| of("number")).or(alternatives.first());
            let mut input = chosen.map_or_else(|| json!({}), |chosen| self.input(chosen, nulls));
            if let Some(about) = schema.get("description") {
                input["description"] = about.clone();
            }
            return input;
        }
        let mut input = Map::new();
        let kind = match (kind_of(&schema), schema.contains_key("properties")) {
            // Some clients refuse objects without fields.
            ("object", false) => "string",
            (kind, _) => kind,
        };
        input.insert("type".into(), kind.into());
        // Some clients accept only enums of strings.
        if let (Some(Value::Array(words)), "string") = (schema.get("enum"), kind) {
            let words: Vec<&Value> = words.iter().filter(|word| !word.is_null()).collect();
            input.insert("enum".into(), json!(words));
        }
        for bound in ["minimum", "maximum", "minItems", "maxItems"] {
            if let Some(number) = schema.get(bound)
                && number.as_f64().is_some_and(|number| number.abs() < LARGEST_BOUND)
            {
                input.insert(bound.into(), number.clone());
            }
        }
        if let Some(items) = schema.get("items") {
            input.insert("items".into(), self.input(items, Nulls::Ignored));
        }
        let fields = schema.get("properties").and_then(Value::as_object);
        if let Some(fields) = fields.filter(|_| kind == "object") {
            self.fields(&schema, fields, nulls, &mut input);
        }
        let about = schema.get("description").and_then(Value::as_str).map(one_line).unwrap_or_default();
        let about = [leading_sentences(&about, MAX_FIELD_DESCRIPTION), &choices_of(&schema)].join(" ");
        let is_text_of_object = kind != kind_of(&schema);
        let about = if is_text_of_object { format!("{} {JSON_TEXT}", about.trim()) } else { about };
        if !about.trim().is_empty() {
            input.insert("description".into(), about.trim().into());
        }
        input.into()
    }

    fn fields(
        self,
        schema: &Map<String, Value>,
        fields: &Map<String, Value>,
        nulls: Nulls,
        input: &mut Map<String, Value>,
    ) {
        let nullable: Vec<&String> =
            fields.iter().filter(|(_, field)| self.is_nullable(field)).map(|(name, _)| name).collect();
        let mut properties: Map<String, Value> =
            fields.iter().map(|(name, field)| (name.clone(), self.input(field, nulls))).collect();
        if nulls == Nulls::Cleared && !nullable.is_empty() {
            let words = json!({
                "type": "array",
                "items": { "type": "string", "enum": nullable },
                "description": "Fields to set to null.",
            });
            properties.insert(CLEAR.into(), words);
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: Vec<&Value> =
            required.filter(|name| !nullable.iter().any(|nullable| *name == nullable.as_str())).collect();
        input.insert("properties".into(), properties.into());
        if !required.is_empty() {
            input.insert("required".into(), json!(required));
        }
        input.insert("additionalProperties".into(), false.into());
    }

    fn is_nullable(self, schema: &Value) -> bool {
        let schema = self.resolved(schema);
        let is_null = |kind: &Value| {
            kind == "null" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"))
        };
        let alternatives = schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
        schema.get("type").is_some_and(is_null)
            || alternatives.filter_map(|one| one.get("type")).any(|kind| kind == "null")
    }

    /// Output schema: fields down to depth `levels`; deeper objects are described as objects with any fields.
    pub(super) fn output(self, schema: &Value, levels: usize) -> Value {
        self.output_at(schema, levels, true)
    }

    fn output_at(self, schema: &Value, levels: usize, is_root: bool) -> Value {
        let schema = self.resolved(schema);
        let mut output = Map::new();
        let inner = self.only_alternative(&schema).unwrap_or_else(|| schema.clone());
        if let Some(items) = inner.get("items") {
            output.insert("items".into(), self.output_at(items, levels, false));
        }
        if let (Some(fields), Some(below)) =
            (inner.get("properties").and_then(Value::as_object), levels.checked_sub(1))
        {
            let fields =
                fields.iter().map(|(name, field)| (name.clone(), self.output_at(field, below, false)));
            output.insert("properties".into(), fields.collect::<Map<_, _>>().into());
            if let Some(required) = inner.get("required").filter(|_| is_root) {
                output.insert("required".into(), required.clone());
            }
        }
        with_types(&self.kinds(&schema), output)
    }

    /// Possible types of a value; empty if they are unknown.
    fn kinds(self, schema: &Map<String, Value>) -> Vec<Value> {
        if let Some(kinds) = stated_kinds(schema) {
            return kinds;
        }
        let mut kinds: Vec<Value> = Vec::new();
        for one in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
            let Some(stated) = stated_kinds(&self.resolved(one)) else { return Vec::new() };
            for kind in stated {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
        kinds
    }

    /// The only alternative besides null.
    fn only_alternative(self, schema: &Map<String, Value>) -> Option<Map<String, Value>> {
        let alternatives = schema.get("anyOf").and_then(Value::as_array)?;
        let mut others = alternatives.iter().filter(|one| one.get("type").is_none_or(|kind| kind != "null"));
        match (others.next(), others.next()) {
            (Some(only), None) => Some(self.resolved(only)),
            (None | Some(_), _) => None,
        }
    }
}

/// Types that the schema itself declares.
fn stated_kinds(schema: &Map<String, Value>) -> Option<Vec<Value>> {
    Some(match schema.get("type")? {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    })
}

/// Adds the possible types of a value to its output schema. Several types become alternatives, because some
/// clients reject a list of types.
fn with_types(kinds: &[Value], output: Map<String, Value>) -> Value {
    match kinds {
        [] => output.into(),
        [kind] => typed(kind, output),
        kinds => {
            let alternatives = kinds.iter().map(|kind| {
                let has_keywords = kind == "object" || kind == "array";
                typed(kind, if has_keywords { output.clone() } else { Map::new() })
            });
            json!({ "anyOf": alternatives.collect::<Vec<Value>>() })
        }
    }
}

/// Schema of one type.
fn typed(kind: &Value, keywords: Map<String, Value>) -> Value {
    let mut typed = Map::from_iter([("type".to_owned(), kind.clone())]);
    typed.extend(keywords);
    typed.into()
}

/// Single, non-null type of an input.
fn kind_of(schema: &Map<String, Value>) -> &str {
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().find(|kind| *kind != "null"),
        kind => kind,
    };
    let implied = if schema.contains_key("properties") { "object" } else { "string" };
    kind.and_then(Value::as_str).unwrap_or(implied)
}

/// Describes in words which fields are mutually exclusive.
pub(super) fn choices_of(schema: &Map<String, Value>) -> String {
    let mut words = String::new();
    let lists = schema.get("oneOf").and_then(Value::as_array).into_iter();
    for choices in lists {
        let names: Vec<&str> = choices.iter().filter_map(|choice| choice["required"][0].as_str()).collect();
        words.push_str(&format!("Exactly one of {}.", names.join(", ")));
    }
    words
}

/// Leading whole sentences of a text, up to `most` characters.
pub(super) fn leading_sentences(text: &str, most: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    let head = &text[..end];
    head.rfind(". ").map_or(head, |end| &head[..=end])
}

/// Joins the lines of a text.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Parses JSON text in arguments that take an object or a list.
pub(super) fn set_parsed(schema: &Value, arguments: &mut Map<String, Value>) {
    for (name, value) in arguments.iter_mut() {
        let schema = &schema["properties"][name.as_str()];
        let about = schema["description"].as_str().unwrap_or_default();
        let takes_object = schema["type"] == "object" || about.ends_with(JSON_TEXT);
        let takes_list = schema["type"] == "array";
        let parsed = value.as_str().and_then(|text| strict::parse(text.as_bytes()).ok());
        let parsed =
            parsed.filter(|parsed| (takes_object && parsed.is_object()) || (takes_list && parsed.is_array()));
        if let Some(parsed) = parsed {
            *value = parsed;
        }
    }
}

/// Sets the fields named in `clear` to null.
pub(super) fn set_cleared(schema: &Value, value: &mut Value) {
    let Some(fields) = value.as_object_mut() else { return };
    let words = &schema["properties"][CLEAR]["items"]["enum"];
    if let Some(known) = words.as_array()
        && let Some(Value::Array(names)) = fields.get(CLEAR)
        && names.iter().all(|name| known.contains(name))
    {
        let names: Vec<String> = names.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        fields.remove(CLEAR);
        for name in names {
            fields.insert(name, Value::Null);
        }
    }
    for (name, field) in fields.iter_mut() {
        set_cleared(&schema["properties"][name.as_str()], field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schemas() -> Value {
        json!({
            "Change": {
                "type": "object",
                "title": "Change",
                "required": ["title", "note"],
                "properties": {
                    "title": {"type": "string", "maxLength": 5, "format": "uri", "pattern": "x", "description": "A\n title."},
                    "note": {"type": ["string", "null"]},
                    "count": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 999_999_999_999_999_u64}, {"type": "string", "pattern": "x"}, {"type": "null"}], "description": "How many."},
                    "word": {"allOf": [{"$ref": "#/components/schemas/Word"}], "description": "Which."},
                    "all": {"type": "object", "additionalProperties": {}},
                },
                "oneOf": [{"required": ["title"]}, {"required": ["count"]}],
                "additionalProperties": false,
            },
            "Word": {"type": "string", "enum": ["a", "b", null]},
        })
    }

    #[test]
    fn input_schema_has_only_types_enums_bounds_and_descriptions() {
        let all = schemas();
        let input = Schemas(&all).input(&json!({"$ref": "#/components/schemas/Change"}), Nulls::Cleared);
        assert_eq!(
            input,
            json!({
                "type": "object",
                "properties": {
                    "title": {"type": "string", "description": "A title."},
                    "note": {"type": "string"},
                    "count": {"type": "integer", "minimum": 1, "description": "How many."},
                    "word": {"type": "string", "enum": ["a", "b"], "description": "Which."},
                    "all": {"type": "string", "description": "A JSON object as text."},
                    "clear": {"type": "array", "items": {"type": "string", "enum": ["note", "count"]}, "description": "Fields to set to null."},
                },
                "required": ["title"],
                "additionalProperties": false,
                "description": "Exactly one of title, count.",
            })
        );
        let mut sent = json!({"title": "x", "clear": ["note", "count"]});
        set_cleared(&input, &mut sent);
        assert_eq!(sent, json!({"title": "x", "note": null, "count": null}));
        let mut unknown = json!({"clear": ["title"]});
        set_cleared(&input, &mut unknown);
        assert_eq!(
            unknown,
            json!({"clear": ["title"]}),
            "a field that cannot be cleared is left to the operation"
        );
    }

    #[test]
    fn json_text_is_parsed_into_an_object_or_list() {
        let schema = json!({"properties": {
            "trigger": {"type": "object"}, "fields": {"type": "array"}, "note": {"type": "string"},
            "metadata": {"type": "string", "description": "Own values. A JSON object as text."},
        }});
        let sent =
            json!({"trigger": "{\"kind\":\"any\"}", "fields": "[1]", "note": "{}", "metadata": "{\"a\":1}"});
        let Value::Object(mut arguments) = sent else { panic!("{sent}") };
        set_parsed(&schema, &mut arguments);
        let expected = json!({"trigger": {"kind": "any"}, "fields": [1], "note": "{}", "metadata": {"a": 1}});
        assert_eq!(Value::from(arguments), expected);
        let mut ambiguous = Map::from_iter([("trigger".to_owned(), json!("{\"a\":1,\"a\":2}"))]);
        set_parsed(&schema, &mut ambiguous);
        assert!(ambiguous["trigger"].is_string(), "an ambiguous text is left to the operation");
    }

    #[test]
    fn output_schema_is_inlined_to_its_depth() {
        let all = json!({
            "List": {"type": "object", "required": ["items", "next"], "properties": {
                "items": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}},
                "next": {"type": ["string", "null"], "enum": ["a", null], "description": "Where."},
            }},
            "Item": {"type": "object", "required": ["id"], "additionalProperties": false, "properties": {
                "id": {"type": "integer", "format": "int64"},
                "asset": {"anyOf": [{"$ref": "#/components/schemas/Asset"}, {"type": "null"}]},
            }},
            "Asset": {"type": "object", "properties": {"size": {"type": "integer"}}},
        });
        let output = Schemas(&all).output(&json!({"$ref": "#/components/schemas/List"}), 2);
        assert_eq!(
            output,
            json!({
                "type": "object",
                "properties": {
                    "items": {"type": "array", "items": {"type": "object", "properties": {
                        "id": {"type": "integer"},
                        "asset": {"anyOf": [{"type": "object"}, {"type": "null"}]},
                    }}},
                    "next": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                },
                "required": ["items", "next"],
            })
        );
    }
}
