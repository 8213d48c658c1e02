//! What kinds of work there are and the rules of each, in one table.

use std::fmt;

use kernel::clock::{DAY, HOUR, MINUTE, Millis, SECOND};

/// The rules of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Starts after which the job is given up: `failed` when the last one ended in an error, `dead`
    /// when none of them ended.
    pub max_attempts: u32,
    /// The first retry's delay in milliseconds; each further one doubles it.
    pub backoff_base_ms: Millis,
    /// No retry waits longer than this many milliseconds.
    pub backoff_cap_ms: Millis,
    /// Whether the row is deleted when the job completes, for kinds whose effect tells the story.
    pub delete_when_complete: bool,
    /// How long finished rows are kept, in milliseconds.
    pub keep_finished_ms: Millis,
    /// How urgent it is when the caller does not say.
    pub priority: Priority,
    /// How many run at once in one worker process, unless the settings say otherwise.
    pub concurrency: usize,
    /// The longest that one run may take, in milliseconds; then it is stopped, and counts as a failed start.
    pub max_run_ms: Millis,
    /// Waiting jobs beyond which a new one is refused with `capacity_exhausted`; none for kinds that
    /// the scheduler feeds from what is due.
    pub capacity: Option<u32>,
    /// Whether the first attempt that meets an unavailable service is retried at once, as a caller may be waiting.
    pub retries_at_once: bool,
}

/// How urgent a job is. The sweep asks for each level in turn, so the levels are few and fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Priority {
    /// Bulk work: imports, back catalogue.
    Low,
    /// Work on a schedule.
    #[default]
    Normal,
    /// Somebody will come back for it: durable jobs.
    High,
    /// Somebody is waiting on the line.
    Urgent,
}

/// What most kinds have in common.
const USUAL: Rules = Rules {
    max_attempts: 3,
    backoff_base_ms: 2 * SECOND,
    backoff_cap_ms: HOUR,
    delete_when_complete: true,
    keep_finished_ms: DAY,
    priority: Priority::Normal,
    concurrency: 8,
    max_run_ms: 5 * MINUTE,
    capacity: None,
    retries_at_once: false,
};

