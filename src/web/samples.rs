//! A request and its response for each operation, made from the examples of the API description.

use maud::{Markup, html};
use serde_json::Value;

use super::fields::{resolved, text};

/// One operation and where it stands in its document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// The document.
    pub document: &'a Value,
    /// The path, with its parameters in braces.
    pub path: &'a str,
    /// The method, in small letters.
    pub method: &'a str,
    /// The operation.
    pub operation: &'a Value,
}

/// The request as a shell command, and the first good response.
pub(super) fn samples(place: Place<'_>) -> Markup {
    let title = text(place.operation, "summary");
    html! {
        h4.label { "Request" }
        pre tabindex="0" role="region" aria-label={ (title) ": request" } { code { (command(place)) } }
        @if let Some((status, body)) = response(place) {
            h4.label { "Response " code { (status) } }
            @if let Some(body) = body { pre tabindex="0" role="region" aria-label={ (title) ": response" } { code { (body) } } }
        }
    }
}

/// The request for `curl`.
fn command(place: Place<'_>) -> String {
    let Place { document, operation, method, .. } = place;
    let mut lines = Vec::new();
    let url = url(place);
    let body = operation["requestBody"]["content"].as_object().and_then(|content| content.iter().next());
    let is_implied = method == "get" || (method == "post" && body.is_some());
    let verb = if is_implied { String::new() } else { format!("-X {} ", method.to_uppercase()) };
    lines.push(format!("curl {verb}{}", quoted(&url)));
    if operation["security"].as_array().is_some_and(|schemes| !schemes.is_empty()) {
        lines.push("-H \"Authorization: Bearer $KEY\"".to_owned());
    }
    let forms = operation["responses"]["200"]["content"].as_object().map_or(0, serde_json::Map::len);
    if forms > 1 {
        lines.push("-H 'Accept: application/json'".to_owned());
    }
    if let Some((kind, media)) = body {
        lines.push(format!("-H 'Content-Type: {kind}'"));
        let example = resolved(document, &media["example"]);
        lines.push(match example.as_str() {
            Some(_) => "--data-binary @subscriptions.opml".to_owned(),
            None => format!("-d {}", quoted(&pretty(example))),
        });
    }
    lines.join(" \\\n  ")
}

/// Where the request goes: the path with its examples, and what the query must have.
fn url(place: Place<'_>) -> String {
    let server = text(&place.document["servers"][0], "url");
    let mut url = format!("{server}{}", place.path);
    let mut query = Vec::new();
    for parameter in place.operation["parameters"].as_array().into_iter().flatten() {
        let name = text(parameter, "name");
        let example = [&parameter["example"], &parameter["schema"]["examples"][0]];
        let Some(example) = example.into_iter().find(|example| !example.is_null()) else { continue };
        let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
        match text(parameter, "in") {
            "path" => url = url.replace(&format!("{{{name}}}"), &example),
            "query" if parameter["required"] == true => query.push(format!("{name}={example}")),
            _ => {}
        }
    }
    if query.is_empty() { url } else { format!("{url}?{}", query.join("&")) }
}

/// The good response, of a new thing where there is one: its status, and its body when it has one.
fn response(place: Place<'_>) -> Option<(&str, Option<String>)> {
    let responses = place.operation["responses"].as_object()?;
    let (status, response) = responses.iter().rfind(|(status, _)| status.starts_with('2'))?;
    let content = resolved(place.document, response)["content"].as_object();
    let media = content.and_then(|content| content.values().next());
    let example = media.map(|media| &media["example"]);
    let body = example.map(|example| example.as_str().map_or_else(|| pretty(example), str::to_owned));
    Some((status, body))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// A text for the shell, as one word.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
