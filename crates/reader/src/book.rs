//! EPUB download of the reading page.

use std::borrow::Cow;
use std::sync::Arc;

use articles::Article;
use extract::epub::{self, Book};
use kernel::{Code, rfc3339};
use poem::http::header;
use poem::{IntoResponse, Request, Response, handler};
use tokio::time::{Instant, timeout_at};

use super::answer::obtain;
use super::limits::{Charged, OneRead};
use super::parameters::required_url;
use super::params::ReadParams;
use http_kit::content_disposition::disposition;
use http_kit::http::file_name;
use http_kit::http::query;
use http_kit::problem::Problem;

/// Media type of EPUB files.
const EPUB: &str = "application/epub+zip";

/// Responds with the text of a URL as an EPUB file.
#[handler]
pub(super) async fn book(reader: Charged<OneRead>, request: &Request) -> Result<Response, Problem> {
    let params = ReadParams {
        url: required_url(query::value_in(request.uri(), "url").map(Cow::into_owned))?,
        ..ReadParams::default()
    };
    let deadline = Instant::now() + reader.app.settings.deadlines.read;
    let address = articles::Address::parse(&reader.app.domain, &params.url)?;
    let article = obtain(&reader.app, &address, &params, deadline).await?.article;
    let permit = timeout_at(deadline, Arc::clone(&reader.render_permits).acquire_owned()).await;
    let Ok(Ok(permit)) = permit else {
        return Err(Problem::new(
            Code::CapacityExhausted,
            "Too many large texts are being rendered. Retry shortly.",
        ));
    };
    let name = disposition(&file_name::of_title(&article.document.title, "epub"));
    let packing = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        packed(&article)
    });
    let bytes = packing.await.map_err(|error| Problem::from(kernel::Error::internal(error)))??;
    let response = bytes.with_content_type(EPUB).with_header(header::CONTENT_DISPOSITION, name);
    Ok(response.with_header(header::CACHE_CONTROL, "private, no-cache").into_response())
}

fn packed(article: &Article) -> kernel::Result<Vec<u8>> {
    let document = &article.document;
    let host = url::Url::parse(&article.final_url).ok();
    let host = host.as_ref().and_then(url::Url::host_str);
    let whole = Book {
        id: format!("urn:uuid:{}", article.snapshot_id),
        title: &document.title,
        author: document.author.as_deref(),
        publisher: document.publisher.as_deref().or(host),
        language: document.language.as_deref(),
        published_at: document.published_at.as_deref(),
        modified_at: rfc3339(article.fetched_at),
        source_url: Some(&article.final_url),
        blocks: &document.blocks,
    };
    epub::write(&whole).map_err(kernel::Error::internal)
}
