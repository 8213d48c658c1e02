//! An entry: its stored columns, as they are written and read, and the entry as one account sees it. No other file of
//! the crate lists all fields of an entry.

use entities::feed_entry;
use entities::ids::{EntryId, FeedId};
use extract::feed::{
    Categories, Enclosure, Episode, EpisodeKind, EpisodePerson, ParsedEntry, TranscriptFile,
};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::QueryResult;
use serde::{Serialize, Serializer};

use super::entry_scope::{ARTICLE_VERSION, IS_UNREAD};
use super::search_text::{self, SearchFields};
use super::similarity;
use super::source_kind::SourceKind;
use kernel::{Millis, Result};

/// An entry with the account's read state. As JSON, it is a starred entry in an account export, whose text is that
/// of the saved item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// URL of the entry's page. If the entry has none, the page of the feed, or else the URL of the feed.
    pub url: String,
    /// Title. Never empty.
    pub title: String,
    /// Names of the authors, separated by `, `.
    pub author: Option<String>,
    /// Summary as one line of plain text.
    pub summary: Option<String>,
    /// Title of the feed, as displayed to the account.
    pub feed_title: String,
    /// Web page of the feed.
    pub feed_site_url: Option<String>,
    /// Publication time according to the feed or, without one, the time of the last change. `None` if this
    /// time is more than a day in the future.
    pub published_at: Option<Millis>,
    /// Time at which the entry was discovered.
    pub discovered_at: Millis,
    #[serde(rename = "isRead", serialize_with = "serialize_negation")]
    pub unread: bool,
    /// Attached files. Audio and video files come first.
    pub enclosures: Vec<Enclosure>,
    /// Sequential id. Entries that are discovered after this entry have greater ids.
    #[serde(skip)]
    pub id: EntryId,
    /// Feed that the account follows.
    #[serde(skip)]
    pub feed_id: FeedId,
    #[serde(skip)]
    pub image_url: Option<String>,
    /// Podcast data of the entry.
    #[serde(skip)]
    pub episode: Option<Episode>,
    /// Categories according to the feed.
    #[serde(skip)]
    pub categories: Categories,
    #[serde(skip)]
    pub starred: bool,
    #[serde(skip)]
    pub source_kind: SourceKind,
    /// True if the account reads this entry on the publisher's page. False if the entry has no page.
    #[serde(skip)]
    pub show_original: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn serialize_negation<S: Serializer>(flag: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(!flag)
}

impl Entry {
    /// Returns the title, which may be the beginning of the summary. `None` if the URL serves as the title.
    pub fn title_unless_url(&self) -> Option<&str> {
        Some(self.title.as_str()).filter(|title| *title != self.url)
    }

    /// Returns an entry for the examples of the API and for tests.
    pub fn example() -> Self {
        Self {
            id: EntryId::new(4711),
            feed_id: FeedId::new(7),
            feed_title: "Example".into(),
            feed_site_url: Some("https://example.com/".into()),
            url: "https://example.com/article".into(),
            title: "A quiet desk".into(),
            summary: Some("A carrel is a desk for one reader.".into()),
            author: Some("Ada Reader".into()),
            image_url: None,
            enclosures: vec![Enclosure {
                url: "https://example.com/7.mp3".into(),
                media_type: "audio/mpeg".into(),
                size_bytes: Some(48_000_000),
            }],
            episode: Some(example_episode()),
            categories: Categories { names: vec!["Libraries".into(), "Furniture".into()], omitted: 0 },
            published_at: Some(1_795_168_800_000),
            discovered_at: 1_795_176_000_000,
            unread: true,
            starred: false,
            source_kind: SourceKind::Feed,
            show_original: false,
        }
    }
}

fn example_episode() -> Episode {
    Episode {
        duration_seconds: Some(2_400),
        season: Some(1),
        number: Some(7),
        kind: Some(EpisodeKind::Full),
        explicit: Some(false),
        chapters_url: Some("https://example.com/7/chapters.json".into()),
        transcripts: vec![TranscriptFile {
            url: "https://example.com/7.vtt".into(),
            media_type: "text/vtt".into(),
            language: Some("en".into()),
        }],
        persons: vec![EpisodePerson {
            name: "Ada Reader".into(),
            role: "host".into(),
            ..EpisodePerson::default()
        }],
        ..Episode::default()
    }
}

/// Publication time of an entry `e`. If the feed contains none, the time of the entry's last change.
pub(super) const PUBLISHED: &str = "COALESCE(e.published_at, e.updated_at)";

