//! Merges an imported row into an item. Missing values are filled in. If only imports wrote the item, existing values
//! are also merged, by rules that do not depend on the order of rows and files.

use entities::library_item;
use entities::library_words::{ArticleStatus, ItemStatus, TextSource};
use serde_json::{Map, Value};

use super::import_record::RowError;
use crate::tags::{MAX_TAGS, Tag};
use crate::{draft, precedence};
use kernel::Code;

/// Origin of an item's current values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum History {
    /// Only imports from other services wrote the item.
    ImportsOnly,
    /// A person, a client, or an import of an exported library also wrote the item.
    Other,
}

/// Merges the values of `new` into `row`, except tags, text, and file. Returns a problem if the merged
/// metadata would be too large.
pub(super) fn merge(
    row: &mut library_item::Model,
    new: &library_item::Model,
    history: History,
) -> Option<RowError> {
    match history {
        History::ImportsOnly => merge_values(row, new),
        History::Other => fill_values(row, new),
    }
    merge_metadata(row, new.metadata.as_deref(), history)
}

/// Adds missing tags, up to the maximum number. Returns a problem if tags were omitted.
pub(super) fn merge_tags(tags: &mut Vec<Tag>, new: &[Tag]) -> Option<RowError> {
    let mut left_out: Vec<&str> = Vec::new();
    for tag in new {
        if tags.iter().any(|known| known.key == tag.key) {
            continue;
        }
        if tags.len() < MAX_TAGS {
            tags.push(tag.clone());
        } else {
            left_out.push(&tag.name);
        }
    }
    let reason = || format!("an item has at most {MAX_TAGS} tags; left out: {}", left_out.join(", "));
    (!left_out.is_empty()).then(|| RowError::of(Code::LimitReached.as_str(), &reason()))
}

fn fill_values(row: &mut library_item::Model, new: &library_item::Model) {
    if new.title_rank >= precedence::GIVEN {
        precedence::replace(&mut row.title, &mut row.title_rank, new.title.clone(), new.title_rank);
    }
    if new.author.is_some() {
        precedence::replace(&mut row.author, &mut row.author_rank, new.author.clone(), new.author_rank);
    }
    if new.published_at.is_some() {
        let (time, rank) = (new.published_at.clone(), new.published_rank);
        precedence::replace(&mut row.published_at, &mut row.published_rank, time, rank);
    }
    if row.external_id.is_none() {
        row.external_id.clone_from(&new.external_id);
    }
    let is_unread = row.read_progress.is_none() && row.finished_at.is_none() && row.last_read_at.is_none();
    if is_unread {
        (row.read_progress, row.finished_at) = (new.read_progress, new.finished_at);
        row.last_read_at = new.last_read_at;
    }
}

fn merge_values(row: &mut library_item::Model, new: &library_item::Model) {
    merge_url(row, new);
    if quality(new.title_rank, &new.title) > quality(row.title_rank, &row.title)
        && new.title_rank > precedence::FALLBACK
    {
        (row.title, row.title_rank) = (new.title.clone(), new.title_rank);
    }
    merge_optional((&mut row.author, &mut row.author_rank), (new.author.as_ref(), new.author_rank));
    merge_optional(
        (&mut row.published_at, &mut row.published_rank),
        (new.published_at.as_ref(), new.published_rank),
    );
    row.external_id = match (row.external_id.take(), &new.external_id) {
        (Some(id), Some(other)) => Some(id.min(other.clone())),
        (id, other) => id.or_else(|| other.clone()),
    };
    row.saved_at = row.saved_at.min(new.saved_at);
    if status_order(new.status) > status_order(row.status) {
        row.status = new.status;
    }
    let percent = |item: &library_item::Model| match item.finished_at {
        Some(_) => 100,
        None => item.read_progress.unwrap_or(0),
    };
    match percent(new).cmp(&percent(row)) {
        std::cmp::Ordering::Greater => {
            (row.read_progress, row.finished_at) = (new.read_progress, new.finished_at);
        }
        std::cmp::Ordering::Equal => row.finished_at = row.finished_at.min(new.finished_at),
        std::cmp::Ordering::Less => {}
    }
    row.last_read_at = row.last_read_at.max(new.last_read_at);
}

