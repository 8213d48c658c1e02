//! Notices about a monitor itself, stored among its changes: the monitor fails, was given up, or waits for
//! credits. Each cause has its own kind.

use entities::ids::MonitorRunId;
use entities::{monitor, monitor_change};
use sea_orm::{DatabaseTransaction, EntityTrait, IntoActiveModel};

use super::change::Change;
use super::follow::FeedUpdates;
use super::message_text::CHANGES;
use super::next_run;
use super::render::{self, Links, clean};
use identity::accounts::message_language;
use identity::credits;
use kernel::clock::day_in_words;
use kernel::{Code, Domain, Language, Millis, Result};
use language::{Key, formats};

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

    pub(super) fn title(self, language: Language) -> String {
        match self {
            Self::Stopped { code, .. } => {
                CHANGES.text(language, Key("stopped")).with("reason", reason(language, code)).get()
            }
            Self::Failing { code, .. } => {
                CHANGES.text(language, Key("failing")).with("reason", reason(language, code)).get()
            }
            // The owner receives the message about the credits instead.
            Self::Waiting { until } => {
                format!("Waiting until {}: this month's monitor credits are used up", day_in_words(until))
            }
        }
    }

    pub(super) fn summary(self, language: Language) -> String {
        let title = self.title(language);
        let (key, failures, since) = match self {
            Self::Stopped { failures: 1, since, .. } => (Key("stopped-first"), 1, since),
            Self::Stopped { failures, since, .. } => (Key("stopped-again"), failures, since),
            Self::Failing { failures: 1, since, .. } => (Key("failing-first"), 1, since),
            Self::Failing { failures, since, .. } => (Key("failing-again"), failures, since),
            Self::Waiting { .. } => {
                return format!("{title}. The monitor runs again in the first hour of that month.");
            }
        };
        let date = formats::day_of(language, since);
        CHANGES.text(language, key).with("title", title).with("failures", failures).with("date", date).get()
    }
}

/// Reason for a failure, to be written after “Stopped:” or “Failing:”.
pub(super) fn reason(language: Language, code: Code) -> String {
    let key = match code {
        Code::SourceNotFound => Key("reason-gone"),
        Code::RobotsDisallowed => Key("reason-robots"),
        Code::UrlNotAllowed => Key("reason-private"),
        Code::SelectorNotFound => Key("reason-selector-empty"),
        Code::SelectorFailed => Key("reason-selector-fails"),
        Code::SourceForbidden => Key("reason-refused"),
        Code::ProxyFailed => Key("reason-proxy"),
        Code::ProxyNotOffered => Key("reason-no-proxy"),
        Code::StepFailed => Key("reason-step"),
        Code::RendererUnavailable => Key("reason-browser"),
        Code::SourceTimeout => Key("reason-slow"),
        _ => Key("reason-other"),
    };
    CHANGES.text(language, key).with("code", code.as_str()).get()
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
        title: clean(&notice.title(Language::English)),
        summary: clean(&notice.summary(Language::English)),
        operations: Vec::new(),
        before_hash: None,
        after_hash: None,
        previous_check_at: None,
        explanation: None,
    };
    let stored = change.row(row.account_id)?.into_active_model();
    monitor_change::Entity::insert(stored).exec_without_returning(transaction).await?;
    feeds.add_entries(row, || render::items(&change, &links));
    let not_before = next_run::muted_until(row, now).unwrap_or(0);
    // Each message about failures has its own cause, because the monitor may be given up after the same failures.
    let since = match notice {
        Notice::Stopped { since, .. } => since,
        Notice::Failing { .. } => now,
        Notice::Waiting { .. } => {
            let month = credits::month_of(now);
            return notices::out_of_credits(transaction, domain, row.account_id, month).await;
        }
    };
    let language = message_language(transaction, row.account_id).await?;
    let (title, summary) = (clean(&notice.title(language)), clean(&notice.summary(language)));
    notices::monitor_failed(transaction, domain, row, (&title, &summary, since), not_before).await
}
