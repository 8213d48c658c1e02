//! Adds the notes, tags, colours, and cards of repeated highlights to existing highlights. A highlight is repeated if
//! another row, or another import, contains the same words of the same item, or the same id.

use std::collections::HashMap;

use entities::ids::{HighlightId, ImportId, ItemId, ObjectId};
use entities::library_words::{HighlightColor, ObjectKind};
use entities::{library_highlight, library_import_made};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter};

use super::import_record::{AnnotationContent, ImportedAnnotation, RowError, SourceKey};
use super::tally::ImportTally;
use super::{fingerprint, item_merge};
use crate::LibraryTransaction;
use crate::highlights;
use crate::tags::{self, Tag};
use kernel::{Code, Result};

const ROWS_PER_QUERY: usize = 500;

/// Number of a row, item to which its note or highlight belongs, and the note or highlight.
pub(super) type RowAnnotation = (u64, Option<ItemId>, ImportedAnnotation);

/// Created object with its fingerprint.
pub(super) type MadeObject = (ObjectId, ObjectKind, i64);

/// Returns true if a highlight has values in addition to its words.
pub(super) fn adds_values(annotation: &ImportedAnnotation) -> bool {
    match &annotation.content {
        AnnotationContent::Highlight(marked) => {
            marked.note.is_some()
                || marked.card.is_some()
                || marked.color.is_some_and(|color| color != HighlightColor::Yellow)
                || !annotation.tags.is_empty()
        }
        AnnotationContent::Note { .. } => false,
    }
}

/// Adds the values of repeated highlights. Returns the notes that differ from those of their highlights, as
/// notes of the items.
pub(super) async fn merge_repeated(
    transaction: &mut LibraryTransaction,
    import_id: ImportId,
    repeated: Vec<RowAnnotation>,
    made: &mut [MadeObject],
    tally: &mut ImportTally,
) -> Result<Vec<RowAnnotation>> {
    let (mut notes, mut repeated) = (Vec::new(), repeated.into_iter());
    loop {
        let chunk: Vec<RowAnnotation> = repeated.by_ref().take(ROWS_PER_QUERY).collect();
        if chunk.is_empty() {
            return Ok(notes);
        }
        let mut existing = ExistingHighlights::of(transaction, &chunk).await?;
        for (number, item_id, annotation) in chunk {
            let Some(id) = existing.id_of(transaction, &annotation) else { continue };
            let Some((row, old_tags)) = existing.rows.remove(&id) else { continue };
            let (mut filled, mut tags) = (row.clone(), old_tags.clone());
            notes.extend(fill(&mut filled, &annotation)?.map(|note| (number, item_id, note)));
            if let Some(problem) = item_merge::merge_tags(&mut tags, &annotation.tags) {
                tally.note(number, &problem);
            }
            let is_changed = filled != row || tags.len() != old_tags.len();
            if is_changed && !fits(transaction, &row, &filled) {
                let code = Code::StorageLimitReached.as_str();
                tally.note(number, &RowError::of(code, "the storage of the account is used up"));
            } else if is_changed {
                let marks =
                    [fingerprint::of_highlight(&row, &old_tags), fingerprint::of_highlight(&filled, &tags)];
                let written = highlights::write(transaction, &row, filled, Some(tags.clone())).await?;
                replace_mark(transaction, import_id, made, (id, marks)).await?;
                existing.rows.insert(id, (written.row, tags));
                continue;
            }
            existing.rows.insert(id, (row, old_tags));
        }
    }
}

/// Fills the note, the colour, and the card of a highlight. Returns a note that differs from the note of the highlight,
/// with the words to which it belongs. A highlight that comes from this or another library retains its existing note,
/// because the other note is a version of it.
fn fill(
    row: &mut library_highlight::Model,
    annotation: &ImportedAnnotation,
) -> Result<Option<ImportedAnnotation>> {
    let AnnotationContent::Highlight(marked) = &annotation.content else { return Ok(None) };
    if row.color == HighlightColor::Yellow {
        row.color = marked.color.unwrap_or(HighlightColor::Yellow);
    }
    if let Some(card) = marked.card.as_ref().filter(|_| row.card.is_none()) {
        row.card = Some(card.to_column()?);
    }
    let Some(note) = &marked.note else { return Ok(None) };
    let Some(known) = &row.note else {
        row.note = Some(note.clone());
        return Ok(None);
    };
    let other = || ImportedAnnotation {
        external_id: None,
        source_key: SourceKey { name: format!("{}#note:{note}", annotation.source_key.name), own: None },
        created_at: annotation.created_at,
        tags: Vec::new(),
        content: AnnotationContent::Note { title: None, text: format!("> {}\n\n{note}", marked.quote) },
        detached_from: None,
    };
    Ok((known != note && annotation.source_key.own.is_none()).then(other))
}

