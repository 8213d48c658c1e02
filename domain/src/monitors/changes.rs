//! What runs found, as owners read it: runs, changes, and one change as whoever holds its link sees it.

use entities::{monitor_change, monitor_run};
use extract::watch::{Operation, Snapshot};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::publish::{self, Links};
use super::rows::{load, not_found, sql};
use super::{Monitor, Settings};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::handle::Domain;

/// A run of a monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its id.
    pub id: Uuid,
    /// When it began, or was asked for.
    pub started_at: Millis,
    /// When it ended; none while it is under way.
    pub finished_at: Option<Millis>,
    /// `baseline`, `unchanged`, `changed` or `error`; none while it is under way.
    pub outcome: Option<String>,
    /// Blocks, addresses or items that were not there before.
    pub added: u32,
    /// Those that are gone.
    pub removed: u32,
    /// Those that are different now.
    pub modified: u32,
    /// What it cost.
    pub credits: u32,
    /// Stable word of what went wrong.
    pub error_code: Option<String>,
}

impl Run {
    /// A run that is under way.
    pub(super) fn begun(id: Uuid, started_at: Millis) -> Self {
        Self {
            id,
            started_at,
            finished_at: None,
            outcome: None,
            added: 0,
            removed: 0,
            modified: 0,
            credits: 0,
            error_code: None,
        }
    }
}

impl From<monitor_run::Model> for Run {
    fn from(row: monitor_run::Model) -> Self {
        let count = |number: i32| u32::try_from(number).unwrap_or(0);
        Self {
            id: row.id,
            started_at: row.started_at,
            finished_at: Some(row.finished_at),
            outcome: Some(row.outcome),
            added: count(row.added),
            removed: count(row.removed),
            modified: count(row.modified),
            credits: count(row.credits),
            error_code: row.error_code,
        }
    }
}

/// A page of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPage {
    /// Newest first.
    pub runs: Vec<Run>,
    /// The id after which the next page begins, when there is one.
    pub next_after: Option<Uuid>,
}

/// A change that a run found.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Its id.
    pub id: Uuid,
    /// The run that found it.
    pub run_id: Uuid,
    /// When it was found.
    pub detected_at: Millis,
    /// `added`, `changed` or `removed`.
    pub kind: String,
    /// Where it was found.
    pub url: String,
    /// One plain line.
    pub title: String,
    /// A few plain lines.
    pub summary: String,
    /// What it is made of.
    pub operations: Vec<Operation>,
    /// Hash of the content before.
    pub before_hash: Option<String>,
    /// Hash of the content after.
    pub after_hash: Option<String>,
}

impl TryFrom<monitor_change::Model> for Change {
    type Error = Error;

    fn try_from(row: monitor_change::Model) -> Result<Self> {
        Ok(Self {
            operations: publish::unpack(&row.operations)?,
            id: row.id,
            run_id: row.run_id,
            detected_at: row.detected_at,
            kind: row.kind,
            url: row.url,
            title: row.title,
            summary: row.summary,
            before_hash: row.before_hash,
            after_hash: row.after_hash,
        })
    }
}

/// A page of changes.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangePage {
    /// Newest first.
    pub changes: Vec<Change>,
    /// The id after which the next page begins, when there is one.
    pub next_after: Option<Uuid>,
}

/// One change with everything that is shown of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    /// The monitor that found it.
    pub monitor: Monitor,
    /// The change.
    pub change: Change,
    /// The content before, while it is kept.
    pub before: Option<Snapshot>,
    /// The content after, while it is kept.
    pub after: Option<Snapshot>,
}

/// At most `limit` runs of the account's monitor after the run `after`, newest first.
///
/// # Errors
/// `not_found`.
pub async fn list_runs(
    domain: &Domain,
    account_id: Uuid,
    id: Uuid,
    after: Option<Uuid>,
    limit: u32,
) -> Result<RunPage> {
    let connection = domain.db().read();
    load(connection, account_id, id).await?;
    let rows = monitor_run::Entity::find()
        .filter(monitor_run::Column::AccountId.eq(account_id))
        .filter(monitor_run::Column::MonitorId.eq(id))
        .filter(monitor_run::Column::Id.lt(after.unwrap_or(Uuid::max())))
        .order_by_desc(monitor_run::Column::Id)
        .limit(u64::from(limit) + 1)
        .all(connection)
        .await?;
    let has_more = rows.len() > limit as usize;
    let runs: Vec<Run> = rows.into_iter().take(limit as usize).map(Run::from).collect();
    let next_after = runs.last().map(|last| last.id).filter(|_| has_more);
    Ok(RunPage { runs, next_after })
}

