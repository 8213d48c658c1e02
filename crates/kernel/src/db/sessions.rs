//! What sessions of PostgreSQL begin with.

use std::time::Duration;

use super::DatabaseSettings;

/// How long a group of jobs waits for a row that somebody holds: then it is halved, and who meets the row waits alone.
const GROUP_LOCK: Duration = Duration::from_millis(200);

/// How long a statement of the engine may take. Its callers wait a little longer, and then for no answer at all.
const ENGINE: Duration = Duration::from_secs(8);

/// How long a statement may take that others do without: news, and counts of limits.
pub(super) const DISPENSABLE: Duration = Duration::from_secs(2);

/// Statements are planned for the values they come with. One plan for all of them would be made after five turns: it
/// takes a list of 2,500 feeds for one of ten. No statement is long enough that compiling it would pay.
const PLANNED_EACH_TIME: [(&str, &str); 2] = [("plan_cache_mode", "force_custom_plan"), ("jit", "off")];

/// The engine's few statements find jobs by their ids alone. They are planned once, which spares a third of their time,
/// and from each id to its row by the index: the planner's own choice, on a table that is empty then, as a queue mostly
/// is, would read the whole of it later.
const PLANNED_ONCE: [(&str, &str); 7] = [
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    // Whoever draws the next jobs reads them in the order of the index.
    ("enable_bitmapscan", "off"),
    ("enable_sort", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("jit", "off"),
];

impl DatabaseSettings {
    /// What most sessions begin with.
    pub(super) fn common_session(&self) -> Vec<(&'static str, String)> {
        self.session(&PLANNED_EACH_TIME)
    }

    /// What a session of the job engine begins with: it waits less long for a row.
    pub(super) fn engine_session(&self) -> Vec<(&'static str, String)> {
        let lock_timeout = at_most(self.lock_timeout, GROUP_LOCK);
        let statement_timeout = at_most(self.statement_timeout, ENGINE);
        Self { statement_timeout, lock_timeout, ..self.clone() }.session(&PLANNED_ONCE)
    }

    /// What a session begins with by which processes share news and counts: both can be done without.
    pub(super) fn shared_state_session(&self) -> Vec<(&'static str, String)> {
        let statement_timeout = at_most(self.statement_timeout, DISPENSABLE);
        let mut session = Self { statement_timeout, ..self.clone() }.engine_session();
        session.push(("synchronous_commit", "off".to_owned()));
        session
    }

    /// The limits that there are, in milliseconds, and how statements are planned.
    fn session(&self, planning: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
        let limits = [
            ("statement_timeout", self.statement_timeout),
            ("lock_timeout", self.lock_timeout),
            ("idle_in_transaction_session_timeout", self.idle_transaction_timeout),
        ];
        let set = limits.into_iter().filter(|(_, limit)| !limit.is_zero());
        let limits = set.map(|(name, limit)| (name, limit.as_millis().to_string()));
        limits.chain(planning.iter().map(|(name, value)| (*name, (*value).to_owned()))).collect()
    }
}

/// A limit, where zero means none, but no more than this.
fn at_most(limit: Duration, most: Duration) -> Duration {
    if limit.is_zero() { most } else { limit.min(most) }
}
