//! Consumers: named positions in the event log, from which a program reads and acknowledges events.
//!
//! Events are delivered again until they are acknowledged. A position advances by acknowledgement, and past
//! events that do not match the filter. Consumers have no leases: two workers that use the same consumer
//! receive the same events.

use async_recursion::async_recursion as boxed;
use entities::feed_consumer::{ActiveModel, Column, Entity, Model};
use entities::ids::{AccountId, ConsumerId};
use sea_orm::{
    ActiveModelTrait, ActiveValue::NotSet, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait,
    EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};

use super::changes::{self, ChangeMark, EventLimits, EventPage, EventQuery, ScanRange};
use super::collections::name_key;
use super::event_filter::{EventFilter, EventPredicate};
use super::log;
use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::clock::{DAY, MINUTE};
use kernel::error::not_found;
use kernel::retention::ExpiredRows;
use kernel::statement::delete_existing;
use kernel::{Code, Domain, Error, Millis, Result};

/// Time without use after which a consumer expires, in milliseconds.
const UNUSED_MS: Millis = 90 * DAY;
/// Period, in milliseconds, in which an expired consumer is still reported as expired.
const EXPIRED_RETENTION_MS: Millis = 365 * DAY;
/// Upper bound of the number of pending events. Counting stops at this value.
const MAX_PENDING: i64 = 1_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumer {
    /// Sequential number, starting at 1.
    pub id: ConsumerId,
    /// Name, unique within the account.
    pub name: String,
    /// Filter of the events.
    pub predicate: EventPredicate,
    /// Acknowledged position.
    pub mark: ChangeMark,
    /// Time of the last delivery, with a precision of one minute.
    pub last_delivered_at: Option<Millis>,
    /// Time of the last acknowledgement.
    pub acknowledged_at: Option<Millis>,
    /// Number of events that are not acknowledged yet, up to a bound.
    pub pending: i64,
    /// True if there may be more pending events than `pending`.
    pub pending_partial: bool,
    pub created_at: Millis,
}

/// Properties of a consumer to create.
#[derive(Clone, Debug)]
pub struct NewConsumer {
    /// Name, unique within the account regardless of letter case.
    pub name: String,
    pub filter: EventFilter,
    /// Start position.
    pub from: ConsumerStart,
}

/// A position in the event log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsumerStart {
    /// Current end of the log.
    Latest,
    /// Before the oldest stored event.
    Oldest,
    /// After this event.
    After(i64),
}

/// A new or existing consumer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsumerCreated {
    pub consumer: Consumer,
    /// True if the consumer already existed. In that case, it was not changed.
    pub already_existed: bool,
}

/// Returns all consumers of an account, oldest first.
#[boxed]
pub async fn list_consumers(domain: &Domain, account_id: AccountId) -> Result<Vec<Consumer>> {
    let rows = live(domain, account_id).order_by_asc(Column::Id).all(domain.db().read()).await?;
    let mut consumers = Vec::with_capacity(rows.len());
    for row in rows {
        consumers.push(with_pending(domain, row).await?);
    }
    Ok(consumers)
}

/// Returns the ids of the account's consumers that have not expired.
#[boxed]
pub async fn consumer_ids(domain: &Domain, account_id: AccountId) -> Result<Vec<ConsumerId>> {
    let ids = live(domain, account_id).select_only().column(Column::Id).into_tuple::<ConsumerId>();
    Ok(ids.all(domain.db().read()).await?)
}

/// Creates a consumer. If a consumer with the same name and filter exists, returns it unchanged.
///
/// # Errors
/// `consumer_conflict` if a consumer with this name has a different filter; `limit_reached` if the plan
/// allows no more consumers; `not_found` if the filter contains a collection of another account.
#[boxed]
pub async fn create_consumer(
    domain: &Domain,
    account_id: AccountId,
    new: NewConsumer,
) -> Result<ConsumerCreated> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let tier = accounts::lock(&transaction, account_id).await?;
    let predicate = EventPredicate::resolve(&transaction, account_id, &new.filter).await?;
    let name = new.name.trim().to_owned();
    let same = Entity::owned_by(account_id).filter(Column::NameKey.eq(name_key(&name)));
    if let Some(row) = same.one(&transaction).await? {
        if has_expired(&row, now) {
            Entity::delete_by_id(row.id).exec(&transaction).await?;
        } else if predicate_of(&row)? == predicate {
            drop(transaction);
            return Ok(ConsumerCreated { consumer: with_pending(domain, row).await?, already_existed: true });
        } else {
            let message = "A consumer with this name already follows other events.";
            return Err(Error::new(Code::ConsumerConflict, message));
        }
    }
    let used = live(domain, account_id).count(&transaction).await?;
    check_plan_limit("feed consumers", domain.policy().tiers.of(tier).feed_consumers.into(), used)?;
    let row = ActiveModel {
        id: NotSet,
        account_id: Set(account_id),
        name_key: Set(name_key(&name)),
        name: Set(name),
        predicate: Set(serde_json::to_string(&predicate).map_err(Error::internal)?),
        position: Set(new.from.position(&transaction).await?),
        epoch: Set(0),
        last_delivered_at: Set(None),
        acknowledged_at: Set(None),
        used_at: Set(now),
        created_at: Set(now),
    };
    let row = row.insert(&transaction).await?;
    transaction.commit().await?;
    Ok(ConsumerCreated { consumer: with_pending(domain, row).await?, already_existed: false })
}

