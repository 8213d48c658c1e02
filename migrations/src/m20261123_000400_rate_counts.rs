//! Counts of the limits that processes on PostgreSQL share without Redis. They are not logged: losing them in a crash
//! gives away no more than an emptied Redis does. An embedded database has the table and leaves it empty.

use crate::dialect;

const UP: &[&str] = &["CREATE {unlogged} TABLE IF NOT EXISTS rate_count (
        key text NOT NULL PRIMARY KEY,
        version bigint NOT NULL,
        state text NOT NULL,
        dead_from bigint NOT NULL
    )"];

const DOWN: &[&str] = &["DROP TABLE IF EXISTS rate_count"];

dialect::migration!(UP, DOWN);
