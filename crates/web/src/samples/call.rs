//! Sample call of an operation, built from the examples in the API description.

use serde_json::Value;

use crate::api_fields::{resolved, string_member};

/// Sample request, independent of the programming language.
pub(crate) struct Call<'a> {
    /// Method in upper case.
    pub(crate) method: String,
    /// URL with example values in the path and in the required query parameters.
    pub(crate) url: String,
    /// True if the operation needs a key.
    pub(crate) takes_key: bool,
    /// True if the operation has several response formats. The sample requests JSON.
    pub(crate) asks_json: bool,
    /// True if the response is JSON.
    pub(crate) gives_json: bool,
    pub(crate) body: Option<CallBody<'a>>,
}

/// Request body.
pub(crate) enum CallBody<'a> {
    Json(&'a Value),
    /// Fields of a multipart form: name and value.
    Form(Vec<(&'a str, FormPart)>),
    /// Raw file: its media type and its file name.
    File(&'a str, &'static str),
}

/// Value of a form field.
pub(crate) enum FormPart {
    Text(String),
    File,
}

impl<'a> Call<'a> {
    /// Builds the call of an operation. The path has parameters in braces, and the method is in lower case.
    pub(crate) fn of(document: &'a Value, (path, method): (&str, &str), operation: &'a Value) -> Self {
        let content = operation["requestBody"]["content"].as_object();
        let body = content.and_then(|content| content.iter().next()).map(|(kind, media)| {
            let example = resolved(document, &media["example"]);
            match (kind.as_str(), example) {
                ("multipart/form-data", _) => {
                    CallBody::Form(fields(resolved(document, &media["schema"]), example))
                }
                ("text/html", _) => CallBody::File("text/html", "page.html"),
                (kind, Value::String(_)) => CallBody::File(kind, "subscriptions.opml"),
                ("application/octet-stream", _) => CallBody::File("application/octet-stream", "file"),
                _ => CallBody::Json(example),
            }
        });
        let forms = |status: &str| operation["responses"][status]["content"].as_object();
        let good = ["200", "201", "202"].into_iter().find_map(forms);
        Self {
            method: method.to_uppercase(),
            url: url(document, path, operation),
            takes_key: operation["security"].as_array().is_some_and(|schemes| !schemes.is_empty()),
            asks_json: forms("200").is_some_and(|forms| forms.len() > 1),
            gives_json: good
                .is_some_and(|forms| forms.keys().any(|kind| kind.starts_with("application/json"))),
            body,
        }
    }

    /// Returns the headers of the call, without the key and without headers that the body implies.
    pub(crate) fn headers(&self) -> Vec<(&'static str, &str)> {
        let mut headers = Vec::new();
        if self.asks_json {
            headers.push(("Accept", "application/json"));
        }
        match &self.body {
            Some(CallBody::Json(_)) => headers.push(("Content-Type", "application/json")),
            Some(CallBody::File(kind, _)) => headers.push(("Content-Type", kind)),
            Some(CallBody::Form(_)) | None => {}
        }
        headers
    }
}

/// Returns the fields of a form, with the values of an example.
fn fields<'a>(schema: &'a Value, example: &Value) -> Vec<(&'a str, FormPart)> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let is_required = |name: &str| {
        schema["required"].as_array().is_some_and(|names| names.iter().any(|required| required == name))
    };
    let part = |name: &str, property: &Value| {
        let is_file = property["format"] == "binary" || property["type"] == "string" && name == "file";
        match (&example[name], is_file) {
            (_, true) => Some(FormPart::File),
            (Value::Null, false) => is_required(name).then(|| FormPart::Text(String::new())),
            (Value::String(text), false) => Some(FormPart::Text(text.clone())),
            (other, false) => Some(FormPart::Text(other.to_string())),
        }
    };
    properties.filter_map(|(name, property)| Some((name.as_str(), part(name, property)?))).collect()
}

/// Returns the URL of the call: the path with example values, and the required query parameters.
fn url(document: &Value, path: &str, operation: &Value) -> String {
    let server = string_member(&document["servers"][0], "url");
    let mut url = format!("{server}{path}");
    let mut query = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = string_member(parameter, "name");
        let example = [&parameter["example"], &parameter["schema"]["examples"][0]];
        let Some(example) = example.into_iter().find(|example| !example.is_null()) else { continue };
        let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
        match string_member(parameter, "in") {
            "path" => url = url.replace(&format!("{{{name}}}"), &example),
            "query" if parameter["required"] == true => query.push(format!("{name}={example}")),
            _ => {}
        }
    }
    if query.is_empty() { url } else { format!("{url}?{}", query.join("&")) }
}

/// Formats JSON with indentation.
pub(crate) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
