//! Daily limit and log of the tool calls of a connection, which its owner sees under Connected apps.

use std::sync::Arc;

use application::agent_undo::Undo;
use identity::agents::{self, CallRecord, ConnectionName};
use identity::limits::AccountLimits;
use identity::limits::window::RatePolicy;
use kernel::{AccountId, Code};
use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tracing::Instrument;

use super::session::{AgentRequest, Refusal};
use http_kit::app::App;

/// Arguments that name the object of a call, in order of preference.
const TARGETS: [&str; 12] = [
    "id", "ids", "url", "sources", "targetUrl", "source", "consumer", "query", "name", "set", "tag", "title",
];
/// Maximum length of a target, in characters.
const MAX_TARGET: usize = 200;
/// Maximum number of cancelled calls of a connection that are recorded per minute.
const CANCELLED: RatePolicy = RatePolicy::sliding("cancelled", 60, 60);

/// A call that is not recorded yet. If the client disconnects before the result, it is recorded as
/// cancelled.
pub(super) struct PendingCall(Option<ActivityEntry>);

/// Entry of the log without its outcome.
struct ActivityEntry {
    app: Arc<App>,
    account_id: AccountId,
    connection: ConnectionName,
    tool: String,
    target: String,
}

impl PendingCall {
    /// Counts a call against the daily limit of its connection.
    ///
    /// # Errors
    /// `daily_limit_reached`.
    pub(super) async fn count(
        session: &AgentRequest,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Self, Refusal> {
        let Some(connection) = ConnectionName::of(&session.caller) else { return Ok(Self(None)) };
        let account_id = session.caller.account_id;
        agents::count_call(&session.app.domain, account_id, &connection).await?;
        let (app, target) = (Arc::clone(&session.app), target_of(arguments));
        Ok(Self(Some(ActivityEntry { app, account_id, connection, tool: tool.to_owned(), target })))
    }

    /// Records the call in the background. `error` is the code of its error. Calls that a rate limit or a
    /// daily limit refuses cost nothing, so their number is unbounded: they are not recorded.
    pub(super) fn record(mut self, error: Option<&str>) {
        let Some(entry) = self.0.take() else { return };
        let is_limited = |code: &str| {
            [Code::RateLimited, Code::DailyLimitReached].into_iter().any(|limit| limit.as_str() == code)
        };
        if !error.is_some_and(is_limited) {
            entry.record(error.map(str::to_owned), None);
        }
    }

    /// Records a successful call, and the data that undoes it, in the background.
    pub(super) fn record_done(mut self, undo: Option<&Undo>) {
        if let Some(entry) = self.0.take() {
            entry.record(None, undo.map(Undo::to_json));
        }
    }
}

impl Drop for PendingCall {
    fn drop(&mut self) {
        if let Some(entry) = self.0.take() {
            entry.record(Some(Code::Cancelled.as_str().to_owned()), None);
        }
    }
}

impl ActivityEntry {
    fn record(self, error: Option<String>, undo: Option<String>) {
        let work = async move {
            if error.as_deref() == Some(Code::Cancelled.as_str()) && !self.count_cancelled().await {
                return;
            }
            let call = CallRecord {
                tool: &self.tool,
                target: &self.target,
                error: error.as_deref(),
                undo: undo.as_deref(),
            };
            let recorded = agents::record(&self.app.domain, self.account_id, &self.connection, call).await;
            if let Err(error) = recorded {
                tracing::warn!(error = error.report(), "call of an agent not recorded");
            }
        };
        // A call that is dropped while the process shuts down is not recorded.
        if let Ok(runtime) = Handle::try_current() {
            drop(runtime.spawn(work.in_current_span()));
        }
    }

    /// Counts a cancelled call against [`CANCELLED`]. Returns false if that limit is reached. A client can
    /// cancel a call before it is charged, so no other limit applies to such calls.
    async fn count_cancelled(&self) -> bool {
        let (counter, domain) = (format!("mcp:cancelled:{}", self.connection), &self.app.domain);
        domain.limits().windows().check(&counter, &[CANCELLED], domain.now()).await.allowed
    }
}

/// Object of a call: the first argument that names an object. Texts of notes and files are not recorded.
fn target_of(arguments: &Map<String, Value>) -> String {
    let Some(value) = TARGETS.iter().find_map(|name| arguments.get(*name).filter(|value| !value.is_null()))
    else {
        return String::new();
    };
    let text = match value {
        Value::Array(items) => items.iter().filter_map(name_of).take(10).collect::<Vec<_>>().join(", "),
        single => name_of(single).unwrap_or_default(),
    };
    text.chars().take(MAX_TARGET).collect()
}

/// Text or number that names an object; `None` for other values, which may contain secrets.
fn name_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(public_part(text).chars().take(MAX_TARGET).collect()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Address without the parts that may be secret: user, password, and query. Other texts are unchanged.
fn public_part(text: &str) -> &str {
    let Some((scheme, rest)) = text.split_once("://") else { return text };
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let authority = rest[..end].find('/').unwrap_or(end);
    match rest[..authority].rfind('@') {
        Some(at) => &rest[at + 1..end],
        None => &text[..scheme.len() + 3 + end],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn target_names_the_object_without_secrets() {
        let of = |arguments: Value| target_of(arguments.as_object().unwrap());
        assert_eq!(of(json!({"text": "Private words.", "id": "item:1"})), "item:1");
        assert_eq!(of(json!({"url": "https://me:secret@a.example/feed?token=x"})), "a.example/feed");
        assert_eq!(
            of(json!({"sources": ["https://a.example/?k=1", "entry:5"]})),
            "https://a.example/, entry:5"
        );
        assert_eq!(of(json!({"url": "https://a.example/@ada#x"})), "https://a.example/@ada");
        assert_eq!(of(json!({"id": 7})), "7");
        assert_eq!(of(json!({"ids": [7, "item:1"]})), "7, item:1");
        assert_eq!(of(json!({"source": {"url": "https://me:secret@a.example/"}})), "");
        assert_eq!(of(json!({"text": "Private words.", "id": null})), "");
        assert_eq!(of(json!({"query": "x".repeat(500)})).len(), MAX_TARGET);
    }
}
