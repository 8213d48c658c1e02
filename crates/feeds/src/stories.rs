//! Stories of a list. If entries of different feeds are the same or similar, they are listed as one row, with
//! the other entries below the first. Only the entries of one page are compared, so grouping needs no
//! additional statement per entry.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::feed_entry::{Column, Entity};
use entities::ids::EntryId;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};

use super::entry::Entry;
use super::similarity::is_similar;
use kernel::clock::DAY;
use kernel::{Domain, Millis, Result};

/// Maximum time between two similar entries, in milliseconds. Equal entries may be of any age.
const MAX_DISTANCE: Millis = 3 * DAY;
/// Number of entries per statement.
const STEP: usize = 500;

/// Entries about the same story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// First entry of the story in the list.
    pub entry: Entry,
    /// Other entries of the story, in the order of the list.
    pub related: Vec<RelatedEntry>,
}

/// Entry that is listed below another entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedEntry {
    pub entry: Entry,
    pub relation: StoryRelation,
}

/// Relation of two entries of different feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoryRelation {
    /// The URLs are equal, or the titles are equal and also the guids or times.
    Same,
    /// At least about half of the words are the same.
    Similar,
}

/// Values with which entries are compared. 0 means that a value is missing.
struct StoryMarks {
    guid: i64,
    url: i64,
    title: i64,
    published: i64,
    signature: Option<Vec<u8>>,
}

/// Id of an entry, its marks of guid, URL, title, and time, and its signature.
type MarksRow = (EntryId, i64, i64, i64, i64, Option<Vec<u8>>);

/// Groups the entries of a page into stories, in the order of the page.
#[boxed]
pub async fn group_stories(domain: &Domain, entries: Vec<Entry>) -> Result<Vec<Story>> {
    let ids: Vec<EntryId> = entries.iter().map(|entry| entry.id).collect();
    let marks = load(domain, &ids).await?;
    let mut stories: Vec<Story> = Vec::with_capacity(entries.len());
    for entry in entries {
        let related = stories.iter_mut().find_map(|story| {
            let relation = relation(&marks, &story.entry, &entry)?;
            Some((story, relation))
        });
        match related {
            Some((story, relation)) => story.related.push(RelatedEntry { entry, relation }),
            None => stories.push(Story { entry, related: Vec::new() }),
        }
    }
    Ok(stories)
}

async fn load(domain: &Domain, ids: &[EntryId]) -> Result<HashMap<EntryId, StoryMarks>> {
    let mut marks = HashMap::with_capacity(ids.len());
    for chunk in ids.chunks(STEP) {
        let rows = Entity::find()
            .select_only()
            .columns([
                Column::Id,
                Column::MarkGuid,
                Column::MarkUrl,
                Column::MarkTitle,
                Column::MarkPublished,
                Column::StorySignature,
            ])
            .filter(Column::Id.is_in(chunk.iter().copied()));
        let rows: Vec<MarksRow> = rows.into_tuple().all(domain.db().read()).await?;
        marks.extend(rows.into_iter().map(|(id, guid, url, title, published, signature)| {
            (id, StoryMarks { guid, url, title, published, signature })
        }));
    }
    Ok(marks)
}

/// Returns the relation of two entries. `None` if they belong to the same feed or are unrelated.
fn relation(marks: &HashMap<EntryId, StoryMarks>, one: &Entry, other: &Entry) -> Option<StoryRelation> {
    if one.feed_id == other.feed_id {
        return None;
    }
    let (first, second) = (marks.get(&one.id)?, marks.get(&other.id)?);
    let is_equal = |one: i64, other: i64| one != 0 && one == other;
    // Equal guids alone do not suffice, because a guid may be a short number that several feeds use.
    let has_equal_name = is_equal(first.title, second.title)
        && (is_equal(first.guid, second.guid) || is_equal(first.published, second.published));
    if is_equal(first.url, second.url) || has_equal_name {
        return Some(StoryRelation::Same);
    }
    let distance = time_of(one).abs_diff(time_of(other));
    let (first, second) = (first.signature.as_deref()?, second.signature.as_deref()?);
    let is_near = distance <= MAX_DISTANCE.unsigned_abs();
    (is_near && is_similar(first, second)).then_some(StoryRelation::Similar)
}

/// Returns the publication time of an entry or, if that is unknown, its discovery time.
fn time_of(entry: &Entry) -> Millis {
    entry.published_at.unwrap_or(entry.discovered_at)
}
