//! Operations of owners on their monitors: create, get, list, run, delete, and rotate the feed token.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChannelId, MonitorGroupId, MonitorId};
use entities::{job, monitor, monitor_run};
use identity::limits::AccountLimits;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect,
};

use super::args::{MonitorRunArgs, RunJobArgs};
use super::batch;
use super::calendar::Schedule;
use super::changes::Run;
use super::feed_format::{FeedFormat, feed_url};
use super::group_settings::{GroupSetting, copy_settings, load_group, set_own_settings};
use super::monitor::{Definition, ListRange, Monitor, Status, TargetType};
use super::plan::start_in_month;
use super::render::Links;
use super::request::{self, Credentials};
use super::rows::{load, lock, owner_plan};
use super::rules::{self, LONGEST_MINUTES};
use super::{definition, feed, follow, next_run, rendering_rules, step_secrets, tags, warnings};
use articles::{Address, Payer};
use feeds::internal_feed;
use identity::accounts;
use identity::credits;
use identity::limits::check_plan_limit;
use jobs::Submitted;
use kernel::clock::SECOND;
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Millis, Result};

/// Default interval, in minutes.
const DEFAULT_MINUTES: u32 = 1440;
/// Minimum time between a run and the next run that a user starts.
const MANUAL_RUN_GAP: Millis = 15 * SECOND;
/// Maximum number of characters in a name.
const MAX_NAME: usize = kernel::bounds::MONITOR_NAME_CHARS;

#[derive(Clone, Debug)]
pub struct NewMonitor {
    pub name: String,
    /// Address to monitor.
    pub address: Address,
    pub definition: Definition,
    /// Interval between two runs, in minutes. `None` means 1440 minutes (one day).
    pub interval_minutes: Option<u32>,
    /// True if the monitor is added to its owner's feeds.
    pub follow: bool,
    /// Channels to notify of changes.
    pub notify: Vec<ChannelId>,
    pub tags: Vec<String>,
    pub options: MonitorOptions,
}

/// Settings that usually have their default values.
#[derive(Clone, Debug, Default)]
pub struct MonitorOptions {
    /// Credentials to seal. They replace the credentials of the definition.
    pub credentials: Option<Credentials>,
    /// True if secret texts of steps may be missing, because the monitor is imported.
    pub may_lack_secrets: bool,
    pub schedule: Schedule,
    /// Number of consecutive failed runs after which channels are notified.
    pub notify_failures: Option<u32>,
    /// Group to which the monitor belongs.
    pub group: Option<MonitorGroupId>,
    /// Settings that do not follow the group.
    pub own_settings: Vec<GroupSetting>,
}

/// Monitor that was created, or that already existed.
#[derive(Clone, Debug, PartialEq)]
pub struct CreatedMonitor {
    pub monitor: Monitor,
    /// True if the monitor already existed. In that case, it was not changed.
    pub already_exists: bool,
    /// Codes of warnings about the monitor.
    pub warnings: Vec<&'static str>,
}

/// Filter of a list of monitors. Conditions are combined with AND.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListFilter {
    pub status: Option<Status>,
    pub group: Option<MonitorGroupId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MonitorPage {
    /// Monitors, the newest first.
    pub monitors: Vec<Monitor>,
    /// Id after which the next page starts. `None` on the last page.
    pub next_after: Option<MonitorId>,
}

/// Creates a monitor, whose first run starts within a minute. If a monitor with the same URL and definition
/// exists, it is returned unchanged.
///
/// # Errors
/// `invalid_request`, `interval_too_short`, `limit_reached`; `not_found` if a channel or the group does not exist.
#[boxed]
pub async fn create(domain: &Domain, account_id: AccountId, new: NewMonitor) -> Result<CreatedMonitor> {
    let new = with_sealed_credentials(domain, account_id, checked(domain, new)?).await?;
    rendering_rules::check(&new.definition)?;
    insert(domain, account_id, new).await
}

