//! Response types of the monitor operations.

use extract::watch::{Ignore, NumberChoice, Target, TriggerKind};
use kernel::rfc3339;
use monitors::{Monitor, PauseReason};
use poem_openapi::{Enum, Object};

use http_kit::http::enum_param::EnumParam;

/// Type of the monitored target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorTargetType {
    /// Text of a page, or of a part of it.
    Page,
    /// URLs of a sitemap.
    Sitemap,
    /// Named values.
    Extract,
}

/// Status of a monitor.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum MonitorStatus {
    /// The monitor runs when it is due.
    Active,
    /// The monitor does not run until it is set to active.
    Paused,
    /// The monitor stopped after repeated failures.
    Failed,
}

impl MonitorStatus {
    pub(super) fn to_domain(self) -> monitors::Status {
        match self {
            Self::Active => monitors::Status::Active,
            Self::Paused => monitors::Status::Paused,
            Self::Failed => monitors::Status::Failed,
        }
    }
}

/// Named value that is read from each item.
#[derive(Debug, Object)]
pub(super) struct MonitorField {
    /// Name under which changes are reported.
    pub name: String,
    /// CSS selector or `JSONPath` of the value; empty for the item itself.
    pub selector: String,
    /// True if the value identifies the item.
    pub key: bool,
    /// Number to use if the value contains several.
    pub number: MonitorNumber,
}

/// Number to use if a value contains several. Amounts with a currency take precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorNumber {
    /// The first number.
    First,
    /// The last number.
    Last,
    /// The smallest number.
    Least,
    /// The greatest number.
    Greatest,
}

/// Content to ignore. Exactly one of `text`, `regex` and `selector` is not null.
#[derive(Debug, Object)]
pub(super) struct MonitorIgnore {
    /// Blocks that contain this text, in any case. In a sitemap, `lastmod` ignores all dates.
    pub text: Option<String>,
    /// Matches of this regular expression.
    pub regex: Option<String>,
    /// Matches of this CSS selector.
    pub selector: Option<String>,
}

/// Kind of a trigger condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorTriggerKind {
    /// Any difference.
    Any,
    /// The text appears as whole words and was absent before. A `*` at its start or end also matches a part
    /// of a word. A text after a word such as `not` counts as absent.
    TextAppears,
    /// The text, as whole words, disappears and was present before. The same rules apply.
    TextDisappears,
    /// A number exceeds the value and did not before.
    Above,
    /// A number is below the value and was not before.
    Below,
    /// At least this percentage of the blocks, URLs or items changed.
    Share,
    /// Blocks, URLs or items were added; if there is a value, they contain it.
    Added,
    /// Blocks, URLs or items were removed; if there is a value, they contained it.
    Removed,
}

/// Condition for reporting changes.
#[derive(Debug, Object)]
pub(super) struct MonitorTrigger {
    /// Kind of the condition.
    pub kind: MonitorTriggerKind,
    /// Text or number that the kind needs; null if it needs none. A `*` at the start or end of a text also
    /// matches a part of a word.
    pub value: Option<String>,
    /// Field of an extract to which the condition is restricted; null for all fields.
    pub field: Option<String>,
}

