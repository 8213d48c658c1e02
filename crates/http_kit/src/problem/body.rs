//! Problem details (RFC 9457) as callers of every surface get them.

use poem_openapi::Object;

/// Problem details (RFC 9457).
#[derive(Debug, Clone, Object)]
#[oai(rename = "Problem")]
pub struct ProblemBody {
    /// A page about this kind of problem.
    #[oai(rename = "type")]
    pub kind: String,
    /// A short title.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong with this request.
    pub detail: String,
    /// Machine-readable code.
    pub code: String,
    /// What to do about it.
    pub resolution: String,
    /// Whole seconds until a retry may help.
    #[oai(skip_serializing_if_is_none)]
    pub retry_after: Option<u32>,
    /// Names of the limits that refused.
    #[oai(rename = "violated-policies", skip_serializing_if_is_none)]
    pub violated_policies: Option<Vec<String>>,
    /// Pointer and reason, or the limit and how much of it is used.
    #[oai(skip_serializing_if_is_none)]
    pub details: Option<String>,
    /// The id of the request, for questions about it.
    #[oai(skip_serializing_if_is_none)]
    pub request_id: Option<String>,
}

impl ProblemBody {
    /// Fields that are left out when there is nothing to say.
    pub const SKIPPED: (&'static str, &'static [&'static str]) =
        ("Problem", &["retry_after", "violated-policies", "details", "request_id"]);
}
