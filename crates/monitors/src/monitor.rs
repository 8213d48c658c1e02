//! Monitor as a value: definition, status, and the names of their values in the API and the database.

use entities::ids::{ChannelId, MonitorGroupId, MonitorId};
use extract::watch::{Filter, Ignore, Target, Trigger};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::calendar::Schedule;
use super::feed_format::{FeedFormat, feed_url};
use super::group_settings::GroupSetting;
use super::rendering::Rendering;
use super::request::RequestSettings;
use kernel::{Code, Millis};

/// Credits for a run of the most expensive kind. If an account has fewer credits, some of its monitors wait
/// for the next month.
pub(super) const MAX_RUN_CREDITS: i64 = 3;
/// Minimum number of credits for a run that renders the page.
const RENDERED_RUN_CREDITS: i64 = MAX_RUN_CREDITS;

/// Kind of the monitored target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetType {
    /// Text of a page, or of a part of a page.
    Page,
    /// URLs of a sitemap.
    Sitemap,
    /// Named values.
    Extract,
    /// Price and availability of a product.
    Product,
    /// Events of an iCalendar file.
    Calendar,
    /// Size and hash of a file.
    File,
    /// Appearance of a picture.
    Image,
    /// Appearance of a page in a browser.
    Visual,
    /// Status and headers of the response.
    Headers,
}

impl TargetType {
    pub const ALL: [Self; 9] = [
        Self::Page,
        Self::Sitemap,
        Self::Extract,
        Self::Product,
        Self::Calendar,
        Self::File,
        Self::Image,
        Self::Visual,
        Self::Headers,
    ];

    pub fn of(target: &Target) -> Self {
        match target {
            Target::Page { .. } => Self::Page,
            Target::Sitemap { .. } => Self::Sitemap,
            Target::Extract { .. } => Self::Extract,
            Target::Product => Self::Product,
            Target::Calendar => Self::Calendar,
            Target::File => Self::File,
            Target::Image => Self::Image,
            Target::Visual { .. } => Self::Visual,
            Target::Headers { .. } => Self::Headers,
        }
    }

    /// Name in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Sitemap => "sitemap",
            Self::Extract => "extract",
            Self::Product => "product",
            Self::Calendar => "calendar",
            Self::File => "file",
            Self::Image => "image",
            Self::Visual => "visual",
            Self::Headers => "headers",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Credits for a run without rendering.
    const fn cost(self) -> i64 {
        match self {
            Self::Page | Self::File | Self::Headers => 1,
            Self::Sitemap | Self::Calendar | Self::Image => 2,
            Self::Extract | Self::Product | Self::Visual => MAX_RUN_CREDITS,
        }
    }

    /// True if the target has one or many items with named values.
    pub const fn has_values(self) -> bool {
        match self {
            Self::Page | Self::Sitemap | Self::Visual => false,
            Self::Extract | Self::Product | Self::Calendar | Self::File | Self::Image | Self::Headers => true,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The monitor runs when it is due.
    Active,
    /// The monitor does not run until it is resumed.
    Paused,
    /// The monitor was given up after repeated failures.
    Failed,
}

impl Status {
    pub const ALL: [Self; 3] = [Self::Active, Self::Paused, Self::Failed];

    /// Name in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Failed => "failed",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

/// Reason why a monitor is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseReason {
    /// The owner paused the monitor.
    User,
    /// The plan allows fewer active monitors.
    PlanLimit,
}

impl PauseReason {
    pub const ALL: &'static [Self] = &[Self::User, Self::PlanLimit];

    /// Name in the API and the database.
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

/// Settings for the explanations of changes by the language model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplanationSettings {
    /// Changes that are relevant, in the words of the owner. `None` if the owner has entered no wish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wish: Option<String>,
    /// True if channels are notified only of relevant changes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_relevant: bool,
}

/// Definition of a monitor: its target, ignored content, and the changes that it reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    pub target: Target,
    /// Content that is excluded from every comparison.
    #[serde(default)]
    pub ignore: Vec<Ignore>,
    /// Filters of the blocks of a page, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<Filter>,
    /// Condition for reporting a change.
    #[serde(default)]
    pub trigger: Trigger,
    /// True if the order of a list matters.
    #[serde(default)]
    pub ordered: bool,
    /// True if an empty list is accepted as content from the first check.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_empty: bool,
    /// Request that is sent to the source.
    #[serde(default, skip_serializing_if = "RequestSettings::is_default")]
    pub request: RequestSettings,
    /// Browser that opens the page. `None` if the page is not rendered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rendering: Option<Rendering>,
    /// Explanations of the changes. `None` if they are not explained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<ExplanationSettings>,
}

impl Definition {
    /// Credits for a run.
    pub fn cost(&self) -> i64 {
        let kind = TargetType::of(&self.target).cost();
        if self.rendering.is_some() { kind.max(RENDERED_RUN_CREDITS) } else { kind }
    }