/// Returns true if the storage of the account suffices for the changed highlight.
fn fits(
    transaction: &mut LibraryTransaction,
    row: &library_highlight::Model,
    filled: &library_highlight::Model,
) -> bool {
    let bytes = highlights::bytes_of(filled);
    transaction.count(row.stored_bytes, bytes);
    let fits = transaction.require_fit().is_ok();
    transaction.count(bytes, row.stored_bytes);
    fits
}

/// Replaces the fingerprint of a highlight that the same import has created, so that undoing the import still deletes
/// it. The fingerprint of a highlight that a person has changed is not replaced.
async fn replace_mark(
    transaction: &LibraryTransaction,
    import_id: ImportId,
    made: &mut [MadeObject],
    (id, [old, new]): (HighlightId, [i64; 2]),
) -> Result<()> {
    let object = ObjectId::from(id.as_uuid());
    for (_, _, mark) in made.iter_mut().filter(|(made, _, mark)| *made == object && *mark == old) {
        *mark = new;
    }
    library_import_made::Entity::update_many()
        .set(library_import_made::ActiveModel { mark: Set(new), ..Default::default() })
        .filter(library_import_made::Column::ImportId.eq(import_id))
        .filter(library_import_made::Column::AccountId.eq(transaction.account_id))
        .filter(library_import_made::Column::ObjectId.eq(object))
        .filter(library_import_made::Column::Mark.eq(old))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Existing highlights with their tags.
struct ExistingHighlights {
    rows: HashMap<HighlightId, (library_highlight::Model, Vec<Tag>)>,
    ids: HashMap<String, HighlightId>,
}

impl ExistingHighlights {
    async fn of(transaction: &LibraryTransaction, repeated: &[RowAnnotation]) -> Result<Self> {
        let names = repeated.iter().filter_map(|(.., annotation)| annotation.external_id.clone());
        let derived =
            repeated.iter().map(|(.., one)| HighlightId::from(one.source_key.id_in(transaction.account_id)));
        let own = repeated.iter().filter_map(|(.., one)| one.source_key.own).map(HighlightId::from);
        let is_known = Condition::any()
            .add(library_highlight::Column::ExternalId.is_in(names))
            .add(library_highlight::Column::Id.is_in(derived.chain(own)));
        let existing = library_highlight::Entity::owned_by(transaction.account_id)
            .filter(is_known)
            .all(transaction.db())
            .await?;
        let objects: Vec<ObjectId> = existing.iter().map(|row| ObjectId::from(row.id.as_uuid())).collect();
        let mut tags = tags::of_objects(transaction.db(), transaction.account_id, &objects).await?;
        let (mut rows, mut ids) = (HashMap::new(), HashMap::new());
        for row in existing {
            let names = tags.remove(&ObjectId::from(row.id.as_uuid())).unwrap_or_default();
            ids.extend(row.external_id.clone().map(|name| (name, row.id)));
            rows.insert(row.id, (row, names.iter().filter_map(|name| Tag::of(name)).collect()));
        }
        Ok(Self { rows, ids })
    }

    fn id_of(
        &self,
        transaction: &LibraryTransaction,
        annotation: &ImportedAnnotation,
    ) -> Option<HighlightId> {
        let named = annotation.external_id.as_ref().and_then(|name| self.ids.get(name).copied());
        let own = annotation.source_key.own.map(HighlightId::from).filter(|id| self.rows.contains_key(id));
        let derived = || HighlightId::from(annotation.source_key.id_in(transaction.account_id));
        named.or(own).or_else(|| Some(derived()))
    }
}
