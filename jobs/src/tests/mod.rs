//! Tests of the whole engine: on SQLite with queues in memory, on PostgreSQL with queues in Redis, and on
//! PostgreSQL alone.

mod begun;
mod clocks;
mod drawn;
mod fair;
mod faults;
mod grouped;
mod kills;
mod kind_limits;
mod limits;
mod redis_faults;
mod rows;
mod running;
mod shutdown;
mod support;
mod told;
mod waiting;
