//! Writes the notes and highlights of an import. Each of them is created only once, even if the import runs
//! repeatedly.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use entities::ids::{HighlightId, ItemId, NoteId, ObjectId};
use entities::library_words::{AnchorStatus, HighlightColor, ObjectKind};
use entities::{library_highlight, library_item, library_note};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QuerySelect,
};

use super::fingerprint;
use super::highlight_merge::{self, MadeObject, RowAnnotation};
use super::import_record::{
    AnnotationContent, HighlightContent, ImportScope, ImportedAnnotation, RowError, SourceKey,
};
use super::like_annotations;
use super::tally::ImportTally;
use crate::highlights::MAX_HIGHLIGHTS;
use crate::keys::{self, Holder, ItemKey};
use crate::quote_match::{Haystack, SearchBudget};
use crate::review_schedule::ReviewState;
use crate::search::index::{self, IndexedObject, IndexedText};
use crate::tags::{self, Tag};
use crate::transaction::LibraryTransaction;
use crate::{annotations, highlight_anchor, highlights, notes};
use kernel::{Code, Result};

const ROWS_PER_QUERY: usize = 500;
/// Maximum number of notes per query that compares texts.
const TEXTS_PER_QUERY: usize = 50;

/// Writes notes and highlights that do not exist yet, and merges the values of repeated highlights into the existing
/// highlights. Returns the created objects with their fingerprints.
pub(super) async fn write_annotations(
    transaction: &mut LibraryTransaction,
    scope: ImportScope,
    mut annotations: Vec<RowAnnotation>,
    tally: &mut ImportTally,
) -> Result<Vec<MadeObject>> {
    let import_id = scope.import_id;
    like_annotations::adopt_existing_ids(transaction, import_id, &mut annotations).await?;
    let (mut made, repeated) = write_new(transaction, scope, annotations, tally).await?;
    let notes = highlight_merge::merge_repeated(transaction, import_id, repeated, &mut made, tally).await?;
    let (noted, _) = write_new(transaction, scope, notes, tally).await?;
    made.extend(noted);
    Ok(made)
}

/// Writes notes and highlights that do not exist yet. Also returns existing highlights that have values in
/// addition to their quotes.
async fn write_new(
    transaction: &mut LibraryTransaction,
    scope: ImportScope,
    mut annotations: Vec<RowAnnotation>,
    tally: &mut ImportTally,
) -> Result<(Vec<MadeObject>, Vec<RowAnnotation>)> {
    let (mut made, mut repeated) = (Vec::new(), Vec::new());
    if annotations.is_empty() {
        return Ok((made, repeated));
    }
    let mut known = ExistingAnnotations::of(transaction, scope, &annotations).await?;
    known.remove_deleted(transaction, &mut annotations, tally);
    let mut texts = ItemTexts::of(transaction, &annotations).await?;
    let mut capacity = HighlightCapacity::default();
    let mut searched = Vec::new();
    let mut left_out: BTreeMap<u64, usize> = BTreeMap::new();
    let mut unstored: HashSet<u64> = HashSet::new();
    let mut tagged: [Vec<(ObjectId, Vec<Tag>)>; 2] = [Vec::new(), Vec::new()];
    for (number, item_id, annotation) in annotations {
        if !known.is_new(transaction, item_id, &annotation) {
            if highlight_merge::adds_values(&annotation) {
                repeated.push((number, item_id, annotation));
            }
            continue;
        }
        if !capacity.try_add(transaction, item_id, &annotation).await? {
            *left_out.entry(number).or_default() += 1;
            continue;
        }
        let ImportedAnnotation { external_id, source_key, created_at, tags, content, detached_from } =
            annotation;
        let id = source_key.id_in(transaction.account_id);
        let detached_from = detached_from.filter(|_| item_id.is_none()).map(|item| item.id);
        let about = AnnotationBase { id, item_id, detached_from, external_id, created_at };
        let written = match content {
            AnnotationContent::Note { title, text } => note(transaction, about, title, text, &tags).await?,
            AnnotationContent::Highlight(marked) => {
                highlight(transaction, &mut texts, about, *marked, &tags).await?
            }
        };
        let Some((content, words)) = written else {
            if unstored.insert(number) {
                let code = Code::StorageLimitReached.as_str();
                tally.note(number, &RowError::of(code, "the storage of the account is used up"));
            }
            continue;
        };
        let (id, kind) = (words.id, words.kind);
        tagged[usize::from(kind == ObjectKind::Highlight)].push((id, tags));
        searched.push(words);
        made.push((id, kind, content));
        tally.count_annotation(number);
    }
    for (number, count) in left_out {
        let reason = format!("an item can have at most {MAX_HIGHLIGHTS} highlights; left out: {count}");
        tally.note(number, &RowError::of(Code::LimitReached.as_str(), &reason));
    }
    let [notes, highlights] = tagged;
    tags::replace(transaction, ObjectKind::Note, &notes).await?;
    tags::replace(transaction, ObjectKind::Highlight, &highlights).await?;
    index::write(transaction, searched).await?;
    Ok((made, repeated))
}

