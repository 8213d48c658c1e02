//! Language of an account's pages.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("account", "language", "text")];

const DOWN: &[Part] = &[Part::NoColumn("account", "language")];

online::online!(UP, DOWN);
