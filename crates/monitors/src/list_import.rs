//! Imports lists of monitors: exports of Carrel, backups of changedetection.io, and job lists of urlwatch.
//! The report lists each monitor and the settings that were not imported.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, MonitorId};
use extract::monitor_lists::{ListFormat, ListedMonitor, MAX_MONITORS};
use extract::sandbox::{Pool, SandboxError};
use extract::watch::Filter;

use super::edit::{Edit, update};
use super::listed_browser::take_rendering;
use super::manage::{MonitorOptions, NewMonitor, create};
use super::monitor::{Definition, ExplanationSettings, Status};
use super::rendering::Rendering;
use super::request::RequestSettings;
use super::rows::owner_plan;
use super::rules::LONGEST_MINUTES;
use super::transfer::{ExportedGroup, ExportedMonitor, imported_options, join_group, read_lines};
use articles::{Address, typed_address};
use kernel::bounds::{MONITOR_NAME_CHARS, OBJECT_TAGS, TAG_CHARS};
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Result, looks_like_a_secret};

/// Maximum size, in bytes, of a file that is imported within a request.
pub const MAX_LIST_BYTES: usize = 25 * 1024 * 1024;
/// `Retry-After`, in seconds, if no process is available to read the file.
const CAPACITY_RETRY_SECONDS: u32 = 10;

/// Report text for credentials, which no export contains.
const CREDENTIALS: &str = "credentials: the monitor is paused until it has them";

/// Format of a list: the program that wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportFormat {
    Carrel,
    Changedetection,
    Urlwatch,
}

impl ImportFormat {
    pub const ALL: &'static [Self] = &[Self::Carrel, Self::Changedetection, Self::Urlwatch];

    /// Name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Carrel => "carrel",
            Self::Changedetection => "changedetection",
            Self::Urlwatch => "urlwatch",
        }
    }
}

/// Result of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportReport {
    pub format: ImportFormat,
    /// Monitors of the list, in the order of the list.
    pub monitors: Vec<ImportedMonitor>,
    /// Number of monitors that were not read, because they exceed the maximum or are malformed.
    pub dropped: u64,
}

impl ImportReport {
    /// Number of monitors that were created.
    pub fn created(&self) -> usize {
        self.count(|outcome| matches!(outcome, ImportOutcome::Created(_)))
    }

    /// Number of monitors that already existed.
    pub fn existing(&self) -> usize {
        self.count(|outcome| matches!(outcome, ImportOutcome::Existing(_)))
    }

    fn count(&self, is_counted: impl Fn(&ImportOutcome) -> bool) -> usize {
        self.monitors.iter().filter(|monitor| is_counted(&monitor.outcome)).count()
    }
}

/// Monitor of an imported list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedMonitor {
    pub name: String,
    /// URL as written in the list, without credentials.
    pub url: String,
    pub outcome: ImportOutcome,
    /// Settings that were not imported or were adjusted, as one phrase each.
    pub not_imported: Vec<String>,
}

/// Result for one monitor of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportOutcome {
    Created(MonitorId),
    /// A monitor with the same URL and definition already exists. It was not changed.
    Existing(MonitorId),
    Refused {
        code: Code,
        message: String,
    },
}

/// Imports a list. Existing monitors are not changed, so repeating an import has no further effect.
///
/// # Errors
/// `invalid_request` if the format of the file is unknown; `capacity_exhausted` if no process can be started;
/// transient database errors.
#[boxed]
pub async fn import_list(
    domain: &Domain,
    sandbox: &Pool,
    account_id: AccountId,
    file: Vec<u8>,
) -> Result<ImportReport> {
    let (format, listed, dropped) = read_list(sandbox, file).await?;
    let plan = &owner_plan(domain, account_id).await?;
    let mut report = ImportReport { format, monitors: Vec::with_capacity(listed.len()), dropped };
    for entry in listed {
        report.monitors.push(import(domain, account_id, plan, entry).await?);
    }
    Ok(report)
}

