//! Streamed responses. If a client requested progress and a call takes longer than two seconds, it gets an
//! event stream with progress notifications and then the response. Disconnecting cancels the call.

use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream;
use poem::http::header;
use poem::{Body, Response};
use serde_json::{Value, json};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

/// Time after which a stream is opened.
const STREAM_DELAY: Duration = Duration::from_secs(2);
/// Interval between progress notifications; short enough for the idle timeouts of proxies.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

/// Future of a complete response.
pub(super) type PendingResponse = BoxFuture<'static, Response>;

/// The response, or a stream that finishes with it. `token` is the client's progress token.
pub(super) async fn respond(mut work: PendingResponse, token: Value) -> Response {
    if let Ok(response) = timeout(STREAM_DELAY, &mut work).await {
        return response;
    }
    let mut ticks = interval_at(Instant::now(), PROGRESS_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let waiting = ProgressStream { work, token, ticks, sent_count: 0 };
    let events = stream::unfold(Some(waiting), |waiting| async move { waiting?.next().await });
    event_stream(Body::from_bytes_stream(events))
}

pub(super) fn event_stream(body: Body) -> Response {
    Response::builder()
        .content_type("text/event-stream")
        .header(header::CACHE_CONTROL, "private, no-store, no-transform")
        .header("x-accel-buffering", "no")
        .body(body)
}

/// Prepends a notification to a successful response and returns both as an event stream. Other responses are unchanged.
pub(super) async fn with_notification(response: Response, method: &str) -> Response {
    let is_json = response.content_type() == Some("application/json");
    if !response.is_success() || !is_json {
        return response;
    }
    let (parts, body) = response.into_parts();
    let body = body.into_string().await.unwrap_or_default();
    let result: Value = serde_json::from_str(&body).unwrap_or_default();
    if result["result"]["isError"] != false {
        return Response::from_parts(parts, Body::from_string(body));
    }
    let notification = json!({ "jsonrpc": "2.0", "method": method }).to_string();
    event_stream(Body::from_vec([event(&notification, None), event(&body, None)].concat()))
}

struct ProgressStream {
    work: PendingResponse,
    token: Value,
    ticks: Interval,
    sent_count: u64,
}

impl ProgressStream {
    /// Next event, and the stream to continue with; `None` after the response.
    async fn next(mut self) -> Option<(std::io::Result<Bytes>, Option<Self>)> {
        tokio::select! {
            biased;
            answer = &mut self.work => {
                let body = answer.into_body().into_string().await.unwrap_or_default();
                Some((Ok(event(&body, None)), None))
            }
            _ = self.ticks.tick() => {
                self.sent_count += 1;
                let progress = json!({
                    "jsonrpc": "2.0",
                    "method": "notifications/progress",
                    "params": { "progressToken": self.token, "progress": self.sent_count, "message": "Still working." },
                });
                Some((Ok(event(&progress.to_string(), None)), Some(self)))
            }
        }
    }
}

/// Encodes a message as one event, with its id if clients may continue after it. Serialized JSON contains no
/// line breaks.
pub(super) fn event(message: &str, id: Option<i64>) -> Bytes {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    format!("event: message\n{id}data: {message}\n\n").into()
}

/// Encodes an event without a message, after whose id clients may continue.
pub(super) fn position_event(id: i64) -> Bytes {
    format!("id: {id}\ndata: \n\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn notification_precedes_only_a_successful_result() {
        let answer =
            |body: Value| Response::builder().content_type("application/json").body(body.to_string());
        let done = with_notification(answer(json!({"id": 1, "result": {"isError": false}})), "n/x").await;
        assert_eq!(done.content_type(), Some("text/event-stream"));
        let text = done.into_body().into_string().await.unwrap();
        let (first, second) = (text.find("\"method\":\"n/x\"").unwrap(), text.find("isError").unwrap());
        assert!(first < second && text.matches("data: ").count() == 2, "{text}");
        let refused = with_notification(answer(json!({"id": 1, "result": {"isError": true}})), "n/x").await;
        assert_eq!(refused.content_type(), Some("application/json"));
    }

    #[tokio::test(start_paused = true)]
    async fn slow_response_is_streamed_with_progress() {
        let after = |seconds: u64| -> PendingResponse {
            Box::pin(async move {
                let done = Instant::now() + Duration::from_secs(seconds);
                tokio::time::timeout_at(done, std::future::pending::<()>()).await.unwrap_err();
                Response::builder().content_type("application/json").body("{\"id\":1}")
            })
        };
        let quick = respond(after(1), json!("t")).await;
        assert_eq!(quick.content_type(), Some("application/json"));
        let slow = respond(after(9), json!("t")).await;
        assert_eq!(slow.content_type(), Some("text/event-stream"));
        let text = slow.into_body().into_string().await.unwrap();
        let messages: Vec<Value> = text
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(messages.len(), 3);
        assert_eq!(
            messages[0]["params"],
            json!({"progressToken": "t", "progress": 1, "message": "Still working."})
        );
        assert_eq!(messages[1]["params"]["progress"], 2);
        assert_eq!(messages[2], json!({"id": 1}));
    }
}
