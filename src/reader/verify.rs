//! Checking quotes: the page is read as a single read would, and each quote looked for in its blocks.

use domain::articles::{self, Address, Freshness};
use domain::reader::quotes;
use poem::Response;
use poem::http::StatusCode;
use poem_openapi::OpenApi;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::body::{ChargedBody, Payload};
use super::described::{Answered, describe, json};
use super::limits::Cost;
use super::request::{DEFAULT_MAX_AGE, required_url, wrong};
use super::schema::{VerifyRequest, VerifyResult};
use super::{Reader, Tag};
use crate::http::fields::Fields;
use crate::problem::Problem;

describe!(
    /// Checked quotes.
    Verified,
    (200, "How each quote stands in the text."),
    [400, 413, 415, 422, 429, 502, 503, 504],
    vec![json::<VerifyResult>()],
    [],
    [VerifyResult]
);

/// Quotes and the page that they are looked for in.
pub(super) struct Quotes {
    url: String,
    quotes: Vec<String>,
}

impl Payload for VerifyRequest {
    type Parsed = Quotes;

    fn parse(body: &Value) -> Result<Quotes, Problem> {
        parse(body)
    }

    fn cost(_quotes: &Quotes) -> Cost {
        Cost::Reads(1)
    }
}

/// Checking quotes.
pub(super) struct VerifyApi;

#[OpenApi(tag = "Tag::Reader")]
impl VerifyApi {
    /// Check quotes against a page
    ///
    /// Tells for each quote whether it stands in the text word for word, nearly so, or not at all.
    #[oai(path = "/api/v1/read/verify", method = "post", operation_id = "verifyQuotes")]
    async fn verify(&self, request: ChargedBody<VerifyRequest>) -> Answered<Verified> {
        Ok(check(&request.reader, request.body).await?.into())
    }
}

async fn check(reader: &Reader, wanted: Quotes) -> Result<Response, Problem> {
    let app = &reader.app;
    let address = Address::parse(&app.domain, &wanted.url)?;
    let deadline = Instant::now() + app.settings.deadlines.read;
    let freshness = Freshness::seconds(DEFAULT_MAX_AGE);
    let progress = articles::request(&app.domain, None, &address, freshness).await?;
    let obtained = app.engine.await_result(progress, deadline).await?;
    let document = obtained.answer.article.document;
    let checked = tokio::task::spawn_blocking(move || {
        let results: Vec<Value> = wanted
            .quotes
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
    Ok(super::json_response(StatusCode::OK, &body))
}

fn parse(body: &Value) -> Result<Quotes, Problem> {
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
    Ok(Quotes { url, quotes: wanted })
}
