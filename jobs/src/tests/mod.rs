//! Tests of the whole engine: on SQLite with queues in memory, on PostgreSQL with queues in Redis, and on
//! PostgreSQL alone.

mod batching;
mod bounded_waits;
mod claim;
mod clocks;
mod fair_share;
mod faults;
mod handlers;
mod immediate_start;
mod kills;
mod kind_limits;
mod postgres_only;
mod redis_faults;
mod reporting;
mod shutdown;
mod support;
mod waiting;
