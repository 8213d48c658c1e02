//! Findings of `carrel check` as lines and as JSON.

use serde::Serialize;
use serde_json::json;

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CheckState {
    Ok,
    /// The service works, but not as most operators intend.
    Warning,
    Fault,
    /// The check was skipped, because something that it needs is missing.
    Skipped,
}

impl CheckState {
    fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Fault => "fault",
            Self::Skipped => "skipped",
        }
    }
}

/// One check with its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CheckResult {
    pub(super) check: &'static str,
    pub(super) state: CheckState,
    pub(super) detail: String,
    /// Advice for the operator.
    pub(super) hint: Option<String>,
}

impl CheckResult {
    pub(super) fn ok(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, state: CheckState::Ok, detail: detail.into(), hint: None }
    }

    pub(super) fn skipped(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, state: CheckState::Skipped, detail: detail.into(), hint: None }
    }

    pub(super) fn warning(check: &'static str, detail: impl Into<String>, hint: &str) -> Self {
        Self { check, state: CheckState::Warning, detail: detail.into(), hint: Some(hint.to_owned()) }
    }

    pub(super) fn fault(check: &'static str, detail: impl Into<String>, hint: &str) -> Self {
        Self { state: CheckState::Fault, ..Self::warning(check, detail, hint) }
    }
}

/// Returns the finding for an invalid setting. The message already states the expected value, so there is no hint.
pub(super) fn invalid_setting(fault: String) -> CheckResult {
    CheckResult::fault("settings", fault, "correct it in the environment, carrel.env, or .env")
}

/// Formats one line per finding, and a line with the hint if there is one.
pub(super) fn lines(findings: &[CheckResult]) -> String {
    let mut text = String::new();
    for CheckResult { check, state, detail, hint } in findings {
        text.push_str(&format!("{:<8} {check:<15} {detail}\n", state.as_str()));
        if let Some(hint) = hint {
            text.push_str(&format!("  to do: {hint}\n"));
        }
    }
    text
}

/// Formats all findings as one JSON object on a line.
pub(super) fn json(findings: &[CheckResult]) -> String {
    let is_ok = findings.iter().all(|finding| finding.state != CheckState::Fault);
    format!("{}\n", json!({ "ok": is_ok, "checks": findings }))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn findings_are_printed_with_their_hints() {
        let findings =
            [CheckResult::ok("settings", "valid"), invalid_setting("CARREL_LISTEN: wrong".to_owned())];
        let text = lines(&findings);
        assert!(text.starts_with("ok       settings        valid\nfault    settings"), "{text}");
        assert!(text.contains("\n  to do: correct it"), "{text}");
        let object: Value = serde_json::from_str(&json(&findings)).unwrap();
        assert_eq!((&object["ok"], &object["checks"][1]["state"]), (&json!(false), &json!("fault")));
        assert!(object["checks"][0]["hint"].is_null());
    }
}
