//! The one way in which a library changes: under its account's lock, with one time and rising numbers for all that
//! changes together, and with log and storage counter in the same transaction.

use std::collections::HashMap;

use entities::ids::{AccountId, ObjectId};
use entities::library_account;
use entities::library_words::ObjectKind;
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, Value};

use identity::accounts;
use kernel::clock::Millis;
use kernel::code::Code;
use kernel::error::{Error, Result, Used};
use kernel::handle::Domain;
use kernel::numbering;
use kernel::statement::execute;
use kernel::tiers::Tier;

/// What every object counts beside its own bytes.
pub const OBJECT_BYTES: i64 = 1024;
/// Rows of the log that one statement writes.
const ROWS_AT_ONCE: usize = 500;

/// A change of an account's library that is being written. Nothing of it is seen before [`Writing::commit`], and no
/// other change of the library is made meanwhile.
pub struct Writing {
    transaction: DatabaseTransaction,
    /// Whose library it is.
    pub account_id: AccountId,
    /// Under which plan.
    pub tier: Tier,
    /// The library's own number: words of its search index begin with it.
    pub number: i64,
    /// The present.
    pub now: Millis,
    /// The `updatedAt` of everything that is stamped in this change.
    pub updated_at: Millis,
    state: library_account::Model,
    limit: i64,
    grown: i64,
    last_sequence: i64,
    changes: HashMap<ObjectId, Change>,
}

struct Change {
    kind: ObjectKind,
    sequence: i64,
    is_deleted: bool,
}

/// What a changed object's row is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Its place in the log.
    pub sequence: i64,
    /// Its time.
    pub updated_at: Millis,
}

impl Writing {
    /// Opens the library of `account_id` for one change; others wait.
    ///
    /// # Errors
    /// `not_found` when the account is gone.
    pub async fn begin(domain: &Domain, account_id: AccountId) -> Result<Self> {
        let transaction = domain.db().begin().await?;
        let tier = accounts::lock(&transaction, account_id).await?;
        let state = state_of(&transaction, account_id).await?;
        let now = domain.now();
        let limit = i64::try_from(domain.policy().tiers.of(tier).library_storage_bytes).unwrap_or(i64::MAX);
        Ok(Self {
            transaction,
            account_id,
            tier,
            number: state.number,
            now,
            updated_at: now.max(state.last_updated_at + 1),
            last_sequence: state.last_sequence,
            state,
            limit,
            grown: 0,
            changes: HashMap::new(),
        })
    }

    /// The transaction of the change.
    pub fn db(&self) -> &DatabaseTransaction {
        &self.transaction
    }

    /// Notes that an object was made or changed; its row is given what is returned.
    pub fn stamp(&mut self, kind: ObjectKind, object_id: ObjectId) -> Stamp {
        self.note(kind, object_id, false)
    }

    /// Notes that an object is gone.
    pub fn tombstone(&mut self, kind: ObjectKind, object_id: ObjectId) {
        self.note(kind, object_id, true);
    }

    fn note(&mut self, kind: ObjectKind, object_id: ObjectId, is_deleted: bool) -> Stamp {
        self.last_sequence = numbering::next(self.last_sequence, self.now);
        let sequence = self.last_sequence;
        self.changes.insert(object_id, Change { kind, sequence, is_deleted });
        Stamp { sequence, updated_at: self.updated_at }
    }

    /// Moves the storage counter by what an object counts now beside what it counted before.
    pub fn count(&mut self, before: i64, after: i64) {
        self.grown += after - before;
    }

    /// Bytes in use, with what this change adds and what uploads under way will need.
    pub fn used(&self) -> i64 {
        self.state.stored_bytes + self.state.reserved_bytes + self.grown
    }

    /// Refuses to make something new when the plan's storage is used up.
    ///
    /// # Errors
    /// `storage_limit_reached`.
    pub fn require_room(&self) -> Result<()> {
        if self.used() < self.limit { Ok(()) } else { Err(self.full()) }
    }

    /// Refuses what this change adds when it does not fit; what makes the library smaller always may.
    ///
    /// # Errors
    /// `storage_limit_reached`.
    pub fn require_fit(&self) -> Result<()> {
        if self.grown <= 0 || self.used() <= self.limit { Ok(()) } else { Err(self.full()) }
    }

    /// Refuses what would not fit beside all that is there and on its way; nothing at all always may.
    ///
    /// # Errors
    /// `storage_limit_reached`.
    pub(super) fn require_room_for(&self, bytes: i64) -> Result<()> {
        if bytes <= 0 || self.used().saturating_add(bytes) <= self.limit { Ok(()) } else { Err(self.full()) }
    }

    /// Keeps room free for an upload, or gives it back.
    pub(super) async fn reserve(&mut self, bytes: i64) -> Result<()> {
        if bytes != 0 {
            let sql = "UPDATE library_account SET reserved_bytes = reserved_bytes + $1 WHERE number = $2";
            execute(&self.transaction, sql, [bytes.into(), self.number.into()]).await?;
            self.state.reserved_bytes += bytes;
        }
        Ok(())
    }

    fn full(&self) -> Error {
        let (limit, used) = (self.limit.unsigned_abs(), self.used().max(0).unsigned_abs());
        let message = "The storage that this account's plan has for its library is used up.";
        Error::new(Code::StorageLimitReached, message).limit(Used { limit, used, policy: None })
    }

    /// Makes the change seen.
    ///
    /// # Errors
    /// What the database said; then nothing was changed.
    pub async fn commit(mut self) -> Result<()> {
        if self.changes.is_empty() && self.grown == 0 {
            self.transaction.commit().await?;
            return Ok(());
        }
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
        self.transaction.commit().await?;
        Ok(())
    }

    async fn write_log(&mut self) -> Result<()> {
        let mut changes: Vec<(&ObjectId, &Change)> = self.changes.iter().collect();
        changes.sort_by_key(|(_, change)| change.sequence);
        for chunk in changes.chunks(ROWS_AT_ONCE) {
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

impl std::fmt::Debug for Writing {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Writing").field("account_id", &self.account_id).finish_non_exhaustive()
    }
}

/// The library as a whole; made when it is first written to.
async fn state_of(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
) -> Result<library_account::Model> {
    let find = || library_account::Entity::owned_by(account_id).one(transaction);
    if let Some(state) = find().await? {
        return Ok(state);
    }
    let sql = "INSERT INTO library_account (account_id) VALUES ($1)";
    execute(transaction, sql, [account_id.into()]).await?;
    find().await?.ok_or_else(|| Error::internal("the library was not made"))
}

/// The library as a whole, as it is seen by readers; none when nothing was ever written to it.
pub async fn seen(
    connection: &impl sea_orm::ConnectionTrait,
    account_id: AccountId,
) -> Result<Option<library_account::Model>> {
    Ok(library_account::Entity::owned_by(account_id).one(connection).await?)
}
