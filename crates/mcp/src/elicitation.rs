//! Elicitation: choices that a call leaves open and that its client can present to a person. In the newest
//! revision, the server sends no requests: a result asks for input, and the client repeats the call with the
//! response (multi round-trip requests). Nothing is stored between the two calls, and the response can only
//! name what the call could have named itself, so there is no state to protect. In older revisions, the
//! server would have to send a request, which needs a session. A stateless server has none.

use serde_json::{Map, Value, json};

use super::client_capabilities::ClientCapabilities;
use super::session::AgentRequest;
use super::tools::asks_dry_run;
use http_kit::auth::ChargePolicy;
use kernel::Scope;

/// Tool that follows one of the feeds of a site.
const FOLLOW: &str = "follow";
/// Name of the request for a feed, and of the field of its form.
const FEED: &str = "feed";
/// Maximum number of feeds to choose from.
const MAX_FEEDS: usize = 20;

/// Outcome of asking a person for the open choices of a call.
pub(super) enum ElicitationResult {
    /// The arguments are complete: the call can run.
    Complete(Map<String, Value>),
    /// The person must choose. Contains the result that asks for the choice.
    Open(Value),
    /// The person declined to choose. Contains the result of the call.
    Declined(Value),
}

/// Completes the arguments of a call of `tool` with the client's `responses`, or asks for a choice.
pub(super) async fn complete(
    session: &AgentRequest,
    client: ClientCapabilities,
    (tool, arguments): (&str, Map<String, Value>),
    responses: &Map<String, Value>,
) -> ElicitationResult {
    if tool != FOLLOW || !client.displays_forms || session.caller.require(Scope::Write).is_err() {
        return ElicitationResult::Complete(arguments);
    }
    feed(session, arguments, responses).await
}

/// Chooses one of several feeds of a site.
async fn feed(
    session: &AgentRequest,
    mut arguments: Map<String, Value>,
    responses: &Map<String, Value>,
) -> ElicitationResult {
    let Some(url) = address_to_follow(&arguments) else { return ElicitationResult::Complete(arguments) };
    let response = responses.get(FEED);
    match response.and_then(|response| response["action"].as_str()) {
        Some("accept") => {
            let chosen = response.and_then(|response| response["content"][FEED].as_str());
            if let Some(chosen) = chosen.filter(|chosen| is_address(chosen)) {
                arguments.insert("url".into(), chosen.into());
                return ElicitationResult::Complete(arguments);
            }
        }
        Some("decline" | "cancel") => return ElicitationResult::Declined(declined()),
        Some(_) | None => {}
    }
    // If discovery fails, the call itself reports why.
    let body = json!({ "url": url });
    let discovery = session.post("/v1/rss/discover", &body, ChargePolicy::Due).await.unwrap_or_default();
    let feeds = feeds_of(&discovery);
    if feeds.len() < 2 || feeds.contains(&url.as_str()) {
        return ElicitationResult::Complete(arguments);
    }
    ElicitationResult::Open(request(&feeds))
}

/// Address of a call that follows a feed. `None` for a dry run, and for a call that unfollows.
fn address_to_follow(arguments: &Map<String, Value>) -> Option<String> {
    let is_open =
        arguments.get("action").is_none_or(|action| action != "unfollow") && !asks_dry_run(arguments);
    let url = arguments.get("url")?.as_str()?.trim();
    (is_open && is_address(url)).then(|| url.to_owned())
}

fn is_address(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

/// Addresses of discovered feeds, best match first.
fn feeds_of(discovery: &Value) -> Vec<&str> {
    let feeds = discovery["feeds"].as_array().into_iter().flatten();
    feeds.filter_map(|feed| feed["feedUrl"].as_str()).take(MAX_FEEDS).collect()
}

/// Result that asks for one of the feeds. Their titles are third-party text and are not repeated.
fn request(feeds: &[&str]) -> Value {
    let choice =
        json!({ "type": "string", "title": "Feed", "enum": feeds, "default": feeds.first().copied() });
    json!({
        "resultType": "input_required",
        "inputRequests": {
            FEED: {
                "method": "elicitation/create",
                "params": {
                    "mode": "form",
                    "message": format!("The address has {} feeds. Which one is followed?", feeds.len()),
                    "requestedSchema": {
                        "type": "object",
                        "properties": { FEED: choice },
                        "required": [FEED],
                    },
                },
            },
        },
    })
}

/// Result of a call whose choice the person declined.
fn declined() -> Value {
    let text = "The person chose none of the feeds, so nothing was followed.\nNext: do not call again unless the person asks for it.";
    json!({ "content": [{ "type": "text", "text": text }], "isError": true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_that_follow_an_address_may_need_a_choice() {
        let address = |arguments: Value| address_to_follow(arguments.as_object().unwrap());
        let url = "https://a.example/";
        assert_eq!(address(json!({ "url": " https://a.example/ " })).as_deref(), Some(url));
        assert_eq!(address(json!({ "url": url, "action": "follow", "dryRun": false })).as_deref(), Some(url));
        assert_eq!(address(json!({ "url": url, "action": "unfollow" })), None);
        assert_eq!(address(json!({ "url": url, "dryRun": true })), None);
        assert_eq!(address(json!({ "url": url, "dryRun": "true" })), None);
        assert_eq!(address(json!({ "url": "feed:7" })), None);
        assert_eq!(address(json!({})), None);
    }

    #[test]
    fn requested_form_lists_the_feeds() {
        let discovery =
            json!({ "feeds": [{ "feedUrl": "https://a.example/1" }, { "feedUrl": "https://a.example/2" }] });
        let result = request(&feeds_of(&discovery));
        let form = &result["inputRequests"]["feed"]["params"]["requestedSchema"];
        assert_eq!(form["properties"]["feed"]["enum"], json!(["https://a.example/1", "https://a.example/2"]));
        assert_eq!(form["properties"]["feed"]["default"], "https://a.example/1");
        assert!(feeds_of(&Value::Null).is_empty());
    }
}