/// Entry of a list: a monitor, or the reason why the entry cannot be read.
type ListEntry = std::result::Result<ListedMonitorEntry, String>;

/// Monitor of a list, with the settings that occur only in exports of Carrel.
struct ListedMonitorEntry {
    listed: ListedMonitor,
    filters: Vec<Filter>,
    ordered: bool,
    allow_empty: bool,
    request: RequestSettings,
    rendering: Option<Rendering>,
    explanation: Option<ExplanationSettings>,
    options: MonitorOptions,
    group: Option<ExportedGroup>,
}

impl ListedMonitorEntry {
    fn of(listed: ListedMonitor) -> Self {
        Self {
            listed,
            filters: Vec::new(),
            ordered: false,
            allow_empty: false,
            request: RequestSettings::default(),
            rendering: None,
            explanation: None,
            options: MonitorOptions::default(),
            group: None,
        }
    }
}

async fn read_list(sandbox: &Pool, file: Vec<u8>) -> Result<(ImportFormat, Vec<ListEntry>, u64)> {
    let unknown = || {
        let message = "The file is not a list of monitors. Choose a changedetection.io backup, a urlwatch list, or a \
                       Carrel export.";
        Error::new(Code::InvalidRequest, message).at("file", message)
    };
    let is_json = matches!(file.trim_ascii_start().first(), Some(b'[' | b'{'));
    let lines = if is_json { read_lines(file.clone()).await? } else { None };
    if let Some(mut lines) = lines {
        let dropped = lines.len().saturating_sub(MAX_MONITORS);
        lines.truncate(MAX_MONITORS);
        let entries = lines.into_iter().map(exported).collect();
        return Ok((ImportFormat::Carrel, entries, u64::try_from(dropped).unwrap_or(u64::MAX)));
    }
    let list = sandbox.read_monitors(file).await.map_err(unreadable)?.ok_or_else(unknown)?;
    let format = match list.format {
        ListFormat::Changedetection => ImportFormat::Changedetection,
        ListFormat::Urlwatch => ImportFormat::Urlwatch,
    };
    let entries = list.monitors.into_iter().map(|listed| Ok(ListedMonitorEntry::of(listed))).collect();
    Ok((format, entries, list.dropped))
}

fn unreadable(error: SandboxError) -> Error {
    match error {
        SandboxError::Crashed | SandboxError::TimedOut | SandboxError::MemoryLimit => {
            let message = "The file takes more time or memory to read than allowed.";
            Error::new(Code::InvalidRequest, message).at("file", message)
        }
        SandboxError::Spawn(reason) => {
            tracing::error!(reason, "failed to start a process to read a list of monitors");
            let message = "Lists cannot be read at the moment. Try again later.";
            Error::new(Code::CapacityExhausted, message).retry_after(CAPACITY_RETRY_SECONDS)
        }
    }
}

/// Parses an entry of a Carrel export.
fn exported(line: serde_json::Value) -> ListEntry {
    let read = serde_json::from_value::<ExportedMonitor>(line);
    let monitor = read.map_err(|error| format!("The entry cannot be read: {error}."))?;
    let Definition {
        target,
        ignore,
        filters,
        trigger,
        ordered,
        allow_empty,
        request,
        rendering,
        explanation,
    } = monitor.definition;
    let not_imported = if monitor.needs_credentials { vec![CREDENTIALS.to_owned()] } else { Vec::new() };
    let listed = ListedMonitor {
        name: monitor.name,
        url: monitor.target_url,
        target,
        ignore,
        trigger,
        interval_minutes: Some(monitor.interval_minutes),
        is_paused: monitor.status != Status::Active.as_str() || monitor.needs_credentials,
        tags: monitor.tags,
        browser: None,
        not_imported,
    };
    let options = imported_options(monitor.schedule, monitor.notify_failures);
    let group = monitor.group;
    Ok(ListedMonitorEntry {
        listed,
        filters,
        ordered,
        allow_empty,
        request,
        rendering,
        explanation,
        options,
        group,
    })
}

