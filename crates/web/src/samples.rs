//! Sample request and response of each operation, created from the examples in the API description.

pub(super) mod call;
mod languages;

use maud::{Markup, html};
use serde_json::Value;

use self::call::{Call, pretty};
use super::api_fields::{resolved, string_member};

/// Operation in a document, with its path and method.
#[derive(Debug, Clone, Copy)]
pub(super) struct OperationRef<'a> {
    pub document: &'a Value,
    /// Path with parameters in braces.
    pub path: &'a str,
    /// HTTP method in lower case.
    pub method: &'a str,
    pub operation: &'a Value,
}

/// Renders the request as a shell command and, collapsed, in Python and JavaScript, and the first successful
/// response.
pub(super) fn samples(op: OperationRef<'_>) -> Markup {
    let title = string_member(op.operation, "summary");
    let call = Call::of(op.document, (op.path, op.method), op.operation);
    let in_language = |name: &str, sample: &str| {
        html! {
            details.sample {
                summary { (name) }
                pre tabindex="0" role="region" aria-label={ (title) ": request in " (name) } { code { (sample) } }
            }
        }
    };
    html! {
        h4.label { "Request" }
        pre tabindex="0" role="region" aria-label={ (title) ": request" } { code { (languages::shell(&call)) } }
        (in_language("Python", &languages::python(&call)))
        (in_language("JavaScript", &languages::javascript(&call)))
        @if let Some((status, body)) = response(op) {
            h4.label { "Response " code { (status) } }
            @if let Some(body) = body { pre tabindex="0" role="region" aria-label={ (title) ": response" } { code { (body) } } }
        }
    }
}

/// Returns the status and the body of the successful response with the highest status. The body is `None` if
/// the response has no content.
fn response(op: OperationRef<'_>) -> Option<(&str, Option<String>)> {
    let responses = op.operation["responses"].as_object()?;
    let (status, response) = responses.iter().rfind(|(status, _)| status.starts_with('2'))?;
    let content = resolved(op.document, response)["content"].as_object();
    let media = content.and_then(|content| content.values().next());
    let example = media.map(|media| &media["example"]);
    let body = example.map(|example| example.as_str().map_or_else(|| pretty(example), str::to_owned));
    Some((status, body))
}
