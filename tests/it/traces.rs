//! A request and its jobs are exported as one trace to the OpenTelemetry collector, regardless of the
//! processes in which they run.

use std::sync::{Arc, Mutex, PoisonError};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use poem::http::StatusCode;
use poem::listener::TcpAcceptor;
use poem::{Body, Endpoint, Request, Response};
use prost::Message;

use crate::support::app::read_path;
use crate::support::deployment::Deployment;
use crate::support::{eventually, run};

/// Collector on loopback that stores the received spans.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<ReceivedSpan>>>);

/// Received span with its request headers and its resource.
#[derive(Clone)]
struct ReceivedSpan {
    authorization: String,
    service: String,
    span: Span,
}

impl Endpoint for Collector {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        if request.uri().path() != "/in/v1/traces" {
            return Ok(StatusCode::NOT_FOUND.into());
        }
        let authorization = request.header("authorization").unwrap_or_default().to_owned();
        let body: Body = request.take_body();
        let export =
            ExportTraceServiceRequest::decode(body.into_bytes().await?).expect("the spans are valid OTLP");
        let mut spans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for resource in export.resource_spans {
            let service = format!("{:?}", resource.resource);
            for span in resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
                spans.push(ReceivedSpan {
                    authorization: authorization.clone(),
                    service: service.clone(),
                    span,
                });
            }
        }
        Ok(Response::default())
    }
}

impl Collector {
    fn start(&self) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bind a free port");
        let address = listener.local_addr().expect("read the address");
        listener.set_nonblocking(true).expect("make the socket non-blocking");
        let acceptor = TcpAcceptor::from_std(listener).expect("create the acceptor");
        let collector = self.clone();
        tokio::spawn(async move { poem::Server::new_with_acceptor(acceptor).run(collector).await });
        format!("http://{address}/in")
    }

    /// Returns the spans of a trace.
    fn spans_of(&self, trace: &str) -> Vec<ReceivedSpan> {
        let spans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spans.iter().filter(|sent| hex(&sent.span.trace_id) == trace).cloned().collect()
    }
}

fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

#[test]
fn request_and_job_in_another_process_share_one_trace() {
    run(async {
        let collector = Collector::default();
        let more = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.start()),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20of-the-operator".to_owned()),
            ("OTEL_BSP_SCHEDULE_DELAY", "100".to_owned()),
        ];
        let all = Deployment::start_with(1, &more).await;
        let answer = all.web.get(&read_path(&all.site.article("/town"), &[])).await.expect(200);
        let id = answer.header("x-request-id").to_owned();

        let names = async || {
            let mut names: Vec<_> = collector.spans_of(&id).into_iter().map(|sent| sent.span.name).collect();
            names.sort();
            names
        };
        let expected = ["extract", "fetch", "job", "request"];
        eventually("all spans are sent", names, |names| {
            expected.iter().all(|one| names.iter().any(|name| name == one))
        })
        .await;
        let sent = collector.spans_of(&id);
        let named = |name: &str| sent.iter().find(|sent| sent.span.name == name).expect("the span was sent");
        let (request, job, fetch) = (named("request"), named("job"), named("fetch"));
        assert_eq!(hex(&request.span.span_id), &id[16..]);
        assert!(request.span.parent_span_id.is_empty());
        assert_eq!(job.span.parent_span_id, request.span.span_id);
        assert_eq!(fetch.span.parent_span_id, job.span.span_id);
        let said = format!("{:?}", request.span.attributes);
        assert!(said.contains("http.response.status_code") && said.contains("IntValue(200)"), "{said}");
        assert!(
            !format!("{sent:?}", sent = sent.iter().map(|sent| &sent.span).collect::<Vec<_>>())
                .contains("/town")
        );
        for one in &sent {
            assert_eq!(one.authorization, "Bearer of-the-operator");
            assert!(one.service.contains("carrel"), "{}", one.service);
        }
        assert!(!all.logs().contains("of-the-operator"));
    });
}
