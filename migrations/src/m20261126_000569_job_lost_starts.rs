//! Adds the number of starts of a job whose worker was lost. Attempts that failed with an error are counted
//! in `attempts` only.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("job", "lost_starts", "integer NOT NULL DEFAULT 0")];

const DOWN: &[Part] = &[Part::NoColumn("job", "lost_starts")];

online::online!(UP, DOWN);
