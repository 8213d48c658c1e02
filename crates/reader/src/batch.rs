//! Batches: up to ten reads in one request, answered independently and in order. The source of equal reads is
//! fetched only once.

use kernel::Code;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use poem::Response;
use poem::http::StatusCode;
use poem_openapi::OpenApi;
use poem_openapi::param::Header;
use poem_openapi::registry::{MetaSchemaRef, Registry};
use poem_openapi::types::{Example, ToJSON};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::answer;
use super::body::{Payload, code_of};
use super::described::{Answered, describe, json, json_pieces};
use super::fixture;
use super::idempotent::Idempotent;
use super::limits::Cost;
use super::negotiate::ResponseFormat;
use super::page::{ReadQuery, RenderedPage};
use super::parameters::{IdempotencyKey, OrNull, SourceUrl, present};
use super::params::ReadParams;
use super::schema::{BatchItemResult, BatchResult, FormatName, Output, RenderName};
use super::service::{ReaderService, ReaderTag};
use http_kit::http::fault::Fault;
use http_kit::http::params::Text;
use http_kit::http::request::request;
use http_kit::http::value::{List, RequestValue};
use http_kit::problem::Problem;

/// Maximum number of reads in a batch.
const MAX_ITEMS: usize = 10;

describe!(
    /// Batch of reads.
    BatchResponse,
    (200, "One result per request, in the same order. The output of a failed item is a problem."),
    [400, 409, 413, 415, 429, 503],
    vec![json::<BatchResult>()],
    [],
    [BatchResult]
);

request! {
    /// Up to ten reads in one request.
    pub(super) struct BatchRequest in snake_case {
        /// Reads of the batch, answered in this order.
        requests: Items = example(),
    }
}

request! {
    /// One read of a batch.
    pub(super) struct BatchItem in snake_case {
        /// Public http(s) URL to read. An item that cannot be read fails without affecting the others.
        url: SourceUrl,
        /// Search query; null or omitted to read the text without searching.
        query: OrNull<Text<0, 500>>,
        /// Format of this item's output. Default: `json`.
        format: OrNull<FormatName>,
        /// Rendering of the page in a browser, charged to the limit `render`. Default: `auto`.
        render: OrNull<RenderName>,
    }
}

fn example() -> Value {
    json!([{"url": "https://example.com/article"}, {"url": "https://example.org/", "format": "text"}])
}

/// Reads of a batch. An invalid item fails without affecting the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Items(Vec<Result<BatchItem, InvalidItem>>);

/// Invalid item of a batch, with its problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InvalidItem {
    url: String,
    code: Code,
    fault: Fault,
}

impl RequestValue for Items {
    fn schema() -> MetaSchemaRef {
        List::<BatchItem, 1, MAX_ITEMS>::schema()
    }

    fn register(registry: &mut Registry) {
        BatchItem::register(registry);
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        let Value::Array(items) = value else { return Err(Fault::new("must be an array")) };
        if items.is_empty() || items.len() > MAX_ITEMS {
            return Err(Fault::new(format!("has {} reads; 1 to {MAX_ITEMS} are allowed", items.len())));
        }
        let item = |(index, item): (usize, &Value)| {
            BatchItem::parse(item).map_err(|fault| InvalidItem {
                url: item["url"].as_str().unwrap_or_default().to_owned(),
                code: code_of(&fault, item),
                fault: fault.under(index).under("requests"),
            })
        };
        Ok(Self(items.iter().enumerate().map(item).collect()))
    }
}

impl From<BatchItem> for ReadParams {
    fn from(item: BatchItem) -> Self {
        Self {
            url: item.url.into_text(),
            query: present(item.query.0.map(|text| text.0)),
            format: item.format.0.map(Into::into),
            render: item.render.0.map(Into::into).unwrap_or_default(),
            ..Self::default()
        }
    }
}

impl Payload for BatchRequest {
    fn cost(&self) -> Cost {
        Cost::Reads(u32::try_from(self.requests.0.len()).unwrap_or(u32::MAX))
    }
}

pub(super) struct BatchApi;