/// Fields that notes and highlights have in common.
struct AnnotationBase {
    id: uuid::Uuid,
    item_id: Option<ItemId>,
    /// Deleted item to which it belonged.
    detached_from: Option<ItemId>,
    external_id: Option<String>,
    created_at: Option<i64>,
}

/// Fingerprint and index row of a written annotation. `None` if the storage of the account is full.
type WrittenAnnotation = Option<(i64, IndexedObject)>;

async fn note(
    transaction: &mut LibraryTransaction,
    about: AnnotationBase,
    title: Option<String>,
    text: String,
    tags: &[Tag],
) -> Result<WrittenAnnotation> {
    let id: NoteId = about.id.into();
    let mut row = library_note::Model {
        id,
        account_id: transaction.account_id,
        sequence: 0,
        item_id: about.item_id,
        detached_from: about.detached_from,
        title,
        text,
        external_id: about.external_id,
        stored_bytes: 0,
        created_at: about.created_at.map_or(transaction.now, |at| at.min(transaction.now)),
        updated_at: 0,
    };
    row.stored_bytes = notes::bytes_of(&row);
    if !try_count(transaction, row.stored_bytes) {
        return Ok(None);
    }
    let object = ObjectId::from(id.as_uuid());
    let stamp = transaction.stamp(ObjectKind::Note, object);
    (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
    let searched = IndexedObject {
        id: object,
        kind: ObjectKind::Note,
        title: row.title.clone().unwrap_or_default(),
        tags: tags.iter().map(|tag| tag.name.clone()).collect(),
        names: String::new(),
        text: IndexedText::Text(row.text.clone()),
    };
    let content = fingerprint::of_note(&row, tags);
    library_note::Entity::insert(row.into_active_model().reset_all())
        .exec_without_returning(transaction.db())
        .await?;
    Ok(Some((content, searched)))
}

async fn highlight(
    transaction: &mut LibraryTransaction,
    texts: &mut ItemTexts,
    about: AnnotationBase,
    marked: HighlightContent,
    tags: &[Tag],
) -> Result<WrittenAnnotation> {
    let id: HighlightId = about.id.into();
    // The position in the file is valid only in the text to which it refers.
    let hash = marked.text_hash.as_deref();
    let position = marked.position.filter(|_| about.item_id.is_some_and(|id| texts.has_hash(id, hash)));
    let created_at = about.created_at.map_or(transaction.now, |at| at.min(transaction.now));
    let review = marked.review.unwrap_or_else(|| ReviewState::of_new(created_at));
    let card = marked.card.map(|card| card.to_column()).transpose()?;
    let (picture_url, picture_alt) = marked.picture.map(|picture| (picture.url, picture.alt)).unzip();
    let mut row = library_highlight::Model {
        id,
        account_id: transaction.account_id,
        sequence: 0,
        item_id: about.item_id,
        detached_from: about.detached_from,
        item_title: marked.item_title.filter(|_| about.item_id.is_none()),
        source_url: marked.source_url.filter(|_| about.item_id.is_none()),
        quote: marked.quote,
        picture_url,
        picture_alt: picture_alt.flatten(),
        prefix: marked.prefix,
        suffix: marked.suffix,
        hint: marked.hint,
        note: marked.note,
        color: marked.color.unwrap_or(HighlightColor::Yellow),
        anchor: position.and_then(|position| position.anchor),
        end_anchor: position.and_then(|position| position.end_anchor),
        start_offset: position.and_then(|position| position.start_offset),
        end_offset: position.and_then(|position| position.end_offset),
        page: position.map_or(marked.page, |position| position.page),
        anchor_status: position.map_or(AnchorStatus::Orphaned, |position| position.status),
        external_id: about.external_id,
        review_day: review.due_day,
        review_step: review.step,
        card,
        stored_bytes: 0,
        created_at,
        updated_at: 0,
    };
    if position.is_none()
        && let Some(id) = about.item_id
        && let Some(haystack) = texts.haystack(transaction, id).await?
    {
        let near = row.hint.and_then(|hint| u32::try_from(hint).ok());
        let near = near.and_then(|anchor| haystack.offset_of(anchor));
        (row, texts.budget) = highlight_anchor::anchor_highlight(row, haystack, near, texts.budget).await?;
    }
    row.stored_bytes = highlights::bytes_of(&row);
    if !try_count(transaction, row.stored_bytes) {
        return Ok(None);
    }
    let stamp = transaction.stamp(ObjectKind::Highlight, ObjectId::from(id.as_uuid()));
    (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
    let searched = indexed_highlight(&row, tags);
    let content = fingerprint::of_highlight(&row, tags);
    library_highlight::Entity::insert(row.into_active_model().reset_all())
        .exec_without_returning(transaction.db())
        .await?;
    Ok(Some((content, searched)))
}

/// Converts a highlight to the object that the search index receives.
fn indexed_highlight(row: &library_highlight::Model, tags: &[Tag]) -> IndexedObject {
    IndexedObject {
        id: ObjectId::from(row.id.as_uuid()),
        kind: ObjectKind::Highlight,
        title: String::new(),
        tags: tags.iter().map(|tag| tag.name.clone()).collect(),
        names: String::new(),
        text: IndexedText::Text(format!("{}\n{}", row.quote, row.note.as_deref().unwrap_or_default())),
    }
}

/// Counts bytes towards the storage quota if they fit. Returns false, and counts nothing, if they do not fit.
fn try_count(transaction: &mut LibraryTransaction, bytes: i64) -> bool {
    transaction.count(0, bytes);
    let fits = transaction.require_fit().is_ok();
    if !fits {
        transaction.count(bytes, 0);
    }
    fits
}

/// Current texts of the items to which highlights belong.
struct ItemTexts {
    hashes: HashMap<ItemId, String>,
    haystacks: HashMap<ItemId, Option<Arc<Haystack>>>,
    /// Remaining work for searches for quotes.
    budget: SearchBudget,
}

impl ItemTexts {
    async fn of(transaction: &LibraryTransaction, annotations: &[RowAnnotation]) -> Result<Self> {
        let marked = annotations
            .iter()
            .filter(|(.., annotation)| matches!(annotation.content, AnnotationContent::Highlight(_)));
        let ids: HashSet<ItemId> = marked.filter_map(|(_, item_id, _)| *item_id).collect();
        let ids: Vec<ItemId> = ids.into_iter().collect();
        let mut hashes = HashMap::new();
        for ids in ids.chunks(ROWS_PER_QUERY) {
            let rows: Vec<(ItemId, Option<String>)> = library_item::Entity::owned_by(transaction.account_id)
                .select_only()
                .columns([library_item::Column::Id, library_item::Column::ContentHash])
                .filter(library_item::Column::Id.is_in(ids.to_vec()))
                .into_tuple()
                .all(transaction.db())
                .await?;
            hashes.extend(rows.into_iter().filter_map(|(id, hash)| Some((id, hash?))));
        }
        Ok(Self { hashes, haystacks: HashMap::new(), budget: SearchBudget::IMPORT })
    }

    /// Returns true if the text of an item has this hash. The hash of an item without a text is `None`.
    fn has_hash(&self, id: ItemId, hash: Option<&str>) -> bool {
        self.hashes.get(&id).map(String::as_str) == hash
    }

    async fn haystack(
        &mut self,
        transaction: &LibraryTransaction,
        id: ItemId,
    ) -> Result<Option<Arc<Haystack>>> {
        if !self.hashes.contains_key(&id) {
            return Ok(None);
        }
        if let Some(made) = self.haystacks.get(&id) {
            return Ok(made.clone());
        }
        let made = highlight_anchor::haystack(transaction.db(), transaction.account_id, id).await?;
        // The highlights of an item are consecutive, so only one text is retained.
        self.haystacks.clear();
        self.haystacks.insert(id, made.clone());
        Ok(made)
    }
}

/// Number of highlights per item.
#[derive(Default)]
struct HighlightCapacity(HashMap<ItemId, u64>);

impl HighlightCapacity {
    /// Counts a highlight. Returns false if its item already has the maximum number of highlights.
    async fn try_add(
        &mut self,
        transaction: &LibraryTransaction,
        item_id: Option<ItemId>,
        annotation: &ImportedAnnotation,
    ) -> Result<bool> {
        let (Some(item_id), AnnotationContent::Highlight(_)) = (item_id, &annotation.content) else {
            return Ok(true);
        };
        let count = match self.0.entry(item_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let count = library_highlight::Entity::owned_by(transaction.account_id)
                    .filter(library_highlight::Column::ItemId.eq(item_id))
                    .count(transaction.db())
                    .await?;
                unknown.insert(count)
            }
        };
        let has_capacity = *count < MAX_HIGHLIGHTS;
        *count += u64::from(has_capacity);
        Ok(has_capacity)
    }
}

/// Returns the ids that the annotation may have in the library.
fn ids_of(
    transaction: &LibraryTransaction,
    annotation: &ImportedAnnotation,
) -> impl Iterator<Item = uuid::Uuid> + use<> {
    annotation.source_key.own.into_iter().chain([annotation.source_key.id_in(transaction.account_id)])
}

/// Notes and highlights that already exist.
#[derive(Default)]
struct ExistingAnnotations {
    /// Client ids. The flag is true for a highlight.
    external: HashSet<(bool, String)>,
    /// Ids in the source library, and ids in this library that were derived by an import.
    ids: HashSet<uuid::Uuid>,
    /// Ids of notes and highlights that their owner deleted. Empty if the import restores them.
    deleted: HashSet<uuid::Uuid>,
    /// Texts that a note of the item already has. Another file may contain the same note with another id.
    texts: HashSet<(ItemId, String)>,
}

impl ExistingAnnotations {
    async fn of(
        transaction: &LibraryTransaction,
        scope: ImportScope,
        annotations: &[RowAnnotation],
    ) -> Result<Self> {
        let mut known = Self::default();
        let names = annotations.iter().filter_map(|(.., annotation)| annotation.external_id.clone());
        let names: Vec<String> = names.collect();
        for names in names.chunks(ROWS_PER_QUERY) {
            known.add_named(transaction, names).await?;
        }
        let ids = |(.., annotation): &RowAnnotation| ids_of(transaction, annotation);
        let ids: Vec<uuid::Uuid> = annotations.iter().flat_map(ids).collect();
        if !scope.include_deleted {
            known.add_deleted(transaction, &ids).await?;
        }
        for ids in ids.chunks(ROWS_PER_QUERY) {
            known.add_ids(transaction, ids).await?;
        }
        let noted = |(_, item_id, annotation): &RowAnnotation| match &annotation.content {
            AnnotationContent::Note { text, .. } if annotation.source_key.own.is_none() => {
                Some(((*item_id)?, text.clone()))
            }
            AnnotationContent::Note { .. } | AnnotationContent::Highlight(_) => None,
        };
        let noted: Vec<(ItemId, String)> = annotations.iter().filter_map(noted).collect();
        for noted in noted.chunks(TEXTS_PER_QUERY) {
            known.add_texts(transaction, noted).await?;
        }
        Ok(known)
    }

    /// Loads the texts in `noted` that already exist as notes of their items. Other notes are not loaded, because an
    /// item may have any number of notes.
    async fn add_texts(
        &mut self,
        transaction: &LibraryTransaction,
        noted: &[(ItemId, String)],
    ) -> Result<()> {
        let mut is_noted = Condition::any();
        for (item_id, text) in noted {
            let of_item = Condition::all().add(library_note::Column::ItemId.eq(*item_id));
            is_noted = is_noted.add(of_item.add(library_note::Column::Text.eq(text.as_str())));
        }
        let rows: Vec<(Option<ItemId>, String)> = library_note::Entity::owned_by(transaction.account_id)
            .select_only()
            .columns([library_note::Column::ItemId, library_note::Column::Text])
            .filter(library_note::Column::ItemId.is_in(noted.iter().map(|(item_id, _)| *item_id)))
            .filter(is_noted)
            .distinct()
            .into_tuple()
            .all(transaction.db())
            .await?;
        self.texts.extend(rows.into_iter().filter_map(|(item_id, text)| Some((item_id?, text))));
        Ok(())
    }

    async fn add_named(&mut self, transaction: &LibraryTransaction, names: &[String]) -> Result<()> {
        let of = |ids: Vec<Option<String>>, kind: bool| ids.into_iter().flatten().map(move |id| (kind, id));
        let notes = library_note::Entity::owned_by(transaction.account_id)
            .select_only()
            .column(library_note::Column::ExternalId)
            .filter(library_note::Column::ExternalId.is_in(names.to_vec()))
            .into_tuple()
            .all(transaction.db())
            .await?;
        let highlights = library_highlight::Entity::owned_by(transaction.account_id)
            .select_only()
            .column(library_highlight::Column::ExternalId)
            .filter(library_highlight::Column::ExternalId.is_in(names.to_vec()))
            .into_tuple()
            .all(transaction.db())
            .await?;
        self.external.extend(of(notes, false));
        self.external.extend(of(highlights, true));
        Ok(())
    }

    async fn add_ids(&mut self, transaction: &LibraryTransaction, ids: &[uuid::Uuid]) -> Result<()> {
        let notes: Vec<NoteId> = library_note::Entity::owned_by(transaction.account_id)
            .select_only()
            .column(library_note::Column::Id)
            .filter(library_note::Column::Id.is_in(ids.iter().copied().map(NoteId::from)))
            .into_tuple()
            .all(transaction.db())
            .await?;
        let highlights: Vec<HighlightId> = library_highlight::Entity::owned_by(transaction.account_id)
            .select_only()
            .column(library_highlight::Column::Id)
            .filter(library_highlight::Column::Id.is_in(ids.iter().copied().map(HighlightId::from)))
            .into_tuple()
            .all(transaction.db())
            .await?;
        self.ids.extend(notes.into_iter().map(NoteId::as_uuid));
        self.ids.extend(highlights.into_iter().map(HighlightId::as_uuid));
        Ok(())
    }

    async fn add_deleted(&mut self, transaction: &LibraryTransaction, ids: &[uuid::Uuid]) -> Result<()> {
        let keys: Vec<ItemKey> = ids.iter().copied().map(annotations::deletion_key).collect();
        let holders = keys::holders(transaction.db(), transaction.account_id, &keys).await?;
        let deleted =
            ids.iter().zip(holders).filter(|(_, holder)| matches!(holder, Some(Holder::Deleted(_))));
        self.deleted.extend(deleted.map(|(id, _)| *id));
        Ok(())
    }

    /// Removes the annotations that the owner deleted from the library, and records them as skipped.
    fn remove_deleted(
        &self,
        transaction: &LibraryTransaction,
        annotations: &mut Vec<RowAnnotation>,
        tally: &mut ImportTally,
    ) {
        if self.deleted.is_empty() {
            return;
        }
        let mut skipped: BTreeMap<u64, usize> = BTreeMap::new();
        annotations.retain(|(number, _, annotation)| {
            let is_deleted = ids_of(transaction, annotation).any(|id| self.deleted.contains(&id))
                && ids_of(transaction, annotation).all(|id| !self.ids.contains(&id));
            if is_deleted {
                *skipped.entry(*number).or_default() += 1;
            }
            !is_deleted
        });
        for (number, count) in skipped {
            tally.skip_annotations(number, count);
        }
    }

    /// Returns true if the annotation exists neither in the library nor in earlier rows of the import.
    fn is_new(
        &mut self,
        transaction: &LibraryTransaction,
        item_id: Option<ItemId>,
        annotation: &ImportedAnnotation,
    ) -> bool {
        let ImportedAnnotation { external_id, source_key: SourceKey { own, .. }, .. } = annotation;
        if own.is_some_and(|own| self.ids.contains(&own)) {
            return false;
        }
        if let (Some(item_id), AnnotationContent::Note { text, .. }) = (item_id, &annotation.content)
            && own.is_none()
            && !self.texts.insert((item_id, text.clone()))
        {
            return false;
        }
        let is_highlight = matches!(annotation.content, AnnotationContent::Highlight(_));
        let has_new_name =
            external_id.as_ref().is_none_or(|id| self.external.insert((is_highlight, id.clone())));
        has_new_name && self.ids.insert(annotation.source_key.id_in(transaction.account_id))
    }
}
