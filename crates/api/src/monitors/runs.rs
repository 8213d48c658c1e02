//! Response types for runs of monitors.

use kernel::rfc3339;
use monitors::Decision;
use notices::{ChangeNotice, HoldReason, NoticeState};
use poem_openapi::{Enum, Object};

use http_kit::http::enum_param::EnumParam;

/// Outcome of a run.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum MonitorOutcome {
    /// The run recorded the baseline that later runs are compared with.
    Baseline,
    /// The run found no change to report.
    Unchanged,
    /// The run found a change.
    Changed,
    /// The source could not be read; `errorCode` has the reason.
    Error,
}

/// State of a message to a channel.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum MonitorNoticeState {
    /// Waits for its first attempt or a retry.
    Waiting,
    /// Waits for the daily digest.
    InDigest,
    /// Waits for the combined message of a monitor with many changes.
    InCombined,
    /// Waits until the channel is active.
    ChannelOff,
    /// Merged into another message, which may still be waiting.
    Merged,
    /// Delivered.
    Sent,
    /// Given up after several attempts.
    Failed,
}

/// Message about a change to a channel.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorNotice {
    /// Id of the channel (UUID).
    pub channel_id: String,
    /// Name of the channel.
    pub channel: String,
    /// State of the message.
    pub state: MonitorNoticeState,
    /// HTTP status of the last response; null if there was none.
    pub status: Option<u16>,
}

impl From<ChangeNotice> for MonitorNotice {
    fn from(notice: ChangeNotice) -> Self {
        let state = match (notice.state, notice.waits_for) {
            (NoticeState::Held, Some(HoldReason::Digest)) => MonitorNoticeState::InDigest,
            (NoticeState::Held, Some(HoldReason::Several)) => MonitorNoticeState::InCombined,
            (NoticeState::Held, Some(HoldReason::Channel)) => MonitorNoticeState::ChannelOff,
            (NoticeState::Held | NoticeState::Waiting, _) => MonitorNoticeState::Waiting,
            (NoticeState::Gathered, _) => MonitorNoticeState::Merged,
            (NoticeState::Sent, _) => MonitorNoticeState::Sent,
            (NoticeState::Failed, _) => MonitorNoticeState::Failed,
        };
        Self {
            channel_id: notice.channel_id.to_string(),
            channel: notice.channel,
            state,
            status: notice.status,
        }
    }
}

/// Run of a monitor.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorRun {
    /// Id of the run (UUID).
    pub id: String,
    /// Start time, or the request time of a run that has not started, RFC 3339 UTC.
    pub started_at: String,
    /// End time, RFC 3339 UTC; null while the run is in progress.
    pub finished_at: Option<String>,
    /// Outcome; null while the run is in progress.
    pub outcome: Option<MonitorOutcome>,
    /// Number of added blocks, URLs or items.
    pub added: u32,
    /// Number of removed blocks, URLs or items.
    pub removed: u32,
    /// Number of modified blocks, URLs or items.
    pub modified: u32,
    /// Charged credits: 0 if the source was unchanged, the run failed, or another monitor of the account had
    /// just downloaded the source.
    pub credits: u32,
    /// Error code of a failed run; otherwise null.
    pub error_code: Option<String>,
    /// Warnings about the content, with the codes of a preview's warnings, such as `parts_not_watched`. Empty if the
    /// source was unchanged, except for the warnings of a rendered page: `cookie_notice_rejected:` and
    /// `cookie_notice_hidden:` with the platform of a notice, and `step_skipped:`, `step_failed:` and `list_cut:`
    /// with the number of a step.
    pub warnings: Vec<String>,
    /// Reason why the run did or did not report a change; null while the run is in progress, and for old runs.
    pub decision: Option<EnumParam<Decision>>,
    /// Messages about the change, one per channel that was active at that time.
    pub notices: Vec<MonitorNotice>,
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
            warnings: run.warnings,
            decision: run.decision.map(EnumParam),
            notices: run.notices.into_iter().map(MonitorNotice::from).collect(),
        }
    }
}

/// Response with one run.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct MonitorRunOne {
    /// The run.
    pub run: MonitorRun,
}

/// Page of runs.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct MonitorRunList {
    /// Runs, newest first.
    pub runs: Vec<MonitorRun>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}
