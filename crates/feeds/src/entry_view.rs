//! View of an entry for a page: with the text of the article if the account requests articles, otherwise with
//! the feed's markup. Also finds the next entry of a list.

use async_recursion::async_recursion as boxed;
use std::sync::Arc;

use entities::ids::{AccountId, EntryId, SubscriptionId};
use extract::Document;
use sea_orm::ConnectionTrait;

use super::entries::{get_entry, list_entries};
use super::entry::Entry;
use super::entry_filter::EntryFilter;
use super::full_text;
use super::starred_entries;
use kernel::error::not_found;
use kernel::statement::statement;
use kernel::{Domain, Result};

/// An entry with its content for a page.
#[derive(Clone, Debug)]
pub struct EntryView {
    pub entry: Entry,
    /// Subscription that lists the entry; none for an entry with a star whose feed is no longer followed.
    pub subscription_id: Option<SubscriptionId>,
    pub body: EntryBody,
}

/// Content of an entry.
#[derive(Clone, Debug)]
pub enum EntryBody {
    /// The linked article; or the saved text of an entry with a star that the feed no longer has.
    Article(Arc<Document>),
    /// Sanitised markup of the feed, with the state of the article.
    Markup(String, ArticleState),
}

/// State of the article of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArticleState {
    /// The article was requested and is not available yet.
    Pending,
    /// The text from the feed was requested instead of the article.
    Available,
    /// The article was not requested, or does not exist.
    None,
}

/// Text of an entry that a page displays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryText {
    /// The linked article, if the account requests articles, otherwise the text from the feed.
    Preferred,
    /// The text from the feed.
    Feed,
}

/// Loads an entry of a followed feed, or one with a star, with its content.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn view_entry(
    domain: &Domain,
    account_id: AccountId,
    id: EntryId,
    text: EntryText,
) -> Result<EntryView> {
    let (entry, content) = get_entry(domain, account_id, id, 0).await?;
    let connection = domain.db().read();
    let sql = "SELECT s.id, s.full_text, e.content, s.text_selector FROM feed_entry e LEFT JOIN rss_subscription s \
               ON s.account_id = $2 AND s.feed_id = $3 WHERE e.id = $1";
    let values = [id.into(), account_id.into(), entry.feed_id.into()];
    let row = connection.query_one_raw(statement(connection, sql, values)).await?;
    let row = row.ok_or_else(|| not_found("entry"))?;
    let subscription_id: Option<SubscriptionId> = row.try_get_by_index(0)?;
    let wants_article: Option<bool> = row.try_get_by_index(1)?;
    let selector: Option<String> = row.try_get_by_index(3)?;
    let has_article = wants_article == Some(true);
    let article = if has_article && text == EntryText::Preferred {
        full_text::document_of(domain, &entry.url, selector.as_deref()).await?
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
        let is_pending = content.is_some_and(|content| content.pending);
        let state = match text {
            EntryText::Feed if has_article => ArticleState::Available,
            EntryText::Preferred if is_pending => ArticleState::Pending,
            EntryText::Preferred | EntryText::Feed => ArticleState::None,
        };
        EntryBody::Markup(own, state)
    };
    Ok(EntryView { entry, subscription_id, body })
}

/// The next entry of a list after this one, if there is one.
#[boxed]
pub async fn entry_after(
    domain: &Domain,
    account_id: AccountId,
    filter: &EntryFilter,
    id: EntryId,
) -> Result<Option<Entry>> {
    Ok(list_entries(domain, account_id, filter, Some(id), 1).await?.entries.pop())
}
