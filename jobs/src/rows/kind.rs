//! Table of all job kinds and their rules.

use std::fmt;

use kernel::Millis;
use kernel::clock::{DAY, HOUR, MINUTE, SECOND};

/// Rules of a job kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindRules {
    /// Number of failed attempts after which the job is `failed`. Attempts whose worker was lost
    /// do not count.
    pub max_attempts: u32,
    /// Number of lost workers after which the job is `dead`, if it was the only suspect when its
    /// last worker was lost.
    pub max_lost_starts: u32,
    /// Delays in milliseconds before the job starts again after its first, second, and each further lost worker; the
    /// last delay repeats. Each delay is prolonged by up to half, so that jobs that were lost with one process do not
    /// start at the same time.
    pub lost_start_delays_ms: &'static [Millis],
    /// Delay of the first retry in milliseconds; doubled for each further retry.
    pub backoff_base_ms: Millis,
    /// Maximum delay of a retry in milliseconds.
    pub backoff_cap_ms: Millis,
    /// True if the row is deleted on completion, for kinds whose effect is already a record of the job.
    pub delete_when_complete: bool,
    /// Retention of finished rows in milliseconds.
    pub keep_finished_ms: Millis,
    /// Default priority.
    pub priority: Priority,
    /// Default number of concurrent jobs per worker process.
    pub concurrency: usize,
    /// Run limit in milliseconds. A longer run is stopped and counts as a failed attempt.
    pub max_run_ms: Millis,
    /// Maximum number of waiting jobs, above which submits are refused with `capacity_exhausted`. `None` for
    /// kinds that the scheduler submits.
    pub capacity: Option<u32>,
    /// True if a first attempt that fails because a service is unavailable is retried immediately, because
    /// callers may wait.
    pub retries_immediately: bool,
}

/// Priority of a job. The sweep queries each level separately, so the levels are few and fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Priority {
    /// Bulk work, such as imports.
    Low,
    /// Scheduled work.
    #[default]
    Normal,
    /// Work whose result a caller will collect with another request: durable jobs.
    High,
    /// Work for which a caller waits.
    Urgent,
}

const DEFAULT_RULES: KindRules = KindRules {
    max_attempts: 3,
    max_lost_starts: 4,
    lost_start_delays_ms: &[0, 10 * SECOND, MINUTE, 5 * MINUTE],
    backoff_base_ms: 2 * SECOND,
    backoff_cap_ms: HOUR,
    delete_when_complete: true,
    keep_finished_ms: DAY,
    priority: Priority::Normal,
    concurrency: 8,
    max_run_ms: 5 * MINUTE,
    capacity: None,
    retries_immediately: false,
};

/// Delays of imports and exports after lost workers. They are short because a person watches the progress,
/// and the lease of the lost worker has already taken half a minute.
const TRANSFER_DELAYS_MS: &[Millis] = &[SECOND, 10 * SECOND];