#[OpenApi(tag = "ReaderTag::Reader")]
impl BatchApi {
    /// Read up to ten public URLs
    ///
    /// Returns the results in the order of the requests. A source that fails does not affect the others.
    #[oai(path = "/api/v1/read/batch", method = "post", operation_id = "readPublicUrls")]
    async fn read_batch(
        &self,
        /// 1 to 255 visible ASCII characters, quoted or bare.
        #[oai(name = "Idempotency-Key")]
        _key: Header<Option<IdempotencyKey>>,
        body: Idempotent<BatchRequest>,
    ) -> Answered<BatchResponse> {
        let request_id = body.request_id().to_owned();
        let response = body.run(ResponseFormat::Json, move |reader, batch| async move {
            Ok(read(&reader, batch, &request_id).await)
        });
        Ok(response.await?.into())
    }
}

/// Reads all items concurrently and responds when the last is complete or the batch's deadline is reached.
async fn read(reader: &Arc<ReaderService>, batch: BatchRequest, request_id: &str) -> Response {
    let items: Vec<(String, Result<ReadParams, Problem>)> =
        batch.requests.0.into_iter().map(params_of).collect();
    let deadline = Instant::now() + reader.app.settings.deadlines.batch;
    let results = join_all(items.iter().map(|(_, params)| read_item(reader, params, deadline))).await;
    let reader_url = reader.url();
    let results = results.into_iter().zip(&items).map(|(result, (url, _))| {
        let problem = |problem: Problem| ItemResult::of_problem(&problem, reader_url, request_id);
        (url.as_str(), result.map_or_else(problem, ItemResult::Page))
    });
    json_pieces(StatusCode::OK, assemble(results))
}

/// Result of a batch item.
enum ItemResult {
    Page(RenderedPage),
    /// Status of the problem, and the problem in JSON.
    Problem(u16, Value),
}

impl ItemResult {
    fn of_problem(problem: &Problem, reader_url: &str, request_id: &str) -> Self {
        let body = problem.body(reader_url, request_id).to_json();
        Self::Problem(problem.status, body.unwrap_or_default())
    }
}

/// Serializes a [`BatchResult`] in pieces. JSON bodies become pieces without a copy: if they were copied, or
/// parsed and serialized again, a batch of large texts would be in memory several times.
fn assemble<'a>(items: impl IntoIterator<Item = (&'a str, ItemResult)>) -> Vec<Bytes> {
    let (mut pieces, mut succeeded, mut failed) = (Vec::new(), 0_u64, 0_u64);
    let mut bytes = b"{\"results\":[".to_vec();
    for (index, (url, item)) in items.into_iter().enumerate() {
        let (status, content_type) = match &item {
            ItemResult::Page(page) => (200, page.format.content_type()),
            ItemResult::Problem(status, _) => (*status, "application/problem+json"),
        };
        if index > 0 {
            bytes.push(b',');
        }
        let url = json!(url);
        bytes.extend_from_slice(
            format!(
                "{{\"index\":{index},\"url\":{url},\"status\":{status},\"content_type\":\"{content_type}\",\"output\":"
            )
            .as_bytes(),
        );
        match item {
            ItemResult::Page(page) => {
                succeeded += 1;
                if page.format == ResponseFormat::Json {
                    pieces.extend([std::mem::take(&mut bytes).into(), page.body]);
                } else {
                    write_string(&page.body, &mut bytes);
                }
            }
            ItemResult::Problem(_, body) => {
                failed += 1;
                bytes.extend_from_slice(body.to_string().as_bytes());
            }
        }
        bytes.push(b'}');
    }
    bytes.extend_from_slice(format!("],\"succeeded\":{succeeded},\"failed\":{failed}}}").as_bytes());
    pieces.push(bytes.into());
    pieces
}

/// Writes a text as a JSON string.
fn write_string(text: &[u8], bytes: &mut Vec<u8>) {
    let begin = bytes.len();
    // Serializing a string into memory cannot fail.
    if serde_json::to_writer(&mut *bytes, &String::from_utf8_lossy(text)).is_err() {
        bytes.truncate(begin);
        bytes.extend_from_slice(b"null");
    }
}