/// Web monitor.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct WebMonitor {
    /// Id of the monitor (UUID).
    pub id: String,
    /// Name of the monitor.
    pub name: String,
    /// Monitored URL.
    pub target_url: String,
    /// Type of the target.
    pub target_type: MonitorTargetType,
    /// URL of the monitor's changes as an RSS 2.0 feed; with `.atom` or `.json` instead of `.xml`, as Atom or
    /// JSON Feed. The feed needs no credential: anyone with the URL can read it.
    pub feed_url: String,
    /// Status of the monitor.
    pub status: MonitorStatus,
    /// Time of the next run, RFC 3339 UTC; null unless the monitor is active.
    pub next_run_at: Option<String>,
    /// Creation time, RFC 3339 UTC.
    pub created_at: String,
    /// Minutes between two runs: the requested interval, or the minimum of the plan if that is longer.
    pub interval_minutes: u32,
    /// For a page: selector of the monitored part; null for the main text and for other targets.
    pub selector: Option<String>,
    /// End of the last run, RFC 3339 UTC; null if there was none.
    pub last_run_at: Option<String>,
    /// Time of the last change, RFC 3339 UTC; null if there was none.
    pub last_change_at: Option<String>,
    /// Error code of the last run; null if it succeeded.
    pub last_error: Option<String>,
    /// Number of consecutive failed runs.
    pub failure_count: u32,
    /// Reason for the pause; null unless the monitor is paused.
    pub pause_reason: Option<EnumParam<PauseReason>>,
    /// Credits of a run that finds a changed source.
    pub credits_per_run: i64,
    /// For a sitemap: patterns of included URLs; otherwise null.
    pub include: Option<Vec<String>>,
    /// For a sitemap: patterns of excluded URLs; otherwise null.
    pub exclude: Option<Vec<String>>,
    /// For an extract: repeated element; null for the whole source as one item.
    pub items: Option<String>,
    /// For an extract: values that are read from each item; otherwise null.
    pub fields: Option<Vec<MonitorField>>,
    /// Content to ignore.
    pub ignore: Vec<MonitorIgnore>,
    /// Condition for reporting changes.
    pub trigger: MonitorTrigger,
    /// True if the order of a list matters.
    pub ordered: bool,
    /// True if the changes are added to the account's feeds.
    pub follow: bool,
    /// For an extract: true if an empty list is valid from the first run on.
    pub allow_empty: bool,
    /// True if the trigger condition is met now; null before it was evaluated, and for `any`, `share`,
    /// `added` and `removed`.
    pub triggered: Option<bool>,
    /// `flips` while a page alternates between two contents, which is not reported; otherwise null.
    #[oai(rename = "quiet")]
    pub suppression: Option<String>,
    /// Sentences about texts that are not compared: learned noise, and clocks and counters of the page.
    pub masks: Vec<String>,
    /// Credits for a month of 31 days if every run finds a changed source.
    pub credits_per_month: i64,
    /// Ids of the channels that are notified.
    pub notify: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
}

impl WebMonitor {
    pub(super) fn of(monitor: Monitor, base_url: &str) -> Self {
        let feed_url = monitor.feed_url(base_url);
        let trigger = monitor.definition.trigger;
        let mut response = Self {
            id: monitor.id.to_string(),
            name: monitor.name,
            target_url: monitor.target_url,
            target_type: match monitor.target_type {
                monitors::TargetType::Page => MonitorTargetType::Page,
                monitors::TargetType::Sitemap => MonitorTargetType::Sitemap,
                monitors::TargetType::Extract => MonitorTargetType::Extract,
            },
            feed_url,
            status: match monitor.status {
                monitors::Status::Active => MonitorStatus::Active,
                monitors::Status::Paused => MonitorStatus::Paused,
                monitors::Status::Failed => MonitorStatus::Failed,
            },
            next_run_at: monitor.next_run_at.map(rfc3339),
            created_at: rfc3339(monitor.created_at),
            interval_minutes: monitor.interval_minutes,
            selector: None,
            last_run_at: monitor.last_run_at.map(rfc3339),
            last_change_at: monitor.last_change_at.map(rfc3339),
            last_error: monitor.last_error.map(|code| code.to_string()),
            failure_count: monitor.failure_count,
            pause_reason: monitor.pause_reason.map(EnumParam),
            credits_per_run: monitor.target_type.cost(),
            include: None,
            exclude: None,
            items: None,
            fields: None,
            ignore: monitor.definition.ignore.into_iter().map(MonitorIgnore::from).collect(),
            trigger: MonitorTrigger { kind: trigger.kind.into(), value: trigger.value, field: trigger.field },
            ordered: monitor.definition.ordered,
            follow: monitor.is_followed,
            allow_empty: monitor.definition.allow_empty,
            triggered: monitor.triggered,
            suppression: monitor.suppression.map(str::to_owned),
            masks: monitor.masks,
            credits_per_month: monitor.credits_per_month,
            notify: monitor.notify.iter().map(ToString::to_string).collect(),
            tags: monitor.tags,
        };
        match monitor.definition.target {
            Target::Page { selector } => response.selector = selector,
            Target::Sitemap { include, exclude } => {
                (response.include, response.exclude) = (Some(include), Some(exclude));
            }
            Target::Extract { items, fields } => {
                response.items = items;
                let field = |field: extract::watch::WatchedField| MonitorField {
                    name: field.name,
                    selector: field.selector,
                    key: field.key,
                    number: field.number.into(),
                };
                response.fields = Some(fields.into_iter().map(field).collect());
            }
        }
        response
    }
}