/// Defines the enum, the list of kinds, their names and their rules from one row per kind, so that no kind
/// can lack a name or rules.
macro_rules! job_kinds {
    ($($(#[$doc:meta])+ $name:ident = $text:literal, $rules:expr;)+) => {
        /// Job kind. The name returned by [`as_str`](Self::as_str) is used in rows, logs, metrics and
        /// settings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum JobKind {
            $($(#[$doc])+ $name,)+
        }

        impl JobKind {
            /// Every kind, in the order in which sweep and workers process them.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Returns the stable name.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            pub const fn rules(self) -> KindRules {
                match self {
                    $(Self::$name => $rules,)+
                }
            }
        }
    };
}

job_kinds! {
    /// Fetch one URL and extract its text; key is the URL's key.
    Extraction = "extraction",
        KindRules {
            priority: Priority::Urgent,
            concurrency: 16,
            capacity: Some(1_000),
            retries_immediately: true,
            ..DEFAULT_RULES
        };
    /// Fetch one URL, run its scripts in a browser, and extract the text; key is the key of the rendered URL.
    Render = "render",
        KindRules {
            priority: Priority::Urgent,
            concurrency: 2,
            capacity: Some(100),
            retries_immediately: true,
            ..DEFAULT_RULES
        };
    /// Read a page for a request that was answered with 202; the result is collected with another request;
    /// key is the id of the public job.
    ReadJob = "read_job",
        KindRules {
            delete_when_complete: false,
            priority: Priority::High,
            concurrency: 16,
            capacity: Some(10_000),
            ..DEFAULT_RULES
        };
    /// Discover the feeds of a site; key is the URL's key.
    FeedDiscovery = "feed_discovery",
        KindRules {
            priority: Priority::Urgent,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Fetch the newest entries of a feed for previews of its rewrite rules; key is the feed's id.
    FeedSample = "feed_sample",
        KindRules {
            priority: Priority::Urgent,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Preview what a monitor would observe; key identifies the request and its account.
    MonitorPreview = "monitor_preview",
        KindRules {
            priority: Priority::Urgent,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Fetch the metadata document of an OAuth app whose client id is a URL; key is the URL.
    OAuthClient = "oauth_client",
        KindRules {
            priority: Priority::Urgent,
            concurrency: 4,
            max_run_ms: MINUTE,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Request the address of this service as an external server would; key is the address.
    AddressCheck = "address_check",
        KindRules {
            priority: Priority::Urgent,
            concurrency: 1,
            max_run_ms: MINUTE,
            capacity: Some(10),
            ..DEFAULT_RULES
        };
    /// Fetch a picture of a page; key is the hash of its row. A failure is a result.
    Picture = "picture",
        KindRules {
            priority: Priority::High,
            concurrency: 8,
            max_run_ms: MINUTE,
            capacity: Some(2_000),
            ..DEFAULT_RULES
        };
    /// Create a smaller version of a fetched picture; key is the hash of its row. A failure is a result. A
    /// slow picture does not occupy a worker that fetches.
    SmallerPicture = "smaller_picture",
        KindRules {
            priority: Priority::High,
            concurrency: 4,
            max_run_ms: MINUTE,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Follow the URLs of a commit whose feeds were not yet known; key is the commit's id.
    FeedFollow = "feed_follow",
        KindRules {
            max_attempts: 8,
            backoff_base_ms: 10 * SECOND,
            priority: Priority::High,
            ..DEFAULT_RULES
        };
    /// Poll a batch of feeds; key is the first feed and the end of the claim.
    FeedPoll = "feed_poll", KindRules { concurrency: 4, max_run_ms: 15 * MINUTE, ..DEFAULT_RULES };
    /// Star and save the entries that the rules of an account match; key is the account's id.
    FeedRule = "feed_rule", KindRules { max_attempts: 5, concurrency: 2, ..DEFAULT_RULES };
    /// Write the messages about the new entries of a feed; key is the feed and the end of the claim.
    EntryNotices = "entry_notices", KindRules { concurrency: 4, max_run_ms: 15 * MINUTE, ..DEFAULT_RULES };
    /// Check monitors; key is the monitor's id, or for a batch the first monitor and the end of the claim.
    MonitorRun = "monitor_run", KindRules { concurrency: 16, max_run_ms: 15 * MINUTE, ..DEFAULT_RULES };
    /// Run one monitor whose page is rendered in a browser; key is the monitor's id.
    MonitorRender = "monitor_render", KindRules { concurrency: 2, max_run_ms: 10 * MINUTE, ..DEFAULT_RULES };
    /// Preview a monitor whose page is rendered in a browser; key identifies the request and its account.
    MonitorRenderPreview = "monitor_render_preview",
        KindRules {
            priority: Priority::Urgent,
            concurrency: 2,
            capacity: Some(100),
            ..DEFAULT_RULES
        };
    /// Extract the text of a library item; key is the item's id.
    LibraryText = "library_text", KindRules { concurrency: 8, ..DEFAULT_RULES };
    /// Copy the page of an item in a browser; key is the item's id and the format, separated by a colon.
    LibraryPageCopy = "library_page_copy",
        KindRules { concurrency: 2, capacity: Some(1_000), ..DEFAULT_RULES };
    /// Request the copies of the pages of imported items of an account for a day; key is the account's id.
    ImportedCopies = "imported_copies",
        KindRules { max_attempts: 5, priority: Priority::Low, concurrency: 2, ..DEFAULT_RULES };
    /// Save a received message as a library item; key is the message's id. Waiting until the
    /// account has storage again is not counted as an attempt.
    InboxMessage = "inbox_message",
        KindRules { max_attempts: 30, backoff_base_ms: 10 * SECOND, concurrency: 4, ..DEFAULT_RULES };
    /// Unsubscribe from a newsletter; key is the id of the message. The result is recorded with the message.
    InboxUnsubscribe = "inbox_unsubscribe",
        KindRules {
            max_attempts: 4,
            backoff_base_ms: MINUTE,
            priority: Priority::High,
            concurrency: 2,
            max_run_ms: MINUTE,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Let the language model summarize a library item; key is the item's id. The result is recorded with the
    /// item.
    Summary = "summary",
        KindRules {
            backoff_base_ms: 10 * SECOND,
            priority: Priority::Low,
            concurrency: 2,
            // A request may wait for requests of other accounts, and then takes up to two minutes.
            max_run_ms: 15 * MINUTE,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Let the language model write a briefing over the unread entries of a collection; key is the collection's id.
    /// The result is recorded with the collection.
    Briefing = "briefing",
        KindRules {
            backoff_base_ms: 10 * SECOND,
            priority: Priority::Low,
            concurrency: 1,
            max_run_ms: HOUR,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Search a library by meaning with the language model; key is the account's id. The result is recorded with the
    /// account.
    MeaningSearch = "meaning_search",
        KindRules {
            backoff_base_ms: 10 * SECOND,
            concurrency: 2,
            max_run_ms: 30 * MINUTE,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Let the language model compute the vectors of the items of a library; key is the account's id.
    ItemIndex = "item_index",
        KindRules {
            // The index of an account has the same back-off after a failed run.
            backoff_base_ms: MINUTE,
            priority: Priority::Low,
            concurrency: 1,
            max_run_ms: HOUR,
            ..DEFAULT_RULES
        };
    /// Let the language model answer a question about an item or a library; key is the id of the question. The answer
    /// is recorded with the question.
    Question = "question",
        KindRules {
            backoff_base_ms: 10 * SECOND,
            concurrency: 2,
            max_run_ms: 30 * MINUTE,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Let the language model work on a passage of a text; key is the id of the request. The answer is recorded with the
    /// request.
    Passage = "passage",
        KindRules {
            backoff_base_ms: 10 * SECOND,
            concurrency: 2,
            // A request may wait for requests of other accounts, and then takes up to two minutes.
            max_run_ms: 15 * MINUTE,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Let the language model explain a change that a monitor detected; key is the id of the change. The
    /// sentence is recorded with the change, and the message about the change is sent.
    ChangeExplanation = "change_explanation",
        KindRules { backoff_base_ms: 10 * SECOND, concurrency: 2, capacity: Some(1_000), ..DEFAULT_RULES };
    /// Subscribe to the hub of a feed; key is the feed's id.
    FeedHub = "feed_hub", KindRules { priority: Priority::Low, concurrency: 4, ..DEFAULT_RULES };
    /// Process the imports of an account one after the other; key is the account's id.
    LibraryImport = "library_import",
        KindRules {
            max_attempts: 5,
            // An import that crashes its worker on each start is dead early.
            max_lost_starts: 3,
            lost_start_delays_ms: TRANSFER_DELAYS_MS,
            priority: Priority::Low,
            concurrency: 2,
            max_run_ms: 6 * HOUR,
            ..DEFAULT_RULES
        };
    /// Import from an import server, some pages at a time; key is the id of the import server.
    LibraryServer = "library_server",
        KindRules {
            max_attempts: 5,
            max_lost_starts: 3,
            lost_start_delays_ms: TRANSFER_DELAYS_MS,
            priority: Priority::Low,
            concurrency: 2,
            max_run_ms: HOUR,
            ..DEFAULT_RULES
        };
    /// Write an export of a library; key is the export's id.
    LibraryExport = "library_export",
        KindRules {
            lost_start_delays_ms: TRANSFER_DELAYS_MS,
            priority: Priority::Low,
            concurrency: 2,
            max_run_ms: 6 * HOUR,
            ..DEFAULT_RULES
        };
    /// Change a tag on every object of a library; key is the account's id.
    LibraryTag = "library_tag",
        KindRules { max_attempts: 5, concurrency: 2, max_run_ms: HOUR, ..DEFAULT_RULES };
    /// Remove the tags that the language model attached from all items of a library; key is the account's id.
    ModelTags = "model_tags",
        KindRules { max_attempts: 5, concurrency: 2, max_run_ms: HOUR, ..DEFAULT_RULES };
    /// Apply the rules of an account to saved items; key is the account's id.
    ItemRules = "item_rules",
        KindRules { max_attempts: 5, concurrency: 4, max_run_ms: HOUR, ..DEFAULT_RULES };
    /// Rebuild the search index of a library; key is the account's id.
    LibraryIndex = "library_index",
        KindRules {
            max_attempts: 5,
            priority: Priority::Low,
            concurrency: 1,
            max_run_ms: 6 * HOUR,
            ..DEFAULT_RULES
        };
    /// Delete the files of a deleted account; key is the account's id.
    AccountFiles = "account_files",
        KindRules {
            max_attempts: 20,
            backoff_base_ms: MINUTE,
            priority: Priority::Low,
            concurrency: 1,
            max_run_ms: 30 * MINUTE,
            ..DEFAULT_RULES
        };
    /// Send one mail; key is the mail's id. Retried for about an hour.
    Mail = "mail",
        KindRules {
            max_attempts: 8,
            backoff_base_ms: 30 * SECOND,
            priority: Priority::High,
            concurrency: 4,
            max_run_ms: 2 * MINUTE,
            capacity: Some(1_000),
            ..DEFAULT_RULES
        };
    /// Send one message to a channel; key is the message's id. The message counts its delivery attempts
    /// itself, without those whose worker was lost.
    Notice = "notice",
        KindRules {
            max_attempts: 50,
            backoff_base_ms: 30 * SECOND,
            priority: Priority::High,
            concurrency: 8,
            max_run_ms: 2 * MINUTE,
            ..DEFAULT_RULES
        };
}

impl JobKind {
    /// Parses a kind name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }

    /// True if only workers with a browser run jobs of the kind.
    pub const fn needs_browser(self) -> bool {
        matches!(
            self,
            Self::Render | Self::MonitorRender | Self::MonitorRenderPreview | Self::LibraryPageCopy
        )
    }
}

impl KindRules {
    /// Returns the delay in milliseconds before the next start of a job that has lost `lost_starts` workers, at least
    /// one. `jitter` prolongs the delay by a share between nothing (0) and one half (255).
    pub fn lost_start_delay_ms(&self, lost_starts: u32, jitter: u8) -> Millis {
        let index = (lost_starts.max(1) as usize - 1).min(self.lost_start_delays_ms.len().saturating_sub(1));
        let delay = self.lost_start_delays_ms.get(index).copied().unwrap_or_default();
        delay + delay * i64::from(jitter) / (255 * 2)
    }

    /// Returns the delay before the next attempt after `attempts` attempts, in milliseconds. It grows
    /// exponentially, is capped, and is reduced by up to a fifth by `jitter` (0 to 255), so that retries are
    /// spread.
    pub fn backoff_ms(&self, attempts: u32, jitter: u8) -> Millis {
        let doublings = attempts.saturating_sub(1).min(32);
        let full = self.backoff_base_ms.saturating_mul(1_i64 << doublings).min(self.backoff_cap_ms);
        full - full * i64::from(jitter) / (255 * 5)
    }
}

impl Priority {
    /// Every level, most urgent first.
    pub const ALL: [Self; 4] = [Self::Urgent, Self::High, Self::Normal, Self::Low];

    /// Returns the value in the database. More urgent levels have higher values.
    pub fn as_i16(self) -> i16 {
        match self {
            Self::Low => -10,
            Self::Normal => 0,
            Self::High => 10,
            Self::Urgent => 20,
        }
    }

    /// Converts a database value to a level. Values between two levels are rounded down.
    pub fn from_i16(number: i16) -> Self {
        Self::ALL.into_iter().find(|level| level.as_i16() <= number).unwrap_or(Self::Low)
    }
}

impl fmt::Display for JobKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