/// Returns the sort key of a title or name: the rank of its source, then its length.
fn quality(rank: i16, text: &str) -> (i16, usize, &str) {
    (rank, text.chars().count(), text)
}

fn merge_optional((value, rank): (&mut Option<String>, &mut i16), (new, new_rank): (Option<&String>, i16)) {
    let Some(new) = new else { return };
    if value.as_ref().is_none_or(|value| quality(new_rank, new) > quality(*rank, value)) {
        (*value, *rank) = (Some(new.clone()), new_rank);
    }
}

/// Replaces the URL of an item with a simpler URL of the same page, unless a fetch has confirmed the existing URL.
fn merge_url(row: &mut library_item::Model, new: &library_item::Model) {
    let is_fetched = row.content_hash.is_some() && row.extraction_source != Some(TextSource::Supplied);
    if is_fetched || url_order(new) >= url_order(row) {
        return;
    }
    if row.title_rank == precedence::FALLBACK && new.title_rank == precedence::FALLBACK {
        row.title.clone_from(&new.title);
    }
    if !row.url.starts_with("http") && row.article_status == ArticleStatus::NotApplicable {
        (row.article_status, row.article_error) = (new.article_status, new.article_error.clone());
        (row.ask, row.ask_from) = (row.ask + new.ask, new.ask_from);
        (row.next_try_at, row.failed_at, row.format) = (new.next_try_at, new.failed_at, new.format);
    }
    row.url.clone_from(&new.url);
    row.original_url.clone_from(&new.original_url);
    row.domain.clone_from(&new.domain);
    row.content_kind = new.content_kind;
}

fn url_order(row: &library_item::Model) -> (u8, usize, &str, Option<&str>) {
    let scheme = match row.url.split_once(':') {
        Some(("https", _)) => 0,
        Some(("http", _)) => 1,
        _ => 2,
    };
    (scheme, row.url.len(), &row.url, row.original_url.as_deref())
}

fn status_order(status: ItemStatus) -> u8 {
    match status {
        ItemStatus::Inbox => 0,
        ItemStatus::Later => 1,
        ItemStatus::Archive => 2,
    }
}

fn merge_metadata(row: &mut library_item::Model, new: Option<&str>, history: History) -> Option<RowError> {
    let parsed = |text: &str| draft::metadata(text).ok();
    let new = new.and_then(parsed)?;
    let Some(old) = row.metadata.as_deref() else {
        row.metadata = Some(Value::Object(new).to_string());
        return None;
    };
    let old = parsed(old)?;
    let mut merged = old.clone();
    for (name, value) in new {
        merge_member(&mut merged, name, value, history);
    }
    if merged == old {
        return None;
    }
    let mut merged = Value::Object(merged);
    merged.sort_all_objects();
    let text = merged.to_string();
    if draft::metadata(&text).is_err() {
        let reason = "the metadata of the item is full; that of this row was left out";
        return Some(RowError::of(Code::LimitReached.as_str(), reason));
    }
    row.metadata = Some(text);
    None
}

/// Adds a member to metadata. If the member exists with another value, the values become a sorted list,
/// unless a person may have set the existing value.
fn merge_member(members: &mut Map<String, Value>, name: String, new: Value, history: History) {
    let Some(old) = members.get_mut(&name) else {
        members.insert(name, new);
        return;
    };
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in new {
                merge_member(old, name, value, history);
            }
        }
        (old, new) if *old != new && history == History::ImportsOnly => {
            let mut values = list_of(old.take());
            values.extend(list_of(new));
            values.sort_by_cached_key(ToString::to_string);
            values.dedup();
            *old = Value::Array(values);
        }
        _ => {}
    }
}

fn list_of(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values,
        other => vec![other],
    }
}

#[cfg(test)]
mod tests {
    use entities::ids::{AccountId, ItemId};
    use entities::library_words::CaptureMethod;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::item;

