//! Indexes of jobs that a claim, a renewed lease and a hand-over leave alone: they name no column that these change, so
//! that PostgreSQL writes the new version of a row into its page and no index (HOT). Half of each page is kept free for
//! it, and the table is vacuumed by how many rows died, not by their share: a queue is small and changes all day long.

use crate::online::{self, Part};

/// Rows that are not over are those without an end: `state` stands in no index.
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
