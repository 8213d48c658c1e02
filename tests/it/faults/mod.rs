//! Slow tests, which `bin/test --faults` runs.

mod embedded;
mod filled;
mod half_way;
mod load;
mod locks;
mod pooler;
mod shape;
mod silence;
mod simulation;
mod slow_callers;
mod upgrade;
