//! Stories of a list: entries of different feeds that are the same or similar are listed once, with the others
//! below. Only the entries of one page are compared, so a story costs no further statement per entry.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::feed_entry::{Column, Entity};
use entities::ids::EntryId;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};

use super::entry::Entry;
use super::similarity::is_similar;
use kernel::clock::DAY;
use kernel::{Domain, Millis, Result};

/// Longest time between two similar entries. An equal entry may be of any age.
const MAX_DISTANCE: Millis = 3 * DAY;
/// Entries per statement.
const STEP: usize = 500;

/// Entries about the same story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The first entry of the list.
    pub entry: Entry,
    /// Other entries of the list, in its order.
    pub related: Vec<RelatedEntry>,
}

/// An entry that is listed below another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedEntry {
    pub entry: Entry,
    pub relation: StoryRelation,
}

/// Relation of two entries of different feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoryRelation {
    /// Equal address, or equal title with equal guid or time.
    Same,
    /// About half of the words, or more, are the same.
    Similar,
}

/// Values by which entries are compared. 0 stands for a missing value.
struct StoryMarks {
    guid: i64,
    url: i64,
    title: i64,
    published: i64,
    signature: Option<Vec<u8>>,
}

/// Id, marks of guid, URL, title and time, and signature of an entry.
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

/// Relation of two entries; none if they are of one feed, or about different things.
fn relation(marks: &HashMap<EntryId, StoryMarks>, one: &Entry, other: &Entry) -> Option<StoryRelation> {
    if one.feed_id == other.feed_id {
        return None;
    }
    let (first, second) = (marks.get(&one.id)?, marks.get(&other.id)?);
    let is_equal = |one: i64, other: i64| one != 0 && one == other;
    // A guid may be a short number, which several feeds use.
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

/// Time of an entry: when it was published, or discovered if that is unknown.
fn time_of(entry: &Entry) -> Millis {
    entry.published_at.unwrap_or(entry.discovered_at)
}
