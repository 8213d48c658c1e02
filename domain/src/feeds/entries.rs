//! Entries as one account sees them: of the feeds it follows, with its own read state.

use entities::feed_entry;
use entities::ids::{AccountId, CollectionId, EntryId, FeedId};
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult, Value};

use super::rows::{not_found, statement, unread_total};
use crate::articles::{self, Address, Asker, Freshness, Stored};
use crate::clock::Millis;
use crate::error::Result;
use crate::handle::Domain;

/// More words of a search are not looked for.
const MAX_WORDS: usize = 10;
/// An article's text for a full-text subscription may be this old.
const FULL_TEXT_AGE_SECONDS: u32 = 86_400 * 30;

/// Which entry comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The one discovered last.
    #[default]
    Newest,
    /// The one discovered first.
    Oldest,
}

/// Which entries are wanted. All conditions hold together.
#[derive(Clone, Debug, Default)]
pub struct EntryFilter {
    /// Of this feed.
    pub feed_id: Option<FeedId>,
    /// Of the feeds in this collection.
    pub collection_id: Option<CollectionId>,
    /// Only unread ones, or only read ones.
    pub unread: Option<bool>,
    /// With all these words in title, summary or author.
    pub query: Option<String>,
    /// Published after this time.
    pub published_after: Option<Millis>,
    /// Discovered after this time.
    pub discovered_after: Option<Millis>,
    /// Which comes first.
    pub order: Order,
}

/// An entry with the account's read state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Rises with discovery.
    pub id: EntryId,
    /// The feed.
    pub feed_id: FeedId,
    /// The feed's title as the account has it.
    pub feed_title: String,
    /// The page of the feed.
    pub feed_site_url: Option<String>,
    /// The entry's page, else the feed's, else the feed.
    pub url: String,
    /// Never empty.
    pub title: String,
    /// One plain line.
    pub summary: Option<String>,
    /// Names joined by `, `.
    pub author: Option<String>,
    /// A picture.
    pub image_url: Option<String>,
    /// As the feed says.
    pub published_at: Option<Millis>,
    /// When it was first seen.
    pub discovered_at: Millis,
    /// The account has not read it.
    pub unread: bool,
}

/// A page of entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPage {
    /// In the order asked for.
    pub entries: Vec<Entry>,
    /// The id after which the next page begins, when there is one.
    pub next_after: Option<EntryId>,
    /// Unread entries in the feed, the collection, or everything followed.
    pub unread_total: i64,
}

/// The text of an entry, cut to what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Plain text.
    pub text: String,
    /// Characters of the whole text.
    pub characters: usize,
    /// Less than the whole was given.
    pub truncated: bool,
}

/// At most `limit` entries after the entry `after`.
pub async fn list_entries(
    domain: &Domain,
    account_id: AccountId,
    filter: &EntryFilter,
    after: Option<EntryId>,
    limit: u32,
) -> Result<EntryPage> {
    let connection = domain.db().read();
    let mut sql = format!("{SELECT} WHERE s.account_id = $1");
    let mut values: Vec<Value> = vec![account_id.into()];
    let mut and = |condition: &str, value: Value| {
        values.push(value);
        sql.push_str(" AND ");
        sql.push_str(&condition.replace('?', &format!("${}", values.len())));
    };
    if let Some(feed_id) = filter.feed_id {
        and("s.feed_id = ?", feed_id.into());
    }
    if let Some(collection_id) = filter.collection_id {
        and("s.collection_id = ?", collection_id.into());
    }
    if let Some(unread) = filter.unread {
        and("COALESCE(m.unread, e.id > s.read_through) = ?", unread.into());
    }
    if let Some(published_after) = filter.published_after {
        and("e.published_at > ?", published_after.into());
    }
    if let Some(discovered_after) = filter.discovered_after {
        and("e.discovered_at > ?", discovered_after.into());
    }
    for word in filter.query.as_deref().unwrap_or_default().split_whitespace().take(MAX_WORDS) {
        and(
            "LOWER(COALESCE(e.title, '') || ' ' || COALESCE(e.summary, '') || ' ' || COALESCE(e.author, '')) \
             LIKE ? ESCAPE '!'",
            like(word).into(),
        );
    }
    let (compare, direction) = match filter.order {
        Order::Newest => ("e.id < ?", "DESC"),
        Order::Oldest => ("e.id > ?", "ASC"),
    };
    if let Some(after) = after {
        and(compare, after.into());
    }
    sql.push_str(&format!(" ORDER BY e.id {direction} LIMIT {}", u64::from(limit) + 1));
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let mut entries = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    let has_more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let next_after = entries.last().map(|last| last.id).filter(|_| has_more);
    let unread_total = unread_total(connection, account_id, filter.feed_id, filter.collection_id).await?;
    Ok(EntryPage { entries, next_after, unread_total })
}