/// Returns the columns of an entry `e` of source `o`, with its mark `m`, its feed `f`, and, if account `$1`
/// has a subscription that lists it, that subscription `s`.
pub(super) fn columns() -> String {
    format!(
        "e.id AS id, e.url AS url, e.title AS title, e.summary AS summary, e.author AS author, \
         e.image_url AS image_url, e.enclosures AS enclosures, e.episode AS episode, e.categories AS categories, {PUBLISHED} AS published_at, e.discovered_us AS discovered_us, \
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
        enclosures: enclosures_of_column(enclosures),
        episode: episode.and_then(|data| serde_json::from_str(&data).ok()),
        categories: categories_of_column(row.try_get("", "categories")?),
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

/// Search text and story signature of an entry. Computing them normalizes the whole text of the entry.
#[derive(Clone)]
pub(super) struct DerivedFields {
    search_text: String,
    pub(crate) story_signature: Option<Vec<u8>>,
}

/// Computes the search text and the story signature of an entry.
pub(super) fn derive_fields(entry: &ParsedEntry) -> DerivedFields {
    let (title, summary) = (entry.title.as_deref(), entry.summary.as_deref());
    let search_text = search_text::of_entry(SearchFields {
        title,
        summary,
        author: entry.author.as_deref(),
        url: entry.url.as_deref(),
        content: body(entry).as_deref(),
        categories: &entry.categories.names,
    });
    DerivedFields { search_text, story_signature: similarity::signature(title, summary) }
}

/// Builds the row of an entry, without id, feed, key, and discovery time.
pub(super) fn row_of(entry: &ParsedEntry, derived: DerivedFields) -> feed_entry::ActiveModel {
    let (title, summary, author) = (entry.title.clone(), entry.summary.clone(), entry.author.clone());
    feed_entry::ActiveModel {
        id: NotSet,
        feed_id: NotSet,
        entry_key: NotSet,
        mark_guid: Set(entry.marks.guid),
        mark_url: Set(entry.marks.url),
        mark_title: Set(entry.marks.title),
        mark_published: Set(entry.marks.published),
        mark_text: Set(entry.marks.text),
        fingerprint: Set(entry.marks.fingerprint),
        url: Set(entry.url.clone()),
        title: Set(title),
        summary: Set(summary),
        author: Set(author),
        image_url: Set(entry.image_url.clone()),
        published_at: Set(entry.published),
        updated_at: Set(entry.updated),
        discovered_us: NotSet,
        changed_at: NotSet,
        content: Set(body(entry)),
        enclosures: Set(enclosures_json(entry)),
        episode: Set(episode_json(entry)),
        categories: Set(categories_json(entry)),
        search_text: Set(derived.search_text),
        story_signature: Set(derived.story_signature),
    }
}

/// Parses the stored list of attached files.
pub(super) fn enclosures_of_column(list: Option<String>) -> Vec<Enclosure> {
    list.and_then(|list| serde_json::from_str(&list).ok()).unwrap_or_default()
}

/// Returns the attached files of an entry as stored JSON. `None` if there are none.
pub(super) fn enclosures_json(entry: &ParsedEntry) -> Option<String> {
    let enclosures = (!entry.enclosures.is_empty()).then(|| serde_json::to_string(&entry.enclosures));
    enclosures.and_then(Result::ok)
}

/// Returns the podcast data of an entry as stored JSON. `None` if there is none.
pub(super) fn episode_json(entry: &ParsedEntry) -> Option<String> {
    entry.episode.as_ref().and_then(|episode| serde_json::to_string(episode).ok())
}

/// Parses the stored categories.
pub(super) fn categories_of_column(categories: Option<String>) -> Categories {
    categories.and_then(|stored| serde_json::from_str(&stored).ok()).unwrap_or_default()
}

/// Returns the categories of an entry as stored JSON. `None` if there are none.
pub(super) fn categories_json(entry: &ParsedEntry) -> Option<String> {
    let categories = (!entry.categories.is_empty()).then(|| serde_json::to_string(&entry.categories));
    categories.and_then(Result::ok)
}

/// Returns the longer of an entry's two texts, because some feeds put the whole text into the summary.
pub(super) fn body(entry: &ParsedEntry) -> Option<String> {
    let texts = [&entry.content_html, &entry.summary_html];
    texts.into_iter().flatten().max_by_key(|text| text.len()).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exported_starred_entry_has_the_documented_fields() {
        let exported = serde_json::to_value(Entry::example()).unwrap();
        let names: Vec<&String> = exported.as_object().unwrap().keys().collect();
        let expected = [
            "url", "title", "author", "summary", "feedTitle", "feedSiteUrl", "publishedAt", "discoveredAt",
            "isRead", "enclosures",
        ];
        assert_eq!(names, expected);
        assert_eq!(exported["isRead"], false);
    }
}