/// Returns the events that a consumer has not acknowledged. Reading does not advance the position, except
/// past events that do not match.
///
/// # Errors
/// `not_found` if the consumer does not exist; `cursor_expired` if it has expired; `consumer_conflict` if
/// none of its sources exists any more.
#[boxed]
pub async fn read_consumer(
    domain: &Domain,
    account_id: AccountId,
    id: ConsumerId,
    limits: EventLimits,
) -> Result<(EventPage, ChangeMark)> {
    let row = load(domain, account_id, id).await?;
    let connection = domain.db().read();
    let predicate = predicate_of(&row)?;
    if predicate.sources.current(connection, account_id).await?.is_gone(connection, account_id).await? {
        let message = "Everything that this consumer follows is gone. Delete it or create another one.";
        return Err(Error::new(Code::ConsumerConflict, message));
    }
    let oldest = log::oldest(connection).await?;
    let gap_detected = changes::is_lost(row.position, oldest);
    let after = if gap_detected { oldest - 1 } else { row.position };
    let page = changes::page(domain, account_id, after, &predicate, limits).await?;
    record_use(domain, &row, &page).await?;
    let mark = ChangeMark { sequence: page.end, consumer_id: id.as_i64(), epoch: row.epoch };
    Ok((EventPage { gap_detected, ..page }, mark))
}

/// Returns true if a consumer has pending events after a position. The check does not count as a use of the
/// consumer.
///
/// # Errors
/// `not_found` if the consumer does not exist; `cursor_expired` if it has expired.
#[boxed]
pub async fn has_events_after(
    domain: &Domain,
    account_id: AccountId,
    id: ConsumerId,
    after: i64,
) -> Result<bool> {
    let row = load(domain, account_id, id).await?;
    let connection = domain.db().read();
    let predicate = predicate_of(&row)?;
    let sources = predicate.sources.current(connection, account_id).await?;
    let range = ScanRange::after(connection, after.max(row.position)).await?;
    let context = predicate.context(domain, account_id).await?;
    let query = EventQuery { account_id, predicate: &predicate, sources: &sources, range, context };
    Ok(query.count(connection, 1).await? > 0)
}

/// Records a read. The time is updated at most once per minute. The position always advances past a page
/// without events.
async fn record_use(domain: &Domain, row: &Model, page: &EventPage) -> Result<()> {
    let now = domain.now();
    let is_delivery = !page.events.is_empty();
    let delivered_recently = row.last_delivered_at.is_some_and(|at| now - at < MINUTE);
    let moves = !is_delivery && page.end > row.position;
    if !moves && now - row.used_at < MINUTE && (!is_delivery || delivered_recently) {
        return Ok(());
    }
    let used = ActiveModel {
        used_at: Set(now),
        last_delivered_at: if is_delivery { Set(Some(now)) } else { NotSet },
        position: if moves { Set(page.end) } else { NotSet },
        ..Default::default()
    };
    // Skip the update if the consumer was acknowledged or reset in the meantime.
    Entity::update_many()
        .set(used)
        .filter(Column::Id.eq(row.id))
        .filter(Column::Position.eq(row.position))
        .filter(Column::Epoch.eq(row.epoch))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Acknowledges all events up to a delivered mark. Does nothing if the mark is at or before the acknowledged
/// position.
///
/// # Errors
/// `not_found` if the consumer does not exist; `cursor_expired` if it has expired; `cursor_not_deliverable`
/// if the mark was not delivered to this consumer since its last reset.
#[boxed]
pub async fn acknowledge(
    domain: &Domain,
    account_id: AccountId,
    id: ConsumerId,
    mark: Option<ChangeMark>,
) -> Result<Consumer> {
    let row = load(domain, account_id, id).await?;
    let own = mark.filter(|mark| mark.consumer_id == id.as_i64() && mark.epoch == row.epoch);
    let Some(mark) = own else {
        let message = "This cursor was not delivered to this consumer since it was last reset.";
        return Err(Error::new(Code::CursorNotDeliverable, message));
    };
    let now = domain.now();
    let moved = ActiveModel {
        position: Set(mark.sequence),
        acknowledged_at: Set(Some(now)),
        used_at: Set(now),
        ..Default::default()
    };
    Entity::update_many()
        .set(moved)
        .filter(Column::Id.eq(id))
        .filter(Column::Epoch.eq(row.epoch))
        .filter(Column::Position.lt(mark.sequence))
        .exec(domain.db().write())
        .await?;
    reload(domain, account_id, id).await
}

/// Moves a consumer to another position. Events delivered before the reset can no longer be acknowledged.
///
/// # Errors
/// `not_found` if the consumer does not exist; `cursor_expired` if it has expired.
#[boxed]
pub async fn reset_consumer(
    domain: &Domain,
    account_id: AccountId,
    id: ConsumerId,
    to: ConsumerStart,
) -> Result<Consumer> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = of(account_id, id).one(&transaction).await?.ok_or_else(|| not_found("consumer"))?;
    refuse_expired(&row, domain.now())?;
    let reset = ActiveModel {
        id: Set(id),
        position: Set(to.position(&transaction).await?),
        epoch: Set(row.epoch + 1),
        used_at: Set(domain.now()),
        ..Default::default()
    };
    let row = reset.update(&transaction).await?;
    transaction.commit().await?;
    with_pending(domain, row).await
}

