//! Traces by OpenTelemetry (OTLP over HTTP, `opentelemetry.io/docs/specs/otlp`), where the operator names a collector. A
//! request is the first span of a trace whose id is the request's own; its jobs are children of that span, in whatever
//! process they run ([`jobs::trace`]). Neither query strings nor bodies nor addresses of pages stand in a span: a host does.

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

/// How long the last spans of a process that ends may take to be sent.
const LAST: Duration = Duration::from_secs(5);

/// What sends the spans of this process. Dropped, it sends what is left.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Begins to keep traces; none where no collector is named. Needs a runtime.
    ///
    /// # Errors
    /// When the settings cannot be sent by.
    pub fn start(settings: &TraceSettings) -> anyhow::Result<Option<Self>> {
        let Some(endpoint) = settings.endpoint.as_ref().map(OtlpEndpoint::traces) else { return Ok(None) };
        let collector = Collector::new(endpoint.clone(), settings.headers.reveal())?;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Carrier {
                collector,
                runtime: Handle::current(),
                is_failing: AtomicBool::new(false),
            })
            .with_endpoint(endpoint.as_str())
            // What the environment says of other protocols and of packing is not ours to obey: the carrier sends this one.
            .with_protocol(Protocol::HttpBinary)
            .build()
            .context("traces cannot be sent")?;
        let resource = Resource::builder_empty()
            .with_service_name(settings.service.clone())
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        // The share is told from the trace's id alone, so that all processes keep the same traces.
        let provider = SdkTracerProvider::builder()
            .with_sampler(Sampler::TraceIdRatioBased(settings.share.get()))
            .with_id_generator(Ids)
            .with_resource(resource)
            .with_batch_exporter(exporter)
            .build();
        Ok(Some(Self(provider)))
    }

    /// What makes spans.
    pub fn tracer(&self) -> SdkTracer {
        self.0.tracer("carrel")
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        // The sending needs the runtime that this thread may be one of.
        let provider = self.0.clone();
        let last = std::thread::spawn(move || provider.shutdown_with_timeout(LAST));
        let end = || last.join();
        let ended = match Handle::try_current() {
            Ok(runtime) if runtime.runtime_flavor() == tokio::runtime::RuntimeFlavor::MultiThread => {
                tokio::task::block_in_place(end)
            }
            _ => end(),
        };
        if let Ok(Err(error)) = ended {
            tracing::warn!(%error, "the last traces could not be sent");
        }
    }
}

/// Carries bodies to the collector on our runtime: the thread that gathers spans has none.
#[derive(Debug)]
struct Carrier {
    collector: Collector,
    runtime: Handle,
    /// Whether the last sending failed: an outage is told once, not with each sending.
    is_failing: AtomicBool,
}

impl Carrier {
    /// Tells the log when sendings begin to fail, and when they succeed again.
    fn tell(&self, sent: &Result<(u16, Bytes), HttpError>) {
        let fault = match sent {
            Ok((200..=299, _)) => None,
            Ok((status, _)) => Some(format!("it answered {status}")),
            Err(error) => Some(error.to_string()),
        };
        let was_failing = self.is_failing.swap(fault.is_some(), Ordering::Relaxed);
        match fault {
            Some(error) if !was_failing => {
                tracing::warn!(error, "the collector takes no traces; they are lost");
            }
            None if was_failing => tracing::info!("the collector takes traces again"),
            _ => {}
        }
    }
}

#[async_trait::async_trait]
impl HttpClient for Carrier {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (collector, body) = (self.collector.clone(), request.into_body());
        let sending = self.runtime.spawn(async move { collector.post("application/x-protobuf", body).await });
        let sent = match sending.await {
            Ok(sent) => sent.map_err(HttpError::from),
            Err(error) => Err(error.into()),
        };
        self.tell(&sent);
        let (status, body) = sent?;
        Ok(Response::builder().status(status).body(body)?)
    }
}

thread_local! {
    /// The ids that the span which begins now on this thread shall have.
    static GIVEN: Cell<Option<(TraceId, SpanId)>> = const { Cell::new(None) };
}

/// Ids of traces and spans: random, but for the first span of a request.
#[derive(Debug)]
struct Ids;

impl IdGenerator for Ids {
    fn new_trace_id(&self) -> TraceId {
        GIVEN.get().map_or_else(|| RandomIdGenerator::default().new_trace_id(), |(trace, _)| trace)
    }

    fn new_span_id(&self) -> SpanId {
        GIVEN.get().map_or_else(|| RandomIdGenerator::default().new_span_id(), |(_, span)| span)
    }
}

/// Begins the first span of the request with this id. `path` has no query and none of other people's addresses. Without
/// traces it does nothing.
pub fn begin_request(span: &Span, request_id: &str, method: &str, path: &str) {
    GIVEN.set(jobs::trace::ids_of_request(request_id));
    // Asking for it makes it begin.
    let _ = span.context();
    GIVEN.set(None);
    span.set_attribute("http.request.method", method.to_owned());
    span.set_attribute("url.path", path.to_owned());
}

/// Says with what status the request of this span was answered; above 499 the span counts as failed
/// (`opentelemetry.io/docs/specs/semconv/http/http-spans`).
pub fn end_request(span: &Span, status: u16) {
    span.set_attribute("http.response.status_code", i64::from(status));
    if status >= 500 {
        span.set_status(Status::error(""));
    }
}
