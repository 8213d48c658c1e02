//! Conversion of library items to EPUB books.

use extract::epub::{self, Book};
use kernel::{AccountId, Class, Error, ItemId, rfc3339};
use poem::http::header;
use poem::{IntoResponse, Response};

use http_kit::app::App;
use http_kit::content_disposition::disposition;
use http_kit::http::{conditional, file_name};

/// Media type of EPUB.
pub(super) const EPUB: &str = "application/epub+zip";

/// Returns the item as an EPUB. If the item has no text, or its text is still being fetched, the book states
/// this.
///
/// # Errors
/// `not_found` if the item does not exist; `Unavailable` if its text cannot be read.
pub(super) async fn epub_of(
    app: &App,
    account_id: AccountId,
    id: ItemId,
    if_none_match: Option<&str>,
) -> Result<Response, Error> {
    let domain = &app.domain;
    let item = library::open(domain, account_id, id).await?;
    let text = match library::text_of(domain, account_id, id).await {
        Ok((_, text)) => Some(text),
        Err(error) if error.class() == Class::Unavailable || error.class() == Class::Internal => {
            return Err(error);
        }
        Err(_) => None,
    };
    let name = disposition(&file_name::of_title(&item.title, "epub"));
    let packing = tokio::task::spawn_blocking(move || {
        let document = text.as_ref().map(|text| &text.document);
        epub::write(&Book {
            id: format!("urn:uuid:{}", item.id),
            title: &item.title,
            author: item.author.as_deref(),
            publisher: Some(&item.domain),
            language: document.and_then(|document| document.language.as_deref()),
            published_at: item.published_at.as_deref(),
            modified_at: rfc3339(item.updated_at),
            source_url: Some(item.url.as_str()).filter(|url| url.starts_with("http")),
            blocks: document.map_or(&[], |document| &document.blocks),
        })
    });
    let bytes = packing.await.map_err(Error::internal)?.map_err(Error::internal)?;
    let etag = conditional::etag_of(&bytes);
    let response = bytes.with_content_type(EPUB).with_header(header::ETAG, etag);
    let response = response.with_header(header::CONTENT_DISPOSITION, name).into_response();
    Ok(conditional::not_modified_or(response, if_none_match))
}

/// Splits the authors of an item, which are stored as one line, into names.
pub(super) fn authors_of(names: &str) -> Vec<&str> {
    names.split(", ").filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn author_line_is_split_into_names() {
        assert_eq!(authors_of("Ana Lima, Bo"), ["Ana Lima", "Bo"]);
        assert!(authors_of("").is_empty());
    }
}
