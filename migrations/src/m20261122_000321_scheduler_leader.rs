//! Lease of the leading scheduler by the database's clock, in a single row.

use crate::dialect;

const UP: &[&str] = &["CREATE TABLE IF NOT EXISTS scheduler_leader (
        id integer NOT NULL PRIMARY KEY,
        holder text NOT NULL,
        until bigint NOT NULL
    )"];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS scheduler_leader"];

dialect::migration!(UP, DOWN);
