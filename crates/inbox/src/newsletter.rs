//! Newsletters as feeds. Each newsletter that an account receives as feed entries has its own feed, which this service
//! writes and never polls.

use async_recursion::async_recursion as boxed;
use data_encoding::HEXLOWER;
use entities::ids::{AccountId, CollectionId, FeedId};
use entities::inbox_newsletter::{ActiveModel, Column, Entity};
use extract::{Block, Document, MAIL_PICTURES, MailFields};
use feeds::SourceKind;
use feeds::internal_feed::{self, FeedArrivals, NewEntry, NewInternalFeed};
use kernel::hash::hash64;
use kernel::statement::statement;
use kernel::{Domain, Error, Millis, Policy, Result};
use library::LibraryTransaction;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter,
};
use sha2::{Digest, Sha256};

/// Maximum size of the markup of an entry, in bytes.
const MAX_CONTENT_BYTES: usize = 512 * 1024;
/// Maximum length of the summary of an entry, in characters.
const SUMMARY_CHARS: usize = 300;
/// Paragraph that follows the truncated text of an entry.
const CUT: &str =
    "<p>The remaining text is left out, because the message is too long. Your library has all of it.</p>";

/// Newsletter to which a message belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Newsletter {
    identity: String,
    title: String,
    host: String,
}

