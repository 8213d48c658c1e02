//! Vectors of an account's newest unread and starred entries, up to a maximum number. An entry is one row for all
//! accounts that see it, so its vector is computed only once: it is copied from another account with the same entry.
//! Only the owner sees the entries of a newsletter, of a monitor, or of a feed with a login, so their vectors are never
//! copied.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};

use entities::entry_embedding::{ActiveModel, Column, Entity, Model};
use entities::feed_entry;
use entities::ids::{AccountId, EntryId};
use feeds::{Order, StreamQuery, StreamScope};
use fetch::model_server::ModelServer;
use kernel::clock::MINUTE;
use kernel::statement::{execute, placeholders, scalar};
use kernel::{Domain, Error, Millis, Result};
use sea_orm::sea_query::{Expr, LockType};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, Value,
};

use crate::embedding::Embedding;
use crate::source_text::text_of_entry;
use crate::vector_index::{self, VectorTable};
use crate::{budget, consent, exchange};

/// Maximum number of unread entries that are indexed, the newest first.
pub const MAX_INDEXED_UNREAD: u32 = 1_000;
/// Maximum number of starred entries that are indexed, the newest first.
pub const MAX_INDEXED_STARRED: u32 = 500;
const MAX_TITLE_CHARS: usize = 300;
/// Maximum number of entries per request to the embedding model.
const ENTRIES_PER_REQUEST: usize = 16;
/// Maximum number of requests to the embedding model per search.
const MAX_REQUESTS: usize = 100;
/// Time after which a search stops sending texts to the embedding model, so that it does not delay other accounts.
const MAX_DURATION: Millis = 10 * MINUTE;
/// Number of refused texts after which a search stops sending texts to the embedding model.
const MAX_REFUSED: usize = 10;
/// Maximum number of ids per statement.
const IDS_PER_STATEMENT: usize = 500;
/// Maximum number of vectors that one statement copies, which is at most 1.6 MB.
const COPIES_PER_STATEMENT: usize = 100;
/// Condition that an entry has a title that is not its URL, or a summary.
const HAS_TEXT: &str = "(summary IS NOT NULL OR (title IS NOT NULL AND title <> COALESCE(url, '')))";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IndexedEntry {
    id: EntryId,
    /// Hash of the visible fields.
    fingerprint: i64,
}

/// Vectors of the entries of an account by one model.
pub(crate) struct EntryIndex {
    account_id: AccountId,
    /// Name of the embedding model.
    model: String,
    /// Size of the stored vectors that can be compared with the query.
    vector_bytes: i64,
    /// Newest first.
    entries: Vec<IndexedEntry>,
    /// True if the account has more unread or starred entries.
    pub(crate) is_cut: bool,
    /// Number of entries with neither title nor summary, which cannot be compared.
    pub(crate) without_text: usize,
}

/// State of an index after it was filled.
#[derive(Debug, Default)]
pub(crate) struct FilledIndex {
    /// Number of entries that have no vector yet.
    pub(crate) unindexed: usize,
    /// Error of the last request that failed.
    pub(crate) error: Option<Error>,
}

impl EntryIndex {
    /// Loads the indexed entries. Deletes the vectors of all other entries, and vectors that cannot be compared with the
    /// query.
    pub(crate) async fn load(
        domain: &Domain,
        account_id: AccountId,
        model: &str,
        query: &Embedding,
    ) -> Result<Self> {
        let unread = StreamQuery {
            scope: StreamScope::All,
            unread: Some(true),
            starred: None,
            since: None,
            through: None,
            order: Order::Newest,
        };
        let starred = StreamQuery { scope: StreamScope::Starred, unread: None, ..unread };
        let unread = feeds::stream(domain, account_id, &unread, None, MAX_INDEXED_UNREAD).await?;
        let starred = feeds::stream(domain, account_id, &starred, None, MAX_INDEXED_STARRED).await?;
        let is_cut = unread.next_after.is_some() || starred.next_after.is_some();
        let mut ids: Vec<EntryId> =
            unread.entries.iter().chain(&starred.entries).map(|entry| entry.id).collect();
        ids.sort_unstable_by_key(|id| Reverse(*id));
        ids.dedup();
        let entries = fingerprints(domain, &ids).await?;
        let without_text = ids.len() - entries.len();
        let model = model.to_owned();
        let vector_bytes = i64::try_from(query.to_bytes().len()).unwrap_or(i64::MAX);
        let index = Self { account_id, model, vector_bytes, entries, is_cut, without_text };
        index.delete_surplus(domain).await?;
        Ok(index)
    }

