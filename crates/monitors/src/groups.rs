//! Groups of monitors: settings that all monitors of the group inherit, and a public page with a feed.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChannelId, MonitorGroupId};
use entities::{monitor, monitor_group};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::calendar::Schedule;
use super::feed_format::{FeedFormat, group_feed_url, group_page_url};
use super::group_settings::{PLAIN_SCHEDULE, copy_settings, feed_owner, load_group};
use super::manage::{check_interval, check_name, stored_schedule};
use super::{feed, next_run};
use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::tag::Tag;
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Millis, Result};

/// Group of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorGroup {
    pub id: MonitorGroupId,
    pub name: String,
    /// Interval between two runs, in minutes. `None` if the group does not define it.
    pub interval_minutes: Option<u32>,
    pub schedule: Option<Schedule>,
    /// Channels to notify. `None` if the group does not define them.
    pub notify: Option<Vec<ChannelId>>,
    /// Token of the public URLs. `None` unless the group is published.
    pub feed_token: Option<String>,
    /// Number of monitors in the group.
    pub monitor_count: u64,
    pub created_at: Millis,
}

impl MonitorGroup {
    fn of(row: monitor_group::Model, monitor_count: u64) -> Self {
        let schedule = row.schedule.as_deref().map(serde_json::from_str::<Schedule>).transpose();
        let schedule = schedule.unwrap_or_else(|error| {
            tracing::error!(%error, group = %row.id, "failed to read the schedule of a group");
            None
        });
        Self {
            id: row.id,
            name: row.name,
            interval_minutes: row.interval_minutes.and_then(|minutes| u32::try_from(minutes).ok()),
            schedule,
            notify: row.notify.map(|ids| serde_json::from_str(&ids).unwrap_or_default()),
            feed_token: row.feed_token,
            monitor_count,
            created_at: row.created_at,
        }
    }

    /// URL of the public page. `None` unless the group is published.
    pub fn page_url(&self, base_url: &str) -> Option<String> {
        self.feed_token.as_deref().map(|token| group_page_url(base_url, token))
    }

    /// URL of the public feed as RSS 2.0. `None` unless the group is published.
    pub fn feed_url(&self, base_url: &str) -> Option<String> {
        self.feed_token.as_deref().map(|token| group_feed_url(base_url, token, FeedFormat::Rss))
    }
}

/// Changes to a group. If the outer `Option` is `None`, the value is not changed. If the inner `Option` is
/// `None`, the group no longer defines the value, and its monitors retain their current values.
#[derive(Clone, Debug, Default)]
pub struct GroupEdit {
    pub name: Option<String>,
    /// Interval between two runs, in minutes.
    pub interval_minutes: Option<Option<u32>>,
    pub schedule: Option<Option<Schedule>>,
    pub notify: Option<Option<Vec<ChannelId>>>,
    /// True to publish the group's page and feed, false to unpublish. Publishing again issues new URLs.
    pub is_published: Option<bool>,
}

/// Lists the account's groups by name.
#[boxed]
pub async fn list_groups(domain: &Domain, account_id: AccountId) -> Result<Vec<MonitorGroup>> {
    let connection = domain.db().read();
    let rows = monitor_group::Entity::owned_by(account_id)
        .order_by_asc(monitor_group::Column::NameKey)
        .all(connection)
        .await?;
    let members: Vec<MonitorGroupId> = monitor::Entity::owned_by(account_id)
        .filter(monitor::Column::GroupId.is_not_null())
        .select_only()
        .column(monitor::Column::GroupId)
        .into_tuple()
        .all(connection)
        .await?;
    let mut counts: HashMap<MonitorGroupId, u64> = HashMap::new();
    for id in members {
        *counts.entry(id).or_default() += 1;
    }
    let group = |row: monitor_group::Model| {
        let count = counts.get(&row.id).copied().unwrap_or(0);
        MonitorGroup::of(row, count)
    };
    Ok(rows.into_iter().map(group).collect())
}

/// Returns one of the account's groups.
///
/// # Errors
/// `not_found` if the group does not exist.
#[boxed]
pub async fn get_group(domain: &Domain, account_id: AccountId, id: MonitorGroupId) -> Result<MonitorGroup> {
    let connection = domain.db().read();
    let row = load_group(connection, account_id, id).await?;
    let count = members(&row).count(connection).await?;
    Ok(MonitorGroup::of(row, count))
}

/// Creates an empty group. An account has at most as many groups as its plan allows monitors.
///
/// # Errors
/// `limit_reached`; `name_taken`; `invalid_request`; `interval_too_short`; `not_found` if a channel does not exist.
#[boxed]
pub async fn create_group(domain: &Domain, account_id: AccountId, new: GroupEdit) -> Result<MonitorGroup> {
    let transaction = domain.db().begin().await?;
    let plan = &accounts::lock_limits(&transaction, domain, account_id).await?;
    let used = monitor_group::Entity::owned_by(account_id).count(&transaction).await?;
    check_plan_limit("groups of monitors", plan.web_monitors.into(), used)?;
    let mut row = monitor_group::Model {
        id: domain.new_id(),
        account_id,
        name: String::new(),
        name_key: String::new(),
        interval_minutes: None,
        schedule: None,
        notify: None,
        feed_token: None,
        created_at: domain.now(),
    };
    let new = GroupEdit { name: Some(new.name.unwrap_or_default()), ..new };
    GroupChange { transaction: &transaction, domain, plan }.apply(&mut row, new).await?;
    let inserted = monitor_group::Entity::insert(row.clone().into_active_model());
    inserted.exec_without_returning(&transaction).await?;
    transaction.commit().await?;
    Ok(MonitorGroup::of(row, 0))
}