/// Deletes a consumer.
///
/// # Errors
/// `not_found` if the consumer does not exist.
#[boxed]
pub async fn delete_consumer(domain: &Domain, account_id: AccountId, id: ConsumerId) -> Result<()> {
    let row = Entity::delete_many().filter(Column::AccountId.eq(account_id)).filter(Column::Id.eq(id));
    delete_existing(domain.db().write(), row, "consumer").await
}

/// Deletes consumers that expired long ago. Returns the number of deleted consumers.
#[boxed]
pub async fn delete_expired_consumers(domain: &Domain) -> Result<u64> {
    let expired = ExpiredRows { table: "feed_consumer", key: "id", condition: "used_at < $1" };
    expired.delete(domain.db().write(), &[(domain.now() - EXPIRED_RETENTION_MS).into()]).await
}

/// Returns the number of the account's consumers that have not expired.
pub(super) async fn count_consumers(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<u64> {
    Ok(live(domain, account_id).count(connection).await?)
}

impl ConsumerStart {
    async fn position(self, connection: &impl ConnectionTrait) -> Result<i64> {
        let last = log::last(connection).await?;
        Ok(match self {
            Self::Latest => last,
            Self::Oldest => log::oldest(connection).await? - 1,
            Self::After(sequence) => sequence.min(last),
        })
    }
}

fn of(account_id: AccountId, id: ConsumerId) -> Select<Entity> {
    Entity::owned_by(account_id).filter(Column::Id.eq(id))
}

fn live(domain: &Domain, account_id: AccountId) -> Select<Entity> {
    let used = Condition::all().add(Column::UsedAt.gte(domain.now() - UNUSED_MS));
    Entity::owned_by(account_id).filter(used)
}

fn has_expired(row: &Model, now: Millis) -> bool {
    row.used_at < now - UNUSED_MS
}

fn refuse_expired(row: &Model, now: Millis) -> Result<()> {
    if has_expired(row, now) {
        let message = "This consumer expired because it was not used for 90 days. Create another one.";
        return Err(Error::new(Code::CursorExpired, message));
    }
    Ok(())
}

/// Loads a consumer that has not expired.
async fn load(domain: &Domain, account_id: AccountId, id: ConsumerId) -> Result<Model> {
    let row = of(account_id, id).one(domain.db().write()).await?.ok_or_else(|| not_found("consumer"))?;
    refuse_expired(&row, domain.now())?;
    Ok(row)
}

async fn reload(domain: &Domain, account_id: AccountId, id: ConsumerId) -> Result<Consumer> {
    with_pending(domain, load(domain, account_id, id).await?).await
}

fn predicate_of(row: &Model) -> Result<EventPredicate> {
    serde_json::from_str(&row.predicate).map_err(Error::internal)
}

/// Converts a row to a consumer with its number of pending events.
async fn with_pending(domain: &Domain, row: Model) -> Result<Consumer> {
    let connection = domain.db().read();
    let predicate = predicate_of(&row)?;
    let sources = predicate.sources.current(connection, row.account_id).await?;
    let range = ScanRange::after(connection, row.position).await?;
    let context = predicate.context(domain, row.account_id).await?;
    let query =
        EventQuery { account_id: row.account_id, predicate: &predicate, sources: &sources, range, context };
    let count = query.count(connection, 1 + u32::try_from(MAX_PENDING).unwrap_or(u32::MAX - 1)).await?;
    Ok(Consumer {
        id: row.id,
        name: row.name,
        predicate,
        mark: ChangeMark { sequence: row.position, consumer_id: row.id.as_i64(), epoch: row.epoch },
        last_delivered_at: row.last_delivered_at,
        acknowledged_at: row.acknowledged_at,
        pending: count.min(MAX_PENDING),
        pending_partial: count > MAX_PENDING || range.has_more,
        created_at: row.created_at,
    })
}
