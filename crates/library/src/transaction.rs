//! Write transaction of a library, which is the only way to change the library. It holds the lock of the
//! account, assigns the same time and increasing sequence numbers to its changes, and updates the log and the
//! storage counter.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;
use std::sync::Arc;

use entities::ids::{AccountId, ObjectId};
use entities::library_account;
use entities::library_words::ObjectKind;
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, Value};

use tokio::sync::OwnedSemaphorePermit;

use crate::account_concurrency::exclude_transactions;
use crate::copy_choice::CopyChoice;
use crate::text_hook::{InstalledTextHook, TextedItem};
use identity::accounts;
use identity::limits::{AccountLimits, Limits, PastCharge};
use kernel::statement::execute;
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Millis, Result, Used, sequence};

/// Bytes that are counted towards the storage quota for every object, in addition to its content.
pub const OBJECT_BYTES: i64 = 1024;
const ROWS_PER_STATEMENT: usize = 500;

/// Write transaction of an account's library. Its changes are not visible before
/// [`LibraryTransaction::commit`]. The library has no other write transaction at the same time.
pub struct LibraryTransaction {
    transaction: DatabaseTransaction,
    _exclusion: Option<OwnedSemaphorePermit>,
    pub account_id: AccountId,
    /// Limits of the account.
    pub plan: TierLimits,
    /// Number of the library, with which the words in its search index are prefixed.
    pub number: i64,
    /// Time of the transaction.
    pub now: Millis,
    /// `updatedAt` of every object that this transaction changes.
    pub updated_at: Millis,
    state: library_account::Model,
    limit: i64,
    grown: i64,
    last_sequence: i64,
    changes: HashMap<ObjectId, ObjectChange>,
    /// Hook for stored texts, with the handle that it needs.
    text_hook: Option<(Domain, Arc<InstalledTextHook>)>,
    limits: Arc<Limits>,
    /// Charges to refund after the commit.
    refunds: Vec<PastCharge>,
}

struct ObjectChange {
    kind: ObjectKind,
    sequence: i64,
    is_deleted: bool,
}

/// Values that are written to the row of a changed object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Sequence number of the change in the log.
    pub sequence: i64,
    pub updated_at: Millis,
}

impl LibraryTransaction {
    /// Starts a write transaction of a library. Waits until no other write transaction of the library is
    /// open.
    ///
    /// # Errors
    /// `not_found` if the account was deleted.
    #[boxed]
    pub async fn begin(domain: &Domain, account_id: AccountId) -> Result<Self> {
        let exclusion = exclude_transactions(domain, account_id).await;
        let transaction = domain.db().begin().await?;
        let plan = accounts::lock_limits(&transaction, domain, account_id).await?;
        let state = state_of(&transaction, account_id).await?;
        let now = domain.now();
        let limit = i64::try_from(plan.library_storage_bytes).unwrap_or(i64::MAX);
        Ok(Self {
            transaction,
            _exclusion: exclusion,
            account_id,
            plan,
            number: state.number,
            now,
            updated_at: now.max(state.last_updated_at + 1),
            last_sequence: state.last_sequence,
            state,
            limit,
            grown: 0,
            changes: HashMap::new(),
            text_hook: domain.installed::<InstalledTextHook>().map(|hook| (domain.clone(), hook)),
            limits: domain.limits(),
            refunds: Vec::new(),
        })
    }

    pub fn db(&self) -> &DatabaseTransaction {
        &self.transaction
    }

    /// Returns the account's choice of automatic page copies.
    pub(crate) fn copy_choice(&self) -> CopyChoice {
        CopyChoice::of(&self.state)
    }

    /// Returns the time at which copies of imported items are next requested. `None` if imported items are not copied.
    pub(crate) fn copy_imports_due_at(&self) -> Option<Millis> {
        self.state.copy_imports_due_at
    }

    /// Records the creation or change of an object in the log. The caller writes the returned values into the
    /// row of the object.
    pub fn stamp(&mut self, kind: ObjectKind, object_id: ObjectId) -> Stamp {
        self.note(kind, object_id, false)
    }

    /// Records the deletion of an object in the log.
    pub fn tombstone(&mut self, kind: ObjectKind, object_id: ObjectId) {
        self.note(kind, object_id, true);
    }

    fn note(&mut self, kind: ObjectKind, object_id: ObjectId, is_deleted: bool) -> Stamp {
        self.last_sequence = sequence::next(self.last_sequence, self.now);
        let sequence = self.last_sequence;
        self.changes.insert(object_id, ObjectChange { kind, sequence, is_deleted });
        Stamp { sequence, updated_at: self.updated_at }
    }

    /// Adjusts the storage counter for an object whose size changes from `before` to `after` bytes.
    pub fn count(&mut self, before: i64, after: i64) {
        self.grown += after - before;
    }

    /// Returns the used bytes, including the growth of this transaction and the bytes reserved for running
    /// uploads.
    pub fn used(&self) -> i64 {
        self.state.stored_bytes + self.state.reserved_bytes + self.grown
    }

    /// Returns the number of bytes that fit into the storage in addition to the used and the reserved bytes.
    pub(crate) fn free_bytes(&self) -> u64 {
        self.limit.saturating_sub(self.used()).max(0).unsigned_abs()
    }

    /// Checks that the storage is not full. Called before an object is created.
    ///
    /// # Errors
    /// `storage_limit_reached` if the storage is full.
    pub fn require_capacity(&self) -> Result<()> {
        if self.used() < self.limit { Ok(()) } else { Err(self.full()) }
    }

