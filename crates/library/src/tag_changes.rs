//! Changes a tag in a whole library: immediately if few objects have it, otherwise step by step in a job.
//! Each step is a separate transaction and searches for the remaining objects, so a killed run can be
//! repeated.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_words::ObjectKind;
use entities::{library_tag, library_tagged};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};
use serde::{Deserialize, Serialize};

use super::model_choices::InstalledModelChoices;
use super::tags::Tag;
use super::transaction::LibraryTransaction;
use super::{
    change, item, item_rules, public_tags, rule_queue, shared_tags, tag_marks, text, themed_reviews,
};
use identity::account_rows::AccountOwners;
use jobs::{Claimed, JobKind, NewJob, Submitted};
use kernel::statement::{execute, placeholders, statement};
use kernel::{Code, Domain, Error, Result};

/// Maximum number of objects that are changed while the caller waits. If more objects have the tag, or their texts are
/// larger than one part ([`text::PART_BYTES`]), a job changes them.
const INLINE_OBJECTS: u64 = 1_000;
/// Maximum number of objects per step.
const STEP: u64 = 100;
/// Delay after which a refused change can be retried, in seconds.
const RETRY_SECONDS: u32 = 5;

/// Result of changing a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TagChanged {
    /// The change is complete. Contains the number of objects that had the tag.
    Done(u64),
    /// A job performs the change. Contains the number of objects that have the tag, and the job, which the caller
    /// pushes.
    Begun(u64, Submitted),
}

/// Tag and its replacement. `None` removes the tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TagChange {
    from: Tag,
    to: Option<Tag>,
}

/// Replaces the tag `from` with the tag `to` on every object. If `to` exists, the two tags are merged.
///
/// # Errors
/// `invalid_request` if a tag is blank; `not_ready` while a job changes another tag of the account.
#[boxed]
pub async fn rename_tag(domain: &Domain, account_id: AccountId, from: &str, to: &str) -> Result<TagChanged> {
    let (from, to) = (parse_tag(from, "from")?, parse_tag(to, "to")?);
    begin(domain, account_id, TagChange { from, to: Some(to) }).await
}

/// Removes a tag from every object.
///
/// # Errors
/// The errors of [`rename_tag`].
#[boxed]
pub async fn delete_tag(domain: &Domain, account_id: AccountId, name: &str) -> Result<TagChanged> {
    begin(domain, account_id, TagChange { from: parse_tag(name, "name")?, to: None }).await
}

fn parse_tag(text: &str, field: &'static str) -> Result<Tag> {
    Tag::of(text).ok_or_else(|| {
        let message = "A tag must not be blank.";
        Error::new(Code::InvalidRequest, message).at(field, "must not be blank")
    })
}

async fn begin(domain: &Domain, account_id: AccountId, change: TagChange) -> Result<TagChanged> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let key = account_id.to_string();
    if jobs::live_submission(transaction.db(), JobKind::LibraryTag, &key).await?.is_some() {
        let message = "Another tag of this library is being changed. Retry later.";
        return Err(Error::new(Code::NotReady, message).retry_after(RETRY_SECONDS));
    }
    let count = library_tagged::Entity::owned_by(account_id)
        .filter(library_tagged::Column::TagKey.eq(&change.from.key))
        .count(transaction.db())
        .await?;
    let (from, to) = (&change.from, change.to.as_ref());
    public_tags::apply_tag_change(transaction.db(), account_id, from, to).await?;
    shared_tags::apply_tag_change(transaction.db(), account_id, from, to).await?;
    tag_marks::apply_tag_change(transaction.db(), account_id, from, to).await?;
    item_rules::apply_tag_change(transaction.db(), account_id, from, to).await?;
    rule_queue::apply_tag_change(transaction.db(), account_id, from, to).await?;
    themed_reviews::apply_tag_change(transaction.db(), account_id, from, to).await?;
    for owner in &AccountOwners::installed(domain).0 {
        owner.apply_tag_change(transaction.db(), account_id, from, to).await?;
    }
    change.begin_choices(domain, &transaction).await?;
    change.store_spelling(&transaction).await?;
    if count > INLINE_OBJECTS || tagged_text_bytes(&transaction, &change.from).await? > text::PART_BYTES {
        let job = NewJob::new(JobKind::LibraryTag, key).payload(&change)?;
        let submitted = jobs::submit(transaction.db(), domain, job).await?;
        transaction.commit().await?;
        return Ok(TagChanged::Begun(count, submitted));
    }
    let mut after = None;
    while let Some(last) = change.step(&mut transaction, after).await? {
        after = Some(last);
    }
    change.finish_choices(domain, &transaction).await?;
    transaction.commit().await?;
    Ok(TagChanged::Done(count))
}

