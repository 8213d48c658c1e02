//! Completions of ids, tags and collections for prompt and resource arguments.

use kernel::Scope;
use serde_json::{Map, Value, json};

use super::error::McpError;
use super::message::RpcError;
use super::prompts::Prompt;
use super::session::AgentRequest;
use super::tools::segment;
use http_kit::auth::ChargePolicy;

/// Maximum number of values.
const MAX_VALUES: usize = 100;

/// Kind of object to complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Item,
    Entry,
    Feed,
    Monitor,
    Consumer,
    Collection,
    Tag,
}

/// Values that begin with the typed text or belong to objects whose title or name contains it.
///
/// # Errors
/// `invalid_params` if the argument has no completions; otherwise the refusal of the operation.
pub(super) async fn complete(session: &AgentRequest, params: &Map<String, Value>) -> Result<Value, McpError> {
    let argument = params.get("argument");
    let of =
        |value: Option<&Value>, name: &str| value.and_then(|value| value[name].as_str()).map(str::to_owned);
    let (Some(name), Some(typed)) = (of(argument, "name"), of(argument, "value")) else {
        session.charge(Scope::Read).await?;
        return Err(RpcError::invalid_params("`argument` needs a name and a value.").into());
    };
    let Some(subject) = subject_of(params.get("ref"), &name) else {
        session.charge(Scope::Read).await?;
        return Err(RpcError::invalid_params("This argument has no completions.").into());
    };
    let values = values(session, subject, &typed).await?;
    let total = values.len();
    let values: Vec<String> = values.into_iter().take(MAX_VALUES).collect();
    let has_more = total > values.len();
    Ok(json!({ "completion": { "values": values, "total": total, "hasMore": has_more } }))
}

fn subject_of(reference: Option<&Value>, argument: &str) -> Option<Subject> {
    let reference = reference?;
    match reference["type"].as_str()? {
        "ref/prompt" => {
            let prompt = Prompt::of(reference["name"].as_str()?)?;
            prompt.argument(argument)?;
            match argument {
                "id" => Some(Subject::Item),
                "monitor" => Some(Subject::Monitor),
                "collection" => Some(Subject::Collection),
                "tag" => Some(Subject::Tag),
                _ => None,
            }
        }
        "ref/resource" if argument == "id" => match reference["uri"].as_str()? {
            "svc://library/items/{id}" | "svc://library/items/{id}/file" => Some(Subject::Item),
            "svc://rss/entries/{id}" => Some(Subject::Entry),
            "svc://rss/feeds/{id}" => Some(Subject::Feed),
            "svc://monitors/{id}" => Some(Subject::Monitor),
            "svc://feeds/consumers/{id}" => Some(Subject::Consumer),
            _ => None,
        },
        _ => None,
    }
}

async fn values(session: &AgentRequest, subject: Subject, typed: &str) -> Result<Vec<String>, McpError> {
    let (path, list, member) = match subject {
        Subject::Item => ("/v1/library/items?limit=100", "items", "id"),
        Subject::Entry => ("/v1/rss/entries?limit=100", "entries", "id"),
        Subject::Feed => ("/v1/rss/subscriptions", "subscriptions", "feedId"),
        Subject::Monitor => ("/v1/monitors?limit=100", "monitors", "id"),
        Subject::Consumer => ("/v1/feeds/consumers", "consumers", "id"),
        Subject::Collection => ("/v1/rss/collections", "collections", "id"),
        Subject::Tag => ("/v1/library/tags?limit=100", "tags", "name"),
    };
    let path = match subject {
        Subject::Tag if !typed.is_empty() => format!("{path}&prefix={}", segment(typed)),
        Subject::Item
        | Subject::Entry
        | Subject::Feed
        | Subject::Monitor
        | Subject::Consumer
        | Subject::Collection
        | Subject::Tag => path.to_owned(),
    };
    let response = session.get(&path, ChargePolicy::Due).await?;
    let low = typed.to_lowercase();
    // Matches an id that begins with the typed text, or an object whose title or name contains it.
    let fits = |one: &Value, value: &str| {
        let names = ["title", "name"].into_iter().filter_map(|member| one[member].as_str());
        value.starts_with(typed) || names.map(str::to_lowercase).any(|name| name.contains(&low))
    };
    let all = response[list].as_array().into_iter().flatten();
    let values = all.filter_map(|one| {
        let value = one[member].as_str().map_or_else(|| one[member].to_string(), str::to_owned);
        (subject == Subject::Tag || fits(one, &value)).then_some(value)
    });
    Ok(values.collect())
}
