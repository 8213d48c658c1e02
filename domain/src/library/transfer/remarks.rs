//! Notes and highlights of an import: made once, however often it runs.

use std::collections::HashSet;

use entities::ids::{HighlightId, ItemId, NoteId, ObjectId};
use entities::library_words::{AnchorStatus, HighlightColor, ObjectKind};
use entities::{library_highlight, library_note};
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter};

use super::mark;
use super::prepared::{Mark, Marked, Remark, Trouble};
use super::tally::Tally;
use crate::code::Code;
use crate::error::Result;
use crate::ids::uuid_v7;
use crate::library::search::index::{self, Searched};
use crate::library::tags::{self, Tag};
use crate::library::writing::{OBJECT_BYTES, Writing};

/// A note or a highlight with the number of its row and the item that it is about.
pub(super) type Placed = (u64, Option<ItemId>, Remark);

/// Writes notes and highlights that are not there yet; tells what was made.
pub(super) async fn put(
    writing: &mut Writing,
    remarks: Vec<Placed>,
    tally: &mut Tally,
) -> Result<Vec<(ObjectId, ObjectKind, i64)>> {
    let mut known = Known::of(writing, &remarks).await?;
    let mut made = Vec::new();
    let mut searched = Vec::new();
    let mut tagged: [Vec<(ObjectId, Vec<Tag>)>; 2] = [Vec::new(), Vec::new()];
    for (number, item_id, remark) in remarks {
        if !known.is_new(&remark) {
            continue;
        }
        let bytes = bytes_of(&remark);
        writing.count(0, bytes);
        if writing.require_fit().is_err() {
            writing.count(bytes, 0);
            let code = Code::StorageLimitReached.as_str();
            tally.note(number, Some(&Trouble::of(code, "the storage of the account is used up")));
            continue;
        }
        let tags = remark.tags.clone();
        let (id, kind, mark, words) = match remark.mark {
            Mark::Note { .. } => note(writing, item_id, remark, bytes).await?,
            Mark::Highlight(_) => highlight(writing, item_id, remark, bytes).await?,
        };
        tagged[usize::from(kind == ObjectKind::Highlight)].push((id, tags));
        searched.push(words);
        made.push((id, kind, mark));
        tally.highlights += 1;
    }
    let [notes, highlights] = tagged;
    tags::replace(writing, ObjectKind::Note, &notes).await?;
    tags::replace(writing, ObjectKind::Highlight, &highlights).await?;
    index::write(writing, searched).await?;
    Ok(made)
}

fn bytes_of(remark: &Remark) -> i64 {
    let text = match &remark.mark {
        Mark::Note { title, text } => text.len() + title.as_ref().map_or(0, String::len),
        Mark::Highlight(marked) => {
            marked.quote.len()
                + marked.prefix.len()
                + marked.suffix.len()
                + marked.note.as_ref().map_or(0, String::len)
        }
    };
    OBJECT_BYTES + i64::try_from(text).unwrap_or(i64::MAX)
}

type Made = (ObjectId, ObjectKind, i64, Searched);

async fn note(writing: &mut Writing, item_id: Option<ItemId>, remark: Remark, bytes: i64) -> Result<Made> {
    let Remark { external_id, created_at, tags, mark: Mark::Note { title, text } } = remark else {
        return Err(crate::error::Error::internal("a highlight is no note"));
    };
    let id: NoteId = new_id(writing);
    let object = ObjectId::from(id.as_uuid());
    let stamp = writing.stamp(ObjectKind::Note, object);
    let row = library_note::Model {
        id,
        account_id: writing.account_id,
        sequence: stamp.sequence,
        item_id,
        detached_from: None,
        title,
        text,
        external_id,
        stored_bytes: bytes,
        created_at: created_at.map_or(writing.now, |at| at.min(writing.now)),
        updated_at: stamp.updated_at,
    };
    let mark = mark::of_note(&row, &tags);
    let searched = Searched {
        id: object,
        kind: ObjectKind::Note,
        title: row.title.clone().unwrap_or_default(),
        tags: tags.iter().map(|tag| tag.name.clone()).collect(),
        names: String::new(),
        text: row.text.clone(),
    };
    library_note::Entity::insert(row.into_active_model().reset_all())
        .exec_without_returning(writing.db())
        .await?;
    Ok((object, ObjectKind::Note, mark, searched))
}

