//! Streams of notifications: changed lists of tools and updated resources. The newest revision names them in
//! `subscriptions/listen`; clients of older revisions open a stream with GET and receive the notifications of
//! their stored subscriptions. A stream closes after ten minutes, so that the credential is checked again,
//! and when the process shuts down. Clients reconnect.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http_kit::mcp_address::ToolGroup;
use identity::agents::{self, ConnectionName, MAX_SUBSCRIPTIONS};
use kernel::AccountId;
use permits::KeyedPermit;
use poem::http::HeaderMap;
use poem::{Body, Response};
use serde_json::{Map, Value, json};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval};

use super::error::McpError;
use super::message::{self, RpcError};
use super::revision::Revision;
use super::session::{AgentRequest, Refusal};
use super::stream::{event, event_stream, position_event};
use super::{resources, tools};

/// Method of the newest revision that opens a stream.
pub(super) const METHOD: &str = "subscriptions/listen";
/// Maximum number of open streams of an account in one process.
pub(super) const MAX_STREAMS: usize = 8;
/// Key under which notifications of the newest revision contain the id of the request that opened the stream.
const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";
const CHECK_INTERVAL: Duration = Duration::from_secs(3);
/// Number of checks without a notification after which a comment is sent. Their total time is shorter than
/// the idle timeouts of proxies.
const COMMENT_CHECKS: u32 = 5;
/// Lifetime of a stream.
const LIFETIME: Duration = Duration::from_mins(10);

/// Notifications that a stream sends.
pub(super) struct Listening {
    /// Id of the request of the newest revision; `None` for a stream that was opened with GET.
    request_id: Option<Value>,
    has_tools: bool,
    /// True if the stream begins with the event id of its start, so that a client that loses the stream before the
    /// first notification can continue from there.
    names_start: bool,
    /// Named resources; `None` for the stored subscriptions of the connection.
    uris: Option<Vec<String>>,
    /// Position in the event log from which resources count as updated; `None` for its end.
    position: Option<i64>,
}

impl Listening {
    /// Stored subscriptions of the connection. The stream continues after the last event that the client received.
    pub(super) fn stored(session: &AgentRequest, headers: &HeaderMap) -> Self {
        let last_event_id = headers.get("last-event-id").and_then(|id| id.to_str().ok());
        Self {
            request_id: None,
            has_tools: session.selection.has_default_set,
            names_start: Revision::accepts_empty_events(headers),
            uris: None,
            position: last_event_id.and_then(|id| id.trim().parse().ok()),
        }
    }

    /// Notifications that the parameters of `subscriptions/listen` name.
    ///
    /// # Errors
    /// `invalid_params` if a parameter is invalid or a resource unknown, or the refusal of an operation.
    pub(super) async fn named(
        session: &AgentRequest,
        params: &Map<String, Value>,
        request_id: &Value,
    ) -> Result<Self, McpError> {
        let Some(Value::Object(filter)) = params.get("notifications") else {
            return Err(RpcError::invalid_params("`notifications` must be an object.").into());
        };
        let has_tools = filter.get("toolsListChanged") == Some(&Value::Bool(true));
        let named = match filter.get("resourceSubscriptions") {
            None | Some(Value::Null) => &[],
            Some(Value::Array(uris)) => uris.as_slice(),
            Some(_) => return Err(RpcError::invalid_params("`resourceSubscriptions` must be a list.").into()),
        };
        if u64::try_from(named.len()).unwrap_or(u64::MAX) > MAX_SUBSCRIPTIONS {
            let message = format!("`resourceSubscriptions` may name {MAX_SUBSCRIPTIONS} resources.");
            return Err(RpcError::invalid_params(message).into());
        }
        let mut uris: Vec<String> = Vec::with_capacity(named.len());
        for uri in named {
            let Some(uri) = uri.as_str() else {
                return Err(RpcError::invalid_params("`resourceSubscriptions` must have texts only.").into());
            };
            if uris.iter().all(|known| known != uri) {
                uris.push(uri.to_owned());
            }
        }
        resources::require_updates(session, &uris).await?;
        Ok(Self {
            request_id: Some(request_id.clone()),
            has_tools: has_tools && session.selection.has_default_set,
            names_start: false,
            uris: Some(uris),
            position: None,
        })
    }
}

/// Opens a stream. `permit` is released when it closes.
///
/// # Errors
/// `Unavailable` if the database does not respond.
pub(super) async fn open(
    session: AgentRequest,
    listening: Listening,
    permit: KeyedPermit<AccountId>,
) -> Result<Response, Refusal> {
    let end = feeds::log_end(&session.app.domain).await?;
    let toolsets = tools::loaded_groups(&session).await?;
    let mut checks = interval(CHECK_INTERVAL);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stream = NotificationStream {
        position: listening.position.map_or(end, |position| position.clamp(0, end)),
        session,
        listening,
        toolsets,
        pending: VecDeque::new(),
        checks,
        idle_checks: 0,
        closes_at: Instant::now() + LIFETIME,
        _permit: permit,
    };
    stream.begin();
    let events = stream::unfold(Some(stream), |stream| async move { stream?.next().await });
    Ok(event_stream(Body::from_bytes_stream(events)))
}

