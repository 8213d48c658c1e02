//! Settings that monitors inherit from their group. They are copied to the rows of the monitors. Readers of a
//! monitor therefore do not need its group, and the settings are retained if the group is deleted.

use entities::ids::{AccountId, MonitorGroupId, MonitorId};
use entities::{monitor, monitor_group};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};

use kernel::Result;
use kernel::error::not_found;

/// Stored schedule of a group whose monitors run at their interval without further rules. The monitors
/// themselves store no schedule.
pub(super) const PLAIN_SCHEDULE: &str = "{}";

/// Setting that a monitor can inherit from its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupSetting {
    Interval,
    /// Days, times, pause and muted hours.
    Schedule,
    /// Channels to notify.
    Notify,
}

impl GroupSetting {
    pub const ALL: &'static [Self] = &[Self::Interval, Self::Schedule, Self::Notify];

    /// Name in the API and in exports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Interval => "interval",
            Self::Schedule => "schedule",
            Self::Notify => "notify",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|setting| setting.as_str() == word)
    }
}

/// Returns the settings of a monitor that do not follow its group.
pub(super) fn own_settings(row: &monitor::Model) -> Vec<GroupSetting> {
    if row.group_id.is_none() {
        return Vec::new();
    }
    let is_own = |setting: &GroupSetting| match setting {
        GroupSetting::Interval => row.own_interval,
        GroupSetting::Schedule => row.own_schedule,
        GroupSetting::Notify => row.own_notify,
    };
    GroupSetting::ALL.iter().copied().filter(is_own).collect()
}

/// Sets the settings of a monitor that do not follow its group.
pub(super) fn set_own_settings(row: &mut monitor::Model, own: &[GroupSetting]) {
    row.own_interval = own.contains(&GroupSetting::Interval);
    row.own_schedule = own.contains(&GroupSetting::Schedule);
    row.own_notify = own.contains(&GroupSetting::Notify);
}

/// Copies the settings of a group to one of its monitors, except settings that the group does not define and
/// the monitor's own settings.
pub(super) fn copy_settings(row: &mut monitor::Model, group: &monitor_group::Model) {
    if let Some(minutes) = group.interval_minutes.filter(|_| !row.own_interval) {
        row.interval_minutes = minutes;
    }
    if let Some(schedule) = group.schedule.as_ref().filter(|_| !row.own_schedule) {
        row.schedule = Some(schedule.clone()).filter(|schedule| schedule != PLAIN_SCHEDULE);
    }
    if let Some(notify) = group.notify.as_ref().filter(|_| !row.own_notify) {
        row.notify.clone_from(notify);
    }
}

/// Loads one of the account's groups.
///
/// # Errors
/// `not_found` if the group does not exist.
pub(super) async fn load_group(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: MonitorGroupId,
) -> Result<monitor_group::Model> {
    find_group(connection, account_id, id).await?.ok_or_else(|| not_found("group of monitors"))
}

/// Loads one of the account's groups. `None` if it does not exist.
pub(super) async fn find_group(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: MonitorGroupId,
) -> Result<Option<monitor_group::Model>> {
    let owned = monitor_group::Entity::owned_by(account_id).filter(monitor_group::Column::Id.eq(id));
    Ok(owned.one(connection).await?)
}

/// Id under which the feed tokens of a group are recorded. They are in the same table as the tokens of
/// monitors.
pub(super) fn feed_owner(id: MonitorGroupId) -> MonitorId {
    id.as_uuid().into()
}