/// At most `limit` changes of the account's monitor after the change `after`, newest first.
///
/// # Errors
/// `not_found`.
pub async fn list_changes(
    domain: &Domain,
    account_id: Uuid,
    id: Uuid,
    after: Option<Uuid>,
    limit: u32,
) -> Result<ChangePage> {
    let connection = domain.db().read();
    load(connection, account_id, id).await?;
    let rows = monitor_change::Entity::find()
        .filter(monitor_change::Column::AccountId.eq(account_id))
        .filter(monitor_change::Column::MonitorId.eq(id))
        .filter(monitor_change::Column::Id.lt(after.unwrap_or(Uuid::max())))
        .order_by_desc(monitor_change::Column::Id)
        .limit(u64::from(limit) + 1)
        .all(connection)
        .await?;
    let has_more = rows.len() > limit as usize;
    let changes: Vec<Change> =
        rows.into_iter().take(limit as usize).map(Change::try_from).collect::<Result<_>>()?;
    let next_after = changes.last().map(|last| last.id).filter(|_| has_more);
    Ok(ChangePage { changes, next_after })
}

/// The newest changes of the account's monitors together, without their operations.
pub async fn recent_changes(domain: &Domain, account_id: Uuid, most: u32) -> Result<Vec<(Uuid, Change)>> {
    let rows = monitor_change::Entity::find()
        .filter(monitor_change::Column::AccountId.eq(account_id))
        .order_by_desc(monitor_change::Column::DetectedAt)
        .limit(u64::from(most))
        .all(domain.db().read())
        .await?;
    rows.into_iter().map(|row| Ok((row.monitor_id, Change::try_from(row)?))).collect()
}

/// The link under which a change can be seen by whoever holds it. It is signed for the feed's present
/// address and goes with it.
pub async fn change_link(
    domain: &Domain,
    settings: &Settings,
    monitor: &Monitor,
    change_id: Uuid,
) -> Result<String> {
    let links = Links::load(domain, &settings.base_url, &monitor.feed_token).await?;
    Ok(links.of(change_id))
}

/// The change behind a link.
///
/// # Errors
/// `not_found` for a link that nobody gave out, whose feed has another address now, or whose change is not
/// kept any more.
pub async fn see_change(domain: &Domain, sealed: &str) -> Result<Sighting> {
    let unknown = || not_found("change");
    let change_id = publish::named_by(sealed).ok_or_else(unknown)?;
    let connection = domain.db().read();
    let row = monitor_change::Entity::find_by_id(change_id).one(connection).await?.ok_or_else(unknown)?;
    let monitor: Monitor = load(connection, row.account_id, row.monitor_id).await?.try_into()?;
    if !publish::is_sealed(domain, &monitor.feed_token, sealed).await? {
        return Err(unknown());
    }
    let before = snapshot(connection, &row, row.before_hash.as_deref()).await?;
    let after = snapshot(connection, &row, row.after_hash.as_deref()).await?;
    Ok(Sighting { monitor, change: row.try_into()?, before, after })
}

async fn snapshot(
    connection: &impl ConnectionTrait,
    row: &monitor_change::Model,
    hash: Option<&str>,
) -> Result<Option<Snapshot>> {
    let Some(hash) = hash else { return Ok(None) };
    find_snapshot(connection, row.monitor_id, hash).await
}

/// A stored content of a monitor, while it is kept.
pub(super) async fn find_snapshot(
    connection: &impl ConnectionTrait,
    monitor_id: Uuid,
    hash: &str,
) -> Result<Option<Snapshot>> {
    #[derive(FromQueryResult)]
    struct Kept {
        content: Vec<u8>,
    }
    let text = "SELECT content FROM monitor_snapshot WHERE monitor_id = $1 AND hash = $2";
    let row = connection.query_one_raw(sql(connection, text, [monitor_id.into(), hash.into()])).await?;
    let Some(row) = row else { return Ok(None) };
    let kept = Kept::from_query_result(&row, "")?;
    Snapshot::decode(&kept.content).map(Some).map_err(Error::internal)
}
