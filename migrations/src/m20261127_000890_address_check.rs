//! Last result of checking whether the address of this service can be reached from outside.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Plain(
    "CREATE TABLE IF NOT EXISTS address_check (
        address text NOT NULL PRIMARY KEY,
        outcome text NOT NULL,
        detail text NOT NULL,
        checked_at bigint NOT NULL
    )",
)];

const DOWN: &[Part] = &[Part::Plain("DROP TABLE IF EXISTS address_check")];

online::online!(UP, DOWN);