    /// Deletes the vectors of other entries, of other models, and of texts that were changed, and vectors with another
    /// number of components, which a model server may return after a change of its configuration.
    async fn delete_surplus(&self, domain: &Domain) -> Result<()> {
        let incomparable = "FROM entry_embedding WHERE account_id = $1 AND length(vector) <> $2";
        let values: [Value; 2] = [self.account_id.into(), self.vector_bytes.into()];
        let count = format!("SELECT COUNT(*) {incomparable}");
        if scalar(domain.db().write(), &count, values.clone()).await? > 0 {
            execute(domain.db().write(), &format!("DELETE {incomparable}"), values).await?;
        }
        let current: HashMap<EntryId, i64> =
            self.entries.iter().map(|entry| (entry.id, entry.fingerprint)).collect();
        let stored: Vec<(EntryId, String, i64)> = Entity::owned_by(self.account_id)
            .select_only()
            .columns([Column::EntryId, Column::Model, Column::Fingerprint])
            .into_tuple()
            .all(domain.db().write())
            .await?;
        let is_surplus = |(id, model, fingerprint): &(EntryId, String, i64)| {
            *model != self.model || current.get(id) != Some(fingerprint)
        };
        let surplus: Vec<EntryId> = stored.into_iter().filter(is_surplus).map(|(id, ..)| id).collect();
        for ids in surplus.chunks(IDS_PER_STATEMENT) {
            Entity::delete_many()
                .filter(Column::AccountId.eq(self.account_id))
                .filter(Column::EntryId.is_in(ids.to_vec()))
                .exec(domain.db().write())
                .await?;
        }
        Ok(())
    }

    /// Returns the entries without a vector, newest first.
    async fn missing(&self, domain: &Domain) -> Result<Vec<IndexedEntry>> {
        let stored: Vec<EntryId> = Entity::owned_by(self.account_id)
            .select_only()
            .column(Column::EntryId)
            .into_tuple()
            .all(domain.db().write())
            .await?;
        let stored: HashSet<EntryId> = stored.into_iter().collect();
        Ok(self.entries.iter().filter(|entry| !stored.contains(&entry.id)).copied().collect())
    }

