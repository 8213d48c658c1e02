//! An entry as one account sees it.

use entities::ids::{EntryId, FeedId};
use extract::feed::{Enclosure, Episode};
use sea_orm::QueryResult;

use super::entry_scope::{ARTICLE_VERSION, IS_UNREAD};
use super::source_kind::SourceKind;
use kernel::{Millis, Result};

/// An entry with the account's read state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Sequential id. Entries that are discovered after this entry have greater ids.
    pub id: EntryId,
    /// Feed that the account follows.
    pub feed_id: FeedId,
    /// Title of the feed as the account sees it.
    pub feed_title: String,
    /// Web page of the feed.
    pub feed_site_url: Option<String>,
    /// URL of the entry's page. If the entry has none, the page of the feed, or else the URL of the feed.
    pub url: String,
    /// Title. Never empty.
    pub title: String,
    /// Summary as one line of plain text.
    pub summary: Option<String>,
    /// Names of the authors, separated by `, `.
    pub author: Option<String>,
    pub image_url: Option<String>,
    /// Attached files. Audio and video files come first.
    pub enclosures: Vec<Enclosure>,
    /// Podcast data of the entry.
    pub episode: Option<Episode>,
    /// Publication time according to the feed or, without one, the time of the last change. `None` if this
    /// time is more than a day in the future.
    pub published_at: Option<Millis>,
    /// Time at which the entry was discovered.
    pub discovered_at: Millis,
    pub unread: bool,
    pub starred: bool,
    pub source_kind: SourceKind,
    /// True if the account reads this entry on the publisher's page. False if the entry has no page.
    pub show_original: bool,
}

impl Entry {
    /// Returns the title, which may be the beginning of the summary. `None` if the URL serves as the title.
    pub fn title_unless_url(&self) -> Option<&str> {
        Some(self.title.as_str()).filter(|title| *title != self.url)
    }
}

/// Publication time of an entry `e`. If the feed states none, the time of its last change.
pub(super) const PUBLISHED: &str = "COALESCE(e.published_at, e.updated_at)";

/// Returns the columns of an entry `e` of source `o`, with its mark `m`, its feed `f`, and, if account `$1`
/// has a subscription that lists it, that subscription `s`.
pub(super) fn columns() -> String {
    format!(
        "e.id AS id, e.url AS url, e.title AS title, e.summary AS summary, e.author AS author, \
         e.image_url AS image_url, e.enclosures AS enclosures, e.episode AS episode, {PUBLISHED} AS published_at, e.discovered_us AS discovered_us, \
         f.id AS f_id, f.title AS f_title, f.url AS f_url, f.site_url AS f_site_url, f.kind AS f_kind, \
         s.title AS s_title, COALESCE(s.full_text, FALSE) AS s_full_text, {ARTICLE_VERSION} AS s_article_version, \
         COALESCE(s.show_original, FALSE) AS s_show_original, \
         (s.id IS NOT NULL AND {IS_UNREAD}) AS is_unread, \
         EXISTS (SELECT 1 FROM rss_star r WHERE r.account_id = $1 AND r.entry_id = e.id) AS is_starred"
    )
}

/// Returns [`columns`] and the column with the markup of the entry.
pub(super) fn columns_with_content() -> String {
    format!("{}, e.content AS content", columns())
}

/// Converts a row with these columns to an entry.
pub(super) fn entry_of_row(row: &QueryResult) -> Result<Entry> {
    let (url, title): (Option<String>, Option<String>) = (row.try_get("", "url")?, row.try_get("", "title")?);
    let summary: Option<String> = row.try_get("", "summary")?;
    let (own, feed_title): (Option<String>, Option<String>) =
        (row.try_get("", "s_title")?, row.try_get("", "f_title")?);
    let (feed_url, site_url): (String, Option<String>) =
        (row.try_get("", "f_url")?, row.try_get("", "f_site_url")?);
    let has_page = url.is_some();
    let url = url.or_else(|| site_url.clone()).unwrap_or_else(|| feed_url.clone());
    let title = title.or_else(|| summary.as_deref().map(title_from_summary)).unwrap_or_else(|| url.clone());
    let (enclosures, episode): (Option<String>, Option<String>) =
        (row.try_get("", "enclosures")?, row.try_get("", "episode")?);
    Ok(Entry {
        id: row.try_get("", "id")?,
        feed_id: row.try_get("", "f_id")?,
        feed_title: own.or(feed_title).unwrap_or(feed_url),
        feed_site_url: site_url,
        url,
        title,
        summary,
        author: row.try_get("", "author")?,
        image_url: row.try_get("", "image_url")?,
        enclosures: enclosures.and_then(|list| serde_json::from_str(&list).ok()).unwrap_or_default(),
        episode: episode.and_then(|data| serde_json::from_str(&data).ok()),
        published_at: row.try_get("", "published_at")?,
        discovered_at: row.try_get::<i64>("", "discovered_us")? / 1000,
        unread: row.try_get("", "is_unread")?,
        starred: row.try_get("", "is_starred")?,
        source_kind: SourceKind::of_column(row.try_get::<Option<String>>("", "f_kind")?.as_deref()),
        show_original: has_page && row.try_get("", "s_show_original")?,
    })
}

/// Returns the first 80 characters of a summary, which serve as the title of an entry without a title.
fn title_from_summary(summary: &str) -> String {
    let cut: String = summary.chars().take(80).collect();
    if cut.len() < summary.len() { format!("{}…", cut.trim_end()) } else { cut }
}