impl From<Ignore> for MonitorIgnore {
    fn from(rule: Ignore) -> Self {
        let none = Self { text: None, regex: None, selector: None };
        match rule {
            Ignore::Text(text) => Self { text: Some(text), ..none },
            Ignore::Regex(regex) => Self { regex: Some(regex), ..none },
            Ignore::Selector(selector) => Self { selector: Some(selector), ..none },
        }
    }
}

impl From<MonitorTargetType> for monitors::TargetType {
    fn from(kind: MonitorTargetType) -> Self {
        match kind {
            MonitorTargetType::Page => Self::Page,
            MonitorTargetType::Sitemap => Self::Sitemap,
            MonitorTargetType::Extract => Self::Extract,
        }
    }
}

impl From<MonitorTriggerKind> for TriggerKind {
    fn from(kind: MonitorTriggerKind) -> Self {
        match kind {
            MonitorTriggerKind::Any => Self::Any,
            MonitorTriggerKind::TextAppears => Self::TextAppears,
            MonitorTriggerKind::TextDisappears => Self::TextDisappears,
            MonitorTriggerKind::Above => Self::Above,
            MonitorTriggerKind::Below => Self::Below,
            MonitorTriggerKind::Share => Self::Share,
            MonitorTriggerKind::Added => Self::Added,
            MonitorTriggerKind::Removed => Self::Removed,
        }
    }
}

impl From<TriggerKind> for MonitorTriggerKind {
    fn from(kind: TriggerKind) -> Self {
        match kind {
            TriggerKind::Any => Self::Any,
            TriggerKind::TextAppears => Self::TextAppears,
            TriggerKind::TextDisappears => Self::TextDisappears,
            TriggerKind::Above => Self::Above,
            TriggerKind::Below => Self::Below,
            TriggerKind::Share => Self::Share,
            TriggerKind::Added => Self::Added,
            TriggerKind::Removed => Self::Removed,
        }
    }
}

impl From<MonitorNumber> for NumberChoice {
    fn from(number: MonitorNumber) -> Self {
        match number {
            MonitorNumber::First => Self::First,
            MonitorNumber::Last => Self::Last,
            MonitorNumber::Least => Self::Least,
            MonitorNumber::Greatest => Self::Greatest,
        }
    }
}

impl From<NumberChoice> for MonitorNumber {
    fn from(number: NumberChoice) -> Self {
        match number {
            NumberChoice::First => Self::First,
            NumberChoice::Last => Self::Last,
            NumberChoice::Least => Self::Least,
            NumberChoice::Greatest => Self::Greatest,
        }
    }
}

/// Page of monitors.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct WebMonitorList {
    /// Monitors, newest first.
    pub monitors: Vec<WebMonitor>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

/// Response with one monitor.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct WebMonitorOne {
    /// The monitor.
    pub monitor: WebMonitor,
}

/// Created or updated monitor.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct WebMonitorSaved {
    /// The monitor.
    pub monitor: WebMonitor,
    /// Warnings about the definition, such as `monthly_credits_exceeded` or `items_without_key`.
    pub warnings: Vec<String>,
}