    fn imported(number: u128) -> library_item::Model {
        let id = ItemId::from(uuid::Uuid::from_u128(number));
        library_item::Model { capture_method: CaptureMethod::Import, ..item::blank(id, AccountId::MAX, 1000) }
    }

    /// Generates rows that describe the same page with random values.
    fn rows() -> impl Strategy<Value = Vec<library_item::Model>> {
        let row = (0_usize..4, 0_i16..4, 0_usize..3, 0_i64..4, 0_i16..101, 0_usize..4, 0_usize..3);
        let row = row.prop_map(|(url, rank, title, saved_at, percent, status, extra)| {
            let mut row = imported(1);
            row.url =
                ["http://a.example/", "https://a.example/", "https://a.example/?utm_source=b", "urn:uuid:1"]
                    [url]
                    .to_owned();
            row.title_rank = rank.max(precedence::FALLBACK);
            // A derived title depends only on the URL.
            row.title = if rank <= precedence::FALLBACK { row.url.clone() } else { "ab".repeat(title + 1) };
            row.author = (title > 0).then(|| format!("Author {title}"));
            row.author_rank = if title > 0 { precedence::GIVEN } else { precedence::NONE };
            row.saved_at = saved_at;
            row.last_read_at = (percent > 0).then_some(saved_at);
            row.finished_at = (percent == 100).then_some(saved_at);
            row.read_progress = Some(percent).filter(|percent| (1..100).contains(percent));
            row.status =
                [ItemStatus::Inbox, ItemStatus::Inbox, ItemStatus::Later, ItemStatus::Archive][status];
            let service = ["pocket_csv", "netscape"][title % 2];
            row.metadata = (extra > 0).then(|| json!({service: {"folder": extra, "seen": true}}).to_string());
            row
        });
        proptest::collection::vec(row, 1..6)
    }

    fn merged<'r>(rows: impl Iterator<Item = &'r library_item::Model>) -> library_item::Model {
        let mut rows = rows.cloned();
        let mut merged = rows.next().unwrap();
        for row in rows {
            assert_eq!(merge(&mut merged, &row, History::ImportsOnly), None);
        }
        // The members of metadata have no order.
        merged.metadata = merged.metadata.map(|text| {
            let mut metadata: Value = serde_json::from_str(&text).unwrap();
            metadata.sort_all_objects();
            metadata.to_string()
        });
        merged
    }

    proptest! {
        #[test]
        fn merge_does_not_depend_on_order_or_repetition(rows in rows(), by in 0_usize..6) {
            let whole = merged(rows.iter());
            let mut rotated = rows.clone();
            rotated.rotate_left(by % rows.len());
            prop_assert_eq!(&merged(rotated.iter()), &whole);
            prop_assert_eq!(&merged(rows.iter().rev()), &whole);
            prop_assert_eq!(&merged(rows.iter().chain(rows.iter().rev())), &whole);
        }
    }

    #[test]
    fn merge_retains_values_that_a_person_set() {
        let mut row = imported(1);
        (row.title, row.title_rank) = ("Mine".to_owned(), precedence::PERSON);
        row.metadata = Some(json!({"netscape": {"folder": "Mine"}}).to_string());
        let mut new = imported(2);
        (new.title, new.title_rank, new.status) =
            ("A longer title".to_owned(), precedence::GIVEN, ItemStatus::Archive);
        (new.author, new.author_rank, new.read_progress) =
            (Some("Ada".to_owned()), precedence::GIVEN, Some(50));
        new.metadata = Some(json!({"netscape": {"folder": "Other", "icon": "x"}, "a": 1}).to_string());
        assert_eq!(merge(&mut row, &new, History::Other), None);
        assert_eq!((row.title.as_str(), row.status), ("Mine", ItemStatus::Inbox));
        assert_eq!((row.author.as_deref(), row.read_progress), (Some("Ada"), Some(50)));
        let metadata: Value = serde_json::from_str(row.metadata.as_deref().unwrap()).unwrap();
        assert_eq!(metadata, json!({"a": 1, "netscape": {"folder": "Mine", "icon": "x"}}));
    }
}
