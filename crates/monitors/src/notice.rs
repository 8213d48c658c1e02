//! Notices about a monitor itself, stored among its changes: the monitor fails, was given up, or waits for
//! credits. Each cause has its own kind.

use entities::ids::MonitorRunId;
use entities::{monitor, monitor_change};
use sea_orm::{DatabaseTransaction, EntityTrait, IntoActiveModel};

use super::change::Change;
use super::follow::FeedUpdates;
use super::next_run;
use super::render::{self, Links, clean};
use identity::credits;
use kernel::clock::day_in_words;
use kernel::{Code, Domain, Millis, Result};

/// Event that concerns the monitor itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Notice {
    /// The monitor was given up after failures.
    Stopped {
        /// Last error.
        code: Code,
        /// Number of consecutive failures.
        failures: i32,
        /// Time of the first of these failures.
        since: Millis,
    },
    /// The monitor reached the number of consecutive failures that its owner set for a notice.
    Failing {
        /// Last error.
        code: Code,
        /// Number of consecutive failures.
        failures: i32,
        /// Time of the first of these failures.
        since: Millis,
    },
    /// The monitor waits for the credits of a future month.
    Waiting {
        /// Start of the month.
        until: Millis,
    },
}

impl Notice {
    /// Kind of the change row that stores the notice.
    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::Stopped { .. } => Self::KINDS[0],
            Self::Waiting { .. } => Self::KINDS[1],
            Self::Failing { .. } => Self::KINDS[2],
        }
    }

    /// Kinds of change rows that are notices.
    pub(super) const KINDS: [&'static str; 3] = ["stopped", "waiting", "failing"];

    fn title(self) -> String {
        match self {
            Self::Stopped { code, .. } => format!("Stopped: {}", reason(code)),
            Self::Failing { code, .. } => format!("Failing: {}", reason(code)),
            Self::Waiting { until } => {
                format!("Waiting until {}: this month's monitor credits are used up", day_in_words(until))
            }
        }
    }

    fn summary(self) -> String {
        match self {
            Self::Stopped { failures: 1, .. } => {
                format!("{}. The monitor does not run until you set it active again.", self.title())
            }
            Self::Stopped { failures, since, .. } => format!(
                "{}. {failures} checks since {} failed. The monitor does not run until you set it active again.",
                self.title(),
                day_in_words(since)
            ),
            Self::Failing { failures: 1, .. } => {
                format!("{}. The last check failed. The monitor goes on.", self.title())
            }
            Self::Failing { failures, since, .. } => format!(
                "{}. {failures} checks since {} failed. The monitor goes on.",
                self.title(),
                day_in_words(since)
            ),
            Self::Waiting { .. } => {
                format!("{}. The monitor runs again in the first hour of that month.", self.title())
            }
        }
    }
}

/// Reason for a failure, to be written after “Stopped:” or “Failing:”.
fn reason(code: Code) -> String {
    match code {
        Code::SourceNotFound => "the page is gone".to_owned(),
        Code::RobotsDisallowed => "the site's robots.txt does not allow it".to_owned(),
        Code::UrlNotAllowed => "the address is not public".to_owned(),
        Code::SelectorNotFound => "the selector finds nothing".to_owned(),
        Code::SelectorFailed => "the selector fails on the page".to_owned(),
        Code::SourceForbidden => "the site refuses access".to_owned(),
        Code::ProxyFailed => "the proxy fails".to_owned(),
        Code::ProxyNotOffered => "the operator no longer offers its proxy".to_owned(),
        Code::StepFailed => "a step on the page fails".to_owned(),
        Code::RendererUnavailable => "this service has no working browser to render it".to_owned(),
        Code::SourceTimeout => "the site does not answer in time".to_owned(),
        code => format!("the page cannot be read ({})", code.as_str()),
    }
}

/// Writes a notice. Its feed entry is added to `feeds`, which the caller writes at the end of the
/// transaction.
pub(super) async fn write(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    row: &monitor::Model,
    notice: Notice,
    feeds: &mut FeedUpdates,
) -> Result<()> {
    let now = domain.now();
    let links = Links::load(domain, &domain.policy().base_url, &row.feed_token).await?;
    let change = Change {
        id: domain.new_id(),
        monitor_id: row.id,
        // No run detected this event.
        run_id: MonitorRunId::from_u128(0),
        detected_at: now,
        kind: notice.kind().to_owned(),
        url: row.target_url.clone(),
        title: clean(&notice.title()),
        summary: clean(&notice.summary()),
        operations: Vec::new(),
        before_hash: None,
        after_hash: None,
        previous_check_at: None,
    };
    let stored = change.row(row.account_id)?.into_active_model();
    monitor_change::Entity::insert(stored).exec_without_returning(transaction).await?;
    feeds.add_entries(row, || render::items(&change, &links));
    let not_before = next_run::muted_until(row, now).unwrap_or(0);
    match notice {
        Notice::Stopped { since, .. } => {
            let details = (change.title.as_str(), change.summary.as_str(), since);
            notices::monitor_failed(transaction, domain, row, details, not_before).await
        }
        Notice::Failing { .. } => {
            // Each cause has its own message, because the monitor may be given up after the same failures.
            let details = (change.title.as_str(), change.summary.as_str(), now);
            notices::monitor_failed(transaction, domain, row, details, not_before).await
        }
        Notice::Waiting { .. } => {
            notices::out_of_credits(transaction, domain, row.account_id, credits::month_of(now)).await
        }
    }
}
