//! Sessions say by which browser they were opened, so that people know their own.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("session", "browser", "text")];

const DOWN: &[Part] = &[Part::NoColumn("session", "browser")];

online::online!(UP, DOWN);
