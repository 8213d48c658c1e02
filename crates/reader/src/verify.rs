//! Quote check: reads the page like a single read does, and searches its blocks for each quote.

use std::sync::Arc;

use articles::reader::quotes::{MAX_CHARS, MAX_WORDS, MIN_CHARS, QuoteCheck, QuoteChecker, word_count};
use articles::{Address, Article, Freshness};
use extract::Document;
use kernel::Code;
use poem::Response;
use poem::http::StatusCode;
use poem_openapi::OpenApi;
use poem_openapi::registry::MetaSchemaRef;
use poem_openapi::types::Example;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::body::{ChargedBody, Payload};
use super::described::{Answered, describe, json, json_response};
use super::fixture;
use super::limits::Cost;
use super::parameters::SourceUrl;
use super::params::DEFAULT_MAX_AGE;
use super::schema::{QuoteResult, VerifyResult};
use super::service::{ReaderService, ReaderTag};
use http_kit::http::enum_param::EnumParam;
use http_kit::http::fault::Fault;
use http_kit::http::params::Text;
use http_kit::http::request::request;
use http_kit::http::value::{List, RequestValue};
use http_kit::problem::Problem;

describe!(
    /// Checked quotes.
    Verified,
    (200, "For each quote, whether it occurs in the text."),
    [400, 413, 415, 422, 429, 502, 503, 504],
    vec![json::<VerifyResult>()],
    [],
    [VerifyResult]
);

request! {
    /// Quotes to check against a page.
    pub(super) struct VerifyRequest in snake_case {
        /// Public http(s) URL to read.
        url: SourceUrl = "https://example.com/article",
        /// 1 to 20 quotes of 8 to 1000 characters and at most 200 words.
        quotes: List<Quote, 1, 20> = ["a desk in a quiet corner"],
    }
}

/// Quote with a limited number of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quote(String);

impl RequestValue for Quote {
    fn schema() -> MetaSchemaRef {
        <Text<MIN_CHARS, MAX_CHARS> as RequestValue>::schema()
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        let text = <Text<MIN_CHARS, MAX_CHARS> as RequestValue>::parse(value)?.0;
        if word_count(&text) > MAX_WORDS {
            return Err(Fault::new(format!("must have at most {MAX_WORDS} words")));
        }
        Ok(Self(text))
    }
}

impl Payload for VerifyRequest {
    fn cost(&self) -> Cost {
        Cost::Reads(u32::try_from(self.quotes.0.len()).unwrap_or(u32::MAX))
    }
}

pub(super) struct VerifyApi;

#[OpenApi(tag = "ReaderTag::Reader")]
impl VerifyApi {
    /// Check quotes against a page
    ///
    /// Returns for each quote whether it occurs in the text exactly, approximately, or not at all. Each quote costs
    /// one read.
    #[oai(path = "/api/v1/read/verify", method = "post", operation_id = "verifyQuotes")]
    async fn verify(&self, request: ChargedBody<VerifyRequest>) -> Answered<Verified> {
        Ok(check(&request.reader, request.body).await?.into())
    }
}

async fn check(reader: &ReaderService, request: VerifyRequest) -> Result<Response, Problem> {
    let quotes: Vec<String> = request.quotes.0.into_iter().map(|Quote(quote)| quote).collect();
    let (article, checked) = check_quotes(reader, &request.url.into_text(), quotes.clone()).await?;
    let body = VerifyResult::of(&article.document, quotes, checked);
    Ok(json_response(StatusCode::OK, &body))
}

/// Checks quotes against the text of a URL.
///
/// # Errors
/// If the text cannot be read. `read_timeout` if the check takes too long.
pub(super) async fn check_quotes(
    reader: &ReaderService,
    url: &str,
    quotes: Vec<String>,
) -> Result<(Article, Vec<QuoteCheck>), Problem> {
    let app = &reader.app;
    let address = Address::parse(&app.domain, url)?;
    let deadline = Instant::now() + app.settings.deadlines.read;
    let freshness = Freshness::seconds(DEFAULT_MAX_AGE);
    let progress = articles::request(&app.domain, None, &address, freshness).await?;
    let article = app.engine.await_result(progress, deadline).await?.answer.article;
    let permit = timeout_at(deadline, Arc::clone(&reader.render_permits).acquire_owned()).await;
    let Ok(Ok(permit)) = permit else {
        return Err(Problem::new(
            Code::CapacityExhausted,
            "Too many large texts are being rendered. Retry shortly.",
        ));
    };
    // If the caller disconnects, this future is dropped and the check is cancelled.
    let caller = CancellationToken::new();
    let (_leaving, left) = (caller.clone().drop_guard(), caller);
    let document = article.document.clone();
    let checking = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        results(&document, &quotes, &|| !left.is_cancelled() && Instant::now() < deadline)
    });
    let checked = checking.await.map_err(|error| Problem::from(kernel::Error::internal(error)))?;
    let late = || Problem::new(Code::ReadTimeout, "The quotes could not be checked in time.");
    Ok((article, checked.ok_or_else(late)?))
}

/// Checks each quote. Returns `None` if the check was stopped before it was complete.
fn results(
    document: &Document,
    quotes: &[String],
    should_continue: &dyn Fn() -> bool,
) -> Option<Vec<QuoteCheck>> {
    let haystack = QuoteChecker::new(document);
    quotes.iter().map(|quote| haystack.check(quote, should_continue)).collect()
}

impl VerifyResult {
    fn of(document: &Document, quotes: Vec<String>, checked: Vec<QuoteCheck>) -> Self {
        let result = |(quote, checked): (String, QuoteCheck)| QuoteResult {
            quote,
            status: EnumParam(checked.match_kind),
            anchor: checked.anchor,
            similarity: checked.similarity,
            context: checked.context,
        };
        let results = quotes.into_iter().zip(checked).map(result).collect();
        Self { content_hash: document.content_hash.clone(), results }
    }
}

impl Example for VerifyResult {
    fn example() -> Self {
        fixture::example(|reading| {
            let quotes = ["This page never changes.", "This page always changes."];
            let quotes = quotes.map(str::to_owned).to_vec();
            let checked = results(reading.document(), &quotes, &|| true).unwrap_or_default();
            Self::of(reading.document(), quotes, checked)
        })
    }
}
