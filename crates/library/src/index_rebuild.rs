//! Rebuilds the search index of libraries whose index rows an earlier version wrote. A migration sets
//! `reindex_at` of these libraries. A job rewrites the rows of one library from its objects. Each step is a
//! transaction that also stores the position, from which the job continues after a crash. Until a row is
//! rewritten, searches use the previous row.

use std::collections::{HashMap, HashSet};

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_change;
use entities::library_words::ObjectKind;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};

use super::due_accounts::DueWork;
use super::index_page::{indexed_objects, next_objects};
use super::search::index;
use super::text;
use super::transaction::{LibraryTransaction, committed_state};
use jobs::{Claimed, JobKind};
use kernel::clock::HOUR;
use kernel::statement::execute;
use kernel::{Code, Domain, Error, Result};

const DUE: DueWork = DueWork { column: "reindex_at", kind: JobKind::LibraryIndex, lease: 6 * HOUR };

type IndexedId = (ObjectId, ObjectKind);

/// Submits jobs for the libraries whose rebuild is due.
#[boxed]
pub(crate) async fn claim_due(domain: &Domain) -> Result<Vec<jobs::Submitted>> {
    DUE.claim(domain).await
}

/// Runs the claimed job that rebuilds the index of a library.
#[boxed]
pub(crate) async fn rebuild(domain: &Domain, claimed: &Claimed) -> Result<()> {
    let account_id: AccountId =
        claimed.key.parse().map_err(|_| Error::internal("the job key is not an account id"))?;
    let connection = domain.db().read();
    let Some(state) = committed_state(connection, account_id).await? else {
        return jobs::complete(domain, claimed).await;
    };
    let rebuild = Rebuild { domain, claimed, account_id, number: state.number };
    if state.reindexed_to.is_none() {
        rebuild.forget_dictionary().await?;
    }
    let mut after = state.reindexed_to;
    loop {
        let objects = next_objects(connection, account_id, after).await?;
        let Some((last, _)) = objects.last().copied() else { return rebuild.complete().await };
        let parts = parts(connection, account_id, &objects).await?;
        for (index, part) in parts.iter().enumerate() {
            let position = (index + 1 == parts.len()).then_some(last);
            if !rebuild.step(part, position).await? {
                return jobs::complete(domain, claimed).await;
            }
        }
        after = Some(last);
    }
}

/// Splits objects into parts, so that the texts of one part fit into memory.
async fn parts(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    objects: &[IndexedId],
) -> Result<Vec<Vec<IndexedId>>> {
    let (items, others): (Vec<IndexedId>, Vec<IndexedId>) =
        objects.iter().copied().partition(|(_, kind)| *kind == ObjectKind::Item);
    let items: Vec<ItemId> = items.iter().map(|(id, _)| ItemId::from(id.as_uuid())).collect();
    let mut parts = vec![others];
    for ids in text::parts(connection, account_id, &items).await? {
        let of_item = |id: &ItemId| (ObjectId::from(id.as_uuid()), ObjectKind::Item);
        parts.push(ids.iter().map(of_item).collect());
    }
    parts.retain(|part| !part.is_empty());
    Ok(parts)
}

/// Returns the sequence number of the last change to each object.
async fn sequences(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    objects: &[IndexedId],
) -> Result<HashMap<ObjectId, i64>> {
    use library_change::Column;
    let query = library_change::Entity::owned_by(account_id)
        .select_only()
        .columns([Column::ObjectId, Column::Sequence])
        .filter(Column::ObjectId.is_in(objects.iter().map(|(id, _)| *id)));
    let rows: Vec<(ObjectId, i64)> = query.into_tuple().all(connection).await?;
    Ok(rows.into_iter().collect())
}

struct Rebuild<'a> {
    domain: &'a Domain,
    claimed: &'a Claimed,
    account_id: AccountId,
    number: i64,
}

