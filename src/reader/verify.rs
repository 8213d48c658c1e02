//! Checking quotes: the page is read as a single read would, and each quote looked for in its blocks.

use std::sync::Arc;

use domain::articles::{Address, Freshness};
use domain::reader::quotes;
use poem::http::StatusCode;
use poem::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::asked::{DEFAULT_MAX_AGE, required_url, wrong};
use crate::app::App;
use crate::http::fields::Fields;
use crate::problem::Problem;

/// Checks the quotes of `body` against its URL.
///
/// # Errors
/// The problems of a single read.
pub(super) async fn check(app: &Arc<App>, body: &Value) -> Result<Response, Problem> {
    let (url, wanted) = parse(body)?;
    let address = Address::parse(&url, &app.guard)?;
    let deadline = Instant::now() + app.settings.deadlines.read;
    let freshness = Freshness::seconds(DEFAULT_MAX_AGE);
    let answer = jobs::extraction::obtain(&app.engine, &address, freshness, deadline).await?;
    let document = answer.article.document;
    let checked = tokio::task::spawn_blocking(move || {
        let results: Vec<Value> = wanted
            .iter()
            .map(|quote| {
                let found = quotes::check(&document, quote);
                json!({
                    "quote": quote,
                    "status": found.standing.as_str(),
                    "anchor": found.anchor,
                    "similarity": found.similarity,
                    "context": found.context,
                })
            })
            .collect();
        json!({"content_hash": document.content_hash, "results": results})
    });
    let body = checked.await.map_err(|error| Problem::from(domain::Error::internal(error)))?;
    Ok(super::json_response(StatusCode::OK, &body).into_response())
}

fn parse(body: &Value) -> Result<(String, Vec<String>), Problem> {
    let mut fields = Fields::of(body, "").map_err(wrong)?;
    let url = required_url(&mut fields)?;
    let quotes = match fields.value("quotes") {
        Some(Value::Array(quotes)) => quotes,
        Some(_) => return Err(wrong(fields.fault("quotes", "must be an array"))),
        None => return Err(wrong(fields.fault("quotes", "is missing"))),
    };
    if quotes.is_empty() || quotes.len() > 20 {
        return Err(wrong(fields.fault("quotes", "must hold 1 to 20 quotes")));
    }
    let mut wanted = Vec::with_capacity(quotes.len());
    for (index, quote) in quotes.iter().enumerate() {
        let name = format!("quotes/{index}");
        let Value::String(quote) = quote else { return Err(wrong(fields.fault(&name, "must be a string"))) };
        if !(8..=1000).contains(&quote.chars().count()) {
            return Err(wrong(fields.fault(&name, "must have 8 to 1000 characters")));
        }
        wanted.push(quote.clone());
    }
    fields.finish().map_err(wrong)?;
    Ok((url, wanted))
}
