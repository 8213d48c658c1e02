//! Operation of the API description as a tool: its arguments and the kind of its response.

use poem::http::Method;
use serde_json::{Map, Value, json};

use super::schema::{Nulls, Schemas, choices_of, one_line};
use super::size::MAX_TOKENS;

/// Default page size of lists.
pub(super) const USUAL_LIMIT: u32 = 20;
/// Content types of request bodies.
const JSON: &str = "application/json";
const FORM: &str = "multipart/form-data";

/// Operation of the Developer API.
#[derive(Clone, Debug)]
pub(super) struct ToolOperation {
    pub id: String,
    pub method: Method,
    /// Path with parameter names in braces.
    pub path: String,
    pub parameters: Vec<Parameter>,
    pub body: BodyKind,
    pub answer: ResponseKind,
    /// True if the operation changes nothing and can be repeated.
    pub reads_only: bool,
    /// Schema of the arguments.
    pub input: Value,
}

/// Parameter of an operation.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    /// Name in the operation.
    pub name: String,
    /// Name among the tool's arguments.
    pub argument: String,
    pub location: ParameterLocation,
}

/// Location of a parameter in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterLocation {
    Path,
    Query,
    Header,
}

/// Kind of a request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    None,
    /// The remaining arguments as a JSON object.
    Json,
    /// A multipart form with a file, and the remaining arguments as fields.
    File,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResponseKind {
    /// A JSON object.
    Json,
    /// No content.
    Nothing,
    Text,
    /// Bytes of any media type.
    File,
}

impl ToolOperation {
    /// Reads the operation under `path` and `method` of an API description.
    pub(super) fn of(
        schemas: Schemas<'_>,
        path: &str,
        method: &str,
        described: &Value,
        nulls: Nulls,
    ) -> Option<Self> {
        let parameters: Vec<Parameter> = described["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(parameter)
            // Tools that delete take no version, which keeps the tool list small.
            .filter(|parameter| method != "delete" || parameter.location != ParameterLocation::Header)
            .collect();
        let content = &described["requestBody"]["content"];
        let body = match (content.get(JSON), content.get(FORM)) {
            (Some(_), _) => BodyKind::Json,
            (None, Some(_)) => BodyKind::File,
            (None, None) => BodyKind::None,
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

    /// True if the tool has an argument with this name.
    pub(super) fn takes(&self, argument: &str) -> bool {
        self.input["properties"].get(argument).is_some()
    }

    /// Schema of all arguments as one object. Parameters and body fields of an operation never have the same
    /// name.
    fn input_of(&self, schemas: Schemas<'_>, described: &Value, nulls: Nulls) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for parameter in described["parameters"].as_array().into_iter().flatten() {
            let known = self.parameters.iter().find(|known| parameter["name"] == known.name);
            let Some(known) = known else { continue };
            let mut schema = schemas.input(&parameter["schema"], Nulls::Ignored);
            let about = parameter["description"].as_str().map(one_line).unwrap_or_default();
            schema["description"] = about.into();
            if parameter["required"] == true {
                required.push(Value::from(known.argument.clone()));
            }
            properties.insert(known.argument.clone(), schema);
        }
        let content = &described["requestBody"]["content"];
        match self.body {
            BodyKind::None => {}
            BodyKind::Json => {
                let body = schemas.input(&content[JSON]["schema"], nulls);
                properties.extend(body["properties"].as_object().cloned().unwrap_or_default());
                required.extend(body["required"].as_array().cloned().unwrap_or_default());
            }
            BodyKind::File => {
                let body = schemas.input(&content[FORM]["schema"], nulls);
                let fields = body["properties"].as_object().cloned().unwrap_or_default();
                properties.extend(fields.into_iter().filter(|(name, _)| name != "file"));
                properties.extend(file_arguments());
            }
        }
        narrow_bounds(&mut properties);
        let mut input = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            input["required"] = required.into();
        }
        input["additionalProperties"] = false.into();
        input
    }
}

/// Constraints between arguments, in words, for the tool's description.
pub(super) fn choices(schemas: Schemas<'_>, described: &Value) -> String {
    choices_of(&schemas.resolved(&described["requestBody"]["content"][JSON]["schema"]))
}

/// Arguments that replace a file.
fn file_arguments() -> Map<String, Value> {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let arguments = [
        ("contentBase64", text("Content in base64, at most 8 MiB decoded. Send this or `text`.")),
        ("text", text("Content of the file as text.")),
        ("fileName", text("Name of the file.")),
        ("mimeType", text("Media type of the file.")),
    ];
    arguments.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

/// Narrows the bounds of arguments so that the result fits the size limit.
fn narrow_bounds(properties: &mut Map<String, Value>) {
    if let Some(tokens) = properties.get_mut("maxTokens") {
        tokens["maximum"] = MAX_TOKENS.into();
    }
    if let Some(limit) = properties.get_mut("limit") {
        limit["description"] = format!("Page size. Default: {USUAL_LIMIT}.").into();
    }
}

fn parameter(described: &Value) -> Option<Parameter> {
    let name = described["name"].as_str()?;
    let location = match described["in"].as_str()? {
        "path" => ParameterLocation::Path,
        "query" => ParameterLocation::Query,
        // A 304 response would give a model no information.
        "header" if name != "If-None-Match" => ParameterLocation::Header,
        _ => return None,
    };
    Some(Parameter { name: name.to_owned(), argument: argument_of(name, location), location })
}

/// Name of a parameter among the arguments: `If-Match` becomes `ifMatch`.
fn argument_of(name: &str, location: ParameterLocation) -> String {
    match location {
        ParameterLocation::Path | ParameterLocation::Query => name.to_owned(),
        ParameterLocation::Header => {
            let mut argument = name.replace('-', "");
            argument[..1].make_ascii_lowercase();
            argument
        }
    }
}

fn answer_of(described: &Value) -> ResponseKind {
    let responses = described["responses"].as_object().into_iter().flatten();
    let done = responses.filter(|(status, _)| status.starts_with('2'));
    let kinds: Vec<&String> =
        done.filter_map(|(_, response)| response["content"].as_object()).flat_map(Map::keys).collect();
    if kinds.iter().any(|kind| *kind == JSON) {
        ResponseKind::Json
    } else if kinds.iter().any(|kind| *kind == "*/*") {
        ResponseKind::File
    } else if kinds.is_empty() {
        ResponseKind::Nothing
    } else {
        ResponseKind::Text
    }
}
