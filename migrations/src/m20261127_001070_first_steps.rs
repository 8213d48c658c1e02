//! Sample accounts, and the time at which an account closed its first steps.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("account", "is_sample", "boolean NOT NULL DEFAULT FALSE"),
    Part::Column("account", "first_steps_closed_at", "bigint"),
];

const DOWN: &[Part] =
    &[Part::NoColumn("account", "first_steps_closed_at"), Part::NoColumn("account", "is_sample")];

online::online!(UP, DOWN);
