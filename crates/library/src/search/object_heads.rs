//! Heads of objects for phrase searches: titles, authors, domains, tags, and the whole text of notes and
//! highlights.

use std::collections::HashMap;

use entities::ids::{AccountId, HighlightId, ItemId, NoteId, ObjectId};
use entities::library_words::ObjectKind;
use entities::{library_highlight, library_item, library_note};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};

use super::matches::Match;
use crate::tags;
use kernel::Result;

/// Loads the head of each object as one text, with its parts on separate lines.
pub(super) async fn heads(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    matches: &[Match],
) -> Result<HashMap<ObjectId, String>> {
    let of = |kind: ObjectKind| {
        matches.iter().filter(move |candidate| candidate.kind == kind).map(|candidate| candidate.id.as_uuid())
    };
    let mut heads: HashMap<ObjectId, String> = HashMap::new();
    let items: Vec<ItemId> = of(ObjectKind::Item).map(ItemId::from).collect();
    if !items.is_empty() {
        let filter = library_item::Column::Id.is_in(items);
        for row in library_item::Entity::owned_by(account_id).filter(filter).all(connection).await? {
            let author = row.author.unwrap_or_default();
            heads
                .insert(ObjectId::from(row.id.as_uuid()), format!("{}\n{author}\n{}", row.title, row.domain));
        }
    }
    let notes: Vec<NoteId> = of(ObjectKind::Note).map(NoteId::from).collect();
    if !notes.is_empty() {
        let filter = library_note::Column::Id.is_in(notes);
        for row in library_note::Entity::owned_by(account_id).filter(filter).all(connection).await? {
            let title = row.title.unwrap_or_default();
            heads.insert(ObjectId::from(row.id.as_uuid()), format!("{title}\n{}", row.text));
        }
    }
    let highlights: Vec<HighlightId> = of(ObjectKind::Highlight).map(HighlightId::from).collect();
    if !highlights.is_empty() {
        let filter = library_highlight::Column::Id.is_in(highlights);
        for row in library_highlight::Entity::owned_by(account_id).filter(filter).all(connection).await? {
            let note = row.note.unwrap_or_default();
            heads.insert(ObjectId::from(row.id.as_uuid()), format!("{}\n{note}", row.quote));
        }
    }
    let ids: Vec<ObjectId> = matches.iter().map(|candidate| candidate.id).collect();
    for (id, tags) in tags::of_objects(connection, account_id, &ids).await? {
        if let Some(head) = heads.get_mut(&id) {
            head.push('\n');
            head.push_str(&tags.join("\n"));
        }
    }
    Ok(heads)
}