impl Example for BatchResult {
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "a method path is not general enough over lifetimes"
    )]
    fn example() -> Self {
        let item = |index, url: &str, status, content_type: &str, output| BatchItemResult {
            index,
            url: url.to_owned(),
            status,
            content_type: content_type.to_owned(),
            output: Output(output),
        };
        let text = fixture::example(|reading| reading.text()).into();
        let problem = Problem::new(Code::SourceNotFound, "The source answers 404.");
        let status = problem.status;
        let problem = problem.body("https://read.example.org", "0193a0b27c00").to_json();
        let results = vec![
            item(0, fixture::URL, 200, ResponseFormat::Text.content_type(), text),
            item(
                1,
                "https://example.com/gone",
                status,
                "application/problem+json",
                problem.unwrap_or_default(),
            ),
        ];
        Self { results, succeeded: 1, failed: 1 }
    }
}

/// Returns the URL and the read parameters of an item.
fn params_of(item: Result<BatchItem, InvalidItem>) -> (String, Result<ReadParams, Problem>) {
    match item {
        Ok(item) => {
            let params = ReadParams::from(item);
            (params.url.clone(), Ok(params))
        }
        Err(invalid) => (invalid.url, Err(Problem::new(invalid.code, format!("{}.", invalid.fault)))),
    }
}

async fn read_item(
    reader: &Arc<ReaderService>,
    params: &Result<ReadParams, Problem>,
    deadline: Instant,
) -> Result<RenderedPage, Problem> {
    let request = params.clone()?;
    let format = request.format.unwrap_or(ResponseFormat::Json);
    let timeout = deadline.saturating_duration_since(Instant::now());
    // The subtracted time is reserved for assembling the response.
    let timeout = timeout.saturating_sub(Duration::from_millis(200));
    answer::read(reader, ReadQuery { request, format }, timeout).await
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderMap;

    use super::*;

    fn page(format: ResponseFormat, body: &str) -> ItemResult {
        ItemResult::Page(RenderedPage {
            format,
            body: Bytes::from(body.to_owned()),
            headers: HeaderMap::new(),
        })
    }

    #[test]
    fn json_body_is_added_to_the_batch_without_a_copy() {
        let body = Bytes::from("{}".to_owned());
        let (format, headers) = (ResponseFormat::Json, HeaderMap::new());
        let item = ItemResult::Page(RenderedPage { format, body: body.clone(), headers });
        let pieces = assemble([("https://a.example/", item)]);
        assert!(pieces.iter().any(|piece| piece.as_ptr() == body.as_ptr()));
    }

    #[test]
    fn assembled_batch_equals_the_serialized_batch_result() {
        let (json, text) =
            (r#"{"title":"A \"b\"","n":[1,2.5,null]}"#, "a \"quoted\" line\nand\ttabs \u{1}\u{2028}é");
        let problem = Problem::new(Code::SourceNotFound, "The source answers 404.");
        let urls = ["https://a.example/", "https://b.example/?q=\"\\", "no url", ""];
        let items = || {
            [
                page(ResponseFormat::Json, json),
                page(ResponseFormat::Markdown, text),
                ItemResult::of_problem(&problem, "https://read.example.org", "0193"),
                page(ResponseFormat::Html, ""),
            ]
        };
        let described = |(index, (url, item)): (usize, (&str, ItemResult))| {
            let (status, content_type, output) = match item {
                ItemResult::Page(page) => {
                    let text = String::from_utf8(page.body.to_vec()).unwrap();
                    let output = match page.format {
                        ResponseFormat::Json => serde_json::from_str(&text).unwrap(),
                        ResponseFormat::Text | ResponseFormat::Markdown | ResponseFormat::Html => {
                            Value::String(text)
                        }
                    };
                    (200, page.format.content_type(), output)
                }
                ItemResult::Problem(status, body) => (status, "application/problem+json", body),
            };
            BatchItemResult {
                index: index as u64,
                url: url.to_owned(),
                status,
                content_type: content_type.to_owned(),
                output: Output(output),
            }
        };
        let results = urls.into_iter().zip(items()).enumerate().map(described).collect();
        let described = BatchResult { results, succeeded: 3, failed: 1 };
        let written: Value =
            serde_json::from_slice(&assemble(urls.into_iter().zip(items())).concat()).unwrap();
        assert_eq!(Some(written), described.to_json());
        let none: [(&str, ItemResult); 0] = [];
        assert_eq!(assemble(none).concat(), br#"{"results":[],"succeeded":0,"failed":0}"#);
    }
}
