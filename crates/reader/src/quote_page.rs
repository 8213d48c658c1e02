//! Page that shows whether a quotation occurs in a text: the quote check of the API, for browsers.

use std::borrow::Cow;

use articles::Address;
use articles::reader::quotes::{MAX_WORDS, word_count};
use poem::{Request, Response, handler};

use super::limits::{Charged, OneRead};
use super::parameters::required_url;
use super::service::QuoteReport;
use super::verify::check_quotes;
use http_kit::http::query;
use http_kit::problem::Problem;

/// Allowed length of a quotation, in characters.
const CHARACTERS: std::ops::RangeInclusive<usize> = 8..=1000;

/// Checks a quotation against the text of a URL. Returns the page with the result.
#[handler]
pub(super) async fn quote(reader: Charged<OneRead>, request: &Request) -> Result<Response, Problem> {
    let url = required_url(query::value_in(request.uri(), "url").map(Cow::into_owned))?;
    // The page links to this URL, so it must be a public address.
    Address::parse(&reader.app.domain, &url)?;
    let quote = query::value_in(request.uri(), "quote").unwrap_or_default().trim().to_owned();
    let is_fit = CHARACTERS.contains(&quote.chars().count()) && word_count(&quote) <= MAX_WORDS;
    let pages = reader.pages;
    if !is_fit {
        let report = QuoteReport { url: &url, quote: &quote, result: None };
        return Ok((pages.quote)(&reader.app, &report));
    }
    let (article, mut checked) = check_quotes(&reader, &url, vec![quote.clone()]).await?;
    let result = checked.pop().map(|checked| (article, checked));
    Ok((pages.quote)(&reader.app, &QuoteReport { url: &url, quote: &quote, result: result.as_ref() }))
}
