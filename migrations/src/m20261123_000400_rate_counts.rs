//! Rate-limit counters that processes on PostgreSQL share without Redis. The table is unlogged: losing it in
//! a crash is no worse than losing the data of Redis. An embedded database does not use it.

use crate::dialect;

const UP: &[&str] = &["CREATE {unlogged} TABLE IF NOT EXISTS rate_count (
        key text NOT NULL PRIMARY KEY,
        version bigint NOT NULL,
        state text NOT NULL,
        dead_from bigint NOT NULL
    )"];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS rate_count"];

dialect::migration!(UP, DOWN);