struct NotificationStream {
    session: AgentRequest,
    listening: Listening,
    /// Position in the event log up to which updates were sent.
    position: i64,
    /// Groups in the list of tools.
    toolsets: Vec<ToolGroup>,
    /// Events to send.
    pending: VecDeque<Bytes>,
    checks: Interval,
    /// Checks since the last event.
    idle_checks: u32,
    closes_at: Instant,
    _permit: KeyedPermit<AccountId>,
}

/// Next event of a stream, and the stream unless it was the last event.
type NextEvent = Option<(std::io::Result<Bytes>, Option<NotificationStream>)>;

impl NotificationStream {
    async fn next(mut self) -> NextEvent {
        loop {
            if let Some(event) = self.pending.pop_front() {
                self.idle_checks = 0;
                return Some((Ok(event), Some(self)));
            }
            if Instant::now() >= self.closes_at {
                return self.last_event().map(|event| (Ok(event), None));
            }
            tokio::select! {
                _ = self.checks.tick() => {}
                () = self.session.app.shutdown_begun() => {
                    return self.last_event().map(|event| (Ok(event), None));
                }
            }
            if let Err(refusal) = self.check().await {
                tracing::debug!(code = refusal.code(), "notification stream closed");
                return None;
            }
            self.idle_checks += 1;
            if self.pending.is_empty() && self.idle_checks >= COMMENT_CHECKS {
                self.idle_checks = 0;
                return Some((Ok(Bytes::from_static(b": \n\n")), Some(self)));
            }
        }
    }

    /// Adds notifications of what changed since the last check.
    async fn check(&mut self) -> Result<(), Refusal> {
        let session = self.session.clone();
        let (domain, account_id) = (&session.app.domain, session.caller.account_id);
        if self.listening.has_tools {
            let toolsets = tools::loaded_groups(&session).await?;
            if toolsets != self.toolsets {
                self.toolsets = toolsets;
                self.notify("notifications/tools/list_changed", json!({}));
            }
        }
        if feeds::log_end(domain).await? <= self.position {
            return Ok(());
        }
        let (feed_ids, end) = feeds::updated_sources(domain, account_id, self.position).await?;
        // If no source was updated, no monitor or consumer has updates either.
        let uris = if feed_ids.is_empty() { Vec::new() } else { self.uris().await? };
        for uri in resources::updated(&session, &uris, &feed_ids, self.position).await? {
            self.notify("notifications/resources/updated", json!({ "uri": uri }));
        }
        self.position = end;
        Ok(())
    }

    async fn uris(&self) -> Result<Vec<String>, Refusal> {
        if let Some(uris) = &self.listening.uris {
            return Ok(uris.clone());
        }
        let caller = &self.session.caller;
        let Some(connection) = ConnectionName::of(caller) else { return Ok(Vec::new()) };
        Ok(agents::subscriptions(&self.session.app.domain, caller.account_id, &connection).await?)
    }

    /// Adds the first event: the id of the start, or the notifications that the stream sends, as the newest
    /// revision requires.
    fn begin(&mut self) {
        if self.listening.names_start {
            self.pending.push_back(position_event(self.position));
        }
        if self.listening.request_id.is_none() {
            return;
        }
        let mut sent = json!({ "resourceSubscriptions": self.listening.uris });
        if self.listening.has_tools {
            sent["toolsListChanged"] = true.into();
        }
        self.notify("notifications/subscriptions/acknowledged", json!({ "notifications": sent }));
    }

    /// Adds a notification. Its event id is the position before the updates of this check: a client that
    /// reconnects with this id may receive some updates twice, but misses none.
    fn notify(&mut self, method: &str, mut params: Value) {
        let request_id = self.listening.request_id.as_ref();
        if let Some(id) = request_id {
            params["_meta"] = json!({ SUBSCRIPTION_KEY: id });
        }
        let event_id = request_id.is_none().then_some(self.position);
        let notification = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.pending.push_back(event(&notification.to_string(), event_id));
    }

    /// Result of the request that opened the stream. `None` for a stream that was opened with GET.
    fn last_event(&self) -> Option<Bytes> {
        let id = self.listening.request_id.as_ref()?;
        let result = json!({ "resultType": "complete", "_meta": { SUBSCRIPTION_KEY: id } });
        Some(event(&message::answer(id, result).to_string(), None))
    }
}
