//! What owners do with their monitors: making, looking, running now, ending.

use entities::job;
use sea_orm::{ConnectionTrait, DatabaseTransaction, EntityTrait, Value};
use uuid::Uuid;

use super::due::{self, Asked};
use super::follow::{self, Followed};
use super::rows::{change, invalid_at, load, model, number, sql};
use super::rules::{self, LONGEST_MINUTES};
use super::{Definition, Monitor, Run, Settings, Status, definition, feed};
use crate::accounts;
use crate::articles::Address;
use crate::clock::Millis;
use crate::credits;
use crate::error::{Error, Result};
use crate::feeds::schedule::SECOND;
use crate::handle::Domain;
use crate::jobs::{self, Priority, Submitted};
use crate::limits::{Limits, TierLimits, usage};

/// Between two runs, when nobody says.
const USUAL_MINUTES: u32 = 1440;
/// The longest name, in characters.
const MAX_NAME: usize = 120;

/// A monitor to be made.
#[derive(Clone, Debug)]
pub struct NewMonitor {
    /// What to call it.
    pub name: String,
    /// What to watch.
    pub address: Address,
    /// What of it, and how.
    pub definition: Definition,
    /// Between two runs; a day when not given.
    pub interval_minutes: Option<u32>,
    /// Whether its changes shall stand among the owner's feeds.
    pub follow: bool,
}

/// A monitor that was made, or was there before.
#[derive(Clone, Debug, PartialEq)]
pub struct Created {
    /// The monitor.
    pub monitor: Monitor,
    /// It was there before; nothing was changed.
    pub already: bool,
}

/// A page of monitors.
#[derive(Clone, Debug, PartialEq)]
pub struct MonitorPage {
    /// Newest first.
    pub monitors: Vec<Monitor>,
    /// The id after which the next page begins, when there is one.
    pub next_after: Option<Uuid>,
}

/// Makes a monitor that first runs within a minute. One of the same address, type and selector is not
/// made again.
///
/// # Errors
/// `invalid_request`, `interval_too_short`, `limit_reached`.
pub async fn create(
    domain: &Domain,
    limits: &Limits,
    settings: &Settings,
    account_id: Uuid,
    new: NewMonitor,
) -> Result<Created> {
    let name = check_name(&new.name)?;
    definition::check(&new.definition)?;
    let identity = definition::identity(&new.address, &new.definition.target);
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let plan = limits.of(accounts::lock(&transaction, account_id).await?);
    let minutes = new.interval_minutes.unwrap_or(USUAL_MINUTES);
    let text = "SELECT * FROM monitor WHERE account_id = $1 AND identity = $2";
    let values = [account_id.into(), identity.as_str().into()];
    if let Some(row) = transaction.query_one_raw(sql(&transaction, text, values)).await? {
        return Ok(Created { monitor: model(&row)?.try_into()?, already: true });
    }
    check_interval(minutes, plan)?;
    let used = rules::count(&transaction, account_id).await?;
    usage::require_room("web monitors", plan.web_monitors.into(), used)?;
    let (id, feed_token) = (domain.new_id(), feed::new_token(domain));
    let host = extract::feed::site(new.address.url.as_str()).unwrap_or_default();
    let feed_id = if new.follow {
        let (site_url, url) = (new.address.url.as_str(), feed::url_of(&settings.base_url, &feed_token));
        let feed = Followed { account_id, feed_url: &url, site_url, host: &host, title: &name };
        Some(follow::follow(&transaction, now, &feed).await?)
    } else {
        None
    };
    let text = "INSERT INTO monitor (id, account_id, identity, name, target_url, url_key, host, target_type, \
        definition, interval_minutes, status, next_run_at, feed_token, feed_id, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'active', $11, $12, $13, $14)";
    let first = first_run(&transaction, now, account_id, id, &new.definition, plan).await?;
    let values: [Value; 14] = [
        id.into(),
        account_id.into(),
        identity.into(),
        name.into(),
        new.address.url.as_str().into(),
        new.address.key.as_str().into(),
        host.into(),
        definition::type_of(&new.definition.target).as_str().into(),
        definition::write(&new.definition)?.into(),
        i32::try_from(minutes).unwrap_or(i32::MAX).into(),
        first.into(),
        feed_token.as_str().into(),
        feed_id.into(),
        now.into(),
    ];
    change(&transaction, text, values).await?;
    feed::give_out(&transaction, now, id, &feed_token).await?;
    let monitor = load(&transaction, account_id, id).await?.try_into()?;
    transaction.commit().await?;
    Ok(Created { monitor, already: false })
}

/// When a monitor runs first, or again: soon, or with the next month when no run of it can be paid for.
pub(super) async fn first_run(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: Uuid,
    id: Uuid,
    definition: &Definition,
    plan: &TierLimits,
) -> Result<Millis> {
    let allowance = i64::from(plan.web_monitor_monthly_credits);
    let standing = credits::look(transaction, now, account_id, allowance).await?;
    let cost = definition::type_of(&definition.target).cost();
    Ok(if standing.remaining() < cost { credits::next_month(now) } else { rules::soon(id, now) })
}

/// One monitor of the account.
///
/// # Errors
/// `not_found`.
pub async fn get(domain: &Domain, account_id: Uuid, id: Uuid) -> Result<Monitor> {
    load(domain.db().read(), account_id, id).await?.try_into()
}

