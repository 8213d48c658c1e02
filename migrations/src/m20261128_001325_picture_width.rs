//! Adds the maximum width of smaller versions of pictures. It is 0 for pictures as fetched.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("picture", "max_width", "integer NOT NULL DEFAULT 0")];

const DOWN: &[Part] = &[Part::NoColumn("picture", "max_width")];

online::online!(UP, DOWN);
