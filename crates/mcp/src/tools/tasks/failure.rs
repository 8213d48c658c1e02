//! Refusal of a default tool as text: what happened, and the next call to make.

use serde_json::{Value, json};

use super::definition::TaskTool;
use crate::session::Refusal;

/// Result of a refused call.
pub(in crate::tools) fn failed(tool: &TaskTool, refusal: &Refusal) -> Value {
    let mut text = format!("{} ({})", refusal.message(), refusal.code());
    if let Some(details) = refusal.error["details"].as_str() {
        text.push_str(&format!("\n{details}"));
    }
    text.push_str(&format!("\nNext: {}", next_step(tool, refusal)));
    json!({ "content": [{ "type": "text", "text": text }], "isError": true })
}

/// The next call to make after a refusal.
fn next_step(tool: &TaskTool, refusal: &Refusal) -> String {
    let wait = refusal.retry_after().unwrap_or(60);
    match refusal.code() {
        "invalid_request" | "invalid_url" | "conflicting_changes" | "interval_too_short" => {
            let example = tool.example().map(|example| Value::from(example).to_string()).unwrap_or_default();
            format!("correct the arguments and call {} again, as in {example}", tool.name)
        }
        "not_found" if tool.name == "list_updates" => {
            "call mark with this consumer, which creates it.".to_owned()
        }
        "not_found" => "call search or list_following for ids that exist.".to_owned(),
        "approval_required" => format!(
            "ask the person to approve it on that page, then call {} again with the same arguments.",
            tool.name
        ),
        "insufficient_scope" => "ask the person to reconnect with write access; do not retry.".to_owned(),
        "rate_limited" | "service_unavailable" => {
            format!("wait {wait} seconds, then call {} again.", tool.name)
        }
        "url_not_allowed" => "use a public http(s) address; do not retry this one.".to_owned(),
        "invalid_cursor"
        | "cursor_expired"
        | "cursor_mismatch"
        | "cursor_out_of_range"
        | "content_changed" => format!("call {} again without cursor.", tool.name),
        "not_ready" => format!("wait {wait} seconds, then call {} again.", tool.name),
        "source_not_found"
        | "source_forbidden"
        | "login_required"
        | "paywalled"
        | "robots_disallowed"
        | "unsupported_content"
        | "no_readable_text"
        | "source_unreachable"
        | "source_timeout" => "this source cannot be read; call search for another one.".to_owned(),
        _ if refusal.retry_after().is_some() => {
            format!("wait {wait} seconds, then call {} again.", tool.name)
        }
        _ => "call account if a limit may be reached; otherwise report this to the person.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use poem::http::StatusCode;

    use super::*;

    fn text(code: &str, more: &Value) -> String {
        let tool = TaskTool::all().into_iter().find(|tool| tool.name == "fetch").unwrap();
        let mut error = json!({"error": "Refused.", "code": code});
        for (name, value) in more.as_object().unwrap() {
            error[name.as_str()] = value.clone();
        }
        let result = failed(&tool, &Refusal { status: StatusCode::BAD_REQUEST, error });
        assert_eq!(result["isError"], true);
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    #[test]
    fn failure_names_the_next_call() {
        let invalid = text("invalid_request", &json!({"details": "/id: is missing"}));
        assert_eq!(
            invalid,
            "Refused. (invalid_request)\n/id: is missing\nNext: correct the arguments and call fetch again, as in {\"id\":\"entry:512\"}"
        );
        assert!(
            text("rate_limited", &json!({"retryAfter": 7}))
                .ends_with("wait 7 seconds, then call fetch again.")
        );
        assert!(text("not_found", &json!({})).contains("call search"));
        assert!(text("storage_limit_reached", &json!({})).contains("call account"));
    }
}
