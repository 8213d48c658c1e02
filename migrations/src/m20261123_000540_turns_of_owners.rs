//! Within a level of one kind of jobs each account has one turn after the other, however many it has: whose job it is, and
//! whether the time at which it is due is such a turn.

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
