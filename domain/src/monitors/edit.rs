//! Changing a monitor: its name, its interval, what it looks at, whether it goes on.

use entities::ids::{AccountId, MonitorId};
use entities::monitor;
use extract::watch::{Field, Ignore, Target, Trigger};
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseTransaction, PaginatorTrait, QueryFilter};

use super::manage::{check_interval, check_name, first_run};
use super::rows::load;
use super::{Definition, Monitor, PauseReason, Status, definition, feed, follow, rules};
use crate::accounts;
use crate::articles::Address;
use crate::clock::Millis;
use crate::code::Code;
use crate::credits;
use crate::error::{Error, Result};
use crate::feeds::pushed;
use crate::handle::Domain;
use crate::limits::require_room;

/// What is to change about a monitor. The outer `None` leaves things as they are.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    /// What to call it.
    pub name: Option<String>,
    /// Between two runs.
    pub interval_minutes: Option<u32>,
    /// Of a page; `Some(None)` watches the main text.
    pub selector: Option<Option<String>>,
    /// Of a sitemap.
    pub include: Option<Vec<String>>,
    /// Of a sitemap.
    pub exclude: Option<Vec<String>>,
    /// Of an extract; `Some(None)` takes the whole source as one item.
    pub items: Option<Option<String>>,
    /// Of an extract.
    pub fields: Option<Vec<Field>>,
    /// What does not count.
    pub ignore: Option<Vec<Ignore>>,
    /// What is worth telling.
    pub trigger: Option<Trigger>,
    /// Whether the order of a list matters.
    pub ordered: Option<bool>,
    /// Whether its changes stand among the owner's feeds.
    pub follow: Option<bool>,
    /// Going on, or waiting.
    pub status: Option<Status>,
}

/// Changes a monitor. When what it looks at changes, the next run is a new baseline.
///
/// # Errors
/// `not_found`, `invalid_request`, `interval_too_short`; `limit_reached` when the plan has no room for
/// another active monitor; `name_taken` when another monitor watches the same thing.
pub async fn update(domain: &Domain, account_id: AccountId, id: MonitorId, edit: Edit) -> Result<Monitor> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let plan = domain.limits().of(accounts::lock(&transaction, account_id).await?);
    let row = load(&transaction, account_id, id).await?;
    let before = definition::read(&row.definition)?;
    let after = edited(&before, &edit)?;
    if let Some(minutes) = edit.interval_minutes {
        check_interval(minutes, plan)?;
    }
    let status = Status::parse(&row.status).unwrap_or(Status::Paused);
    let wanted = edit.status.unwrap_or(status);
    if wanted == Status::Active && status != Status::Active {
        let used = rules::count_active(&transaction, account_id).await?;
        require_room("active web monitors", plan.web_monitors.into(), used)?;
    }
    let mut change = Changed::of(&row);
    if let Some(name) = &edit.name {
        change.name = check_name(name)?;
    }
    if let Some(minutes) = edit.interval_minutes {
        change.interval_minutes = i32::try_from(minutes).unwrap_or(i32::MAX);
    }
    change.interval_ms = rules::interval(change.interval_minutes, plan);
    change.set_status(&row, edit.status, now);
    if after != before {
        change.definition = definition::write(&after)?;
        let address = Address::parse(domain, &row.target_url)?;
        change.identity = definition::identity(&address, &after)?;
        change.resets_baseline = !definition::sees_the_same(&before, &after);
        change.looks_again = true;
    }
    if change.status == Status::Active && (change.resets_baseline || status != Status::Active) {
        let first = first_run(&transaction, now, &row, plan).await?;
        change.next_run_at = Some(first);
    }
    let updated = change.write(&transaction, &row).await?;
    let follow = Following { wanted: edit.follow, base_url: &domain.policy().base_url };
    let updated = set_followed(&transaction, now, updated, follow).await?;
    transaction.commit().await?;
    updated.try_into()
}

/// Has the monitor stand among its owner's feeds under its name, or not any more, as `wanted` says; the feed of
/// one that is followed bears its name.
async fn set_followed(
    transaction: &DatabaseTransaction,
    now: Millis,
    row: monitor::Model,
    follow: Following<'_>,
) -> Result<monitor::Model> {
    let feed_id = match (row.feed_id, follow.wanted) {
        (None, Some(true)) => Some(follow::begin(transaction, now, &row, follow.base_url).await?),
        (Some(feed_id), Some(false)) => {
            pushed::remove(transaction, &[feed_id]).await?;
            None
        }
        (Some(feed_id), Some(true) | None) => {
            let url = feed::url_of(follow.base_url, &row.feed_token);
            pushed::rename(transaction, feed_id, &row.name, &url).await?;
            return Ok(row);
        }
        (None, Some(false) | None) => return Ok(row),
    };
    let after = monitor::ActiveModel { id: Set(row.id), feed_id: Set(feed_id), ..Default::default() };
    Ok(after.update(transaction).await?)
}

/// Whether a monitor shall be followed, and where its feed is found.
struct Following<'a> {
    wanted: Option<bool>,
    base_url: &'a str,
}

