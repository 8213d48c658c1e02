//! Fair share of jobs: within a priority level of a kind, the jobs of an account are spread over time. Adds
//! the owner of a job, and a flag for a due time that was deferred for fair share.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("job", "owner_id", "{uuid}"),
    Part::Column("job", "in_turn", "boolean NOT NULL DEFAULT FALSE"),
    Part::Index(
        "job_owner",
        "job",
        "(kind, owner_id, priority, run_at) WHERE finished_at IS NULL AND owner_id IS NOT NULL",
    ),
    Part::Index("job_turn", "job", "(kind, priority DESC, run_at) WHERE finished_at IS NULL AND in_turn"),
];

const DOWN: &[Part] = &[
    Part::NoIndex("job_turn"),
    Part::NoIndex("job_owner"),
    Part::NoColumn("job", "in_turn"),
    Part::NoColumn("job", "owner_id"),
];

online::online!(UP, DOWN);
