//! Web monitors. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, FeedId, MonitorId};

/// One row of `monitor`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MonitorId,
    /// The owner.
    pub account_id: AccountId,
    /// Hash of address, type and selector: unique within the account.
    pub identity: String,
    /// What its owner calls it.
    pub name: String,
    /// What is watched.
    pub target_url: String,
    /// The `monitor_target` that it shares with all monitors of the same address.
    pub url_key: String,
    /// Registrable domain, which pauses belong to.
    pub host: String,
    /// `page`, `sitemap` or `extract`.
    pub target_type: String,
    /// JSON: what is looked at, what is ignored, what triggers.
    pub definition: String,
    /// Between two runs, as its owner wishes; the plan may have a greater minimum.
    pub interval_minutes: i32,
    /// `active`, `paused` or `failed`.
    pub status: String,
    /// `user` or `plan_limit`, while paused.
    pub pause_reason: Option<String>,
    /// When it runs next; empty unless active.
    pub next_run_at: Option<i64>,
    /// The secret part of its feed's address.
    pub feed_token: String,
    /// The feed in its owner's subscriptions, when it is followed.
    pub feed_id: Option<FeedId>,
    /// When a run last ended.
    pub last_run_at: Option<i64>,
    /// When a change was last found.
    pub last_change_at: Option<i64>,
    /// Stable word of what is wrong now.
    pub last_error_code: Option<String>,
    /// Failed runs in a row.
    pub failures: i32,
    /// When the first of them was.
    pub failing_since: Option<i64>,
    /// Runs in a row that ended with the same refusal: nothing found, not allowed.
    pub absent: i32,
    /// Hash of the body that was last looked at; 0 before the first.
    pub seen_body_hash: i64,
    /// The snapshot that the next one is compared with.
    pub baseline_hash: Option<String>,
    /// JSON: fingerprints of the last contents and when they appeared, newest last.
    pub recent: String,
    /// JSON: what is remembered from look to look: where the trigger holds, what is noise.
    pub masks: String,
    /// When it was made.
    pub created_at: i64,
    /// The snapshot of the last look.
    pub observed_hash: Option<String>,
    /// When the first of the refusals in a row was.
    pub refused_since: Option<i64>,
    /// The beginning of the month whose credits it waits for.
    pub credits_wait_until: Option<i64>,
    /// JSON: ids of the channels that are told of its changes.
    pub notify: String,
    /// JSON: its tags, as their owner spells them.
    pub tags: String,
}

/// Owner, target and feed are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The monitors of an account.");

impl ActiveModelBehavior for ActiveModel {}
