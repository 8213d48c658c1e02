//! Indexes of jobs without the columns that a claim, a lease renewal, or a release changes, so that
//! PostgreSQL writes the new row version into the same page and does not update an index (HOT). Half of each
//! page is left free for this. The table is vacuumed after a number of dead rows, not after a share of them,
//! because a queue is small and changes continuously.

use crate::online::{self, Part};

/// Rows without `finished_at` are the live rows, so no index contains `state`.
const UP: &[Part] = &[
    Part::UniqueIndex("job_live", "job", "(kind, key) WHERE finished_at IS NULL"),
    Part::Index("job_due", "job", "(kind, priority DESC, run_at) WHERE finished_at IS NULL"),
    Part::Index("job_over", "job", "(kind, finished_at) WHERE finished_at IS NOT NULL"),
    Part::NoIndex("job_live_key"),
    Part::NoIndex("job_ready"),
    Part::NoIndex("job_pushed"),
    Part::NoIndex("job_lease"),
    Part::NoIndex("job_finished"),
    Part::Storage(
        "ALTER TABLE job SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, \
            autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0, \
            autovacuum_analyze_threshold = 5000)",
    ),
];

const DOWN: &[Part] = &[
    Part::UniqueIndex("job_live_key", "job", "(kind, key) WHERE state IN ('ready', 'running')"),
    Part::Index("job_ready", "job", "(kind, priority, run_at) WHERE state = 'ready' AND pushed_at IS NULL"),
    Part::Index("job_pushed", "job", "(kind, pushed_at) WHERE state = 'ready' AND pushed_at IS NOT NULL"),
    Part::Index("job_lease", "job", "(kind, lease_until) WHERE state = 'running'"),
    Part::Index("job_finished", "job", "(kind, state, finished_at) WHERE finished_at IS NOT NULL"),
    Part::NoIndex("job_over"),
    Part::NoIndex("job_due"),
    Part::NoIndex("job_live"),
    Part::Storage(
        "ALTER TABLE job RESET (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, \
            autovacuum_analyze_scale_factor, autovacuum_analyze_threshold)",
    ),
];

online::online!(UP, DOWN);
