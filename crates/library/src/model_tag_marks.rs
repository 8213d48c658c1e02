//! Marks of the tags that the language model attached. The mark of a tag that was removed from its item is retained, so
//! that the model does not attach the tag again.

use entities::ids::{AccountId, ObjectId};
use sea_orm::{DatabaseTransaction, Value};

use super::tags::Tag;
use super::transaction::LibraryTransaction;
use kernel::Result;
use kernel::statement::{execute, placeholders};

const ROWS_PER_STATEMENT: usize = 500;

/// Records that items lack tags which the model attached to them. Called after the tags of the items were replaced.
pub(crate) async fn note_removals(transaction: &LibraryTransaction, ids: &[ObjectId]) -> Result<()> {
    for chunk in ids.chunks(ROWS_PER_STATEMENT) {
        let sql = format!(
            "UPDATE library_model_tag SET is_attached = FALSE WHERE account_id = $1 AND is_attached \
             AND item_id IN ({}) AND NOT EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = $1 \
             AND g.object_id = library_model_tag.item_id AND g.tag_key = library_model_tag.tag_key)",
            placeholders(2, chunk.len())
        );
        let mut values: Vec<Value> = vec![transaction.account_id.into()];
        values.extend(chunk.iter().map(|id| Value::from(*id)));
        execute(transaction.db(), &sql, values).await?;
    }
    Ok(())
}

/// Adapts the marks of the tag `from` to a change of the tag in the whole library, before the change. An item that has
/// both tags keeps the mark of `to`, if there is one.
pub(crate) async fn apply_tag_change(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    from: &Tag,
    to: Option<&Tag>,
) -> Result<()> {
    let of: [Value; 2] = [account_id.into(), from.key.as_str().into()];
    let Some(to) = to else {
        let sql = "UPDATE library_model_tag SET is_attached = FALSE WHERE account_id = $1 AND tag_key = $2";
        execute(transaction, sql, of).await?;
        return Ok(());
    };
    if to.key == from.key {
        return Ok(());
    }
    let values: Vec<Value> = of.into_iter().chain([to.key.as_str().into()]).collect();
    let both = "DELETE FROM library_model_tag WHERE account_id = $1 AND tag_key = $2 AND (EXISTS \
                (SELECT 1 FROM library_model_tag m WHERE m.item_id = library_model_tag.item_id AND m.tag_key = $3) \
                OR EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = $1 \
                AND g.object_id = library_model_tag.item_id AND g.tag_key = $3))";
    execute(transaction, both, values.clone()).await?;
    let renamed = "UPDATE library_model_tag SET tag_key = $3 WHERE account_id = $1 AND tag_key = $2";
    execute(transaction, renamed, values).await?;
    Ok(())
}
