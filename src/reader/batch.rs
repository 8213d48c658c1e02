//! Up to ten reads in one request: answered in order, each for itself, equal ones fetched once.

use domain::Code;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use poem::Response;
use poem::http::StatusCode;
use poem_openapi::OpenApi;
use poem_openapi::param::Header;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::answer::{self, Page, ReadQuery};
use super::body::Payload;
use super::described::{Answered, describe, json};
use super::idempotent::Idempotent;
use super::limits::Cost;
use super::negotiate::Format;
use super::parameters::IdempotencyKey;
use super::request::ReadRequest;
use super::schema::{BatchRequest, BatchResult};
use super::{Reader, Tag};
use crate::http::fields::Fields;
use crate::problem::Problem;

/// The most reads of a batch.
const MAX_ITEMS: usize = 10;

describe!(
    /// A batch of reads.
    Batch,
    (200, "One result for each request, in order; failed items have a problem as their output."),
    [400, 409, 413, 415, 429, 503],
    vec![json::<BatchResult>()],
    [],
    [BatchResult]
);

/// One read of a batch: an item that cannot be read fails alone.
pub(super) type Item = Result<ReadRequest, (String, Problem)>;

impl Payload for BatchRequest {
    type Parsed = Vec<Item>;

    fn parse(body: &Value) -> Result<Vec<Item>, Problem> {
        items(body)
    }

    fn cost(items: &Vec<Item>) -> Cost {
        Cost::Reads(u32::try_from(items.len()).unwrap_or(u32::MAX))
    }
}

/// Batches of reads.
pub(super) struct BatchApi;

#[OpenApi(tag = "Tag::Reader")]
impl BatchApi {
    /// Read up to ten public URLs
    ///
    /// The results come in the order of the requests; one source that fails does not hide the others.
    #[oai(path = "/api/v1/read/batch", method = "post", operation_id = "readPublicUrls")]
    async fn read_batch(
        &self,
        /// 1 to 255 visible ASCII characters, quoted or bare.
        #[oai(name = "Idempotency-Key")]
        _key: Header<Option<IdempotencyKey>>,
        body: Idempotent<BatchRequest>,
    ) -> Answered<Batch> {
        let request_id = body.request_id().to_owned();
        let response = body.run(Format::Json, move |reader, items| async move {
            Ok(read(&reader, items, &request_id).await)
        });
        Ok(response.await?.into())
    }
}

/// Parses the body of a batch.
///
/// # Errors
/// `batch_size` when there are none or more than ten; `invalid_parameter` when `requests` is no list, or is
/// not alone.
fn items(body: &Value) -> Result<Vec<Item>, Problem> {
    let mut fields = Fields::of(body, "").map_err(super::request::wrong)?;
    let requests = match fields.value("requests") {
        None => return Err(Problem::new(Code::BatchSize, "`/requests` is missing.")),
        Some(Value::Array(requests)) => requests,
        Some(_) => return Err(super::request::wrong(fields.fault("requests", "must be an array"))),
    };
    fields.finish().map_err(super::request::wrong)?;
    if requests.is_empty() || requests.len() > MAX_ITEMS {
        let text = format!("The batch holds {} reads; 1 to {MAX_ITEMS} are possible.", requests.len());
        return Err(Problem::new(Code::BatchSize, text));
    }
    let items = requests.iter().enumerate();
    let item = |(index, value): (usize, &Value)| {
        ReadRequest::of_item(value, format!("/requests/{index}")).map_err(|problem| {
            let url = value["url"].as_str().unwrap_or_default();
            (url.to_owned(), problem)
        })
    };
    Ok(items.map(item).collect())
}

/// Reads all items at once and answers when the last is done, or when the batch's time is over.
async fn read(reader: &Arc<Reader>, items: Vec<Item>, request_id: &str) -> Response {
    let deadline = Instant::now() + reader.app.settings.deadlines.batch;
    let results = join_all(items.iter().map(|item| read_item(reader, item, deadline))).await;
    let succeeded = results.iter().filter(|result| result.is_ok()).count();
    let results: Vec<Value> = results
        .into_iter()
        .zip(&items)
        .enumerate()
        .map(|(index, (result, item))| {
            let url = item.as_ref().map_or_else(|(url, _)| url, |request| &request.url);
            let (status, content_type, output) = match result {
                Ok(page) => (200, page.format.content_type(), output(&page)),
                Err(problem) => {
                    let body = problem.to_json(reader.url(), request_id);
                    (problem.status, "application/problem+json", body)
                }
            };
            json!({"index": index, "url": url, "status": status, "content_type": content_type, "output": output})
        })
        .collect();
    let failed = results.len() - succeeded;
    let body = json!({"results": results, "succeeded": succeeded, "failed": failed});
    super::json_response(StatusCode::OK, &body)
}

async fn read_item(reader: &Arc<Reader>, item: &Item, deadline: Instant) -> Result<Page, Problem> {
    let request = item.clone().map_err(|(_, problem)| problem)?;
    let format = request.format.unwrap_or(Format::Json);
    let timeout = deadline.saturating_duration_since(Instant::now());
    // What is left over is for putting the response together.
    let timeout = timeout.saturating_sub(Duration::from_millis(200));
    answer::read(reader, ReadQuery { request, format }, timeout).await
}

fn output(page: &Page) -> Value {
    let text = String::from_utf8_lossy(&page.body).into_owned();
    match page.format {
        Format::Json => serde_json::from_str(&text).unwrap_or(Value::Null),
        Format::Text | Format::Markdown | Format::Html => Value::String(text),
    }
}
