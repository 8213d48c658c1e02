//! Writes the notes and highlights of an import. Each is created only once, however often the import runs.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use entities::ids::{HighlightId, ItemId, NoteId, ObjectId};
use entities::library_words::{AnchorStatus, HighlightColor, ObjectKind};
use entities::{library_highlight, library_item, library_note};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QuerySelect,
};

use super::mark;
use super::prepared::{Former, Mark, Marked, Remark, Trouble};
use super::tally::Tally;
use crate::anchoring::Haystack;
use crate::highlights::MOST;
use crate::search::index::{self, Searched};
use crate::tags::{self, Tag};
use crate::writing::Writing;
use crate::{highlights, notes, placing};
use kernel::code::Code;
use kernel::error::Result;

const AT_ONCE: usize = 500;

/// Note or highlight with the number of its row and the item that it belongs to.
pub(super) type Placed = (u64, Option<ItemId>, Remark);

/// Writes notes and highlights that do not exist yet. Returns those that were created.
pub(super) async fn put(
    writing: &mut Writing,
    remarks: Vec<Placed>,
    tally: &mut Tally,
) -> Result<Vec<(ObjectId, ObjectKind, i64)>> {
    if remarks.is_empty() {
        return Ok(Vec::new());
    }
    let mut known = Known::of(writing, &remarks).await?;
    let mut texts = Texts::of(writing, &remarks).await?;
    let mut room = Room::default();
    let mut made = Vec::new();
    let mut searched = Vec::new();
    let mut tagged: [Vec<(ObjectId, Vec<Tag>)>; 2] = [Vec::new(), Vec::new()];
    for (number, item_id, remark) in remarks {
        if !known.is_new(writing, &remark) {
            continue;
        }
        if !room.take(writing, item_id, &remark).await? {
            let reason = format!("an item can have at most {MOST} highlights; this one was left out");
            tally.note(number, Some(&Trouble::of(Code::LimitReached.as_str(), &reason)));
            continue;
        }
        let Remark { external_id, former, created_at, tags, mark } = remark;
        let id = former.id_in(writing.account_id);
        let about = About { id, item_id, external_id, created_at };
        let written = match mark {
            Mark::Note { title, text } => note(writing, about, title, text, &tags).await?,
            Mark::Highlight(marked) => highlight(writing, &mut texts, about, marked, &tags).await?,
        };
        let Some((mark, words)) = written else {
            let code = Code::StorageLimitReached.as_str();
            tally.note(number, Some(&Trouble::of(code, "the storage of the account is used up")));
            continue;
        };
        let (id, kind) = (words.id, words.kind);
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

/// Fields that notes and highlights have in common.
struct About {
    id: uuid::Uuid,
    item_id: Option<ItemId>,
    external_id: Option<String>,
    created_at: Option<i64>,
}

/// Fingerprint and index row of a written annotation. `None` if the storage of the account is used up.
type Written = Option<(i64, Searched)>;

async fn note(
    writing: &mut Writing,
    about: About,
    title: Option<String>,
    text: String,
    tags: &[Tag],
) -> Result<Written> {
    let id: NoteId = about.id.into();
    let mut row = library_note::Model {
        id,
        account_id: writing.account_id,
        sequence: 0,
        item_id: about.item_id,
        detached_from: None,
        title,
        text,
        external_id: about.external_id,
        stored_bytes: 0,
        created_at: about.created_at.map_or(writing.now, |at| at.min(writing.now)),
        updated_at: 0,
    };
    row.stored_bytes = notes::bytes_of(&row);
    if !has_room(writing, row.stored_bytes) {
        return Ok(None);
    }
    let object = ObjectId::from(id.as_uuid());
    let stamp = writing.stamp(ObjectKind::Note, object);
    (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
    let searched = Searched {
        id: object,
        kind: ObjectKind::Note,
        title: row.title.clone().unwrap_or_default(),
        tags: tags.iter().map(|tag| tag.name.clone()).collect(),
        names: String::new(),
        text: row.text.clone(),
    };
    let mark = mark::of_note(&row, tags);
    library_note::Entity::insert(row.into_active_model().reset_all())
        .exec_without_returning(writing.db())
        .await?;
    Ok(Some((mark, searched)))
}

async fn highlight(
    writing: &mut Writing,
    texts: &mut Texts,
    about: About,
    marked: Marked,
    tags: &[Tag],
) -> Result<Written> {
    let Marked { quote, prefix, suffix, note, color, hint, item_title, source_url, place, text_hash } =
        marked;
    let id: HighlightId = about.id.into();
    let is_detached = about.item_id.is_none();
    // The stored position is valid only in the text to which it refers.
    let place = place.filter(|_| about.item_id.is_some_and(|id| texts.is_still(id, text_hash.as_deref())));
    let mut row = library_highlight::Model {
        id,
        account_id: writing.account_id,
        sequence: 0,
        item_id: about.item_id,
        detached_from: None,
        item_title: item_title.filter(|_| is_detached),
        source_url: source_url.filter(|_| is_detached),
        quote,
        prefix,
        suffix,
        hint,
        note,
        color: color.unwrap_or(HighlightColor::Yellow),
        anchor: place.and_then(|place| place.anchor),
        end_anchor: place.and_then(|place| place.end_anchor),
        start_offset: place.and_then(|place| place.start_offset),
        end_offset: place.and_then(|place| place.end_offset),
        page: place.and_then(|place| place.page),
        anchor_status: place.map_or(AnchorStatus::Orphaned, |place| place.status),
        external_id: about.external_id,
        stored_bytes: 0,
        created_at: about.created_at.map_or(writing.now, |at| at.min(writing.now)),
        updated_at: 0,
    };
    if place.is_none()
        && let Some(id) = about.item_id
        && let Some(haystack) = texts.haystack(writing, id).await?
    {
        let near = row.hint.and_then(|hint| u32::try_from(hint).ok());
        let near = near.and_then(|anchor| haystack.offset_of(anchor));
        placing::place(&mut row, &haystack, near);
    }
    row.stored_bytes = highlights::bytes_of(&row);
    if !has_room(writing, row.stored_bytes) {
        return Ok(None);
    }
    let object = ObjectId::from(id.as_uuid());
    let stamp = writing.stamp(ObjectKind::Highlight, object);
    (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
    let searched = Searched {
        id: object,
        kind: ObjectKind::Highlight,
        title: String::new(),
        tags: tags.iter().map(|tag| tag.name.clone()).collect(),
        names: String::new(),
        text: format!("{}\n{}", row.quote, row.note.as_deref().unwrap_or_default()),
    };
    let mark = mark::of_highlight(&row, tags);
    library_highlight::Entity::insert(row.into_active_model().reset_all())
        .exec_without_returning(writing.db())
        .await?;
    Ok(Some((mark, searched)))
}

/// Counts bytes as storage if they fit. Otherwise nothing is counted.
fn has_room(writing: &mut Writing, bytes: i64) -> bool {
    writing.count(0, bytes);
    let has_room = writing.require_fit().is_ok();
    if !has_room {
        writing.count(bytes, 0);
    }
    has_room
}

/// Current texts of the items to which highlights belong.
struct Texts {
    hashes: HashMap<ItemId, String>,
    haystacks: HashMap<ItemId, Option<Arc<Haystack>>>,
}

impl Texts {
    async fn of(writing: &Writing, remarks: &[Placed]) -> Result<Self> {
        let marked = remarks.iter().filter(|(.., remark)| matches!(remark.mark, Mark::Highlight(_)));
        let ids: HashSet<ItemId> = marked.filter_map(|(_, item_id, _)| *item_id).collect();
        let ids: Vec<ItemId> = ids.into_iter().collect();
        let mut hashes = HashMap::new();
        for ids in ids.chunks(AT_ONCE) {
            let found: Vec<(ItemId, Option<String>)> = library_item::Entity::owned_by(writing.account_id)
                .select_only()
                .columns([library_item::Column::Id, library_item::Column::ContentHash])
                .filter(library_item::Column::Id.is_in(ids.to_vec()))
                .into_tuple()
                .all(writing.db())
                .await?;
            hashes.extend(found.into_iter().filter_map(|(id, hash)| Some((id, hash?))));
        }
        Ok(Self { hashes, haystacks: HashMap::new() })
    }

    /// Whether the text of an item has this hash. An item without a text has no hash.
    fn is_still(&self, id: ItemId, hash: Option<&str>) -> bool {
        self.hashes.get(&id).map(String::as_str) == hash
    }

    async fn haystack(&mut self, writing: &Writing, id: ItemId) -> Result<Option<Arc<Haystack>>> {
        if !self.hashes.contains_key(&id) {
            return Ok(None);
        }
        if let Some(made) = self.haystacks.get(&id) {
            return Ok(made.clone());
        }
        let made = placing::haystack(writing.db(), writing.account_id, id).await?;
        // The highlights of one item follow each other, so only one text is needed.
        self.haystacks.clear();
        self.haystacks.insert(id, made.clone());
        Ok(made)
    }
}

/// Number of highlights per item.
#[derive(Default)]
struct Room(HashMap<ItemId, u64>);

impl Room {
    /// Counts a highlight. Returns false if its item already has the maximum number.
    async fn take(&mut self, writing: &Writing, item_id: Option<ItemId>, remark: &Remark) -> Result<bool> {
        let (Some(item_id), Mark::Highlight(_)) = (item_id, &remark.mark) else { return Ok(true) };
        let count = match self.0.entry(item_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let count = library_highlight::Entity::owned_by(writing.account_id)
                    .filter(library_highlight::Column::ItemId.eq(item_id))
                    .count(writing.db())
                    .await?;
                unknown.insert(count)
            }
        };
        let has_room = *count < MOST;
        *count += u64::from(has_room);
        Ok(has_room)
    }
}

/// Existing notes and highlights: their client ids, and their ids in the source library or derived ids in
/// this one.
struct Known {
    external: HashSet<(bool, String)>,
    ids: HashSet<uuid::Uuid>,
}

impl Known {
    async fn of(writing: &Writing, remarks: &[Placed]) -> Result<Self> {
        let mut known = Self { external: HashSet::new(), ids: HashSet::new() };
        let names = remarks.iter().filter_map(|(.., remark)| remark.external_id.clone());
        let names: Vec<String> = names.collect();
        for names in names.chunks(AT_ONCE) {
            known.add_named(writing, names).await?;
        }
        let ids = |(.., remark): &Placed| {
            remark.former.own.into_iter().chain([remark.former.id_in(writing.account_id)])
        };
        let ids: Vec<uuid::Uuid> = remarks.iter().flat_map(ids).collect();
        for ids in ids.chunks(AT_ONCE) {
            known.add_ids(writing, ids).await?;
        }
        Ok(known)
    }

    async fn add_named(&mut self, writing: &Writing, names: &[String]) -> Result<()> {
        let of =
            |found: Vec<Option<String>>, kind: bool| found.into_iter().flatten().map(move |id| (kind, id));
        let notes = library_note::Entity::owned_by(writing.account_id)
            .select_only()
            .column(library_note::Column::ExternalId)
            .filter(library_note::Column::ExternalId.is_in(names.to_vec()))
            .into_tuple()
            .all(writing.db())
            .await?;
        let highlights = library_highlight::Entity::owned_by(writing.account_id)
            .select_only()
            .column(library_highlight::Column::ExternalId)
            .filter(library_highlight::Column::ExternalId.is_in(names.to_vec()))
            .into_tuple()
            .all(writing.db())
            .await?;
        self.external.extend(of(notes, false));
        self.external.extend(of(highlights, true));
        Ok(())
    }

    async fn add_ids(&mut self, writing: &Writing, ids: &[uuid::Uuid]) -> Result<()> {
        let notes: Vec<NoteId> = library_note::Entity::owned_by(writing.account_id)
            .select_only()
            .column(library_note::Column::Id)
            .filter(library_note::Column::Id.is_in(ids.iter().copied().map(NoteId::from)))
            .into_tuple()
            .all(writing.db())
            .await?;
        let highlights: Vec<HighlightId> = library_highlight::Entity::owned_by(writing.account_id)
            .select_only()
            .column(library_highlight::Column::Id)
            .filter(library_highlight::Column::Id.is_in(ids.iter().copied().map(HighlightId::from)))
            .into_tuple()
            .all(writing.db())
            .await?;
        self.ids.extend(notes.into_iter().map(NoteId::as_uuid));
        self.ids.extend(highlights.into_iter().map(HighlightId::as_uuid));
        Ok(())
    }

    /// Whether the annotation exists neither in the library nor earlier in the import.
    fn is_new(&mut self, writing: &Writing, remark: &Remark) -> bool {
        let Remark { external_id, former: Former { own, .. }, .. } = remark;
        if own.is_some_and(|own| self.ids.contains(&own)) {
            return false;
        }
        let is_highlight = matches!(remark.mark, Mark::Highlight(_));
        let is_named_anew =
            external_id.as_ref().is_none_or(|id| self.external.insert((is_highlight, id.clone())));
        is_named_anew && self.ids.insert(remark.former.id_in(writing.account_id))
    }
}
