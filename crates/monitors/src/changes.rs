//! Reads recorded runs and changes for their owner, and a single change for clients with its public link.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChangeId, MonitorId, MonitorRunId};
use entities::{monitor, monitor_change, monitor_feed, monitor_run};
use extract::watch::Snapshot;
use fetch::Bytes;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::change::Change;
use super::change_explanation::{self, ChangeExplanation};
use super::change_side::ChangeSide;
use super::decision::Decision;
use super::feed;
use super::group_settings::{feed_owner, find_group};
use super::monitor::{ListRange, Monitor, TargetType};
use super::notice::Notice;
use super::render::{self, Links};
use super::rows::{ChangeLine, find_snapshot, load, owner_plan, read_change_lines};
use super::screenshots;
use kernel::error::not_found;
use kernel::{Code, Domain, Millis, Result};
use notices::ChangeNotice;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub id: MonitorRunId,
    /// Start time of the run, or, before it has started, the time at which it was requested.
    pub started_at: Millis,
    /// End time of the run. `None` while the run is in progress.
    pub finished_at: Option<Millis>,
    /// `baseline`, `unchanged`, `changed` or `error`. `None` while the run is in progress.
    pub outcome: Option<String>,
    /// Number of added blocks, URLs or items.
    pub added: u32,
    /// Number of removed blocks, URLs or items.
    pub removed: u32,
    /// Number of modified blocks, URLs or items.
    pub modified: u32,
    /// Number of charged credits.
    pub credits: u32,
    /// Code of the failure. `None` if the run did not fail.
    pub error_code: Option<Code>,
    /// Codes of the warnings about the observed content.
    pub warnings: Vec<String>,
    /// Reason why the run reported a change, or no change. `None` while the run is in progress, and for old
    /// runs.
    pub decision: Option<Decision>,
    /// Messages about the change of this run.
    pub notices: Vec<ChangeNotice>,
}

