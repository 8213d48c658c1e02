//! Faults and upgrades that take long, or that need a server which only these tests need: `bin/test --faults`.

mod filled;
mod load;
mod locks;
mod upgrade;