/// Creates a monitor as [`create`] does, but retains the credentials of its definition, which are already
/// sealed for the account.
///
/// # Errors
/// `invalid_request`, `interval_too_short`, `limit_reached`.
#[boxed]
pub(super) async fn create_sealed(
    domain: &Domain,
    account_id: AccountId,
    new: NewMonitor,
) -> Result<CreatedMonitor> {
    let new = checked(domain, new)?;
    request::check_origin(&new.definition.request, &new.address.url)?;
    if let Some(rendering) = &new.definition.rendering {
        step_secrets::check_origin(rendering, &new.address.url)?;
    }
    insert(domain, account_id, new).await
}

fn checked(domain: &Domain, new: NewMonitor) -> Result<NewMonitor> {
    let new = NewMonitor { name: check_name(&new.name)?, ..new };
    definition::check(&new.definition)?;
    request::check_headers(domain, &new.definition.request)?;
    request::check_proxy(domain, &new.definition.request)?;
    rendering_rules::check_browser(domain, &new.definition)?;
    Ok(new)
}

async fn insert(domain: &Domain, account_id: AccountId, new: NewMonitor) -> Result<CreatedMonitor> {
    let identity = definition::identity(&new.address, &new.definition)?;
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let plan = &accounts::lock_limits(&transaction, domain, account_id).await?;
    let minutes = new.interval_minutes.unwrap_or(DEFAULT_MINUTES);
    let same = monitor::Entity::owned_by(account_id).filter(monitor::Column::Identity.eq(identity.as_str()));
    if let Some(row) = same.one(&transaction).await? {
        let warnings = warnings::of_account(&transaction, account_id, plan, &new.definition).await?;
        return Ok(CreatedMonitor { monitor: Monitor::of(&row, plan)?, already_exists: true, warnings });
    }
    check_interval(minutes, plan)?;
    let used = rules::count(&transaction, account_id).await?;
    check_plan_limit("web monitors", plan.web_monitors.into(), used)?;
    let mut row = new_row(domain, account_id, &new, plan)?;
    row.notify = notices::check_notify(&transaction, account_id, &new.notify).await?;
    row.tags = tags::serialize(&transaction, account_id, &new.tags).await?;
    if let Some(group_id) = new.options.group {
        let group = load_group(&transaction, account_id, group_id).await?;
        row.group_id = Some(group.id);
        set_own_settings(&mut row, &new.options.own_settings);
        copy_settings(&mut row, &group);
    }
    if new.follow {
        row.feed_id = Some(follow::create_feed(&transaction, now, &row, &domain.policy().base_url).await?);
    }
    let first = first_run(&transaction, now, &row, plan).await?;
    (row.next_run_at, row.credits_wait_until) = (Some(first.at), first.waits_until);
    monitor::Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    feed::register_token(&transaction, now, row.id, &row.feed_token).await?;
    let warnings = warnings::of_account(&transaction, account_id, plan, &new.definition).await?;
    transaction.commit().await?;
    Ok(CreatedMonitor { monitor: Monitor::of(&row, plan)?, already_exists: false, warnings })
}

/// Creates the row of a new monitor, without a first run, channels and tags.
fn new_row(
    domain: &Domain,
    account_id: AccountId,
    new: &NewMonitor,
    plan: &TierLimits,
) -> Result<monitor::Model> {
    let id = domain.new_id();
    let minutes = new.interval_minutes.unwrap_or(DEFAULT_MINUTES);
    Ok(monitor::Model {
        id,
        account_id,
        identity: definition::identity(&new.address, &new.definition)?,
        name: new.name.clone(),
        host: extract::feed::site(new.address.url.as_str()).unwrap_or_default(),
        target_url: new.address.url.as_str().to_owned(),
        url_key: definition::target_key(&new.definition, id, &new.address),
        target_type: TargetType::of(&new.definition.target).as_str().to_owned(),
        definition: definition::write(&new.definition)?,
        interval_minutes: i32::try_from(minutes).unwrap_or(i32::MAX),
        status: Status::Active.as_str().to_owned(),
        pause_reason: None,
        next_run_at: None,
        feed_token: feed::new_token(domain),
        feed_id: None,
        last_run_at: None,
        last_change_at: None,
        last_error_code: None,
        failures: 0,
        failing_since: None,
        absent: 0,
        seen_body_hash: 0,
        baseline_hash: None,
        recent: "[]".to_owned(),
        masks: "{}".to_owned(),
        created_at: domain.now(),
        observed_hash: None,
        refused_since: None,
        credits_wait_until: None,
        notify: "[]".to_owned(),
        tags: "[]".to_owned(),
        schedule: stored_schedule(&new.options.schedule, plan)?,
        notify_failures: new.options.notify_failures.map(stored_failures),
        group_id: None,
        own_interval: false,
        own_schedule: false,
        own_notify: false,
    })
}

