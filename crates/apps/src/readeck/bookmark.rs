//! Conversion of library items to bookmarks of Readeck's API.

use kernel::rfc3339;
use library::{ArticleStatus, Item, ItemStatus};
use serde_json::{Value, json};

use crate::book::authors_of;
use crate::bookmark_rules::is_favorite;

/// Type of all bookmarks.
pub(super) const ARTICLE: &str = "article";
/// Value of `state` for a bookmark whose text is available.
const LOADED: u8 = 0;
/// Value of `state` for a bookmark whose text could not be fetched.
const FAILED: u8 = 1;
/// Value of `state` for a bookmark whose text is being fetched.
const LOADING: u8 = 2;

/// Converts an item to a bookmark. `base` is the URL of the API.
pub(super) fn bookmark(base: &str, item: &Item) -> Value {
    let state = match item.article_status {
        ArticleStatus::Ready | ArticleStatus::NotApplicable => LOADED,
        ArticleStatus::Failed => FAILED,
        ArticleStatus::AwaitingUpload | ArticleStatus::Queued | ArticleStatus::Extracting => LOADING,
    };
    let own = format!("{base}bookmarks/{}", item.id);
    let progress = if item.finished_at.is_some() { 100 } else { item.read_progress.unwrap_or_default() };
    let authors: Vec<&str> = item.author.as_deref().map(authors_of).unwrap_or_default();
    let article = format!("{own}/article");
    let resources =
        if item.content_hash.is_some() { json!({ "article": { "src": article } }) } else { json!({}) };
    json!({
        "id": item.id.to_string(),
        "href": own,
        "created": rfc3339(item.saved_at),
        "updated": rfc3339(item.updated_at),
        "state": state,
        "loaded": state != LOADING,
        "url": item.url,
        "title": item.title,
        "site_name": item.domain,
        "site": item.domain,
        "published": item.published_at,
        "authors": authors,
        "document_type": ARTICLE,
        "type": ARTICLE,
        "has_article": item.content_hash.is_some(),
        "is_deleted": false,
        "is_marked": is_favorite(item),
        "is_archived": item.status == ItemStatus::Archive,
        "labels": item.tags,
        "read_progress": progress,
        "resources": resources,
    })
}
