//! Up to ten reads in one request: answered in order, each for itself, equal ones fetched once.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use poem::http::StatusCode;
use poem::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::answer::{self, Asking, Page};
use super::asked::Asked;
use super::negotiate::Format;
use crate::app::App;
use crate::http::fields::Fields;
use crate::problem::Problem;

/// The most reads of a batch.
const MAX_ITEMS: usize = 10;

/// Takes the body of a batch apart. An item whose URL cannot be read fails alone, later.
///
/// # Errors
/// `batch_size` when there are none or more than ten; `missing_url` and `invalid_parameter` for what fails
/// the schema.
pub(super) fn items(body: &Value) -> Result<Vec<Asked>, Problem> {
    let mut fields = Fields::of(body, "").map_err(super::asked::wrong)?;
    let requests = match fields.value("requests") {
        None => return Err(Problem::new("batch_size", "`/requests` is missing.")),
        Some(Value::Array(requests)) => requests,
        Some(_) => return Err(super::asked::wrong(fields.fault("requests", "must be an array"))),
    };
    fields.finish().map_err(super::asked::wrong)?;
    if requests.is_empty() || requests.len() > MAX_ITEMS {
        let text = format!("The batch holds {} reads; 1 to {MAX_ITEMS} are possible.", requests.len());
        return Err(Problem::new("batch_size", text));
    }
    let items = requests.iter().enumerate();
    items.map(|(index, value)| Asked::of_item(value, format!("/requests/{index}"))).collect()
}

/// Reads all items at once and answers when the last is done, or when the batch's time is over.
pub(super) async fn read(app: &Arc<App>, items: Vec<Asked>, request_id: &str) -> Response {
    let deadline = Instant::now() + app.settings.deadlines.batch;
    let results = join_all(items.iter().map(|item| read_item(app, item, deadline))).await;
    let succeeded = results.iter().filter(|result| result.is_ok()).count();
    let reader_url = app.settings.origins.reader.as_str();
    let results: Vec<Value> = results
        .into_iter()
        .zip(&items)
        .enumerate()
        .map(|(index, (result, item))| {
            let (status, content_type, output) = match result {
                Ok(page) => (200, page.format.content_type(), output(&page)),
                Err(problem) => {
                    let body = problem.to_json(reader_url, request_id);
                    (problem.entry.status, "application/problem+json", body)
                }
            };
            json!({"index": index, "url": item.url, "status": status, "content_type": content_type, "output": output})
        })
        .collect();
    let failed = results.len() - succeeded;
    let body = json!({"results": results, "succeeded": succeeded, "failed": failed});
    super::json_response(StatusCode::OK, &body).into_response()
}

async fn read_item(app: &Arc<App>, asked: &Asked, deadline: Instant) -> Result<Page, Problem> {
    let asked = asked.clone();
    let format = asked.format.unwrap_or(Format::Json);
    let patience = deadline.saturating_duration_since(Instant::now());
    // What is left over is for putting the answer together.
    let patience = patience.saturating_sub(Duration::from_millis(200));
    answer::read(app, Asking { asked, format }, patience).await
}

fn output(page: &Page) -> Value {
    let text = String::from_utf8_lossy(&page.body).into_owned();
    match page.format {
        Format::Json => serde_json::from_str(&text).unwrap_or(Value::Null),
        Format::Text | Format::Markdown | Format::Html => Value::String(text),
    }
}