async fn with_sealed_credentials(
    domain: &Domain,
    account_id: AccountId,
    mut new: NewMonitor,
) -> Result<NewMonitor> {
    new.definition.request.credentials = match &new.options.credentials {
        Some(credentials) => Some(request::seal(domain, account_id, &new.address.url, credentials).await?),
        None => None,
    };
    if new.options.may_lack_secrets {
        step_secrets::remove(&mut new.definition);
    } else {
        step_secrets::seal(domain, account_id, &new.address.url, &mut new.definition).await?;
    }
    Ok(new)
}

/// First run of a monitor that was created or resumed.
#[derive(Clone, Copy)]
pub(super) struct FirstRun {
    pub(super) at: Millis,
    /// Start of the month whose credits the monitor waits for.
    pub(super) waits_until: Option<Millis>,
}

/// Schedules the first run of a monitor that was created or resumed. It starts within a minute, or in the
/// next month if the account has too few credits.
pub(super) async fn first_run(
    transaction: &DatabaseTransaction,
    now: Millis,
    row: &monitor::Model,
    plan: &TierLimits,
) -> Result<FirstRun> {
    let allowance = i64::from(plan.web_monitor_monthly_credits);
    let balance = credits::balance(transaction, now, row.account_id, allowance).await?;
    if balance.remaining() >= definition::cost_of(row) {
        return Ok(FirstRun { at: next_run::first(row, now), waits_until: None });
    }
    let month = credits::next_month(now);
    Ok(FirstRun { at: start_in_month(row, month), waits_until: Some(month) })
}

/// Returns one of the account's monitors.
///
/// # Errors
/// `not_found` if the monitor does not exist.
#[boxed]
pub async fn get(domain: &Domain, account_id: AccountId, id: MonitorId) -> Result<Monitor> {
    let plan = &owner_plan(domain, account_id).await?;
    Monitor::of(&load(domain.db().read(), account_id, id).await?, plan)
}

/// Lists the account's monitors that match a filter.
#[boxed]
pub async fn list(
    domain: &Domain,
    account_id: AccountId,
    filter: ListFilter,
    page: ListRange<MonitorId>,
) -> Result<MonitorPage> {
    let mut query = monitor::Entity::owned_by(account_id).filter(monitor::Column::Id.lt(page.before()));
    if let Some(status) = filter.status {
        query = query.filter(monitor::Column::Status.eq(status.as_str()));
    }
    if let Some(group_id) = filter.group {
        query = query.filter(monitor::Column::GroupId.eq(group_id));
    }
    let query = query.order_by_desc(monitor::Column::Id).limit(page.rows());
    let rows = query.all(domain.db().read()).await?;
    let has_more = rows.len() > page.len();
    let plan = &owner_plan(domain, account_id).await?;
    let visible = rows.iter().take(page.len());
    let monitors: Vec<Monitor> = visible.map(|row| Monitor::of(row, plan)).collect::<Result<_>>()?;
    let next_after = monitors.last().map(|last| last.id).filter(|_| has_more);
    Ok(MonitorPage { monitors, next_after })
}

