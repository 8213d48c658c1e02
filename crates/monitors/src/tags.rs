//! Tags of monitors. As in the library, they are compared regardless of letter case and retain their first spelling.

use entities::ids::AccountId;
use entities::monitor;
use sea_orm::{ColumnTrait, DatabaseTransaction, QueryFilter, QueryOrder, QuerySelect};

use super::monitor::Monitor;
use kernel::bounds::{OBJECT_TAGS, TAG_CHARS};
use kernel::tag::Tag;
use kernel::{Code, Error, Result};

/// Serializes tags for a row. If other monitors of the account already have a tag, their spelling is used.
///
/// # Errors
/// `invalid_request` at `tags` if there are too many tags, or if a tag is too long.
pub(super) async fn serialize(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    texts: &[String],
) -> Result<String> {
    let wrong = |message: String| Error::new(Code::InvalidRequest, message.clone()).at("tags", message);
    let tags = Tag::list(texts)?;
    if tags.len() > OBJECT_TAGS {
        return Err(wrong(format!("There are too many tags: at most {OBJECT_TAGS}.")));
    }
    if tags.iter().any(|tag| tag.name.chars().count() > TAG_CHARS) {
        return Err(wrong(format!("A tag can have at most {TAG_CHARS} characters.")));
    }
    if tags.is_empty() {
        return Ok(EMPTY.to_owned());
    }
    let known: Vec<String> = monitor::Entity::owned_by(account_id)
        .filter(monitor::Column::Tags.ne(EMPTY))
        .order_by_asc(monitor::Column::Id)
        .select_only()
        .column(monitor::Column::Tags)
        .into_tuple()
        .all(transaction)
        .await?;
    let known: Vec<Tag> = known.iter().flat_map(|row| read(row)).filter_map(|name| Tag::of(&name)).collect();
    let spelled = tags.into_iter().map(|tag| {
        let same = known.iter().find(|known| known.key == tag.key);
        same.map_or(tag.name, |known| known.name.clone())
    });
    serde_json::to_string(&spelled.collect::<Vec<String>>()).map_err(Error::internal)
}

/// Stored value of a monitor without tags.
const EMPTY: &str = "[]";

pub(super) fn read(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap_or_default()
}

/// Distinct tags of these monitors, sorted by key.
pub fn tags_of(monitors: &[Monitor]) -> Vec<Tag> {
    let mut tags: Vec<Tag> =
        monitors.iter().flat_map(|monitor| &monitor.tags).filter_map(|name| Tag::of(name)).collect();
    tags.sort_by(|a, b| a.key.cmp(&b.key));
    tags.dedup_by(|a, b| a.key == b.key);
    tags
}

/// True if a monitor has the tag `text`, regardless of letter case.
pub fn has_tag(monitor: &Monitor, text: &str) -> bool {
    let Some(searched) = Tag::of(text) else { return false };
    monitor.tags.iter().filter_map(|name| Tag::of(name)).any(|tag| tag.key == searched.key)
}
