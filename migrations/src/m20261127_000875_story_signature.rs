//! Similarity signature of the words of an entry, by which entries about the same story are recognised.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("feed_entry", "story_signature", "{bytes}")];

const DOWN: &[Part] = &[Part::NoColumn("feed_entry", "story_signature")];

online::online!(UP, DOWN);