/// Deletes a monitor with all of its records. Requests for its feed return `feed_gone` from then on.
///
/// # Errors
/// `not_found` if the monitor does not exist.
#[boxed]
pub async fn delete(domain: &Domain, account_id: AccountId, id: MonitorId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = load(&transaction, account_id, id).await?;
    delete_in(&transaction, &row).await?;
    transaction.commit().await?;
    Ok(())
}

/// Like [`delete`], but within a transaction that has locked the account.
pub(super) async fn delete_in(transaction: &DatabaseTransaction, row: &monitor::Model) -> Result<()> {
    notices::forget_monitor(transaction, row.account_id, row.id).await?;
    monitor::Entity::delete_by_id(row.id).exec(transaction).await?;
    if let Some(feed_id) = row.feed_id {
        internal_feed::remove(transaction, &[feed_id]).await?;
    }
    Ok(())
}

/// Replaces the feed token of a monitor. Requests for the old URL and for its links to changes return
/// `feed_gone` from then on. Entries in the owner's feeds receive the new links.
///
/// # Errors
/// `not_found` if the monitor does not exist.
#[boxed]
pub async fn rotate_feed(domain: &Domain, account_id: AccountId, id: MonitorId) -> Result<Monitor> {
    let token = feed::new_token(domain);
    let links = Links::load(domain, &domain.policy().base_url, &token).await?;
    let transaction = domain.db().begin().await?;
    let plan = &accounts::lock_limits(&transaction, domain, account_id).await?;
    let row = load(&transaction, account_id, id).await?;
    feed::register_token(&transaction, domain.now(), id, &token).await?;
    if let Some(feed_id) = row.feed_id {
        let url = feed_url(&domain.policy().base_url, &token, FeedFormat::Rss);
        internal_feed::rename(&transaction, feed_id, &row.name, &url).await?;
        internal_feed::relink(&transaction, feed_id, |url| links.renewed(url)).await?;
    }
    let rotated = monitor::ActiveModel { id: Set(id), feed_token: Set(token), ..Default::default() };
    let row = rotated.update(&transaction).await?;
    transaction.commit().await?;
    Monitor::of(&row, plan)
}

/// Starts a run immediately, regardless of the monitor's status, or joins the run in progress. A started run
/// costs one fresh extraction, or five for a rendered page, regardless of its outcome. The caller pushes the job.
///
/// # Errors
/// `not_found` if the monitor does not exist; `monitor_credits_exhausted` if the account has too few credits
/// in this month; `rate_limited` within 15 seconds after a run; `fresh_extraction_limit` if it has no fresh
/// extractions left.
#[boxed]
pub async fn run_now(domain: &Domain, payer: Payer, id: MonitorId) -> Result<(Run, Submitted)> {
    let row = load(domain.db().read(), payer.account_id, id).await?;
    let count = rendering_rules::fresh_extractions(&definition::read(&row.definition)?);
    let owner = (payer.account_id, payer.tier);
    let reservation = domain.limits().reserve_extractions(domain, owner, count).await?;
    let outcome = submit_run(domain, payer.account_id, id).await;
    // If the run was refused or joined another run, no request is sent to the source.
    if !matches!(&outcome, Ok(RunNow { is_new: true, .. })) {
        domain.limits().refund(reservation).await;
    }
    outcome.map(|started| (started.run, started.job))
}

/// Run that a user requested.
struct RunNow {
    run: Run,
    job: Submitted,
    is_new: bool,
}

