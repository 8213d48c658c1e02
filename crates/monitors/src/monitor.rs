//! A monitor as a value: what it watches, where it stands, and the words for both.

use entities::ids::{ChannelId, MonitorId};
use extract::watch::{Ignore, Target, Trigger};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::feed_form::{FeedForm, feed_url};
use kernel::clock::Millis;
use kernel::code::Code;

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

    /// The type of a target.
    pub fn of(target: &Target) -> Self {
        match target {
            Target::Page { .. } => Self::Page,
            Target::Sitemap { .. } => Self::Sitemap,
            Target::Extract { .. } => Self::Extract,
        }
    }

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
    /// Every reason.
    pub const ALL: &'static [Self] = &[Self::User, Self::PlanLimit];

    /// The word on the wire and in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::PlanLimit => "plan_limit",
        }
    }

    pub(super) fn parse(word: &str) -> Self {
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
    /// Whether a list without items is a list like others from the first look on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_empty: bool,
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
    /// Between two runs: what its owner wished for, or the least that the plan allows if that is more.
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
    /// What is wrong now.
    pub last_error: Option<Code>,
    /// Failed runs in a row.
    pub failure_count: u32,
    /// When it was made.
    pub created_at: Millis,
    /// Whether its trigger holds now; none before that could be judged, and for triggers that have no such state.
    pub triggered: Option<bool>,
    /// Why changes are held back at present: `flips` while the page goes back and forth between two contents.
    pub quiet: Option<&'static str>,
    /// What was learned of the source's noise and is not watched, a sentence each.
    pub masks: Vec<String>,
    /// The credits of a month of 31 days in which every run finds something new.
    pub credits_per_month: i64,
    /// The channels that are told of its changes.
    pub notify: Vec<ChannelId>,
    /// Its tags, in the order in which they were given.
    pub tags: Vec<String>,
}

impl Monitor {
    /// The address of its feed in RSS 2.0, under our own origin.
    pub fn feed_url(&self, base_url: &str) -> String {
        feed_url(base_url, &self.feed_token, FeedForm::Rss)
    }

    /// The CSS selector or `JSONPath` of a page, or of the repeated element of an extract.
    pub fn selector(&self) -> Option<&str> {
        match &self.definition.target {
            Target::Page { selector } => selector.as_deref(),
            Target::Sitemap { .. } => None,
            Target::Extract { items, .. } => items.as_deref(),
        }
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
    pub(super) fn before(self) -> Id {
        self.after.unwrap_or(Uuid::max().into())
    }

    /// The rows to read: one more than are shown, to see whether there is another page.
    pub(super) fn rows(&self) -> u64 {
        u64::from(self.limit) + 1
    }

    pub(super) fn len(&self) -> usize {
        self.limit as usize
    }
}