    /// Returns the definition that reports every change of a target.
    pub fn of(target: Target) -> Self {
        Self {
            target,
            ignore: Vec::new(),
            filters: Vec::new(),
            trigger: Trigger::default(),
            ordered: false,
            allow_empty: false,
            request: RequestSettings::default(),
            rendering: None,
            explanation: None,
        }
    }
}

/// Monitor of an account.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    pub id: MonitorId,
    pub name: String,
    /// URL of the monitored source.
    pub target_url: String,
    pub target_type: TargetType,
    pub definition: Definition,
    /// Interval between two runs, in minutes. It is the interval that the owner set, or the minimum of the
    /// plan if that is longer.
    pub interval_minutes: u32,
    pub status: Status,
    pub pause_reason: Option<PauseReason>,
    /// Time of the next run. `None` unless the monitor is active.
    pub next_run_at: Option<Millis>,
    /// Token in the URL of the feed.
    pub feed_token: String,
    /// True if the monitor is among its owner's feeds.
    pub is_followed: bool,
    /// End of the last run.
    pub last_run_at: Option<Millis>,
    /// Time at which the last change was detected.
    pub last_change_at: Option<Millis>,
    /// Error of the last run. `None` if it succeeded.
    pub last_error: Option<Code>,
    /// Number of consecutive failed runs.
    pub failure_count: u32,
    pub created_at: Millis,
    /// True if the condition of the trigger is true now. `None` before it could be evaluated, and for
    /// triggers without a condition.
    pub triggered: Option<bool>,
    /// Code of the reason why changes are not reported at present: `flips` if the page alternates between two
    /// contents.
    pub suppression: Option<&'static str>,
    /// Sentences about learned noise that is not watched.
    pub masks: Vec<String>,
    /// Credits for a month of 31 days if every run receives a new body.
    pub credits_per_month: i64,
    /// Channels to notify of changes.
    pub notify: Vec<ChannelId>,
    /// Tags, in the order in which they were added.
    pub tags: Vec<String>,
    pub schedule: Schedule,
    /// Times of the next run and the runs after it, assuming that each of them succeeds. Empty unless the
    /// monitor is active.
    pub next_runs: Vec<Millis>,
    /// Number of consecutive failed runs after which channels are notified.
    pub notify_failures: Option<u32>,
    pub group: Option<MonitorGroupId>,
    /// Settings that do not follow the group.
    pub own_settings: Vec<GroupSetting>,
}

impl Monitor {
    /// URL of the feed as RSS 2.0, under the origin of this service.
    pub fn feed_url(&self, base_url: &str) -> String {
        feed_url(base_url, &self.feed_token, FeedFormat::Rss)
    }

    /// Selector (CSS, XPath, JSONPath or jq) of a page target, or of the items of an extract target.
    pub fn selector(&self) -> Option<&str> {
        match &self.definition.target {
            Target::Page { selector } | Target::Visual { selector } => selector.as_deref(),
            Target::Sitemap { .. }
            | Target::Product
            | Target::Calendar
            | Target::File
            | Target::Image
            | Target::Headers { .. } => None,
            Target::Extract { items, .. } => items.as_deref(),
        }
    }
}

/// Page of a list: at most `limit` rows whose ids are lower than `after`, the newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListRange<Id> {
    /// Last id of the previous page.
    pub after: Option<Id>,
    /// Maximum number of rows.
    pub limit: u32,
}

impl<Id: From<Uuid>> ListRange<Id> {
    /// First page of a list.
    pub const fn first(limit: u32) -> Self {
        Self { after: None, limit }
    }

    /// Exclusive upper bound of the ids.
    pub(super) fn before(self) -> Id {
        self.after.unwrap_or(Uuid::max().into())
    }

    /// Number of rows to read: one more than the limit, to detect a further page.
    pub(super) fn rows(&self) -> u64 {
        u64::from(self.limit) + 1
    }

    pub(super) fn len(&self) -> usize {
        self.limit as usize
    }
}
