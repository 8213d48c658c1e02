//! What a monitor says of itself among its changes: that it was given up, or waits. One word for each cause.

use entities::ids::MonitorRunId;
use entities::{monitor, monitor_change};
use sea_orm::{DatabaseTransaction, EntityTrait, IntoActiveModel};

use super::change::Change;
use super::follow::InFeeds;
use super::render::{self, Links, clean};
use identity::credits;
use kernel::clock::{Millis, day_in_words};
use kernel::code::Code;
use kernel::error::Result;
use kernel::handle::Domain;

/// Why a monitor does not look any more.
#[derive(Clone, Copy, Debug)]
pub(super) enum Notice {
    /// It was given up.
    Stopped {
        /// What went wrong last.
        code: Code,
        /// How often in a row.
        failures: i32,
        /// Since when.
        since: Millis,
    },
    /// It waits for the credits of the month that begins then.
    Waiting {
        /// The month's first instant.
        until: Millis,
    },
}

impl Notice {
    /// The kind of the change that stands for it.
    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::Stopped { .. } => Self::KINDS[0],
            Self::Waiting { .. } => Self::KINDS[1],
        }
    }

    /// The kinds that are no changes of the source.
    pub(super) const KINDS: [&'static str; 2] = ["stopped", "waiting"];

    fn title(self) -> String {
        match self {
            Self::Stopped { code, .. } => format!("Stopped: {}", reason(code)),
            Self::Waiting { until } => {
                format!("Waiting until {}: this month's monitor credits are used up", day_in_words(until))
            }
        }
    }

    fn summary(self) -> String {
        match self {
            Self::Stopped { failures: 1, .. } => {
                format!(
                    "{}. It is not looked at any more until the monitor is set active again.",
                    self.title()
                )
            }
            Self::Stopped { failures, since, .. } => format!(
                "{}. {failures} looks since {} failed. It is not looked at any more until the monitor is set \
                 active again.",
                self.title(),
                day_in_words(since)
            ),
            Self::Waiting { .. } => {
                format!("{}. It is looked at again in the first hour of that month.", self.title())
            }
        }
    }
}

/// A failure in words that fit behind “Stopped:”.
fn reason(code: Code) -> String {
    match code {
        Code::SourceNotFound => "the page is gone".to_owned(),
        Code::RobotsDisallowed => "the site's robots.txt does not allow it".to_owned(),
        Code::UrlNotAllowed => "the address is not a public one".to_owned(),
        Code::SelectorNotFound => "the selector finds nothing".to_owned(),
        Code::SourceForbidden => "the site refuses access".to_owned(),
        Code::SourceTimeout => "the site does not answer in time".to_owned(),
        code => format!("the page cannot be read ({})", code.as_str()),
    }
}

/// Writes a notice, but for what is to be told of it in feeds.
pub(super) async fn write(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    row: &monitor::Model,
    notice: Notice,
    feeds: &mut InFeeds,
) -> Result<()> {
    let now = domain.now();
    let links = Links::load(domain, &domain.policy().base_url, &row.feed_token).await?;
    let change = Change {
        id: domain.new_id(),
        monitor_id: row.id,
        // No run found it.
        run_id: MonitorRunId::from_u128(0),
        detected_at: now,
        kind: notice.kind().to_owned(),
        url: row.target_url.clone(),
        title: clean(&notice.title()),
        summary: clean(&notice.summary()),
        operations: Vec::new(),
        before_hash: None,
        after_hash: None,
        previous_look_at: None,
    };
    let stored = change.row(row.account_id)?.into_active_model();
    monitor_change::Entity::insert(stored).exec_without_returning(transaction).await?;
    feeds.tell(row, || render::items(&change, &links));
    match notice {
        Notice::Stopped { since, .. } => {
            let told = (change.title.as_str(), change.summary.as_str(), since);
            notices::monitor_failed(transaction, domain, row, told).await
        }
        Notice::Waiting { .. } => {
            notices::out_of_credits(transaction, domain, row.account_id, credits::month_of(now)).await
        }
    }
}
