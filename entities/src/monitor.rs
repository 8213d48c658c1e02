//! Monitors. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, FeedId, MonitorGroupId, MonitorId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MonitorId,
    pub account_id: AccountId,
    /// Hash of URL, type, and selector; unique within the account.
    pub identity: String,
    /// Name given by the owner.
    pub name: String,
    /// Monitored URL.
    pub target_url: String,
    /// Key of the `monitor_target` that is shared with all monitors of the same URL.
    pub url_key: String,
    /// Registrable domain, to which pauses apply.
    pub host: String,
    /// `page`, `sitemap`, `extract`, `product`, `calendar`, `file`, `image`, `visual`, or `headers`.
    pub target_type: String,
    /// Definition as JSON: the observed content, the ignored content, and the trigger.
    pub definition: String,
    /// Interval between runs chosen by the owner. The plan may enforce a longer interval.
    pub interval_minutes: i32,
    /// `active`, `paused` or `failed`.
    pub status: String,
    /// `user` or `plan_limit` while paused.
    pub pause_reason: Option<String>,
    /// Time of the next run. Null unless the monitor is active.
    pub next_run_at: Option<i64>,
    /// Secret part of the URL of the monitor's feed.
    pub feed_token: String,
    /// Feed in the owner's subscriptions, if the monitor is followed.
    pub feed_id: Option<FeedId>,
    /// Time at which the last run ended.
    pub last_run_at: Option<i64>,
    /// Time of the last change.
    pub last_change_at: Option<i64>,
    /// Code of the current error.
    pub last_error_code: Option<String>,
    /// Consecutive failed runs.
    pub failures: i32,
    /// Time of the first of the consecutive failures.
    pub failing_since: Option<i64>,
    /// Consecutive runs that were refused for the same reason, for example because the source is absent or
    /// access to it is not allowed.
    pub absent: i32,
    /// Hash of the last observed body; 0 before the first observation.
    pub seen_body_hash: i64,
    /// Snapshot with which the next observation is compared.
    pub baseline_hash: Option<String>,
    /// Fingerprints of recent contents with the times at which they appeared, as JSON, newest last.
    pub recent: String,
    /// State between observations, as JSON: results of trigger conditions, and masks of noise.
    pub masks: String,
    pub created_at: i64,
    /// Snapshot of the last observation.
    pub observed_hash: Option<String>,
    /// Time of the first of the refusals that `absent` counts.
    pub refused_since: Option<i64>,
    /// Start of the month whose credits the monitor waits for.
    pub credits_wait_until: Option<i64>,
    /// Ids of the channels that are notified of changes, as JSON.
    pub notify: String,
    /// Tags in the owner's spelling, as JSON.
    pub tags: String,
    /// Days, times and pauses of the runs, as JSON. Null if only the interval determines when the monitor
    /// runs.
    pub schedule: Option<String>,
    /// Consecutive failed runs after which channels are notified.
    pub notify_failures: Option<i32>,
    /// Group to which the monitor belongs.
    pub group_id: Option<MonitorGroupId>,
    /// True if the monitor has its own interval instead of the group's.
    pub own_interval: bool,
    /// True if the monitor has its own schedule instead of the group's.
    pub own_schedule: bool,
    /// True if the monitor has its own channels instead of the group's.
    pub own_notify: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the monitors of an account.");

impl ActiveModelBehavior for ActiveModel {}