/// Id of the account's group with this name, regardless of letter case.
pub(super) async fn find_named(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    name: &str,
) -> Result<Option<MonitorGroupId>> {
    let Some(name) = Tag::of(name) else { return Ok(None) };
    let named =
        monitor_group::Entity::owned_by(account_id).filter(monitor_group::Column::NameKey.eq(name.key));
    Ok(named.one(connection).await?.map(|row| row.id))
}

/// Edits a group. Its monitors get the new settings immediately, and their next runs are rescheduled.
///
/// # Errors
/// `not_found` if the group or a channel does not exist; `name_taken`; `invalid_request`; `interval_too_short`.
#[boxed]
pub async fn update_group(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorGroupId,
    edit: GroupEdit,
) -> Result<MonitorGroup> {
    let transaction = domain.db().begin().await?;
    let plan = &accounts::lock_limits(&transaction, domain, account_id).await?;
    let mut row = load_group(&transaction, account_id, id).await?;
    GroupChange { transaction: &transaction, domain, plan }.apply(&mut row, edit).await?;
    let row = row.into_active_model().reset_all().update(&transaction).await?;
    let count = copy_to_members(&transaction, domain.now(), &row, plan).await?;
    transaction.commit().await?;
    Ok(MonitorGroup::of(row, count))
}

/// Deletes a group. Its monitors remain, with their current settings. Requests for its page and feed return
/// `feed_gone` from then on.
///
/// # Errors
/// `not_found` if the group does not exist.
#[boxed]
pub async fn delete_group(domain: &Domain, account_id: AccountId, id: MonitorGroupId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    load_group(&transaction, account_id, id).await?;
    let leaving = monitor::ActiveModel { group_id: Set(None), ..Default::default() };
    monitor::Entity::update_many()
        .set(leaving)
        .filter(monitor::Column::AccountId.eq(account_id))
        .filter(monitor::Column::GroupId.eq(id))
        .exec(&transaction)
        .await?;
    monitor_group::Entity::delete_by_id(id).exec(&transaction).await?;
    transaction.commit().await?;
    Ok(())
}

fn members(group: &monitor_group::Model) -> sea_orm::Select<monitor::Entity> {
    monitor::Entity::owned_by(group.account_id).filter(monitor::Column::GroupId.eq(group.id))
}

/// Copies the settings of a group to its monitors, and returns the number of monitors.
async fn copy_to_members(
    transaction: &DatabaseTransaction,
    now: Millis,
    group: &monitor_group::Model,
    plan: &TierLimits,
) -> Result<u64> {
    let rows = members(group).order_by_asc(monitor::Column::Id).all(transaction).await?;
    let mut count = 0;
    for before in rows {
        count += 1;
        let mut row = before.clone();
        copy_settings(&mut row, group);
        if row == before {
            continue;
        }
        if (row.interval_minutes, &row.schedule) != (before.interval_minutes, &before.schedule) {
            row.next_run_at = next_run::reschedule(&row, plan, now);
        }
        let changed = monitor::ActiveModel {
            id: Set(row.id),
            interval_minutes: Set(row.interval_minutes),
            schedule: Set(row.schedule),
            notify: Set(row.notify),
            next_run_at: Set(row.next_run_at),
            ..Default::default()
        };
        changed.update(transaction).await?;
    }
    Ok(count)
}

/// Edit of a group's row.
struct GroupChange<'a> {
    transaction: &'a DatabaseTransaction,
    domain: &'a Domain,
    plan: &'a TierLimits,
}

impl GroupChange<'_> {
    async fn apply(&self, row: &mut monitor_group::Model, edit: GroupEdit) -> Result<()> {
        if let Some(name) = &edit.name {
            self.rename(row, name).await?;
        }
        if let Some(minutes) = edit.interval_minutes {
            minutes.map_or(Ok(()), |minutes| check_interval(minutes, self.plan))?;
            row.interval_minutes = minutes.map(|minutes| i32::try_from(minutes).unwrap_or(i32::MAX));
        }
        if let Some(schedule) = edit.schedule {
            let stored = schedule.map(|schedule| stored_schedule(&schedule, self.plan)).transpose()?;
            row.schedule = stored.map(|stored| stored.unwrap_or_else(|| PLAIN_SCHEDULE.to_owned()));
        }
        if let Some(notify) = edit.notify {
            row.notify = match notify {
                Some(ids) => Some(notices::check_notify(self.transaction, row.account_id, &ids).await?),
                None => None,
            };
        }
        match edit.is_published {
            Some(true) if row.feed_token.is_none() => {
                let token = feed::new_token(self.domain);
                let now = self.domain.now();
                feed::register_token(self.transaction, now, feed_owner(row.id), &token).await?;
                row.feed_token = Some(token);
            }
            Some(false) => row.feed_token = None,
            Some(true) | None => {}
        }
        Ok(())
    }

    async fn rename(&self, row: &mut monitor_group::Model, name: &str) -> Result<()> {
        row.name = check_name(name)?;
        let key = Tag::of(&row.name).map(|name| name.key);
        row.name_key = key.ok_or_else(|| Error::invalid_field("name", "must not be blank"))?;
        let same = find_named(self.transaction, row.account_id, &row.name).await?;
        if same.is_some_and(|same| same != row.id) {
            return Err(Error::new(Code::NameTaken, "A group with this name already exists."));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