async fn submit_run(domain: &Domain, account_id: AccountId, id: MonitorId) -> Result<RunNow> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let plan = &accounts::lock_limits(&transaction, domain, account_id).await?;
    // Lock the monitor, so that the scheduler does not claim it at the same time.
    let row = lock(&transaction, account_id, id).await?;
    let monitor = Monitor::of(&row, plan)?;
    // There is at most one run per due time, even if two runs are requested in the same millisecond.
    let last = monitor_run::Entity::owned_by(account_id)
        .filter(monitor_run::Column::MonitorId.eq(id))
        .order_by_desc(monitor_run::Column::DueAt)
        .one(&transaction)
        .await?;
    let due_at = last.as_ref().map_or(now, |last| now.max(last.due_at + 1));
    let requested = MonitorRunArgs::by_hand(domain, id, due_at);
    let job = if rendering_rules::needs_browser(domain, &monitor.definition) {
        requested.browser_job(account_id)?
    } else {
        match batch::find_live_batch(&transaction, &row, now).await? {
            None => requested.job()?,
            Some(key) => requested.job_of_key(key)?,
        }
    };
    let job = jobs::submit(&transaction, domain, job).await?;
    let row = job::Entity::find_by_id(job.id).one(&transaction).await?;
    let row = row.ok_or_else(|| Error::internal("submitted job not found"))?;
    let args: RunJobArgs = serde_json::from_str(&row.payload).map_err(Error::internal)?;
    let args = args.into_run(id).ok_or_else(|| Error::internal("run in progress is missing in its job"))?;
    let is_new = args.run_id == requested.run_id;
    if is_new {
        let allowance = i64::from(plan.web_monitor_monthly_credits);
        let balance = credits::balance(&transaction, now, account_id, allowance).await?;
        if balance.remaining() < monitor.definition.cost() {
            return Err(exhausted(now, balance));
        }
        // After the clock was set back, runs must not be refused until it reaches the old time again.
        let gap_end = last.filter(|last| last.started_at <= now).map(|last| last.started_at + MANUAL_RUN_GAP);
        if let Some(next) = gap_end.filter(|next| *next > now) {
            return Err(too_soon(next - now));
        }
    }
    transaction.commit().await?;
    Ok(RunNow { run: Run::started_at(args.run_id, row.started_at.unwrap_or(now)), job, is_new })
}

/// Error for a run that is requested too soon after another run. `wait` is the remaining time in
/// milliseconds.
fn too_soon(wait: Millis) -> Error {
    Error::new(Code::RateLimited, "This monitor ran less than 15 seconds ago. Try again in a moment.")
        .retry_after(u32::try_from((wait + SECOND - 1) / SECOND).unwrap_or(u32::MAX))
}

/// Error for a month whose credits are used up.
fn exhausted(now: Millis, balance: credits::CreditBalance) -> Error {
    let wait = (credits::next_month(now) - now) / SECOND + 1;
    Error::new(Code::MonitorCreditsExhausted, "This account's monitor credits for this month are used up.")
        .retry_after(u32::try_from(wait).unwrap_or(u32::MAX))
        .limit(balance.into())
}

pub(super) fn check_name(name: &str) -> Result<String> {
    let name = name.trim();
    let length = name.chars().count();
    if length == 0 || length > MAX_NAME || name.chars().any(char::is_control) {
        return Err(Error::invalid_field(
            "name",
            format!("must have 1 to {MAX_NAME} characters on one line"),
        ));
    }
    Ok(name.to_owned())
}

/// Validates a schedule against a plan, and returns its stored form.
pub(super) fn stored_schedule(schedule: &Schedule, plan: &TierLimits) -> Result<Option<String>> {
    schedule.parse()?.check_gaps(plan.web_monitor_minimum_interval_minutes)?;
    if schedule.is_default() {
        return Ok(None);
    }
    serde_json::to_string(schedule).map(Some).map_err(Error::internal)
}

pub(super) fn stored_failures(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

pub(super) fn check_interval(minutes: u32, plan: &TierLimits) -> Result<()> {
    let least = plan.web_monitor_minimum_interval_minutes;
    if minutes < least {
        return Err(Error::new(
            Code::IntervalTooShort,
            format!("This account's plan requires an interval of at least {least} minutes."),
        )
        .at("interval_minutes", format!("must be at least {least}")));
    }
    if minutes > LONGEST_MINUTES {
        return Err(Error::invalid_field("interval_minutes", format!("must be at most {LONGEST_MINUTES}")));
    }
    Ok(())
}