/// One entry of a followed feed, with its sql cut to `most_characters`: the article's where the
/// subscription asks for that and it has been read, else the feed's.
///
/// # Errors
/// `not_found`.
pub async fn get_entry(
    domain: &Domain,
    account_id: AccountId,
    id: EntryId,
    most_characters: usize,
) -> Result<(Entry, Option<Content>)> {
    let connection = domain.db().read();
    let sql = format!("{SELECT} WHERE s.account_id = $1 AND e.id = $2");
    let row = connection.query_one_raw(statement(connection, &sql, [account_id.into(), id.into()])).await?;
    let row = row.ok_or_else(|| not_found("entry"))?;
    let entry = read(&row)?;
    let full_text: bool = row.try_get("", "s_full_text")?;
    let article = if full_text { article_text(domain, &entry.url).await? } else { None };
    let markup: Option<String> = row.try_get("", "content")?;
    let own = || markup.map(|markup| extract::feed::plain_text(&markup)).filter(|sql| !sql.is_empty());
    let whole = article.or_else(own).or_else(|| entry.summary.clone());
    Ok((entry, whole.map(|whole| cut(&whole, most_characters))))
}

async fn article_text(domain: &Domain, url: &str) -> Result<Option<String>> {
    let Ok(address) = Address::parse(domain, url) else { return Ok(None) };
    let freshness = Freshness::seconds(FULL_TEXT_AGE_SECONDS);
    let stored = articles::look_up(domain, &address, freshness, Asker::Account).await?;
    let article = match stored {
        Stored::Fresh(article) | Stored::Stale(Some(article)) => article,
        Stored::Failed(_) | Stored::Stale(None) => return Ok(None),
    };
    let blocks: Vec<&str> = article.document.blocks.iter().map(|block| block.text.as_str()).collect();
    Ok(Some(blocks.join("\n\n")).filter(|text| !text.is_empty()))
}

fn cut(whole: &str, most: usize) -> Content {
    let characters = whole.chars().count();
    let text = whole.chars().take(most).collect();
    Content { text, characters, truncated: characters > most }
}

const SELECT: &str = "SELECT e.*, f.title AS f_title, f.url AS f_url, f.site_url AS f_site_url, s.title AS s_title, \
    s.full_text AS s_full_text, COALESCE(m.unread, e.id > s.read_through) AS is_unread \
    FROM rss_subscription s JOIN feed f ON f.id = s.feed_id JOIN feed_entry e ON e.feed_id = s.feed_id \
    LEFT JOIN rss_entry_mark m ON m.account_id = s.account_id AND m.feed_id = s.feed_id AND m.entry_id = e.id";

fn read(row: &QueryResult) -> Result<Entry> {
    let entry = feed_entry::Model::from_query_result(row, "")?;
    let (own, feed_title): (Option<String>, Option<String>) =
        (row.try_get("", "s_title")?, row.try_get("", "f_title")?);
    let (feed_url, site_url): (String, Option<String>) =
        (row.try_get("", "f_url")?, row.try_get("", "f_site_url")?);
    let url = entry.url.or_else(|| site_url.clone()).unwrap_or_else(|| feed_url.clone());
    let title = entry.title.or_else(|| entry.summary.as_deref().map(opening)).unwrap_or_else(|| url.clone());
    Ok(Entry {
        id: entry.id,
        feed_id: entry.feed_id,
        feed_title: own.or(feed_title).unwrap_or(feed_url),
        feed_site_url: site_url,
        url,
        title,
        summary: entry.summary,
        author: entry.author,
        image_url: entry.image_url,
        published_at: entry.published_at,
        discovered_at: entry.discovered_at,
        unread: row.try_get("", "is_unread")?,
    })
}

/// The first words of a text, for an entry without a title.
fn opening(summary: &str) -> String {
    let cut: String = summary.chars().take(80).collect();
    if cut.len() < summary.len() { format!("{}…", cut.trim_end()) } else { cut }
}

/// A word as a pattern: found anywhere, its own wildcards taken literally.
fn like(word: &str) -> String {
    let escaped = word.to_lowercase().replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{escaped}%")
}