    /// Copies vectors that were computed for other accounts with the same entries.
    async fn copy_known(&self, domain: &Domain, missing: &[IndexedEntry]) -> Result<()> {
        for entries in missing.chunks(COPIES_PER_STATEMENT) {
            let transaction = consent::begin_with_consent(domain, self.account_id).await?;
            let Some(transaction) = transaction else { return Ok(()) };
            let sql = copy_sql(transaction.get_database_backend(), entries.len());
            let mut values: Vec<Value> =
                vec![self.account_id.into(), self.model.clone().into(), self.vector_bytes.into()];
            values.extend(entries.iter().map(|entry| Value::from(entry.id)));
            execute(&transaction, &sql, values).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    async fn unindexed_entries(&self, domain: &Domain) -> Result<Vec<IndexedEntry>> {
        let missing = self.missing(domain).await?;
        if missing.is_empty() {
            return Ok(missing);
        }
        self.copy_known(domain, &missing).await?;
        self.missing(domain).await
    }

    /// Sends entries without a vector to the embedding model, until every entry has one, a bound is reached, or the model
    /// fails. If the model refuses a request, its texts are sent one by one, so that only refused texts have no
    /// vector.
    pub(crate) async fn fill(&self, domain: &Domain, server: Option<&ModelServer>) -> Result<FilledIndex> {
        let unindexed = self.unindexed_entries(domain).await?;
        let mut requests: VecDeque<&[IndexedEntry]> = unindexed.chunks(ENTRIES_PER_REQUEST).collect();
        let mut filled = FilledIndex { unindexed: unindexed.len(), error: None };
        let (started_at, mut sent, mut refused) = (domain.now(), 0, 0);
        while let Some(entries) = requests.pop_front() {
            let is_late = domain.now() - started_at > MAX_DURATION;
            if refused >= MAX_REFUSED || sent >= MAX_REQUESTS || is_late {
                break;
            }
            sent += 1;
            match self.index_entries(domain, server, entries).await {
                Ok(()) => filled.unindexed -= entries.len(),
                Err(error) => {
                    let is_refused = exchange::is_of_text(error.code);
                    filled.error = Some(error);
                    match entries.len() {
                        _ if !is_refused => break,
                        1 => refused += 1,
                        _ => {
                            for entry in entries.chunks(1).rev() {
                                requests.push_front(entry);
                            }
                        }
                    }
                }
            }
        }
        Ok(filled)
    }

    async fn index_entries(
        &self,
        domain: &Domain,
        server: Option<&ModelServer>,
        entries: &[IndexedEntry],
    ) -> Result<()> {
        let texts = self.texts_of(domain, entries).await?;
        let sent = entries.iter().copied().zip(texts).filter_map(|(entry, text)| Some((entry, text?)));
        let (entries, texts): (Vec<IndexedEntry>, Vec<String>) = sent.unzip();
        if texts.is_empty() {
            return Ok(());
        }
        consent::require_consent(domain, self.account_id).await?;
        budget::charge(domain, self.account_id).await?;
        let vectors = exchange::embed(domain, server, self.account_id, texts).await?;
        self.store(domain, &entries, &vectors).await
    }

    /// Stores the vectors of entries, in the order of the entries. Entries that were deleted in the meantime are
    /// skipped. Nothing is stored if the consent was withdrawn in the meantime.
    async fn store(&self, domain: &Domain, entries: &[IndexedEntry], vectors: &[Embedding]) -> Result<()> {
        let ids: Vec<EntryId> = entries.iter().map(|entry| entry.id).collect();
        let transaction = consent::begin_with_consent(domain, self.account_id).await?;
        let Some(transaction) = transaction else { return Ok(()) };
        let present = present(&transaction, &ids).await?;
        let rows = entries.iter().zip(vectors).filter(|(entry, _)| present.contains(&entry.id));
        let rows: Vec<ActiveModel> = rows.map(|(entry, vector)| self.row(*entry, vector)).collect();
        vector_index::replace::<Entity>(&transaction, self.account_id, ids, rows).await?;
        transaction.commit().await?;
        Ok(())
    }

    fn row(&self, entry: IndexedEntry, vector: &Embedding) -> ActiveModel {
        ActiveModel {
            account_id: Set(self.account_id),
            entry_id: Set(entry.id),
            model: Set(self.model.clone()),
            fingerprint: Set(entry.fingerprint),
            vector: Set(vector.to_bytes()),
        }
    }

    /// Returns the title and the beginning of the summary of each entry, in the order of the entries. `None` for an
    /// entry that the account no longer sees: other accounts would copy the vector of an empty text.
    async fn texts_of(&self, domain: &Domain, entries: &[IndexedEntry]) -> Result<Vec<Option<String>>> {
        let ids: Vec<EntryId> = entries.iter().map(|entry| entry.id).collect();
        let visible = feeds::visible_entries(domain, self.account_id, &ids).await?;
        let visible: HashMap<EntryId, feeds::Entry> =
            visible.into_iter().map(|entry| (entry.id, entry)).collect();
        let text = |indexed: &IndexedEntry| text_of_entry(visible.get(&indexed.id)?, MAX_TITLE_CHARS);
        Ok(entries.iter().map(text).collect())
    }
}

impl VectorTable for Entity {
    type TextId = EntryId;

    const ACCOUNT_ID: Column = Column::AccountId;
    const MODEL: Column = Column::Model;
    const TEXT_ID: Column = Column::EntryId;
    const ROWS_PER_QUERY: u64 = 200;

    fn vector_of(row: Model) -> (EntryId, Vec<u8>) {
        (row.entry_id, row.vector)
    }

    fn similarity(query: &Embedding, stored: &[u8]) -> Option<f32> {
        query.similarity(&Embedding::of_bytes(stored))
    }
}

/// Returns the entries that were not deleted. None of them can be deleted before the commit.
async fn present(transaction: &DatabaseTransaction, ids: &[EntryId]) -> Result<HashSet<EntryId>> {
    let entries = feed_entry::Entity::find()
        .select_only()
        .column(feed_entry::Column::Id)
        .filter(feed_entry::Column::Id.is_in(ids.to_vec()))
        .lock(LockType::KeyShare);
    let present: Vec<EntryId> = entries.into_tuple().all(transaction).await?;
    Ok(present.into_iter().collect())
}

/// Returns the statement that copies the vectors of `count` entries by model `$2`, with the size `$3`, to account `$1`.
/// It reads one vector of each entry, because thousands of accounts may have one.
fn copy_sql(backend: DbBackend, count: usize) -> String {
    let lock = match backend {
        DbBackend::Postgres => "FOR KEY SHARE OF e",
        _ => "",
    };
    format!(
        "INSERT INTO entry_embedding (account_id, entry_id, model, fingerprint, vector) \
         SELECT a.id, e.id, v.model, v.fingerprint, v.vector FROM account a JOIN feed_entry e ON e.id IN ({}) \
         JOIN entry_embedding v ON v.entry_id = e.id AND v.account_id = (SELECT w.account_id \
         FROM entry_embedding w WHERE w.entry_id = e.id AND w.model = $2 AND w.fingerprint = e.fingerprint \
         AND length(w.vector) = $3 AND w.account_id <> $1 LIMIT 1) WHERE a.id = $1 \
         AND NOT EXISTS (SELECT 1 FROM feed_login l WHERE l.feed_id = e.feed_id) {lock} \
         ON CONFLICT (account_id, entry_id) DO NOTHING",
        placeholders(4, count)
    )
}

/// Loads the fingerprints of entries with a title or a summary, in the order of the ids, which is newest first.
async fn fingerprints(domain: &Domain, ids: &[EntryId]) -> Result<Vec<IndexedEntry>> {
    let mut entries = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(IDS_PER_STATEMENT) {
        let rows: Vec<(EntryId, i64)> = feed_entry::Entity::find()
            .select_only()
            .columns([feed_entry::Column::Id, feed_entry::Column::Fingerprint])
            .filter(feed_entry::Column::Id.is_in(chunk.to_vec()))
            .filter(Expr::cust(HAS_TEXT))
            .order_by_desc(feed_entry::Column::Id)
            .into_tuple()
            .all(domain.db().read())
            .await?;
        entries.extend(rows.into_iter().map(|(id, fingerprint)| IndexedEntry { id, fingerprint }));
    }
    Ok(entries)
}
