//! View of an entry for a page. It contains the text of the article if the account requests articles, and
//! otherwise the markup from the feed. Also determines the next and the previous entry in a list.

use async_recursion::async_recursion as boxed;
use std::sync::Arc;

use entities::ids::{AccountId, EntryId, SubscriptionId};
use extract::Document;
use sea_orm::ConnectionTrait;

use super::entries::{get_entry, list_entries};
use super::entry::Entry;
use super::entry_filter::{EntryFilter, Order};
use super::entry_scope::ARTICLE_VERSION;
use super::full_text::{self, ArticleVersion};
use super::starred_entries;
use kernel::error::not_found;
use kernel::statement::statement;
use kernel::{Domain, Result};

/// An entry with its content for a page.
#[derive(Clone, Debug)]
pub struct EntryView {
    pub entry: Entry,
    /// Subscription that lists the entry. `None` for a starred entry whose feed is no longer followed.
    pub subscription_id: Option<SubscriptionId>,
    pub body: EntryBody,
}

/// Content of an entry.
#[derive(Clone, Debug)]
pub enum EntryBody {
    /// The linked article, or the saved text of a starred entry that the feed no longer contains.
    Article(Arc<Document>),
    /// Sanitised markup from the feed, with the state of the article.
    Markup(String, ArticleState),
}

/// State of the article to which an entry links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArticleState {
    /// The article was requested but is not available yet.
    Pending,
    /// The article is available, but the text from the feed was requested.
    Available,
    /// The article must be rendered, and this service has no browser.
    NoBrowser,
    /// The article was not requested or does not exist.
    None,
}

/// Text that a page displays for an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryText {
    /// The linked article if the account requests articles, otherwise the text from the feed.
    Preferred,
    /// The text from the feed.
    Feed,
}

/// Returns an entry of a followed feed, or a starred entry, with its content.
///
/// # Errors
/// `not_found` if the account cannot see the entry.
#[boxed]
pub async fn view_entry(
    domain: &Domain,
    account_id: AccountId,
    id: EntryId,
    text: EntryText,
) -> Result<EntryView> {
    let (entry, content) = get_entry(domain, account_id, id, 0).await?;
    let connection = domain.db().read();
    let sql = format!(
        "SELECT s.id, s.full_text, e.content, {ARTICLE_VERSION} FROM feed_entry e \
         LEFT JOIN rss_subscription s ON s.account_id = $2 AND s.feed_id = $3 WHERE e.id = $1"
    );
    let values = [id.into(), account_id.into(), entry.feed_id.into()];
    let row = connection.query_one_raw(statement(connection, &sql, values)).await?;
    let row = row.ok_or_else(|| not_found("entry"))?;
    let subscription_id: Option<SubscriptionId> = row.try_get_by_index(0)?;
    let wants_article: Option<bool> = row.try_get_by_index(1)?;
    let version = ArticleVersion::parse(&row.try_get_by_index::<String>(3)?);
    let has_article = wants_article == Some(true);
    let article = if has_article && text == EntryText::Preferred {
        full_text::document_of(domain, &entry.url, &version).await?
    } else {
        None
    };
    let own: String = row.try_get_by_index::<Option<String>>(2)?.unwrap_or_default();
    let article = if article.is_none() && entry.starred && own.is_empty() {
        starred_entries::saved_texts(domain, account_id, &[id]).await?.remove(&id)
    } else {
        article
    };
    let body = if let Some(article) = article {
        EntryBody::Article(article)
    } else {
        let is_pending = content.as_ref().is_some_and(|content| content.pending);
        let needs_browser = content.is_some_and(|content| content.needs_browser);
        let state = match text {
            EntryText::Feed if has_article => ArticleState::Available,
            EntryText::Preferred if is_pending => ArticleState::Pending,
            EntryText::Preferred if needs_browser => ArticleState::NoBrowser,
            EntryText::Preferred | EntryText::Feed => ArticleState::None,
        };
        EntryBody::Markup(own, state)
    };
    Ok(EntryView { entry, subscription_id, body })
}

/// Returns the entry that follows this entry in a list. `None` if this entry is the last.
#[boxed]
pub async fn entry_after(
    domain: &Domain,
    account_id: AccountId,
    filter: &EntryFilter,
    id: EntryId,
) -> Result<Option<Entry>> {
    Ok(list_entries(domain, account_id, filter, Some(id), 1).await?.entries.pop())
}

/// Returns the entry that precedes this entry in a list whose newest entry is first. `None` if this entry is
/// the first.
#[boxed]
pub async fn entry_before(
    domain: &Domain,
    account_id: AccountId,
    filter: &EntryFilter,
    id: EntryId,
) -> Result<Option<Entry>> {
    let filter = EntryFilter { order: Order::Oldest, ..filter.clone() };
    Ok(list_entries(domain, account_id, &filter, Some(id), 1).await?.entries.pop())
}