/// Runs the claimed job that changes a tag.
#[boxed]
pub async fn change_tag(domain: &Domain, claimed: &Claimed) -> Result<()> {
    let change: TagChange = claimed.arguments()?;
    let account_id: AccountId =
        claimed.key.parse().map_err(|_| Error::internal("the job key is not an account id"))?;
    let mut after = None;
    loop {
        let mut transaction = match LibraryTransaction::begin(domain, account_id).await {
            Ok(transaction) => transaction,
            // The account was deleted, and its tags with it.
            Err(error) if error.code == Code::NotFound => return jobs::complete(domain, claimed).await,
            Err(error) => return Err(error),
        };
        jobs::lock_claim_in(transaction.db(), claimed).await?;
        let Some(last) = change.step(&mut transaction, after).await? else {
            change.finish_choices(domain, &transaction).await?;
            jobs::complete_in(transaction.db(), domain, claimed).await?;
            return transaction.commit().await;
        };
        transaction.commit().await?;
        after = Some(last);
    }
}

impl TagChange {
    fn is_respelling(&self) -> bool {
        self.to.as_ref().is_some_and(|to| to.key == self.from.key)
    }

    /// If the old tag is excluded from the language model, also excludes the new tag. A deleted tag remains excluded.
    async fn begin_choices(&self, domain: &Domain, transaction: &LibraryTransaction) -> Result<()> {
        let renamed = self.to.as_ref().zip(domain.installed::<InstalledModelChoices>());
        let Some((to, choices)) = renamed else { return Ok(()) };
        choices.0.begin_rename(transaction.db(), transaction.account_id, &self.from, to).await
    }

    async fn finish_choices(&self, domain: &Domain, transaction: &LibraryTransaction) -> Result<()> {
        let renamed = self.to.as_ref().zip(domain.installed::<InstalledModelChoices>());
        let Some((to, choices)) = renamed else { return Ok(()) };
        choices.0.finish_rename(transaction.db(), transaction.account_id, &self.from, to).await
    }

    /// Stores the spelling of the new tag. An existing spelling is replaced only if the change is a
    /// respelling of the same tag.
    async fn store_spelling(&self, transaction: &LibraryTransaction) -> Result<()> {
        let Some(to) = &self.to else { return Ok(()) };
        let otherwise = if self.is_respelling() { "UPDATE SET name = excluded.name" } else { "NOTHING" };
        let sql = format!(
            "INSERT INTO library_tag (account_id, tag_key, name) VALUES ($1, $2, $3) \
             ON CONFLICT (account_id, tag_key) DO {otherwise}"
        );
        let values: [Value; 3] =
            [transaction.account_id.into(), to.key.as_str().into(), to.name.as_str().into()];
        execute(transaction.db(), &sql, values).await?;
        Ok(())
    }

    /// Changes the next objects. Returns the last changed object, or `None` if no object is left.
    async fn step(
        &self,
        transaction: &mut LibraryTransaction,
        after: Option<ObjectId>,
    ) -> Result<Option<ObjectId>> {
        let mut query = library_tagged::Entity::owned_by(transaction.account_id)
            .filter(library_tagged::Column::TagKey.eq(&self.from.key));
        // If only the spelling changes, objects still have the tag after their change, so the step must skip
        // them. Otherwise, changed objects no longer have the old tag.
        if let Some(after) = after.filter(|_| self.is_respelling()) {
            query = query.filter(library_tagged::Column::ObjectId.gt(after));
        }
        let rows =
            query.order_by_asc(library_tagged::Column::ObjectId).limit(STEP).all(transaction.db()).await?;
        let tagged = rows.into_iter().map(|row| (row.object_id, row.kind)).collect();
        let touched = first_part(transaction, tagged).await?;
        let Some((last, _)) = touched.last().copied() else {
            self.delete_old_tag(transaction).await?;
            return Ok(None);
        };
        if !self.is_respelling() {
            self.replace(transaction, &touched).await?;
        }
        record_changes(transaction, &touched).await?;
        Ok(Some(last))
    }

