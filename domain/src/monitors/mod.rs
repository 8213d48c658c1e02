//! Web monitors: pages, sitemaps and named values that are looked at again and again, the changes found in
//! them, and the feeds that tell of those.
//!
//! A monitor belongs to one account; what it looks at is a target that it shares with all monitors of the
//! same address, so that one download serves them all. A run is asked for by a job, written when it ends,
//! and paid for in the same transaction. What is compared, and how, is `extract::watch`'s to say.

mod change;
mod changes;
mod commit;
mod dead_run;
mod definition;
mod due;
mod edit;
mod evaluate;
mod feed;
mod fetch;
mod follow;
mod manage;
mod neighbours;
mod observe;
mod outcome;
mod preview;
mod render;
mod replay;
mod request_preview;
mod result;
mod retention;
mod rows;
mod rules;
mod run;
mod sql;

use extract::watch::{Ignore, Target, Trigger};
use serde::{Deserialize, Serialize};

use crate::clock::Millis;
use crate::code::Code;
use entities::ids::MonitorId;
use uuid::Uuid;

pub use change::Change;
pub use changes::{ChangePage, ChangeView, Run, RunPage, change_link, list_changes, list_runs, view_change};
pub use dead_run::give_up_run;
pub use due::claim_due;
pub use edit::{Edit, update};
pub use feed::{Feed, FeedForm, find_feed};
pub(crate) use follow::forget_feeds;
pub use manage::{Created, MonitorPage, NewMonitor, create, delete, get, list, rotate_feed, run_now};
pub use neighbours::{Neighbours, NewestChange, neighbours, newest_changes};
pub use preview::{Preview, run_preview};
pub use replay::{ReplayedChange, replay_changes};
pub use request_preview::{PendingPreview, request_preview};
pub use retention::{delete_old_contents, delete_old_runs};
pub(crate) use rules::{apply_plan, count, credits_changed};
pub use run::run;

/// What kind of thing is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetType {
    /// The text of a page, or of a part of it.
    Page,
    /// The addresses of a sitemap.
    Sitemap,
    /// Named values.
    Extract,
}

impl TargetType {
    /// Every type.
    pub const ALL: [Self; 3] = [Self::Page, Self::Sitemap, Self::Extract];

    /// The word on the wire and in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Sitemap => "sitemap",
            Self::Extract => "extract",
        }
    }

    /// The type of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Credits of one run.
    pub const fn cost(self) -> i64 {
        match self {
            Self::Page => 1,
            Self::Sitemap => 2,
            Self::Extract => 3,
        }
    }
}

/// Where a monitor stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It runs when it is due.
    Active,
    /// It waits until somebody has it go on.
    Paused,
    /// It was given up after failures.
    Failed,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Active, Self::Paused, Self::Failed];

    /// The word on the wire and in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Failed => "failed",
        }
    }

    /// The status of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

/// Why a monitor is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseReason {
    /// Its owner wanted that.
    User,
    /// The plan has no room for it any more.
    PlanLimit,
}

impl PauseReason {
    /// The word on the wire and in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::PlanLimit => "plan_limit",
        }
    }

    fn parse(word: &str) -> Self {
        if word == Self::PlanLimit.as_str() { Self::PlanLimit } else { Self::User }
    }
}

/// What is looked at, what of it does not count, and what is worth telling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// What is looked at.
    pub target: Target,
    /// What is left out of every comparison.
    #[serde(default)]
    pub ignore: Vec<Ignore>,
    /// What is worth telling.
    #[serde(default)]
    pub trigger: Trigger,
    /// Whether the order of a list matters.
    #[serde(default)]
    pub ordered: bool,
}

/// A monitor as its owner sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    /// Its id.
    pub id: MonitorId,
    /// What its owner calls it.
    pub name: String,
    /// What is watched.
    pub target_url: String,
    /// What kind of thing that is.
    pub target_type: TargetType,
    /// What of it, and how.
    pub definition: Definition,
    /// Between two runs.
    pub interval_minutes: u32,
    /// Where it stands.
    pub status: Status,
    /// Why it is paused.
    pub pause_reason: Option<PauseReason>,
    /// When it runs next; none unless active.
    pub next_run_at: Option<Millis>,
    /// The secret part of its feed's address.
    pub feed_token: String,
    /// Whether its changes stand among the owner's feeds.
    pub is_followed: bool,
    /// When a run last ended.
    pub last_run_at: Option<Millis>,
    /// When a change was last found.
    pub last_change_at: Option<Millis>,
    /// Stable word of what is wrong now.
    pub last_error: Option<Code>,
    /// Failed runs in a row.
    pub failure_count: u32,
    /// When it was made.
    pub created_at: Millis,
}

impl Monitor {
    /// The address of its feed in RSS 2.0, under our own origin.
    pub fn feed_url(&self, base_url: &str) -> String {
        feed::url_of(base_url, &self.feed_token)
    }

    /// The CSS selector or `JSONPath` of a page, or of the repeated element of an extract.
    pub fn selector(&self) -> Option<&str> {
        definition::selector(&self.definition.target)
    }
}

/// Which part of a list is wanted: at most `limit` things, newest first, from below the id `after`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page<Id> {
    /// The last id of the page before.
    pub after: Option<Id>,
    /// The most things of the page.
    pub limit: u32,
}

impl<Id: From<Uuid>> Page<Id> {
    /// The newest of a list.
    pub const fn first(limit: u32) -> Self {
        Self { after: None, limit }
    }

    /// Every id of the page is less than this one.
    fn before(self) -> Id {
        self.after.unwrap_or(Uuid::max().into())
    }

    /// The rows to read: one more than are shown, to see whether there is another page.
    fn rows(&self) -> u64 {
        u64::from(self.limit) + 1
    }

    fn len(&self) -> usize {
        self.limit as usize
    }
}

#[cfg(test)]
mod tests;