async fn import(
    domain: &Domain,
    account_id: AccountId,
    plan: &TierLimits,
    entry: ListEntry,
) -> Result<ImportedMonitor> {
    let mut entry = match entry {
        Ok(entry) => entry,
        Err(message) => {
            let outcome = ImportOutcome::Refused { code: Code::InvalidRequest, message };
            return Ok(ImportedMonitor {
                name: String::new(),
                url: String::new(),
                outcome,
                not_imported: vec![],
            });
        }
    };
    fit(&mut entry.listed, plan);
    if let Some(rendering) = take_rendering(domain, &mut entry.listed) {
        entry.rendering = Some(rendering);
    }
    let is_secret = looks_like_a_secret(&entry.listed.url);
    let url = if is_secret { String::new() } else { entry.listed.url.clone() };
    let (name, mut not_imported) = (entry.listed.name.clone(), entry.listed.not_imported.clone());
    let group = entry.group.take();
    let outcome = match create_listed(domain, account_id, entry).await {
        Ok(outcome) => outcome,
        Err(error) if error.is_transient() => return Err(error),
        Err(error) => ImportOutcome::Refused { code: error.code, message: error.message },
    };
    if let (ImportOutcome::Created(id), Some(group)) = (&outcome, group) {
        match join_group(domain, account_id, *id, &group).await {
            Ok(()) => {}
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => {
                let name: String = group.name.chars().take(MONITOR_NAME_CHARS).collect();
                not_imported.push(format!("group {name}: {}", error.message));
            }
        }
    }
    Ok(ImportedMonitor { name, url, outcome, not_imported })
}

/// Adjusts the settings of a monitor that the plan limits.
fn fit(listed: &mut ListedMonitor, plan: &TierLimits) {
    let plain: String = listed.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    listed.name = plain.trim().chars().take(MONITOR_NAME_CHARS).collect();
    if listed.name.is_empty() {
        listed.name = listed.url.chars().take(MONITOR_NAME_CHARS).collect();
    }
    if let Some(minutes) = listed.interval_minutes {
        let allowed = minutes.min(LONGEST_MINUTES).max(plan.web_monitor_minimum_interval_minutes);
        if allowed != minutes {
            listed.not_imported.push(format!("interval of {minutes} minutes: set to {allowed}"));
            listed.interval_minutes = Some(allowed);
        }
    }
    let count = listed.tags.len();
    listed.tags.retain(|tag| tag.chars().count() <= TAG_CHARS && !tag.contains('\0'));
    listed.tags.truncate(OBJECT_TAGS);
    if listed.tags.len() < count {
        listed.not_imported.push(format!("{} tags", count - listed.tags.len()));
    }
}

async fn create_listed(
    domain: &Domain,
    account_id: AccountId,
    entry: ListedMonitorEntry,
) -> Result<ImportOutcome> {
    let listed = entry.listed;
    if looks_like_a_secret(&listed.url) {
        let message = "The URL contains an API key or token. Revoke it, because others may have seen it.";
        return Err(Error::new(Code::InvalidUrl, message));
    }
    let new = NewMonitor {
        name: listed.name,
        address: Address::parse(domain, &typed_address(&listed.url))?,
        definition: Definition {
            target: listed.target,
            ignore: listed.ignore,
            filters: entry.filters,
            trigger: listed.trigger,
            ordered: entry.ordered,
            allow_empty: entry.allow_empty,
            request: entry.request,
            rendering: entry.rendering,
            explanation: entry.explanation,
        },
        interval_minutes: listed.interval_minutes,
        follow: true,
        notify: Vec::new(),
        tags: listed.tags,
        options: entry.options,
    };
    let made = create(domain, account_id, new).await?;
    let id = made.monitor.id;
    if made.already_exists {
        return Ok(ImportOutcome::Existing(id));
    }
    if listed.is_paused {
        let pause = Edit { status: Some(Status::Paused), ..Edit::default() };
        update(domain, account_id, id, pause).await?;
    }
    Ok(ImportOutcome::Created(id))
}