/// The columns that an edit may change.
struct Changed {
    name: String,
    identity: String,
    definition: String,
    interval_minutes: i32,
    interval_ms: Millis,
    status: Status,
    pause_reason: Option<String>,
    next_run_at: Option<Millis>,
    resets_baseline: bool,
    looks_again: bool,
    resets_failures: bool,
}

impl Changed {
    fn of(row: &monitor::Model) -> Self {
        Self {
            name: row.name.clone(),
            identity: row.identity.clone(),
            definition: row.definition.clone(),
            interval_minutes: row.interval_minutes,
            interval_ms: 0,
            status: Status::parse(&row.status).unwrap_or(Status::Paused),
            pause_reason: row.pause_reason.clone(),
            next_run_at: row.next_run_at,
            resets_baseline: false,
            looks_again: false,
            resets_failures: false,
        }
    }

    fn set_status(&mut self, row: &monitor::Model, wanted: Option<Status>, now: Millis) {
        match wanted {
            Some(Status::Paused) if self.status != Status::Paused => {
                self.status = Status::Paused;
                self.pause_reason = Some(PauseReason::User.as_str().to_owned());
                self.next_run_at = None;
            }
            Some(Status::Active) if self.status != Status::Active => {
                self.status = Status::Active;
                self.pause_reason = None;
                // Who has it go on has looked at what was wrong.
                self.resets_failures = true;
            }
            _ => {}
        }
        // A shorter interval counts from the last run on; a longer one too.
        if self.status == Status::Active && self.interval_minutes != row.interval_minutes {
            let next = row.last_run_at.map(|last| rules::next(row.id, last, self.interval_ms));
            let is_waiting_for_credits = row.next_run_at == Some(credits::next_month(now));
            if let Some(next) = next.filter(|_| !is_waiting_for_credits && row.failures == 0) {
                self.next_run_at = Some(next.max(now));
            }
        }
    }

    async fn write(&self, transaction: &DatabaseTransaction, row: &monitor::Model) -> Result<monitor::Model> {
        if self.identity != row.identity {
            let same = monitor::Entity::owned_by(row.account_id)
                .filter(monitor::Column::Identity.eq(self.identity.as_str()));
            if same.count(transaction).await? > 0 {
                return Err(Error::new(
                    Code::NameTaken,
                    "Another monitor watches the same part of the same address already.",
                ));
            }
        }
        let mut after = monitor::ActiveModel {
            id: Set(row.id),
            name: Set(self.name.clone()),
            identity: Set(self.identity.clone()),
            definition: Set(self.definition.clone()),
            interval_minutes: Set(self.interval_minutes),
            status: Set(self.status.as_str().to_owned()),
            pause_reason: Set(self.pause_reason.clone()),
            next_run_at: Set(self.next_run_at),
            ..Default::default()
        };
        if self.looks_again {
            after.seen_body_hash = Set(0);
            after.recent = Set("[]".to_owned());
        }
        if self.resets_baseline {
            after.baseline_hash = Set(None);
            after.masks = Set("{}".to_owned());
            after.absent = Set(0);
        }
        if self.resets_failures {
            after.failures = Set(0);
            after.failing_since = Set(None);
            after.absent = Set(0);
        }
        Ok(after.update(transaction).await?)
    }
}

/// The definition after an edit.
pub(super) fn edited(before: &Definition, edit: &Edit) -> Result<Definition> {
    let mut after = before.clone();
    match &mut after.target {
        Target::Page { selector } => {
            foreign(edit.include.is_some(), "include")?;
            foreign(edit.exclude.is_some(), "exclude")?;
            foreign(edit.items.is_some(), "items")?;
            foreign(edit.fields.is_some(), "fields")?;
            set(selector, edit.selector.as_ref());
        }
        Target::Sitemap { include, exclude } => {
            foreign(edit.selector.is_some(), "selector")?;
            foreign(edit.items.is_some(), "items")?;
            foreign(edit.fields.is_some(), "fields")?;
            set(include, edit.include.as_ref());
            set(exclude, edit.exclude.as_ref());
        }
        Target::Extract { items, fields } => {
            foreign(edit.selector.is_some(), "selector")?;
            foreign(edit.include.is_some(), "include")?;
            foreign(edit.exclude.is_some(), "exclude")?;
            set(items, edit.items.as_ref());
            set(fields, edit.fields.as_ref());
        }
    }
    set(&mut after.ignore, edit.ignore.as_ref());
    set(&mut after.trigger, edit.trigger.as_ref());
    set(&mut after.ordered, edit.ordered.as_ref());
    definition::check(&after)?;
    Ok(after)
}

fn set<T: Clone>(place: &mut T, wanted: Option<&T>) {
    if let Some(wanted) = wanted {
        place.clone_from(wanted);
    }
}

fn foreign(is_sent: bool, name: &'static str) -> Result<()> {
    if is_sent {
        return Err(Error::invalid_field(name, "does not belong to this type of target"));
    }
    Ok(())
}
