//! Bodies of the monitor operations as the API description shows them.

use domain::monitors::{self, Monitor};
use domain::rfc3339;
use extract::watch::{Ignore, Target, TriggerKind};
use poem_openapi::{Enum, Object};

/// What kind of thing is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum MonitorTargetType {
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
pub(crate) enum MonitorTriggerKind {
    /// Anything that differs.
    Any,
    /// A text that is there and was not.
    TextAppears,
    /// A text that is gone and was there.
    TextDisappears,
    /// A number that is over the value and was not.
    Above,
    /// A number that is under the value and was not.
    Below,
    /// At least this many per cent.
    Share,
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
    /// Minutes between two runs.
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
    /// `user` or `plan_limit` while paused.
    pub pause_reason: Option<String>,
    /// Credits of a run that downloads the source.
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
            pause_reason: monitor.pause_reason.map(|reason| reason.as_str().to_owned()),
            credits_per_run: monitor.target_type.cost(),
            include: None,
            exclude: None,
            items: None,
            fields: None,
            ignore: monitor.definition.ignore.into_iter().map(MonitorIgnore::from).collect(),
            trigger: MonitorTrigger { kind: trigger.kind.into(), value: trigger.value, field: trigger.field },
            ordered: monitor.definition.ordered,
            follow: monitor.is_followed,
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

/// How a run ended.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum MonitorOutcome {
    /// The first run, which later ones are compared with.
    Baseline,
    /// Nothing worth reporting.
    Unchanged,
    /// A change.
    Changed,
    /// The source could not be read, for the reason in `errorCode`.
    Error,
}

/// A run of a monitor.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorRun {
    /// Its id, a UUID.
    pub id: String,
    /// When it started, or was requested.
    pub started_at: String,
    /// When it ended; null while it is in progress.
    pub finished_at: Option<String>,
    /// How it ended; null while it is in progress.
    pub outcome: Option<MonitorOutcome>,
    /// Blocks, addresses or items that were not there before.
    pub added: u32,
    /// Those that are gone.
    pub removed: u32,
    /// Those that are different now.
    pub modified: u32,
    /// Its cost; 0 when the source was unchanged by its own word, or did not answer.
    pub credits: u32,
    /// Code of the error.
    pub error_code: Option<String>,
}

impl From<monitors::Run> for MonitorRun {
    fn from(run: monitors::Run) -> Self {
        let outcome = run.outcome.as_deref().map(|word| match word {
            "baseline" => MonitorOutcome::Baseline,
            "unchanged" => MonitorOutcome::Unchanged,
            "changed" => MonitorOutcome::Changed,
            _ => MonitorOutcome::Error,
        });
        Self {
            id: run.id.to_string(),
            started_at: rfc3339(run.started_at),
            finished_at: run.finished_at.map(rfc3339),
            outcome,
            added: run.added,
            removed: run.removed,
            modified: run.modified,
            credits: run.credits,
            error_code: run.error_code.map(|code| code.to_string()),
        }
    }
}

/// A run that was requested.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct MonitorRunOne {
    /// The run.
    pub run: MonitorRun,
}

/// A page of runs.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct MonitorRunList {
    /// Newest first.
    pub runs: Vec<MonitorRun>,
    /// Cursor of the next page; null on the last one.
    pub next_cursor: Option<String>,
}
