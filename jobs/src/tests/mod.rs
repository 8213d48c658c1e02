//! The engine as a whole, on SQLite with queues in memory and on PostgreSQL with queues in Redis.

mod clocks;
mod drawn;
mod faults;
mod grouped;
mod kills;
mod limits;
mod redis_faults;
mod running;
mod shutdown;
mod support;
mod told;
mod waiting;