impl Run {
    /// Creates a run in progress.
    pub(super) fn started_at(id: MonitorRunId, started_at: Millis) -> Self {
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
            warnings: Vec::new(),
            decision: None,
            notices: Vec::new(),
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
            error_code: row.error_code.as_deref().map(Code::from_stored),
            warnings: row.warnings.and_then(|words| serde_json::from_str(&words).ok()).unwrap_or_default(),
            decision: row.decision.as_deref().and_then(Decision::parse),
            notices: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPage {
    /// Runs, the newest first.
    pub runs: Vec<Run>,
    /// Id after which the next page starts. `None` on the last page.
    pub next_after: Option<MonitorRunId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ChangePage {
    /// Changes, the newest first.
    pub changes: Vec<Change>,
    /// Id after which the next page starts. `None` on the last page.
    pub next_after: Option<ChangeId>,
}

/// Change without its operations, for lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSummary {
    pub run_id: MonitorRunId,
    pub detected_at: Millis,
    /// Plain text on one line.
    pub title: String,
    /// Plain text on a few lines.
    pub summary: String,
    /// Public link to the change. It is signed for the current feed token, and is valid as long as this token is.
    pub link: String,
    /// Explanation by the language model. `None` if none was requested.
    pub explanation: Option<ChangeExplanation>,
}

/// Change with its monitor and snapshots.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeView {
    pub monitor: Monitor,
    pub change: Change,
    /// Snapshot before the change. `None` if it is no longer retained.
    pub before: Option<Snapshot>,
    /// Snapshot after the change. `None` if it is no longer retained.
    pub after: Option<Snapshot>,
    /// Sides of the change whose screenshots are stored.
    pub screenshots: Vec<ChangeSide>,
}

/// Lists runs of one of the account's monitors.
///
/// # Errors
/// `not_found` if the monitor does not exist.
#[boxed]
pub async fn list_runs(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    page: ListRange<MonitorRunId>,
) -> Result<RunPage> {
    let connection = domain.db().read();
    load(connection, account_id, id).await?;
    let rows = monitor_run::Entity::owned_by(account_id)
        .filter(monitor_run::Column::MonitorId.eq(id))
        .filter(monitor_run::Column::Id.lt(page.before()))
        .order_by_desc(monitor_run::Column::Id)
        .limit(page.rows())
        .all(connection)
        .await?;
    let has_more = rows.len() > page.len();
    let mut runs: Vec<Run> = rows.into_iter().take(page.len()).map(Run::from).collect();
    add_notices(connection, account_id, id, &mut runs).await?;
    let next_after = runs.last().map(|last| last.id).filter(|_| has_more);
    Ok(RunPage { runs, next_after })
}

/// Adds messages to the runs whose changes they report.
async fn add_notices(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: MonitorId,
    runs: &mut [Run],
) -> Result<()> {
    let changed = runs.iter().filter(|run| run.decision == Some(Decision::Reported)).map(|run| run.id);
    let changed: Vec<MonitorRunId> = changed.collect();
    if changed.is_empty() {
        return Ok(());
    }
    let changes: Vec<(ChangeId, MonitorRunId)> = monitor_change::Entity::owned_by(account_id)
        .filter(monitor_change::Column::MonitorId.eq(id))
        .filter(monitor_change::Column::RunId.is_in(changed))
        .select_only()
        .columns([monitor_change::Column::Id, monitor_change::Column::RunId])
        .into_tuple()
        .all(connection)
        .await?;
    let ids: Vec<ChangeId> = changes.iter().map(|(change, _)| *change).collect();
    let mut notices = notices::change_notices(connection, account_id, id, &ids).await?;
    for (change, run_id) in changes {
        if let Some(run) = runs.iter_mut().find(|run| run.id == run_id) {
            run.notices = notices.remove(&change).unwrap_or_default();
        }
    }
    Ok(())
}

/// Lists changes of one of the account's monitors.
///
/// # Errors
/// `not_found` if the monitor does not exist.
#[boxed]
pub async fn list_changes(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    page: ListRange<ChangeId>,
) -> Result<ChangePage> {
    let connection = domain.db().read();
    load(connection, account_id, id).await?;
    let rows = monitor_change::Entity::owned_by(account_id)
        .filter(monitor_change::Column::MonitorId.eq(id))
        .filter(monitor_change::Column::Id.lt(page.before()))
        .filter(monitor_change::Column::Kind.is_not_in(Notice::KINDS))
        .order_by_desc(monitor_change::Column::Id)
        .limit(page.rows())
        .all(connection)
        .await?;
    let has_more = rows.len() > page.len();
    let mut changes: Vec<Change> =
        rows.into_iter().take(page.len()).map(Change::try_from).collect::<Result<_>>()?;
    let ids: Vec<ChangeId> = changes.iter().map(|change| change.id).collect();
    let mut explanations = change_explanation::load(connection, account_id, &ids).await?;
    for change in &mut changes {
        change.explanation = explanations.remove(&change.id);
    }
    let next_after = changes.last().map(|last| last.id).filter(|_| has_more);
    Ok(ChangePage { changes, next_after })
}

/// Lists the newest `limit` changes of one of the account's monitors, the newest first. Their operations are
/// not read.
///
/// # Errors
/// `not_found` if the monitor does not exist.
#[boxed]
pub async fn list_change_summaries(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    limit: u64,
) -> Result<Vec<ChangeSummary>> {
    let connection = domain.db().read();
    let monitor = load(connection, account_id, id).await?;
    let links = Links::load(domain, &domain.policy().base_url, &monitor.feed_token).await?;
    let newest = monitor_change::Entity::owned_by(account_id)
        .filter(monitor_change::Column::MonitorId.eq(id))
        .filter(monitor_change::Column::Kind.is_not_in(Notice::KINDS))
        .order_by_desc(monitor_change::Column::Id);
    let lines = read_change_lines(connection, newest, limit).await?;
    let mut explanations = change_explanation::newest(connection, account_id, id, limit).await?;
    let summarize = |(id, _, run_id, detected_at, title, summary): ChangeLine| {
        let (link, explanation) = (links.of(id), explanations.remove(&id));
        ChangeSummary { run_id, detected_at, title, summary, link, explanation }
    };
    Ok(lines.into_iter().map(summarize).collect())
}

/// Returns the change for a public link.
///
/// # Errors
/// `not_found` if the link was never issued or its change is no longer retained; `feed_gone` if the feed has
/// a new token, or if the group is no longer published.
#[boxed]
pub async fn view_change(domain: &Domain, sealed: &str) -> Result<ChangeView> {
    let connection = domain.db().read();
    let (row, owner) = find_public(domain, sealed).await?;
    let plan = &owner_plan(domain, row.account_id).await?;
    let monitor = Monitor::of(&owner, plan)?;
    let before = snapshot(connection, &row, row.before_hash.as_deref()).await?;
    let after = snapshot(connection, &row, row.after_hash.as_deref()).await?;
    let mut sides = Vec::new();
    if monitor.target_type == TargetType::Visual {
        let stored = screenshots::of_monitor(connection, row.account_id, row.monitor_id).await?;
        let is_stored = |side: &ChangeSide| side.hash(&row).is_some_and(|hash| stored.contains_key(hash));
        sides.extend(ChangeSide::ALL.into_iter().filter(is_stored));
    }
    // Readers of a published group do not receive the explanation, which can repeat the owner's wish.
    let is_own = render::is_sealed(domain, &render::token_hash(&owner.feed_token), sealed).await?;
    let mut change = Change::try_from(row)?;
    if is_own {
        let mut known = change_explanation::load(connection, owner.account_id, &[change.id]).await?;
        change.explanation = known.remove(&change.id);
    }
    Ok(ChangeView { monitor, change, before, after, screenshots: sides })
}

/// Returns the PNG screenshot of one side of a change. `sealed` is the link of the change.
///
/// # Errors
/// The errors of [`view_change`]; `not_found` if the screenshot is not stored.
#[boxed]
pub async fn read_screenshot(domain: &Domain, sealed: &str, side: ChangeSide) -> Result<Bytes> {
    let (row, _) = find_public(domain, sealed).await?;
    let hash = side.hash(&row).ok_or_else(|| not_found("screenshot"))?;
    let screenshot = screenshots::read(domain, row.account_id, row.monitor_id, hash).await?;
    screenshot.ok_or_else(|| not_found("screenshot"))
}

/// Finds the change of a link, with its monitor.
async fn find_public(domain: &Domain, sealed: &str) -> Result<(monitor_change::Model, monitor::Model)> {
    let unknown = || not_found("change");
    let change_id = render::change_id_of(sealed).ok_or_else(unknown)?;
    let connection = domain.db().read();
    let row = monitor_change::Entity::of_any_owner(change_id).one(connection).await?.ok_or_else(unknown)?;
    let owner = load(connection, row.account_id, row.monitor_id).await?;
    if !is_current(domain, &owner, sealed).await? {
        let owners = std::iter::once(owner.id).chain(owner.group_id.map(feed_owner));
        let given = monitor_feed::Entity::find().filter(monitor_feed::Column::MonitorId.is_in(owners));
        for older in given.all(connection).await? {
            if render::is_sealed(domain, &older.token_hash, sealed).await? {
                return Err(feed::gone());
            }
        }
        return Err(unknown());
    }
    Ok((row, owner))
}

/// True if a link was signed for the current feed token of the monitor, or of its group.
async fn is_current(domain: &Domain, owner: &monitor::Model, sealed: &str) -> Result<bool> {
    if render::is_sealed(domain, &render::token_hash(&owner.feed_token), sealed).await? {
        return Ok(true);
    }
    let Some(group_id) = owner.group_id else { return Ok(false) };
    let group = find_group(domain.db().read(), owner.account_id, group_id).await?;
    match group.and_then(|group| group.feed_token) {
        Some(token) => render::is_sealed(domain, &render::token_hash(&token), sealed).await,
        None => Ok(false),
    }
}

async fn snapshot(
    connection: &impl ConnectionTrait,
    row: &monitor_change::Model,
    hash: Option<&str>,
) -> Result<Option<Snapshot>> {
    let Some(hash) = hash else { return Ok(None) };
    find_snapshot(connection, row.monitor_id, hash).await
}
