//! The trace that work belongs to. The id of a request is 128 random bits as 32 hexadecimal digits, which is what a trace
//! id is (W3C Trace Context, section 3.2.2.3): a request and every job that is done for it stand in one trace without a
//! column that says so. The span of the request has the last 64 bits of it as its id; its jobs are children of that span.

use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The ids of the trace and of the first span of the request with this id; none for an id that is not 32 hexadecimal
/// digits, or whose halves would be zero.
pub fn ids_of_request(request_id: &str) -> Option<(TraceId, SpanId)> {
    let (_, last) = request_id.split_at_checked(16).filter(|(_, last)| last.len() == 16)?;
    let (trace, span) = (TraceId::from_hex(request_id).ok()?, SpanId::from_hex(last).ok()?);
    (trace != TraceId::INVALID && span != SpanId::INVALID).then_some((trace, span))
}

/// Makes the span of a run a child of the request's, and says which start of the job it is. Does nothing where traces are
/// not kept.
pub(crate) fn begin_job(span: &Span, request_id: Option<&str>, attempt: u32) {
    if let Some((trace, first)) = request_id.and_then(ids_of_request) {
        let request = SpanContext::new(trace, first, TraceFlags::SAMPLED, true, TraceState::default());
        // Refused only where no traces are kept.
        let _ = span.set_parent(Context::new().with_remote_span_context(request));
    }
    span.set_attribute("job.attempt", i64::from(attempt));
}

/// Says how a run ended, in the word that its metric has.
pub(crate) fn end_job(span: &Span, outcome: &'static str) {
    span.set_attribute("job.outcome", outcome);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_and_its_jobs_share_a_trace() {
        let (trace, span) = ids_of_request("0123456789abcdef8123456789abcdef").unwrap();
        assert_eq!(trace.to_string(), "0123456789abcdef8123456789abcdef");
        assert_eq!(span.to_string(), "8123456789abcdef");
    }

    #[test]
    fn what_is_no_id_of_a_request_begins_no_trace() {
        let zero = "0".repeat(32);
        let half = format!("1{}", "0".repeat(31));
        for text in ["", "abc", "x123456789abcdef8123456789abcdef", zero.as_str(), half.as_str(), "é"] {
            assert!(ids_of_request(text).is_none(), "{text}");
        }
    }
}
