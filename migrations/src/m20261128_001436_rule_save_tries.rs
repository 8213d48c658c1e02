//! Number of failed attempts to star or save an entry that a rule matches.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("rss_rule_save", "tries", "integer NOT NULL DEFAULT 0")];

const DOWN: &[Part] = &[Part::NoColumn("rss_rule_save", "tries")];

online::online!(UP, DOWN);