    async fn replace(
        &self,
        transaction: &LibraryTransaction,
        touched: &[(ObjectId, ObjectKind)],
    ) -> Result<()> {
        let (to, condition) = match &self.to {
            Some(to) => {
                // Objects with both tags keep one of them.
                let both = "EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = $1 AND g.tag_key = $3 \
                            AND g.object_id = library_tagged.object_id)";
                (to.key.as_str(), both)
            }
            None => ("", "$3 = ''"),
        };
        let params = placeholders(4, touched.len());
        let ids = touched.iter().map(|(id, _)| Value::from(*id));
        let values = [transaction.account_id.into(), self.from.key.as_str().into(), to.into()];
        let values: Vec<Value> = values.into_iter().chain(ids).collect();
        let touched_rows = format!("account_id = $1 AND tag_key = $2 AND object_id IN ({params})");
        let sql = format!("DELETE FROM library_tagged WHERE {touched_rows} AND {condition}");
        execute(transaction.db(), &sql, values.clone()).await?;
        if self.to.is_some() {
            execute(
                transaction.db(),
                &format!("UPDATE library_tagged SET tag_key = $3 WHERE {touched_rows}"),
                values,
            )
            .await?;
        }
        Ok(())
    }

    /// Deletes the row of the old tag, which contains its spelling.
    async fn delete_old_tag(&self, transaction: &LibraryTransaction) -> Result<()> {
        if self.is_respelling() {
            return Ok(());
        }
        library_tag::Entity::delete_many()
            .filter(library_tag::Column::AccountId.eq(transaction.account_id))
            .filter(library_tag::Column::TagKey.eq(&self.from.key))
            .exec(transaction.db())
            .await?;
        Ok(())
    }
}

/// Total size of the texts of the items with a tag, in bytes. Their words are counted again when the tag changes.
async fn tagged_text_bytes(transaction: &LibraryTransaction, tag: &Tag) -> Result<i64> {
    let sql = "SELECT CAST(COALESCE(SUM(t.text_bytes), 0) AS bigint) FROM library_tagged g \
               JOIN library_text t ON t.account_id = g.account_id AND t.item_id = g.object_id \
               WHERE g.account_id = $1 AND g.tag_key = $2";
    let values: [Value; 2] = [transaction.account_id.into(), tag.key.as_str().into()];
    let row = transaction.db().query_one_raw(statement(transaction.db(), sql, values)).await?;
    Ok(row.map(|row| row.try_get_by_index(0)).transpose()?.unwrap_or(0))
}

/// Returns the first objects, whose texts fit into one part.
async fn first_part(
    transaction: &LibraryTransaction,
    objects: Vec<(ObjectId, ObjectKind)>,
) -> Result<Vec<(ObjectId, ObjectKind)>> {
    let items = objects.iter().filter(|(_, kind)| *kind == ObjectKind::Item);
    let items: Vec<ItemId> = items.map(|(id, _)| id.as_uuid().into()).collect();
    let parts = text::parts(transaction.db(), transaction.account_id, &items).await?;
    let Some(next) = parts.get(1).and_then(|part| part.first()) else { return Ok(objects) };
    Ok(objects.into_iter().take_while(|(id, _)| id.as_uuid() != next.as_uuid()).collect())
}

