//! Traces of requests and their jobs. A request id is 128 random bits as 32 hexadecimal digits, the format of
//! a trace id (W3C Trace Context, section 3.2.2.3), so a request and all its jobs share a trace without a
//! column for it. The span id of the request is the last 64 bits of its id; the spans of its jobs are
//! children of that span.

use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// Returns the trace id of a request and the id of its first span. `None` if the request id is not 32
/// hexadecimal digits, or if either half is zero.
pub fn ids_of_request(request_id: &str) -> Option<(TraceId, SpanId)> {
    let (_, last) = request_id.split_at_checked(16).filter(|(_, last)| last.len() == 16)?;
    let (trace, span) = (TraceId::from_hex(request_id).ok()?, SpanId::from_hex(last).ok()?);
    (trace != TraceId::INVALID && span != SpanId::INVALID).then_some((trace, span))
}

/// Makes the span of a run a child of the request's span, and records the attempt. Does nothing if tracing is
/// disabled.
pub(crate) fn begin_job(span: &Span, request_id: Option<&str>, attempt: u32) {
    if let Some((trace, first)) = request_id.and_then(ids_of_request) {
        let request = SpanContext::new(trace, first, TraceFlags::SAMPLED, true, TraceState::default());
        // This fails only if tracing is disabled.
        let _ = span.set_parent(Context::new().with_remote_span_context(request));
    }
    span.set_attribute("job.attempt", i64::from(attempt));
}

/// Records the outcome of a run, with the label of its metric.
pub(crate) fn end_job(span: &Span, outcome: &'static str) {
    span.set_attribute("job.outcome", outcome);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_id_yields_trace_and_span_ids() {
        let (trace, span) = ids_of_request("0123456789abcdef8123456789abcdef").unwrap();
        assert_eq!(trace.to_string(), "0123456789abcdef8123456789abcdef");
        assert_eq!(span.to_string(), "8123456789abcdef");
    }

    #[test]
    fn invalid_request_id_does_not_yield_a_trace() {
        let zero = "0".repeat(32);
        let half = format!("1{}", "0".repeat(31));
        for text in ["", "abc", "x123456789abcdef8123456789abcdef", zero.as_str(), half.as_str(), "é"] {
            assert!(ids_of_request(text).is_none(), "{text}");
        }
    }
}