async fn highlight(
    writing: &mut Writing,
    item_id: Option<ItemId>,
    remark: Remark,
    bytes: i64,
) -> Result<Made> {
    let Remark { external_id, created_at, tags, mark: Mark::Highlight(marked) } = remark else {
        return Err(crate::error::Error::internal("a note is no highlight"));
    };
    let Marked { quote, prefix, suffix, note, color, place } = marked;
    let id: HighlightId = new_id(writing);
    let object = ObjectId::from(id.as_uuid());
    let stamp = writing.stamp(ObjectKind::Highlight, object);
    let place = place.filter(|_| item_id.is_some());
    let row = library_highlight::Model {
        id,
        account_id: writing.account_id,
        sequence: stamp.sequence,
        item_id,
        detached_from: None,
        item_title: None,
        source_url: None,
        quote,
        prefix,
        suffix,
        hint: None,
        note,
        color: color.unwrap_or(HighlightColor::Yellow),
        anchor: place.and_then(|place| place.anchor),
        end_anchor: place.and_then(|place| place.end_anchor),
        start_offset: place.and_then(|place| place.start_offset),
        end_offset: place.and_then(|place| place.end_offset),
        page: place.and_then(|place| place.page),
        anchor_status: place.map_or(AnchorStatus::Orphaned, |place| place.status),
        external_id,
        stored_bytes: bytes,
        created_at: created_at.map_or(writing.now, |at| at.min(writing.now)),
        updated_at: stamp.updated_at,
    };
    let mark = mark::of_highlight(&row, &tags);
    let searched = Searched {
        id: object,
        kind: ObjectKind::Highlight,
        title: String::new(),
        tags: tags.iter().map(|tag| tag.name.clone()).collect(),
        names: String::new(),
        text: format!("{}\n{}", row.quote, row.note.as_deref().unwrap_or_default()),
    };
    library_highlight::Entity::insert(row.into_active_model().reset_all())
        .exec_without_returning(writing.db())
        .await?;
    Ok((object, ObjectKind::Highlight, mark, searched))
}

fn new_id<Id: From<uuid::Uuid>>(writing: &Writing) -> Id {
    uuid_v7(&crate::ids::RandomIds, writing.now).into()
}

/// Which notes and highlights are there: by the id that a client gave, else by time and words.
struct Known {
    external: HashSet<(bool, String)>,
    words: HashSet<(bool, i64, String)>,
}

impl Known {
    async fn of(writing: &Writing, remarks: &[Placed]) -> Result<Self> {
        let external: Vec<&str> =
            remarks.iter().filter_map(|(.., remark)| remark.external_id.as_deref()).collect();
        let nameless = remarks.iter().filter(|(.., remark)| remark.external_id.is_none());
        let times: Vec<i64> = nameless.filter_map(|(.., remark)| remark.created_at).collect();
        let mut known = Self { external: HashSet::new(), words: HashSet::new() };
        for (names, times) in [(external.as_slice(), [].as_slice()), ([].as_slice(), times.as_slice())] {
            known.add(writing, names, times).await?;
        }
        Ok(known)
    }

    async fn add(&mut self, writing: &Writing, names: &[&str], times: &[i64]) -> Result<()> {
        for names in names.chunks(500) {
            let of = |found: Vec<Option<String>>, kind: bool| {
                found.into_iter().flatten().map(move |id| (kind, id))
            };
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let notes = library_note::Entity::owned_by(writing.account_id)
                .filter(library_note::Column::ExternalId.is_in(names.clone()))
                .all(writing.db())
                .await?;
            let highlights = library_highlight::Entity::owned_by(writing.account_id)
                .filter(library_highlight::Column::ExternalId.is_in(names))
                .all(writing.db())
                .await?;
            self.external.extend(of(notes.into_iter().map(|row| row.external_id).collect(), false));
            self.external.extend(of(highlights.into_iter().map(|row| row.external_id).collect(), true));
        }
        for times in times.chunks(500) {
            let notes = library_note::Entity::owned_by(writing.account_id)
                .filter(library_note::Column::CreatedAt.is_in(times.to_vec()))
                .all(writing.db())
                .await?;
            let highlights = library_highlight::Entity::owned_by(writing.account_id)
                .filter(library_highlight::Column::CreatedAt.is_in(times.to_vec()))
                .all(writing.db())
                .await?;
            self.words.extend(notes.into_iter().map(|row| (false, row.created_at, row.text)));
            self.words.extend(highlights.into_iter().map(|row| (true, row.created_at, row.quote)));
        }
        Ok(())
    }

    /// Whether it is there neither in the library nor among those before it.
    fn is_new(&mut self, remark: &Remark) -> bool {
        let (kind, words) = match &remark.mark {
            Mark::Note { text, .. } => (false, text),
            Mark::Highlight(marked) => (true, &marked.quote),
        };
        match &remark.external_id {
            Some(id) => self.external.insert((kind, id.clone())),
            None => self.words.insert((kind, remark.created_at.unwrap_or(0), words.clone())),
        }
    }
}
