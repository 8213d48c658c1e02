//! Session settings of PostgreSQL connections.

use std::time::Duration;

use super::DatabaseSettings;

/// Lock timeout of a batch of jobs. On timeout the batch is bisected, until only the job that needs the
/// locked row waits.
const BATCH_LOCK_TIMEOUT: Duration = Duration::from_millis(200);

/// Statement timeout of the job engine. Callers wait a little longer, for the case of no response at all.
const ENGINE_STATEMENT_TIMEOUT: Duration = Duration::from_secs(8);

/// Timeout of optional statements: notifications and limit counters.
pub(super) const BEST_EFFORT_TIMEOUT: Duration = Duration::from_secs(2);

/// Makes PostgreSQL plan each statement for its values. A generic plan, which PostgreSQL would choose after five
/// executions, treats a list of 2,500 feeds like a list of ten. No statement runs long enough for JIT compilation to
/// pay off.
const CUSTOM_PLAN: [(&str, &str); 2] = [("plan_cache_mode", "force_custom_plan"), ("jit", "off")];

/// Makes PostgreSQL plan each of the few statements of the job engine once, with index scans, because they read jobs by
/// id. A generic plan saves a third of their time. For a table that is empty when the plan is made, as a queue usually
/// is, the planner itself would choose a sequential scan and continue to use it.
const GENERIC_PLAN: [(&str, &str); 7] = [
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    // Claims read the next jobs in index order.
    ("enable_bitmapscan", "off"),
    ("enable_sort", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("jit", "off"),
];

impl DatabaseSettings {
    /// Settings of most sessions.
    pub(super) fn common_session(&self) -> Vec<(&'static str, String)> {
        self.session(&CUSTOM_PLAN)
    }

    /// Settings of the job engine's sessions, with a shorter lock timeout.
    pub(super) fn engine_session(&self) -> Vec<(&'static str, String)> {
        let lock_timeout = at_most(self.lock_timeout, BATCH_LOCK_TIMEOUT);
        let statement_timeout = at_most(self.statement_timeout, ENGINE_STATEMENT_TIMEOUT);
        Self { statement_timeout, lock_timeout, ..self.clone() }.session(&GENERIC_PLAN)
    }

    /// Settings of sessions for notifications and shared counters, which are best-effort.
    pub(super) fn shared_state_session(&self) -> Vec<(&'static str, String)> {
        let statement_timeout = at_most(self.statement_timeout, BEST_EFFORT_TIMEOUT);
        let mut session = Self { statement_timeout, ..self.clone() }.engine_session();
        session.push(("synchronous_commit", "off".to_owned()));
        session
    }

    /// Timeouts in milliseconds, unless zero, and planner settings.
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

/// Caps a timeout at `most`; zero means no limit.
fn at_most(limit: Duration, most: Duration) -> Duration {
    if limit.is_zero() { most } else { limit.min(most) }
}
