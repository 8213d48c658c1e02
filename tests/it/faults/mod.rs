//! Slow tests, which only `bin/test --faults` runs.

mod briefings;
mod crash_loop;
mod embedded;
mod fairness;
mod filled_database;
mod half_open;
mod interrupted_migration;
mod load;
mod locks;
mod month;
mod pooler;
mod shape;
mod simulation;
mod slow_callers;
mod upgrade;
