//! `search` tool: searches the library and the entries of followed feeds with two operations, charged as one.

use serde_json::{Map, Value, json};

use super::builtin::BuiltinTool;
use super::paths::segment;
use crate::session::{AgentRequest, Refusal};
use http_kit::auth::ChargePolicy;
use http_kit::http::fault::Fault;
use http_kit::http::request::escaped;

/// Maximum number of results.
const MAX_RESULTS: usize = 20;

/// The only argument of a built-in tool.
///
/// # Errors
/// If the argument is missing, or if there are other arguments.
pub(super) fn only_argument(own: BuiltinTool, arguments: &Map<String, Value>) -> Result<&str, Fault> {
    let name = own.argument();
    if let Some(other) = arguments.keys().find(|other| *other != name) {
        return Err(Fault::new("there is no such argument").under(escaped(other)));
    }
    match arguments.get(name) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text),
        Some(Value::String(_)) => Err(Fault::new("must not be empty").under(name)),
        Some(_) => Err(Fault::new("must be a string").under(name)),
        None => Err(Fault::new("is missing").under(name)),
    }
}

/// Searches objects and entries.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn run(session: &AgentRequest, arguments: &Map<String, Value>) -> Result<Value, Refusal> {
    let query = match only_argument(BuiltinTool::Search, arguments) {
        Ok(query) => segment(query),
        Err(fault) => {
            session.charge(kernel::Scope::Read).await?;
            return Err(fault.into());
        }
    };
    let objects = format!("/v1/library/objects?limit={MAX_RESULTS}&query={query}");
    let objects = session.get(&objects, ChargePolicy::Due).await?;
    let entries = format!("/v1/rss/entries?limit={MAX_RESULTS}&query={query}");
    let entries = session.get(&entries, ChargePolicy::Paid).await?;
    let base = session.app.settings.origins.base.as_str();
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let objects = list(&objects, "objects").into_iter().map(|object| {
        let reference = object["ref"].as_str().unwrap_or_default();
        let url = object["sourceUrl"].as_str().map_or_else(|| object_url(base, reference), str::to_owned);
        json!({ "id": reference, "title": object["title"], "url": url })
    });
    let entries = list(&entries, "entries").into_iter().map(|entry| {
        json!({ "id": format!("entry:{}", entry["id"]), "title": entry["title"], "url": entry["url"] })
    });
    Ok(json!({ "results": interleave(objects.collect(), entries.collect()) }))
}

/// URL of an object without a source URL.
pub(super) fn object_url(base_url: &str, reference: &str) -> String {
    format!("{base_url}/v1/library/objects/{}", segment(reference))
}

/// Interleaves both lists, because their ranks cannot be compared.
fn interleave(objects: Vec<Value>, entries: Vec<Value>) -> Vec<Value> {
    let (mut objects, mut entries) = (objects.into_iter(), entries.into_iter());
    let mut results = Vec::with_capacity(MAX_RESULTS);
    while results.len() < MAX_RESULTS {
        let pair = [objects.next(), entries.next()];
        if pair.iter().all(Option::is_none) {
            break;
        }
        results.extend(pair.into_iter().flatten());
    }
    results.truncate(MAX_RESULTS);
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_both_lists_are_interleaved_up_to_the_limit() {
        let list =
            |name: &str, count: usize| (0..count).map(|at| json!(format!("{name}{at}"))).collect::<Vec<_>>();
        assert_eq!(interleave(list("o", 2), list("e", 1)), ["o0", "e0", "o1"]);
        assert_eq!(interleave(list("o", 30), list("e", 3)).len(), MAX_RESULTS);
        assert!(interleave(Vec::new(), Vec::new()).is_empty());
    }
}