impl Newsletter {
    /// Returns the newsletter of a message. `List-Id` identifies it, or else the address of its sender.
    pub(crate) fn of(fields: &MailFields) -> Self {
        let address = fields.sender_address.as_deref().unwrap_or_default();
        let identity = match &fields.list_id {
            Some(list_id) => format!("list:{list_id}"),
            None => format!("from:{address}"),
        };
        let title = fields.sender_name.as_deref().or(fields.list_id.as_deref()).unwrap_or("Newsletter");
        let host = address.rsplit_once('@').map_or("", |(_, host)| host);
        Self {
            identity: HEXLOWER.encode(&Sha256::digest(identity.as_bytes())),
            title: title.to_owned(),
            host: host.to_owned(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct MessageEntry {
    pub(crate) newsletter: Newsletter,
    pub(crate) entry: NewEntry,
    /// True if the entry does not contain the whole text.
    pub(crate) is_cut: bool,
}

/// Key, page, and time of an entry.
pub(crate) struct EntryFacts<'a> {
    pub(crate) message_key: &'a [u8],
    pub(crate) url: String,
    pub(crate) published_at: Millis,
}

/// Returns the URL of the page of the inbox. The origin of the settings pages may differ from that of the
/// API.
pub(crate) fn inbox_page(policy: &Policy) -> String {
    format!("{}/settings/inbox", policy.account_url)
}

/// Builds the entry of a message from its text. The text is rendered on a blocking thread.
pub(crate) async fn entry_of(
    fields: &MailFields,
    document: &Document,
    facts: EntryFacts<'_>,
) -> Result<MessageEntry> {
    let mut blocks = document.blocks.clone();
    remove_own_pictures(&mut blocks);
    let rendering = tokio::task::spawn_blocking(move || render(&blocks));
    let (content, is_cut) = rendering.await.map_err(Error::internal)?;
    let entry = NewEntry {
        key: hash64(facts.message_key),
        url: facts.url,
        title: fields.subject.clone().unwrap_or_else(|| document.title.clone()),
        author: fields.sender_name.clone(),
        summary: summary(&document.blocks),
        content,
        published_at: facts.published_at,
    };
    Ok(MessageEntry { newsletter: Newsletter::of(fields), entry, is_cut })
}

/// Removes pictures whose files are parts of the message. The page of the item displays them.
fn remove_own_pictures(blocks: &mut [Block]) {
    for block in blocks {
        block.src = block.src.take().filter(|src| !src.starts_with(MAIL_PICTURES));
        block.pictures.retain(|picture| !picture.src.starts_with(MAIL_PICTURES));
    }
}

/// Renders blocks as sanitised markup. Returns true if blocks were left out because the markup is too long.
fn render(blocks: &[Block]) -> (String, bool) {
    let mut count = blocks.len();
    loop {
        let mut content = extract::render::html_with_pictures(blocks.get(..count).unwrap_or_default());
        if content.len() <= MAX_CONTENT_BYTES || count == 0 {
            let is_cut = count < blocks.len();
            if is_cut {
                content.push_str(CUT);
            }
            return (content, is_cut);
        }
        count /= 2;
    }
}

fn summary(blocks: &[Block]) -> String {
    let is_text = |block: &&Block| block.is_main_text() && !block.text.trim().is_empty();
    let text = blocks.iter().find(is_text).map(|block| extract::clean::fold(&block.text));
    text.unwrap_or_default().chars().take(SUMMARY_CHARS).collect()
}

/// Returns the feed of a newsletter. Creates it if the account has none. `None` if the account follows as many
/// newsletters as its plan allows feeds.
pub(crate) async fn feed_of(
    domain: &Domain,
    transaction: &LibraryTransaction,
    newsletter: &Newsletter,
    collection_id: Option<CollectionId>,
) -> Result<Option<FeedId>> {
    let (connection, account_id) = (transaction.db(), transaction.account_id);
    let known = Entity::owned_by(account_id)
        .filter(Column::Identity.eq(newsletter.identity.as_str()))
        .one(connection)
        .await?;
    if let Some(feed_id) = known.and_then(|row| row.feed_id)
        && internal_feed::is_followed(connection, account_id, feed_id).await?
    {
        return Ok(Some(feed_id));
    }
    let limit = transaction.plan.rss_subscriptions;
    if internal_feed::count_newsletters(connection, account_id).await? >= u64::from(limit) {
        return Ok(None);
    }
    let page = inbox_page(domain.policy());
    let feed = NewInternalFeed {
        account_id,
        kind: SourceKind::Newsletter,
        collection_id,
        url: &format!("{page}#{}", newsletter.identity),
        site_url: &page,
        host: &newsletter.host,
        title: &newsletter.title,
    };
    let feed_id = internal_feed::create(connection, transaction.now, feed).await?;
    store(connection, transaction.now, account_id, (newsletter, feed_id)).await?;
    Ok(Some(feed_id))
}

/// Stores the feed of a newsletter. An earlier feed of the newsletter may have been unfollowed.
async fn store(
    connection: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    (newsletter, feed_id): (&Newsletter, FeedId),
) -> Result<()> {
    let row = ActiveModel {
        account_id: Set(account_id),
        identity: Set(newsletter.identity.clone()),
        title: Set(newsletter.title.clone()),
        feed_id: Set(Some(feed_id)),
        created_at: Set(now),
    };
    let renewed =
        OnConflict::columns([Column::AccountId, Column::Identity]).update_column(Column::FeedId).to_owned();
    Entity::insert(row).on_conflict(renewed).exec_without_returning(connection).await?;
    Ok(())
}

/// Writes the entry of a message to the feed of its newsletter. Old entries are deleted first, because the
/// writers of all accounts wait from the insertion of an entry until its commit.
pub(crate) async fn append(transaction: &LibraryTransaction, feed_id: FeedId, entry: NewEntry) -> Result<()> {
    internal_feed::trim_newsletters(transaction.db(), transaction.account_id).await?;
    let news = vec![FeedArrivals { feed_id, entries: vec![entry] }];
    internal_feed::append(transaction.db(), transaction.now, news).await
}

/// Deletes the feeds of all newsletters of an account, before the account is deleted.
#[boxed]
pub(crate) async fn delete_feeds(transaction: &DatabaseTransaction, account_id: AccountId) -> Result<()> {
    let sql = "SELECT feed_id FROM inbox_newsletter WHERE account_id = $1 AND feed_id IS NOT NULL";
    let rows = transaction.query_all_raw(statement(transaction, sql, [account_id.into()])).await?;
    let ids = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<FeedId>>>()?;
    internal_feed::remove(transaction, &ids).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(sender: &str, list_id: Option<&str>) -> MailFields {
        MailFields {
            sender_name: Some("Lamps Weekly".to_owned()),
            sender_address: Some(sender.to_owned()),
            list_id: list_id.map(str::to_owned),
            ..MailFields::default()
        }
    }

    #[test]
    fn newsletter_is_identified_by_its_list_or_else_by_its_sender() {
        let list = Newsletter::of(&fields("a@lamps.example", Some("weekly.lamps.example")));
        assert_eq!(list, Newsletter::of(&fields("a@lamps.example", Some("weekly.lamps.example"))));
        let moved = Newsletter::of(&fields("b@lamps.example", Some("weekly.lamps.example")));
        assert_eq!(list.identity, moved.identity);
        let sender = Newsletter::of(&fields("a@lamps.example", None));
        assert_ne!(list.identity, sender.identity);
        assert_ne!(sender.identity, Newsletter::of(&fields("b@lamps.example", None)).identity);
        assert_eq!((sender.title.as_str(), sender.host.as_str()), ("Lamps Weekly", "lamps.example"));
        assert_eq!(Newsletter::of(&MailFields::default()).title, "Newsletter");
    }

    #[test]
    fn inbox_page_has_the_configured_origin() {
        let policy = Policy {
            base_url: "https://api.example.org".to_owned(),
            account_url: "https://my.example.org".to_owned(),
            ..Policy::default()
        };
        assert_eq!(inbox_page(&policy), "https://my.example.org/settings/inbox");
    }

    #[test]
    fn long_text_is_cut_between_blocks() {
        let block = |text: &str| Block { text: text.to_owned(), ..Block::default() };
        let (content, is_cut) = render(&[block("short")]);
        assert!(content.contains("short") && !is_cut);
        let long = block(&"x".repeat(MAX_CONTENT_BYTES / 2));
        let (content, is_cut) = render(&[block("first"), long.clone(), long.clone(), long]);
        assert!(content.contains("first") && content.ends_with(CUT) && is_cut);
        assert!(content.len() <= MAX_CONTENT_BYTES + CUT.len());
    }
}