/// At most `limit` monitors of the account after the id `after`, newest first, of one status or of all.
pub async fn list(
    domain: &Domain,
    account_id: Uuid,
    status: Option<Status>,
    after: Option<Uuid>,
    limit: u32,
) -> Result<MonitorPage> {
    let connection = domain.db().read();
    let text = "SELECT * FROM monitor WHERE account_id = $1 AND id < $2 AND ($3 = '' OR status = $3) \
                ORDER BY id DESC LIMIT $4";
    let values = [
        account_id.into(),
        after.unwrap_or(Uuid::max()).into(),
        status.map_or("", Status::as_str).into(),
        (i64::from(limit) + 1).into(),
    ];
    let rows = connection.query_all_raw(sql(connection, text, values)).await?;
    let mut monitors: Vec<Monitor> =
        rows.iter().map(|row| model(row)?.try_into()).collect::<Result<Vec<_>>>()?;
    let has_more = monitors.len() > limit as usize;
    monitors.truncate(limit as usize);
    let next_after = monitors.last().map(|last| last.id).filter(|_| has_more);
    Ok(MonitorPage { monitors, next_after })
}

/// Ends a monitor, with everything it has found. Its feed answers that it is gone.
///
/// # Errors
/// `not_found`.
pub async fn delete(domain: &Domain, account_id: Uuid, id: Uuid) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = load(&transaction, account_id, id).await?;
    change(&transaction, "DELETE FROM monitor WHERE id = $1", [row.id.into()]).await?;
    if let Some(feed_id) = row.feed_id {
        follow::unfollow(&transaction, feed_id).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Gives the feed of a monitor a new address; the old one answers that it is gone.
///
/// # Errors
/// `not_found`.
pub async fn rotate_feed(
    domain: &Domain,
    settings: &Settings,
    account_id: Uuid,
    id: Uuid,
) -> Result<Monitor> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = load(&transaction, account_id, id).await?;
    let token = feed::new_token(domain);
    let text = "UPDATE monitor SET feed_token = $1 WHERE id = $2";
    change(&transaction, text, [token.as_str().into(), id.into()]).await?;
    feed::give_out(&transaction, domain.now(), id, &token).await?;
    if let Some(feed_id) = row.feed_id {
        let url = feed::url_of(&settings.base_url, &token);
        follow::rename(&transaction, feed_id, &row.name, &url).await?;
    }
    let monitor = load(&transaction, account_id, id).await?.try_into()?;
    transaction.commit().await?;
    Ok(monitor)
}

/// Has a monitor run now, whatever its status, or joins the run that is under way. The caller pushes the
/// job.
///
/// # Errors
/// `not_found`; `monitor_credits_exhausted` when too little is left of the month.
pub async fn run_now(
    domain: &Domain,
    limits: &Limits,
    account_id: Uuid,
    id: Uuid,
) -> Result<(Run, Submitted)> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let plan = limits.of(accounts::lock(&transaction, account_id).await?);
    let monitor: Monitor = load(&transaction, account_id, id).await?.try_into()?;
    let allowance = i64::from(plan.web_monitor_monthly_credits);
    let standing = credits::look(&transaction, now, account_id, allowance).await?;
    if standing.remaining() < monitor.target_type.cost() {
        return Err(exhausted(now, standing));
    }
    // One run for each due time, even when two are asked for in the same instant.
    let text = "SELECT MAX(due_at) FROM monitor_run WHERE monitor_id = $1";
    let last = number(&transaction, text, [id.into()]).await?;
    let job = due::job(domain, id, now.max(last + 1), Priority::High, true)?;
    let submitted = jobs::submit(&transaction, domain, job).await?;
    let row = job::Entity::find_by_id(submitted.id).one(&transaction).await?;
    let row = row.ok_or_else(|| Error::internal("a job that was written is not there"))?;
    let asked: Asked = serde_json::from_str(&row.payload).map_err(Error::internal)?;
    transaction.commit().await?;
    Ok((Run::begun(asked.run_id, row.started_at.unwrap_or(now)), submitted))
}

/// The refusal for a month without credits left.
fn exhausted(now: Millis, standing: credits::Standing) -> Error {
    let wait = (credits::next_month(now) - now) / SECOND + 1;
    Error::Limited {
        code: "monitor_credits_exhausted",
        message: "The monitor credits that this account has for this month are used up.".into(),
        retry_after: u32::try_from(wait).unwrap_or(u32::MAX),
        details: Some(format!("limit={} used={}", standing.limit(), standing.used)),
    }
}

pub(super) fn check_name(name: &str) -> Result<String> {
    let name = name.trim();
    let length = name.chars().count();
    if length == 0 || length > MAX_NAME || name.chars().any(char::is_control) {
        return Err(invalid_at("/name", "must have 1 to 120 characters on one line"));
    }
    Ok(name.to_owned())
}

pub(super) fn check_interval(minutes: u32, plan: &TierLimits) -> Result<()> {
    let least = plan.web_monitor_minimum_interval_minutes;
    if minutes < least {
        return Err(Error::Invalid {
            code: "interval_too_short",
            message: format!("This account's plan runs a monitor every {least} minutes at most."),
            details: Some(format!("/intervalMinutes: less than {least}")),
        });
    }
    if minutes > LONGEST_MINUTES {
        return Err(invalid_at("/intervalMinutes", "must be at most 43200"));
    }
    Ok(())
}
