//! Bodies of the monitor operations as the API description shows them.

use extract::watch::{Ignore, NumberChoice, Target, TriggerKind};
use kernel::rfc3339;
use monitors::{Monitor, PauseReason};
use poem_openapi::{Enum, Object};

use http_kit::http::word::Word;

/// What kind of thing is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorTargetType {
    /// The text of a page, or of a part of it.
    Page,
    /// The addresses of a sitemap.
    Sitemap,
    /// Named values.
    Extract,
}

/// The status of a monitor.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum MonitorStatus {
    /// It runs when it is due.
    Active,
    /// It does not run until it is set active.
    Paused,
    /// It failed too often.
    Failed,
}

impl MonitorStatus {
    /// The domain's status.
    pub(super) fn to_domain(self) -> monitors::Status {
        match self {
            Self::Active => monitors::Status::Active,
            Self::Paused => monitors::Status::Paused,
            Self::Failed => monitors::Status::Failed,
        }
    }
}

/// A named value that is read of each item.
#[derive(Debug, Object)]
pub(super) struct MonitorField {
    /// The name under which changes are reported.
    pub name: String,
    /// Where it is read.
    pub selector: String,
    /// Whether the value says which item this is.
    pub key: bool,
    /// Which of several numbers in the value counts.
    pub number: MonitorNumber,
}

/// Which of several numbers in a value counts. Amounts with a currency come before others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorNumber {
    /// The first.
    First,
    /// The last.
    Last,
    /// The least.
    Least,
    /// The greatest.
    Greatest,
}

/// What does not count; one of the three is not null.
#[derive(Debug, Object)]
pub(super) struct MonitorIgnore {
    /// Blocks that hold this text, whatever its case.
    pub text: Option<String>,
    /// What this regular expression matches.
    pub regex: Option<String>,
    /// What this CSS selector finds.
    pub selector: Option<String>,
}

/// What is worth reporting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorTriggerKind {
    /// Anything that differs.
    Any,
    /// A text that is there and was not, as whole words.
    TextAppears,
    /// A text that is gone and was there, as whole words.
    TextDisappears,
    /// A number that is over the value and was not.
    Above,
    /// A number that is under the value and was not.
    Below,
    /// At least this many per cent of the blocks, addresses or items changed.
    Share,
    /// Blocks, addresses or items that came, and hold the value if there is one.
    Added,
    /// Blocks, addresses or items that went, and held the value if there is one.
    Removed,
}

/// Which changes are reported.
#[derive(Debug, Object)]
pub(super) struct MonitorTrigger {
    /// What must hold.
    pub kind: MonitorTriggerKind,
    /// A text or a number, as the kind needs.
    pub value: Option<String>,
    /// Only this field of an extract.
    pub field: Option<String>,
}

/// A web monitor.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct WebMonitor {
    /// Its id, a UUID.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// What is watched.
    pub target_url: String,
    /// What kind of thing that is.
    pub target_type: MonitorTargetType,
    /// Its changes as RSS 2.0; the same address with `.atom` or `.json` is Atom or JSON Feed. Anybody who
    /// knows it may read it.
    pub feed_url: String,
    /// Its status.
    pub status: MonitorStatus,
    /// When it runs next; null unless active.
    pub next_run_at: Option<String>,
    /// When it was created.
    pub created_at: String,
    /// Minutes between two runs: what was asked for, or the plan's minimum if that is more.
    pub interval_minutes: u32,
    /// The part of the page that is watched; null for the main text, and for other types.
    pub selector: Option<String>,
    /// When a run last ended.
    pub last_run_at: Option<String>,
    /// When a change was last found.
    pub last_change_at: Option<String>,
    /// Code of the error of the last run; null when it succeeded.
    pub last_error: Option<String>,
    /// Failed runs in a row.
    pub failure_count: u32,
    /// Why it is paused; null while it is not.
    pub pause_reason: Option<Word<PauseReason>>,
    /// Credits of a run that finds another body than the one before.
    pub credits_per_run: i64,
    /// Patterns of addresses to keep, of a sitemap.
    pub include: Option<Vec<String>>,
    /// Patterns of addresses to leave out, of a sitemap.
    pub exclude: Option<Vec<String>>,
    /// The repeated element, of an extract.
    pub items: Option<String>,
    /// What is read of each item, of an extract.
    pub fields: Option<Vec<MonitorField>>,
    /// What does not count.
    pub ignore: Vec<MonitorIgnore>,
    /// Which changes are reported.
    pub trigger: MonitorTrigger,
    /// Whether the order of a list matters.
    pub ordered: bool,
    /// Whether its changes are among the account's feeds.
    pub follow: bool,
    /// Of an extract: whether a list without items is a list like others from the first run on.
    pub allow_empty: bool,
    /// Whether the trigger holds now; null before that could be judged, and for `any`, `share`, `added` and
    /// `removed`.
    pub triggered: Option<bool>,
    /// `flips` while a page goes back and forth between two contents, which is not reported; else null.
    pub quiet: Option<String>,
    /// What was learned of the source's noise and is not watched, a sentence each.
    pub masks: Vec<String>,
    /// Credits of a month of 31 days in which every run finds something new.
    pub credits_per_month: i64,
    /// Ids of channels that are told.
    pub notify: Vec<String>,
}

impl WebMonitor {
    pub(super) fn of(monitor: Monitor, base_url: &str) -> Self {
        let feed_url = monitor.feed_url(base_url);
        let trigger = monitor.definition.trigger;
        let mut shown = Self {
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
            pause_reason: monitor.pause_reason.map(Word),
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
            quiet: monitor.quiet.map(str::to_owned),
            masks: monitor.masks,
            credits_per_month: monitor.credits_per_month,
            notify: monitor.notify.iter().map(ToString::to_string).collect(),
        };
        match monitor.definition.target {
            Target::Page { selector } => shown.selector = selector,
            Target::Sitemap { include, exclude } => {
                (shown.include, shown.exclude) = (Some(include), Some(exclude));
            }
            Target::Extract { items, fields } => {
                shown.items = items;
                let field = |field: extract::watch::Field| MonitorField {
                    name: field.name,
                    selector: field.selector,
                    key: field.key,
                    number: field.number.into(),
                };
                shown.fields = Some(fields.into_iter().map(field).collect());
            }
        }
        shown
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

/// A page of monitors.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct WebMonitorList {
    /// Newest first.
    pub monitors: Vec<WebMonitor>,
    /// Cursor of the next page; null on the last one.
    pub next_cursor: Option<String>,
}

/// One monitor.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct WebMonitorOne {
    /// The monitor.
    pub monitor: WebMonitor,
}

/// A monitor that was created or updated.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct WebMonitorSaved {
    /// The monitor.
    pub monitor: WebMonitor,
    /// What a person should know, such as `monthly_credits_exceeded` or `items_without_key`.
    pub warnings: Vec<String>,
}
