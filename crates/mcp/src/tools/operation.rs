//! An operation of the API description as a tool calls it: where each argument goes, and what kind of answer comes.

use poem::http::Method;
use serde_json::{Map, Value, json};

use super::schema::{Nulls, Schemas, choices_of, one_line};
use super::size::MOST_TOKENS;

/// The longest page of a list that is not asked for by its size.
pub(super) const USUAL_LIMIT: u32 = 20;
/// The content types of bodies.
const JSON: &str = "application/json";
const FORM: &str = "multipart/form-data";

/// An operation.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// Its id.
    pub id: String,
    /// Its method.
    pub method: Method,
    /// Its path, with names in braces.
    pub path: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What it takes as a body.
    pub body: Body,
    /// What it answers.
    pub answer: Answer,
    /// It changes nothing, and may be called again.
    pub reads_only: bool,
    /// The arguments as the tool describes them.
    pub input: Value,
}

/// A parameter of an operation.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    /// Its name as the operation knows it.
    pub name: String,
    /// Its name among the arguments.
    pub argument: String,
    /// Where it goes.
    pub place: Place,
}

/// Where a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Into the path.
    Path,
    /// Into the query.
    Query,
    /// Into a header.
    Header,
}

/// What an operation takes as a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// Nothing.
    None,
    /// The remaining arguments as an object.
    Json,
    /// A form with a file, and the remaining arguments as fields.
    File,
}

/// What an operation answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// An object.
    Json,
    /// Nothing but that it was done.
    Nothing,
    /// A text.
    Text,
    /// Bytes of whatever type.
    File,
}

impl Operation {
    /// The operation that stands under `path` and `method` in a description.
    pub(super) fn of(
        schemas: Schemas<'_>,
        path: &str,
        method: &str,
        described: &Value,
        nulls: Nulls,
    ) -> Option<Self> {
        let parameters: Vec<Parameter> =
            described["parameters"].as_array().into_iter().flatten().filter_map(parameter).collect();
        let content = &described["requestBody"]["content"];
        let body = match (content.get(JSON), content.get(FORM)) {
            (Some(_), _) => Body::Json,
            (None, Some(_)) => Body::File,
            (None, None) => Body::None,
        };
        let mut operation = Self {
            id: described["operationId"].as_str()?.to_owned(),
            method: Method::from_bytes(method.to_ascii_uppercase().as_bytes()).ok()?,
            path: path.to_owned(),
            parameters,
            body,
            answer: answer_of(described),
            reads_only: false,
            input: Value::Null,
        };
        operation.input = operation.input_of(schemas, described, nulls);
        Some(operation)
    }

    /// Whether the tool has an argument of this name.
    pub(super) fn takes(&self, argument: &str) -> bool {
        self.input["properties"].get(argument).is_some()
    }

    /// All arguments in one object. Names of parameters and of fields of the body are different in every operation.
    fn input_of(&self, schemas: Schemas<'_>, described: &Value, nulls: Nulls) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for parameter in described["parameters"].as_array().into_iter().flatten() {
            let known = self.parameters.iter().find(|known| parameter["name"] == known.name);
            let Some(known) = known else { continue };
            let mut schema = schemas.input(&parameter["schema"], Nulls::Nothing);
            let about = parameter["description"].as_str().map(one_line).unwrap_or_default();
            schema["description"] = about.into();
            if parameter["required"] == true {
                required.push(Value::from(known.argument.clone()));
            }
            properties.insert(known.argument.clone(), schema);
        }
        let content = &described["requestBody"]["content"];
        match self.body {
            Body::None => {}
            Body::Json => {
                let body = schemas.input(&content[JSON]["schema"], nulls);
                properties.extend(body["properties"].as_object().cloned().unwrap_or_default());
                required.extend(body["required"].as_array().cloned().unwrap_or_default());
            }
            Body::File => {
                let body = schemas.input(&content[FORM]["schema"], nulls);
                let fields = body["properties"].as_object().cloned().unwrap_or_default();
                properties.extend(fields.into_iter().filter(|(name, _)| name != "file"));
                properties.extend(file_arguments());
            }
        }
        bound(&mut properties);
        let mut input = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            input["required"] = required.into();
        }
        input["additionalProperties"] = false.into();
        input
    }
}

/// What is said of an operation's arguments together, beside its own description.
pub(super) fn choices(schemas: Schemas<'_>, described: &Value) -> String {
    choices_of(&schemas.resolved(&described["requestBody"]["content"][JSON]["schema"]))
}

/// How a file comes in the arguments.
fn file_arguments() -> Map<String, Value> {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let arguments = [
        ("contentBase64", text("The bytes of the file as base64, at most 8 MiB of them. This or `text`.")),
        ("text", text("The file, where it is text.")),
        ("fileName", text("What the file is called.")),
        ("mimeType", text("Its media type.")),
    ];
    arguments.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

/// The bounds of tools where they are narrower than those of the operations: what fits into one answer.
fn bound(properties: &mut Map<String, Value>) {
    if let Some(tokens) = properties.get_mut("maxTokens") {
        tokens["maximum"] = MOST_TOKENS.into();
    }
    if let Some(limit) = properties.get_mut("limit") {
        limit["description"] = format!("The most on a page. Default {USUAL_LIMIT}.").into();
    }
}

fn parameter(described: &Value) -> Option<Parameter> {
    let name = described["name"].as_str()?;
    let place = match described["in"].as_str()? {
        "path" => Place::Path,
        "query" => Place::Query,
        // An answer that has not changed says nothing to a model.
        "header" if name != "If-None-Match" => Place::Header,
        _ => return None,
    };
    Some(Parameter { name: name.to_owned(), argument: argument_of(name, place), place })
}

/// The name among the arguments: `If-Match` is `ifMatch`.
fn argument_of(name: &str, place: Place) -> String {
    match place {
        Place::Path | Place::Query => name.to_owned(),
        Place::Header => {
            let mut argument = name.replace('-', "");
            argument[..1].make_ascii_lowercase();
            argument
        }
    }
}

fn answer_of(described: &Value) -> Answer {
    let responses = described["responses"].as_object().into_iter().flatten();
    let done = responses.filter(|(status, _)| status.starts_with('2'));
    let kinds: Vec<&String> =
        done.filter_map(|(_, response)| response["content"].as_object()).flat_map(Map::keys).collect();
    if kinds.iter().any(|kind| *kind == JSON) {
        Answer::Json
    } else if kinds.iter().any(|kind| *kind == "*/*") {
        Answer::File
    } else if kinds.is_empty() {
        Answer::Nothing
    } else {
        Answer::Text
    }
}
