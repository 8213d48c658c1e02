//! Adds the browser of a session, so that people recognise their own sessions.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("session", "browser", "text")];

const DOWN: &[Part] = &[Part::NoColumn("session", "browser")];

online::online!(UP, DOWN);
