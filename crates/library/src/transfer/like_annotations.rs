//! Notes and highlights of an exported library that exist under other ids, because one of the two libraries was imported
//! into the other, or because both contain the same third library.

use std::collections::HashMap;

use entities::ids::{ImportId, ItemId};
use entities::library_words::ObjectKind;
use sea_orm::{ConnectionTrait, Value};
use uuid::Uuid;

use super::highlight_merge::RowAnnotation;
use super::import_record::AnnotationContent;
use crate::LibraryTransaction;
use kernel::Result;
use kernel::statement::{placeholders, statement};

const ROWS_PER_QUERY: usize = 500;

/// Values that an annotation retains in every library: its kind, item, creation time, and text or quote.
type Likeness = (ObjectKind, Option<ItemId>, i64, String);

/// Replaces the ids of annotations from an exported library by the ids under which this library already has them.
pub(super) async fn adopt_existing_ids(
    transaction: &LibraryTransaction,
    import_id: ImportId,
    annotations: &mut [RowAnnotation],
) -> Result<()> {
    for chunk in annotations.chunks_mut(ROWS_PER_QUERY) {
        let likenesses: Vec<Likeness> = chunk.iter().filter_map(likeness_of).collect();
        if likenesses.is_empty() {
            continue;
        }
        let existing = existing_like(transaction, import_id, &likenesses).await?;
        for row in chunk {
            let Some(ids) = likeness_of(row).and_then(|likeness| existing.get(&likeness)) else { continue };
            let source_key = &mut row.2.source_key;
            let derived = source_key.id_in(transaction.account_id);
            let is_known = |id: &Uuid| *id == derived || Some(*id) == source_key.own;
            if !ids.iter().any(is_known) {
                source_key.own = ids.first().copied();
            }
        }
    }
    Ok(())
}

/// Returns the values by which the annotation is recognised. `None` if it is not from an exported library.
fn likeness_of((_, item_id, annotation): &RowAnnotation) -> Option<Likeness> {
    let created_at = annotation.source_key.own.and(annotation.created_at)?;
    Some(match &annotation.content {
        AnnotationContent::Note { text, .. } => (ObjectKind::Note, *item_id, created_at, text.clone()),
        AnnotationContent::Highlight(marked) => {
            (ObjectKind::Highlight, *item_id, created_at, marked.quote.clone())
        }
    })
}

/// Loads the ids of the existing annotations with these values. Those that the same import created are omitted, because
/// a file may contain two annotations with equal values.
async fn existing_like(
    transaction: &LibraryTransaction,
    import_id: ImportId,
    likenesses: &[Likeness],
) -> Result<HashMap<Likeness, Vec<Uuid>>> {
    let (db, mut existing) = (transaction.db(), HashMap::<Likeness, Vec<Uuid>>::new());
    for (kind, table, words) in
        [(ObjectKind::Note, "library_note", "text"), (ObjectKind::Highlight, "library_highlight", "quote")]
    {
        let of_kind: Vec<&Likeness> = likenesses.iter().filter(|likeness| likeness.0 == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let sql = format!(
            "SELECT id, item_id, created_at, {words} FROM {table} WHERE account_id = $1 \
             AND created_at IN ({}) AND {words} IN ({}) AND NOT EXISTS (SELECT 1 FROM library_import_made m \
             WHERE m.import_id = $2 AND m.object_id = {table}.id) ORDER BY id",
            placeholders(3, of_kind.len()),
            placeholders(3 + of_kind.len(), of_kind.len())
        );
        let mut values: Vec<Value> = vec![transaction.account_id.into(), import_id.into()];
        values.extend(of_kind.iter().map(|(_, _, created_at, _)| Value::from(*created_at)));
        values.extend(of_kind.iter().map(|(.., text)| Value::from(text.as_str())));
        for row in db.query_all_raw(statement(db, &sql, values)).await? {
            let (item_id, created_at) = (row.try_get_by_index(1)?, row.try_get_by_index(2)?);
            let likeness: Likeness = (kind, item_id, created_at, row.try_get_by_index(3)?);
            existing.entry(likeness).or_default().push(row.try_get_by_index(0)?);
        }
    }
    Ok(existing)
}
