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
enum CompletionSubject {
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
/// `invalid_params` if the argument has no completions; otherwise the refusal by the operation.
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

fn subject_of(reference: Option<&Value>, argument: &str) -> Option<CompletionSubject> {
    let reference = reference?;
    match reference["type"].as_str()? {
        "ref/prompt" => {
            let prompt = Prompt::of(reference["name"].as_str()?)?;
            prompt.argument(argument)?;
            match argument {
                "id" => Some(CompletionSubject::Item),
                "monitor" => Some(CompletionSubject::Monitor),
                "collection" => Some(CompletionSubject::Collection),
                "tag" => Some(CompletionSubject::Tag),
                _ => None,
            }
        }
        "ref/resource" if argument == "id" => match reference["uri"].as_str()? {
            "svc://library/items/{id}" | "svc://library/items/{id}/file" => Some(CompletionSubject::Item),
            "svc://rss/entries/{id}" => Some(CompletionSubject::Entry),
            "svc://rss/feeds/{id}" => Some(CompletionSubject::Feed),
            "svc://monitors/{id}" => Some(CompletionSubject::Monitor),
            "svc://feeds/consumers/{id}" => Some(CompletionSubject::Consumer),
            _ => None,
        },
        _ => None,
    }
}

async fn values(
    session: &AgentRequest,
    subject: CompletionSubject,
    typed: &str,
) -> Result<Vec<String>, McpError> {
    let (path, list, member) = match subject {
        CompletionSubject::Item => ("/v1/library/items?limit=100", "items", "id"),
        CompletionSubject::Entry => ("/v1/rss/entries?limit=100", "entries", "id"),
        CompletionSubject::Feed => ("/v1/rss/subscriptions", "subscriptions", "feedId"),
        CompletionSubject::Monitor => ("/v1/monitors?limit=100", "monitors", "id"),
        CompletionSubject::Consumer => ("/v1/feeds/consumers", "consumers", "id"),
        CompletionSubject::Collection => ("/v1/rss/collections", "collections", "id"),
        CompletionSubject::Tag => ("/v1/library/tags?limit=100", "tags", "name"),
    };
    let path = match subject {
        CompletionSubject::Tag if !typed.is_empty() => format!("{path}&prefix={}", segment(typed)),
        CompletionSubject::Item
        | CompletionSubject::Entry
        | CompletionSubject::Feed
        | CompletionSubject::Monitor
        | CompletionSubject::Consumer
        | CompletionSubject::Collection
        | CompletionSubject::Tag => path.to_owned(),
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
        (subject == CompletionSubject::Tag || fits(one, &value)).then_some(value)
    });
    Ok(values.collect())
}
