//! Problem details (RFC 9457), the error body of every surface.

use poem_openapi::Object;

/// Problem details (RFC 9457).
#[derive(Debug, Clone, Object)]
#[oai(rename = "Problem")]
pub struct ProblemBody {
    /// URL of a page about this kind of problem.
    #[oai(rename = "type")]
    pub kind: String,
    /// Short title, the same for every occurrence of the code.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// Explanation of the problem in this request.
    pub detail: String,
    /// Stable, machine-readable code.
    pub code: String,
    /// Recommended way to resolve the problem.
    pub resolution: String,
    /// Whole seconds until a retry may succeed. Absent if no wait is suggested.
    #[oai(skip_serializing_if_is_none)]
    pub retry_after: Option<u32>,
    /// Names of the exceeded limits. Absent if no limit was exceeded.
    #[oai(rename = "violated-policies", skip_serializing_if_is_none)]
    pub violated_policies: Option<Vec<String>>,
    /// JSON pointer and reason, or the limit and its current usage.
    #[oai(skip_serializing_if_is_none)]
    pub details: Option<String>,
    /// Id of the request, for support.
    #[oai(skip_serializing_if_is_none)]
    pub request_id: Option<String>,
}

impl ProblemBody {
    /// Fields that are omitted if they are empty.
    pub const SKIPPED: (&'static str, &'static [&'static str]) =
        ("Problem", &["retry_after", "violated-policies", "details", "request_id"]);
}