/// One row a kind makes the enum, its list, its words and its rules, so that none can lack one of them.
macro_rules! job_kinds {
    ($($(#[$doc:meta])+ $name:ident = $word:literal, $rules:expr;)+) => {
        /// A kind of job. The word of [`as_str`](Self::as_str) stands in rows, logs, metrics and settings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum JobKind {
            $($(#[$doc])+ $name,)+
        }

        impl JobKind {
            /// Every kind, in the order in which the sweep and the workers take them up.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The stable word.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)+
                }
            }

            /// The rules.
            pub const fn rules(self) -> Rules {
                match self {
                    $(Self::$name => $rules,)+
                }
            }
        }
    };
}

job_kinds! {
    /// Fetch one URL and extract its text; key is the URL's identity.
    Extraction = "extraction",
        Rules {
            priority: Priority::Urgent,
            concurrency: 16,
            capacity: Some(1_000),
            retries_at_once: true,
            ..USUAL
        };
    /// A read that was answered 202 and is asked for later; key is the public job's id.
    ReadJob = "read_job",
        Rules {
            delete_when_complete: false,
            priority: Priority::High,
            concurrency: 16,
            capacity: Some(10_000),
            ..USUAL
        };
    /// Look for the feeds of a site; key is the URL's identity.
    FeedDiscovery = "feed_discovery", Rules { priority: Priority::Urgent, capacity: Some(1_000), ..USUAL };
    /// Show what a monitor would look at; key is what was asked and by whom.
    MonitorPreview = "monitor_preview", Rules { priority: Priority::Urgent, capacity: Some(1_000), ..USUAL };
    /// Read what an app says of itself at an address of its own; key is the address.
    OAuthClient = "oauth_client",
        Rules {
            priority: Priority::Urgent,
            concurrency: 4,
            max_run_ms: MINUTE,
            capacity: Some(1_000),
            ..USUAL
        };
    /// Fetch a picture of a page; key is the hash of its address. A picture that cannot be had is a result.
    Picture = "picture",
        Rules { priority: Priority::High, concurrency: 8, max_run_ms: MINUTE, capacity: Some(2_000), ..USUAL };
    /// Follow the addresses of a commit of which nobody knew what they are; key is the commit's id.
    FeedFollow = "feed_follow",
        Rules { max_attempts: 8, backoff_base_ms: 10 * SECOND, priority: Priority::High, ..USUAL };
    /// Poll a batch of feeds; key is the first of them and the end of the claim.
    FeedPoll = "feed_poll", Rules { concurrency: 4, max_run_ms: 15 * MINUTE, ..USUAL };
    /// Look at what monitors watch; key is the monitor's id, or of a batch the first of them and the end of the claim.
    MonitorRun = "monitor_run", Rules { concurrency: 16, max_run_ms: 15 * MINUTE, ..USUAL };
    /// Make the text of a library's item; key is the item's id.
    LibraryText = "library_text", Rules { concurrency: 8, ..USUAL };
    /// Ask a hub to tell us of a feed's news; key is the feed's id.
    FeedHub = "feed_hub", Rules { priority: Priority::Low, concurrency: 4, ..USUAL };
    /// Take the files of an account's imports into its library, one after the other; key is the account's id.
    LibraryImport = "library_import",
        Rules { max_attempts: 5, priority: Priority::Low, concurrency: 2, max_run_ms: 6 * HOUR, ..USUAL };
    /// Write a library into files; key is the export's id.
    LibraryExport = "library_export",
        Rules { priority: Priority::Low, concurrency: 2, max_run_ms: 6 * HOUR, ..USUAL };
    /// Change a tag on everything in a library that has it; key is the account's id.
    LibraryTag = "library_tag",
        Rules { max_attempts: 5, concurrency: 2, max_run_ms: HOUR, ..USUAL };
    /// Delete the files of an account that is gone; key is its id.
    AccountFiles = "account_files",
        Rules {
            max_attempts: 20,
            backoff_base_ms: MINUTE,
            priority: Priority::Low,
            concurrency: 1,
            max_run_ms: 30 * MINUTE,
            ..USUAL
        };
    /// Send one mail; key is the mail's id. Tried for about an hour.
    Mail = "mail",
        Rules {
            max_attempts: 8,
            backoff_base_ms: 30 * SECOND,
            priority: Priority::High,
            concurrency: 4,
            max_run_ms: 2 * MINUTE,
            capacity: Some(1_000),
            ..USUAL
        };
    /// Send one message to a channel; key is the message's id. How often it is tried is the message's to say: starts that
    /// had no end are not counted among its tries.
    Notice = "notice",
        Rules {
            max_attempts: 50,
            backoff_base_ms: 30 * SECOND,
            priority: Priority::High,
            concurrency: 8,
            max_run_ms: 2 * MINUTE,
            ..USUAL
        };
}

impl JobKind {
    /// The kind with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }
}

impl Rules {
    /// The delay before the next start after `attempts` starts, in milliseconds: exponential, capped,
    /// with up to a fifth taken off by `jitter` (0 to 255) so that a crowd does not come back at once.
    pub fn backoff_ms(&self, attempts: u32, jitter: u8) -> Millis {
        let doublings = attempts.saturating_sub(1).min(32);
        let full = self.backoff_base_ms.saturating_mul(1_i64 << doublings).min(self.backoff_cap_ms);
        full - full * i64::from(jitter) / (255 * 5)
    }
}

impl Priority {
    /// Every level, most urgent first.
    pub const ALL: [Self; 4] = [Self::Urgent, Self::High, Self::Normal, Self::Low];

    /// The number in the table; higher goes first.
    pub fn as_i16(self) -> i16 {
        match self {
            Self::Low => -10,
            Self::Normal => 0,
            Self::High => 10,
            Self::Urgent => 20,
        }
    }

    /// The level of a number in the table, rounded down to the next one.
    pub fn from_i16(number: i16) -> Self {
        Self::ALL.into_iter().find(|level| level.as_i16() <= number).unwrap_or(Self::Low)
    }
}

impl fmt::Display for JobKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