/// Records the changes of objects in the log and rewrites their index rows.
async fn record_changes(
    transaction: &mut LibraryTransaction,
    touched: &[(ObjectId, ObjectKind)],
) -> Result<()> {
    for (id, kind) in touched {
        let stamp = transaction.stamp(*kind, *id);
        let table = match kind {
            ObjectKind::Item => "library_item",
            ObjectKind::Note => "library_note",
            ObjectKind::Highlight => "library_highlight",
        };
        let sql =
            format!("UPDATE {table} SET sequence = $3, updated_at = $4 WHERE id = $2 AND account_id = $1");
        let values: [Value; 4] =
            [transaction.account_id.into(), (*id).into(), stamp.sequence.into(), stamp.updated_at.into()];
        execute(transaction.db(), &sql, values).await?;
    }
    let of = |target: ObjectKind| {
        touched.iter().filter(move |(_, kind)| *kind == target).map(|(id, _)| id.as_uuid())
    };
    let items: Vec<ItemId> = of(ObjectKind::Item).map(ItemId::from).collect();
    let changed_items = item::find_all(transaction.db(), transaction.account_id, &items).await?;
    change::reindex(transaction, &changed_items).await?;
    super::notes::reindex(transaction, &of(ObjectKind::Note).map(Into::into).collect::<Vec<_>>()).await?;
    super::highlights::reindex(transaction, &of(ObjectKind::Highlight).map(Into::into).collect::<Vec<_>>())
        .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewNote;
    use crate::sync::{self, LibraryObject, TextInclusion};
    use kernel::db::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;

    on_both! {
        tag_of_many_objects_is_renamed_even_if_the_job_is_killed,
    }

    async fn note(domain: &Domain, account_id: AccountId, tags: &[&str]) {
        let tags = tags.iter().map(|&tag| tag.to_owned()).collect();
        let new = NewNote { text: "Words.".into(), tags, ..NewNote::default() };
        crate::create_note(domain, account_id, new).await.unwrap();
    }

    async fn tag_of_many_objects_is_renamed_even_if_the_job_is_killed(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let (who, other) = (person(domain, Tier::Pro).await, person(domain, Tier::Pro).await);
        for index in 0..=INLINE_OBJECTS {
            note(domain, who, if index < 5 { &["Desks", "Desk"] } else { &["Desk", "Quiet"] }).await;
        }
        note(domain, other, &["Desk"]).await;
        note(domain, who, &["Quiet"]).await;
        let kinds = [ObjectKind::Note];
        let before =
            sync::changes(domain, who, &kinds, None, 5_000, TextInclusion::Omitted).await.unwrap().mark;
        let TagChanged::Begun(1_001, job) = rename_tag(domain, who, "desk", "DESKS").await.unwrap() else {
            panic!("renaming 1001 tags needs a job")
        };
        for busy in [rename_tag(domain, who, "a", "b").await, delete_tag(domain, who, "desks").await] {
            assert_eq!(busy.unwrap_err().code, Code::NotReady);
        }
        let lost = jobs::claim(domain, job.id, "one", -1).await.unwrap().unwrap();
        let change: TagChange = lost.arguments().unwrap();
        let mut transaction = LibraryTransaction::begin(domain, who).await.unwrap();
        change.step(&mut transaction, None).await.unwrap().unwrap();
        transaction.commit().await.unwrap();
        // The worker is killed in the second step. Another worker claims the job.
        let mut transaction = LibraryTransaction::begin(domain, who).await.unwrap();
        change.step(&mut transaction, None).await.unwrap().unwrap();
        drop(transaction);
        jobs::expire_leases(domain).await.unwrap();
        let claimed = jobs::claim(domain, job.id, "two", 60_000).await.unwrap().unwrap();
        assert!(jobs::is_lease_lost(&change_tag(domain, &lost).await.unwrap_err()));
        change_tag(domain, &claimed).await.unwrap();
        assert!(jobs::get(domain, job.id).await.unwrap().is_none());

        let page =
            sync::changes(domain, who, &kinds, Some(before), 5_000, TextInclusion::Omitted).await.unwrap();
        assert_eq!(page.changes.len(), 1_001);
        for (index, changed) in page.changes.iter().enumerate() {
            let Some(LibraryObject::Note(note)) = &changed.object else { panic!("the change is a note") };
            let tags: &[&str] = if note.tags.len() == 1 { &["Desks"] } else { &["Desks", "Quiet"] };
            assert_eq!(note.tags, tags, "{index}");
        }
        let rest = library_tagged::Entity::owned_by(who).filter(library_tagged::Column::TagKey.eq("desk"));
        assert_eq!(rest.count(domain.db().read()).await.unwrap(), 0);
        assert_eq!(rename_tag(domain, other, "desk", "Desk!").await.unwrap(), TagChanged::Done(1));
        assert_eq!(delete_tag(domain, other, "desk!").await.unwrap(), TagChanged::Done(1));
        // A tag with a new spelling is the same tag.
        let TagChanged::Begun(1_001, job) = rename_tag(domain, who, "desks", "DeskS").await.unwrap() else {
            panic!("renaming the tags needs a job")
        };
        let claimed = jobs::claim(domain, job.id, "three", 60_000).await.unwrap().unwrap();
        change_tag(domain, &claimed).await.unwrap();
        let page =
            sync::changes(domain, who, &kinds, Some(page.mark), 5_000, TextInclusion::Omitted).await.unwrap();
        let spelled = |changed: &sync::ChangedObject| match &changed.object {
            Some(LibraryObject::Note(note)) => note.tags.contains(&"DeskS".to_owned()),
            _ => false,
        };
        assert_eq!((page.changes.len(), page.changes.iter().all(spelled)), (1_001, true));
    }
}
