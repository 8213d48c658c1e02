//! Starts of a job whose worker was lost. They are counted apart from attempts that ended in an error.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("job", "lost_starts", "integer NOT NULL DEFAULT 0")];

const DOWN: &[Part] = &[Part::NoColumn("job", "lost_starts")];

online::online!(UP, DOWN);
