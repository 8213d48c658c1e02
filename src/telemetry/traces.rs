//! OpenTelemetry traces (OTLP over HTTP, `opentelemetry.io/docs/specs/otlp`), exported if a collector is
//! configured. A request is the root span of a trace whose id is the request id; its jobs are children of
//! that span, in whichever process they run ([`jobs::trace`]). Spans contain hosts, but no query strings,
//! bodies, or page addresses.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use fetch::collector::Collector;
use opentelemetry::KeyValue;
use opentelemetry::trace::{SpanId, Status, TraceId, TracerProvider as _};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{IdGenerator, RandomIdGenerator, Sampler, SdkTracer, SdkTracerProvider};
use tokio::runtime::Handle;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use http_kit::config::{OtlpEndpoint, TraceSettings};

/// Maximum time for exporting the last spans at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Exporter of this process's spans. Dropping it exports the remaining spans.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Starts collecting spans. Returns `None` if no collector is configured. Needs a Tokio runtime.
    ///
    /// # Errors
    /// If the exporter cannot be created from the settings.
    pub fn start(settings: &TraceSettings) -> anyhow::Result<Option<Self>> {
        let Some(endpoint) = settings.endpoint.as_ref().map(OtlpEndpoint::traces) else { return Ok(None) };
        let collector = Collector::new(endpoint.clone(), settings.headers.reveal())?;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(CollectorClient {
                collector,
                runtime: Handle::current(),
                is_failing: AtomicBool::new(false),
            })
            .with_endpoint(endpoint.as_str())
            // Protocol and compression settings in the environment are ignored: the client supports only this
            // protocol.
            .with_protocol(Protocol::HttpBinary)
            .build()
            .context("failed to create the trace exporter")?;
        let resource = Resource::builder_empty()
            .with_service_name(settings.service.clone())
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        // Sampling depends on the trace id alone, so that all processes sample the same traces.
        let provider = SdkTracerProvider::builder()
            .with_sampler(Sampler::TraceIdRatioBased(settings.sample_ratio.get()))
            .with_id_generator(SpanIds)
            .with_resource(resource)
            .with_batch_exporter(exporter)
            .build();
        Ok(Some(Self(provider)))
    }

    /// Returns the tracer that creates the spans.
    pub fn tracer(&self) -> SdkTracer {
        self.0.tracer("carrel")
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        // The export needs the runtime, and this thread may be one of its workers.
        let provider = self.0.clone();
        let last = std::thread::spawn(move || provider.shutdown_with_timeout(SHUTDOWN_TIMEOUT));
        let end = || last.join();
        let ended = match Handle::try_current() {
            Ok(runtime) if runtime.runtime_flavor() == tokio::runtime::RuntimeFlavor::MultiThread => {
                tokio::task::block_in_place(end)
            }
            _ => end(),
        };
        if let Ok(Err(error)) = ended {
            tracing::warn!(%error, "failed to export the last traces");
        }
    }
}

/// HTTP client of the exporter. It sends on Carrel's runtime, because the exporter's thread has no runtime.
#[derive(Debug)]
struct CollectorClient {
    collector: Collector,
    runtime: Handle,
    /// True if the last export failed. An outage is logged when it begins, not for each export.
    is_failing: AtomicBool,
}

impl CollectorClient {
    /// Logs when exports start to fail and when they recover.
    fn log_outage(&self, response: &Result<(u16, Bytes), HttpError>) {
        let fault = match response {
            Ok((200..=299, _)) => None,
            Ok((status, _)) => Some(format!("the collector answered {status}")),
            Err(error) => Some(error.to_string()),
        };
        let was_failing = self.is_failing.swap(fault.is_some(), Ordering::Relaxed);
        match fault {
            Some(error) if !was_failing => {
                tracing::warn!(error, "trace export failed; spans are lost");
            }
            None if was_failing => tracing::info!("trace export recovered"),
            _ => {}
        }
    }
}

#[async_trait::async_trait]
impl HttpClient for CollectorClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (collector, body) = (self.collector.clone(), request.into_body());
        let sending = self.runtime.spawn(async move { collector.post("application/x-protobuf", body).await });
        let response = match sending.await {
            Ok(response) => response.map_err(HttpError::from),
            Err(error) => Err(error.into()),
        };
        self.log_outage(&response);
        let (status, body) = response?;
        Ok(Response::builder().status(status).body(body)?)
    }
}

thread_local! {
    /// Ids of the next span that starts on this thread. `None` for random ids.
    static NEXT_IDS: Cell<Option<(TraceId, SpanId)>> = const { Cell::new(None) };
}

/// Generates the ids of traces and spans: random, except for the root span of a request.
#[derive(Debug)]
struct SpanIds;

impl IdGenerator for SpanIds {
    fn new_trace_id(&self) -> TraceId {
        NEXT_IDS.get().map_or_else(|| RandomIdGenerator::default().new_trace_id(), |(trace, _)| trace)
    }

    fn new_span_id(&self) -> SpanId {
        NEXT_IDS.get().map_or_else(|| RandomIdGenerator::default().new_span_id(), |(_, span)| span)
    }
}

/// Starts the root span of the request with this id. `path` must contain no query and no page addresses. Does
/// nothing if traces are not exported.
pub fn begin_request(span: &Span, request_id: &str, method: &str, path: &str) {
    NEXT_IDS.set(jobs::trace::ids_of_request(request_id));
    // Reading the context starts the span.
    let _ = span.context();
    NEXT_IDS.set(None);
    span.set_attribute("http.request.method", method.to_owned());
    span.set_attribute("url.path", path.to_owned());
}

/// Records the status of the response. If the status is above 499, the span counts as failed
/// (`opentelemetry.io/docs/specs/semconv/http/http-spans`).
pub fn end_request(span: &Span, status: u16) {
    span.set_attribute("http.response.status_code", i64::from(status));
    if status >= 500 {
        span.set_status(Status::error(""));
    }
}