    /// Checks that the growth of this transaction fits into the storage. A transaction that frees storage
    /// always fits.
    ///
    /// # Errors
    /// `storage_limit_reached` if the growth does not fit.
    pub fn require_fit(&self) -> Result<()> {
        if self.grown <= 0 || self.used() <= self.limit { Ok(()) } else { Err(self.full()) }
    }

    /// Checks that a file of `length` bytes, which replaces a file of `replaced` bytes, fits into the storage
    /// in addition to the used and the reserved bytes. A file that is not larger than the replaced file also
    /// fits into a full storage, but replaced files count until they are deleted.
    ///
    /// # Errors
    /// `storage_limit_reached` if the file does not fit.
    pub(super) fn require_capacity_for(&self, length: i64, replaced: i64) -> Result<()> {
        let grows = length - replaced;
        let fits = grows <= 0 || self.used().saturating_add(grows) <= self.limit;
        let is_reservable = self.state.reserved_bytes.saturating_add(length) <= self.limit;
        if fits && is_reservable { Ok(()) } else { Err(self.full()) }
    }

    /// Reserves `bytes` of storage for an upload. A negative number releases reserved storage.
    pub(super) async fn reserve(&mut self, bytes: i64) -> Result<()> {
        if bytes != 0 {
            let sql = "UPDATE library_account SET reserved_bytes = reserved_bytes + $1 WHERE number = $2";
            execute(&self.transaction, sql, [bytes.into(), self.number.into()]).await?;
            self.state.reserved_bytes += bytes;
        }
        Ok(())
    }

    /// Error for an object that does not fit into the storage.
    pub(crate) fn full(&self) -> Error {
        let (limit, used) = (self.limit.unsigned_abs(), self.used().max(0).unsigned_abs());
        let message = "The library storage of this account is used up.";
        Error::new(Code::StorageLimitReached, message).limit(Used { limit, used, policy: None })
    }

    /// Notifies the installed hook that the text of an item was stored.
    pub(crate) async fn notify_stored_text(&self, item: TextedItem<'_>) -> Result<()> {
        match &self.text_hook {
            Some((domain, hook)) => hook.0.text_stored(&self.transaction, domain, item).await,
            None => Ok(()),
        }
    }

    /// Refunds a charge of fresh extractions after the commit.
    pub(crate) fn refund_on_commit(&mut self, charge: PastCharge) {
        self.refunds.push(charge);
    }

    /// Commits the transaction with its log entries and the storage counter, then refunds charges.
    #[boxed]
    pub async fn commit(mut self) -> Result<()> {
        if !self.changes.is_empty() || self.grown != 0 {
            self.write_state().await?;
        }
        self.transaction.commit().await?;
        for charge in self.refunds {
            self.limits.refund_past_charge(self.account_id, charge).await;
        }
        Ok(())
    }

    /// Writes the log entries and the storage counter.
    async fn write_state(&mut self) -> Result<()> {
        self.write_log().await?;
        let updated_at = if self.changes.is_empty() { self.state.last_updated_at } else { self.updated_at };
        library_account::Entity::update_many()
            .set(library_account::ActiveModel {
                last_sequence: Set(self.last_sequence),
                last_updated_at: Set(updated_at),
                stored_bytes: Set((self.state.stored_bytes + self.grown).max(0)),
                ..Default::default()
            })
            .filter(library_account::Column::Number.eq(self.number))
            .exec(&self.transaction)
            .await?;
        Ok(())
    }

    async fn write_log(&mut self) -> Result<()> {
        let mut changes: Vec<(&ObjectId, &ObjectChange)> = self.changes.iter().collect();
        changes.sort_by_key(|(_, change)| change.sequence);
        for chunk in changes.chunks(ROWS_PER_STATEMENT) {
            let mut values: Vec<Value> = vec![self.account_id.into(), self.updated_at.into()];
            let mut rows = Vec::with_capacity(chunk.len());
            for (object_id, change) in chunk {
                let at = values.len() + 1;
                rows.push(format!("($1, ${at}, ${}, ${}, $2, ${})", at + 1, at + 2, at + 3));
                values.extend([
                    (**object_id).into(),
                    change.kind.as_str().into(),
                    change.sequence.into(),
                    change.is_deleted.into(),
                ]);
            }
            let sql = format!(
                "INSERT INTO library_change (account_id, object_id, kind, sequence, updated_at, is_deleted) \
                 VALUES {} ON CONFLICT (account_id, object_id) DO UPDATE SET sequence = excluded.sequence, \
                 updated_at = excluded.updated_at, is_deleted = excluded.is_deleted",
                rows.join(", ")
            );
            execute(&self.transaction, &sql, values).await?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for LibraryTransaction {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("LibraryTransaction")
            .field("account_id", &self.account_id)
            .finish_non_exhaustive()
    }
}

/// Loads the state of the library. Creates it with the first change.
async fn state_of(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
) -> Result<library_account::Model> {
    let find = || library_account::Entity::owned_by(account_id).one(transaction);
    if let Some(state) = find().await? {
        return Ok(state);
    }
    let sql = "INSERT INTO library_account (account_id, reindex_at) VALUES ($1, NULL)";
    execute(transaction, sql, [account_id.into()]).await?;
    find().await?.ok_or_else(|| Error::internal("library state not found after its creation"))
}

/// Loads the committed state of the library. `None` if nothing was ever written to the library.
pub(crate) async fn committed_state(
    connection: &impl sea_orm::ConnectionTrait,
    account_id: AccountId,
) -> Result<Option<library_account::Model>> {
    Ok(library_account::Entity::owned_by(account_id).one(connection).await?)
}
