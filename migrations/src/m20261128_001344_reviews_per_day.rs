//! Number of highlights that an account reviews per day.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("library_account", "reviews_per_day", "smallint NOT NULL DEFAULT 10")];

const DOWN: &[Part] = &[Part::NoColumn("library_account", "reviews_per_day")];

online::online!(UP, DOWN);
