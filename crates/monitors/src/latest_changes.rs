//! Changes before and after a given change, and the newest change of each monitor.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;

use entities::ids::{AccountId, ChangeId, MonitorId};
use entities::monitor_change;
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

use super::monitor::Monitor;
use super::notice::Notice;
use super::render::Links;
use kernel::{Domain, Millis, Result};

/// Links to the previous and the next change of the same monitor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdjacentChanges {
    pub previous: Option<String>,
    pub next: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewestChange {
    /// Plain text on one line.
    pub title: String,
    /// Public link to the change.
    pub link: String,
}

/// Returns the changes directly before and after a change of the account's monitor. Notices about the monitor
/// are skipped.
#[boxed]
pub async fn adjacent_changes(
    domain: &Domain,
    account_id: AccountId,
    monitor: &Monitor,
    id: ChangeId,
) -> Result<AdjacentChanges> {
    let of_monitor = || {
        let all = monitor_change::Entity::owned_by(account_id);
        all.filter(monitor_change::Column::MonitorId.eq(monitor.id))
            .filter(monitor_change::Column::Kind.is_not_in(Notice::KINDS))
            .select_only()
            .column(monitor_change::Column::Id)
    };
    let connection = domain.db().read();
    let previous = of_monitor()
        .filter(monitor_change::Column::Id.lt(id))
        .order_by_desc(monitor_change::Column::Id)
        .into_tuple::<ChangeId>()
        .one(connection)
        .await?;
    let next = of_monitor()
        .filter(monitor_change::Column::Id.gt(id))
        .order_by_asc(monitor_change::Column::Id)
        .into_tuple::<ChangeId>()
        .one(connection)
        .await?;
    let links = Links::load(domain, &domain.policy().base_url, &monitor.feed_token).await?;
    Ok(AdjacentChanges { previous: previous.map(|id| links.of(id)), next: next.map(|id| links.of(id)) })
}

/// Returns the newest change of each of these monitors, unless it is no longer retained.
#[boxed]
pub async fn newest_changes(
    domain: &Domain,
    account_id: AccountId,
    monitors: &[Monitor],
) -> Result<HashMap<MonitorId, NewestChange>> {
    let times: HashMap<MonitorId, Millis> =
        monitors.iter().filter_map(|monitor| Some((monitor.id, monitor.last_change_at?))).collect();
    let mut newest = HashMap::with_capacity(times.len());
    if times.is_empty() {
        return Ok(newest);
    }
    let rows: Vec<(ChangeId, MonitorId, Millis, String)> = monitor_change::Entity::owned_by(account_id)
        .filter(monitor_change::Column::MonitorId.is_in(times.keys().copied()))
        .filter(monitor_change::Column::DetectedAt.is_in(times.values().copied()))
        .filter(monitor_change::Column::Kind.is_not_in(Notice::KINDS))
        .select_only()
        .column(monitor_change::Column::Id)
        .column(monitor_change::Column::MonitorId)
        .column(monitor_change::Column::DetectedAt)
        .column(monitor_change::Column::Title)
        .order_by_asc(monitor_change::Column::Id)
        .into_tuple()
        .all(domain.db().read())
        .await?;
    for (id, monitor_id, detected_at, title) in rows {
        let owner = monitors.iter().find(|monitor| monitor.id == monitor_id);
        if let Some(monitor) = owner.filter(|monitor| monitor.last_change_at == Some(detected_at)) {
            let links = Links::load(domain, &domain.policy().base_url, &monitor.feed_token).await?;
            newest.insert(monitor_id, NewestChange { title, link: links.of(id) });
        }
    }
    Ok(newest)
}