impl Rebuild<'_> {
    /// Starts a write transaction and locks the claim of the job. `None` if the account was deleted.
    async fn begin(&self) -> Result<Option<LibraryTransaction>> {
        let transaction = match LibraryTransaction::begin(self.domain, self.account_id).await {
            Ok(transaction) => transaction,
            Err(error) if error.code == Code::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        jobs::lock_claim_in(transaction.db(), self.claimed).await?;
        Ok(Some(transaction))
    }

    /// Deletes the words for spelling corrections, because earlier versions folded fewer letters. The rebuild
    /// adds the words of all objects.
    async fn forget_dictionary(&self) -> Result<()> {
        let Some(transaction) = self.begin().await? else { return Ok(()) };
        let sql = "DELETE FROM library_word WHERE account_id = $1";
        execute(transaction.db(), sql, [self.account_id.into()]).await?;
        transaction.commit().await
    }

    /// Rewrites the rows of some objects, and stores the position. The rows are computed before the
    /// transaction, so that other accounts do not wait for the computation. If an object changes in the
    /// meantime, its rows are recomputed. Returns false if the account was deleted.
    async fn step(&self, objects: &[IndexedId], position: Option<ObjectId>) -> Result<bool> {
        let connection = self.domain.db().read();
        let before = sequences(connection, self.account_id, objects).await?;
        let to_index = indexed_objects(connection, self.account_id, objects).await?;
        let mut indexed = index::compute(self.number, to_index).await?;
        let Some(transaction) = self.begin().await? else { return Ok(false) };
        let now = sequences(transaction.db(), self.account_id, objects).await?;
        let is_changed = |(id, _): &&IndexedId| before.get(id) != now.get(id);
        let changed: Vec<IndexedId> = objects.iter().filter(is_changed).copied().collect();
        if !changed.is_empty() {
            let ids: HashSet<ObjectId> = changed.iter().map(|(id, _)| *id).collect();
            indexed.rows.retain(|row| !ids.contains(&row.object_id));
            index::write(&transaction, indexed_objects(transaction.db(), self.account_id, &changed).await?)
                .await?;
        }
        index::store(&transaction, indexed).await?;
        if let Some(position) = position {
            let sql = "UPDATE library_account SET reindexed_to = $1 WHERE number = $2";
            execute(transaction.db(), sql, [position.into(), self.number.into()]).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    async fn complete(&self) -> Result<()> {
        let Some(transaction) = self.begin().await? else {
            return jobs::complete(self.domain, self.claimed).await;
        };
        let sql = "UPDATE library_account SET reindex_at = NULL, reindexed_to = NULL WHERE number = $1";
        execute(transaction.db(), sql, [self.number.into()]).await?;
        jobs::complete_in(transaction.db(), self.domain, self.claimed).await?;
        transaction.commit().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NewNote, create_note, list_objects};
    use kernel::statement::scalar;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;
    use kernel::{Backend, NoteId};

    on_both! {
        rows_of_an_earlier_version_match_and_are_rebuilt,
        rebuild_continues_after_its_position,
    }

    async fn note(domain: &Domain, account_id: AccountId, text: &str) -> NoteId {
        let new = NewNote { text: text.into(), ..NewNote::default() };
        create_note(domain, account_id, new).await.unwrap().0.row.id
    }

    async fn run(domain: &Domain, sql: &str, values: impl IntoIterator<Item = sea_orm::Value>) {
        execute(domain.db().write(), sql, values).await.unwrap();
    }

    /// Replaces the words of all index rows of a library, as if an earlier version had written them.
    async fn downgrade(domain: &Domain, account_id: AccountId, words: &[&str]) {
        let state = committed_state(domain.db().read(), account_id).await.unwrap().unwrap();
        let words: Vec<String> = words.iter().map(|word| format!("{}:{word}", state.number)).collect();
        let forget = "UPDATE library_search SET word_order = NULL WHERE account_id = $1";
        run(domain, forget, [account_id.into()]).await;
        match domain.db().backend() {
            Backend::Postgres => {
                let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
                let sql = "UPDATE library_search SET words = CAST($2 AS tsvector) WHERE account_id = $1";
                run(domain, sql, [account_id.into(), words.join(" ").into()]).await;
            }
            Backend::Sqlite => {
                let sql = "INSERT OR REPLACE INTO library_found (rowid, words) \
                           SELECT id, $2 FROM library_search WHERE account_id = $1";
                run(domain, sql, [account_id.into(), words.join(" ").into()]).await;
            }
        }
        let due = "UPDATE library_account SET reindex_at = 0 WHERE account_id = $1";
        run(domain, due, [account_id.into()]).await;
    }

    async fn totals<const N: usize>(domain: &Domain, account_id: AccountId, queries: [&str; N]) -> [u32; N] {
        let mut totals = [0; N];
        for (query, total) in queries.into_iter().zip(&mut totals) {
            let page =
                list_objects(domain, account_id, ObjectKind::ALL, Some(query), None, 50).await.unwrap();
            *total = page.total;
        }
        totals
    }

    async fn stale_rows(domain: &Domain) -> i64 {
        let sql = "SELECT COUNT(*) FROM library_search WHERE word_order IS NULL";
        scalar(domain.db().read(), sql, []).await.unwrap()
    }

    async fn rows_of_an_earlier_version_match_and_are_rebuilt(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        note(domain, other, "Łódź").await;
        assert!(claim_due(domain).await.unwrap().is_empty(), "a new library is current");
        for _ in 0..20 {
            note(domain, who, "Łódź 도서관에서").await;
        }
        downgrade(domain, who, &["łodz", "도서관에서"]).await;
        let stale_word = "INSERT INTO library_word (account_id, word) VALUES ($1, 'łodz')";
        run(domain, stale_word, [who.into()]).await;
        let queries = [
            "Łódź", "도서관에서", "\"Łódź 도서관에서\"", "Łódź -\"도서관에서\"", "-\"Łódź 도서관에서\"",
            "lodz", "도서관",
        ];
        assert_eq!(totals(domain, who, queries).await, [20, 20, 20, 0, 0, 0, 0]);

        let submitted = claim_due(domain).await.unwrap();
        assert_eq!((submitted.len(), claim_due(domain).await.unwrap().len()), (1, 0));
        let lost = jobs::claim(domain, submitted[0].id, "one", -1).await.unwrap().unwrap();
        jobs::expire_leases(domain).await.unwrap();
        let claimed = jobs::claim(domain, submitted[0].id, "two", 60_000).await.unwrap().unwrap();
        assert!(jobs::is_lease_lost(&rebuild(domain, &lost).await.unwrap_err()));
        assert_eq!(stale_rows(domain).await, 20);
        rebuild(domain, &claimed).await.unwrap();
        assert!(jobs::get(domain, claimed.id).await.unwrap().is_none());

        assert_eq!(totals(domain, who, queries).await, [20, 20, 20, 0, 0, 20, 20]);
        let state = committed_state(domain.db().read(), who).await.unwrap().unwrap();
        assert_eq!((state.reindex_at, state.reindexed_to, stale_rows(domain).await), (None, None, 0));
        let sql = "SELECT COUNT(*) FROM library_word WHERE word = $1";
        for (word, count) in [("łodz", 0), ("lodz", 2)] {
            assert_eq!(scalar(domain.db().read(), sql, [word.into()]).await.unwrap(), count, "{word}");
        }
    }

    async fn rebuild_continues_after_its_position(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let mut ids = Vec::new();
        for _ in 0..20 {
            ids.push(note(domain, who, "Quiet desks").await);
        }
        ids.sort_unstable();
        downgrade(domain, who, &["quiet", "desks"]).await;
        let position = "UPDATE library_account SET reindexed_to = $2 WHERE account_id = $1";
        run(domain, position, [who.into(), ids[6].into()]).await;
        let submitted = claim_due(domain).await.unwrap();
        let claimed = jobs::claim(domain, submitted[0].id, "one", 60_000).await.unwrap().unwrap();
        rebuild(domain, &claimed).await.unwrap();
        assert_eq!(stale_rows(domain).await, 7);
        assert_eq!(totals(domain, who, ["\"quiet desks\"", "\"desks quiet\""]).await, [20, 0]);
    }
}
