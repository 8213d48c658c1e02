//! Highlights of pictures: the address and the alternative text of the picture.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("library_highlight", "picture_url", "text"),
    Part::Column("library_highlight", "picture_alt", "text"),
];

const DOWN: &[Part] =
    &[Part::NoColumn("library_highlight", "picture_alt"), Part::NoColumn("library_highlight", "picture_url")];

online::online!(UP, DOWN);
