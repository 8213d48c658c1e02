//! The executable: subcommands, process roles, and the composition of the surfaces.

mod backup;
pub mod cli;
pub mod database_move;
pub mod health;
mod installation;
pub mod listener;
pub mod ops;
pub mod pictures;
pub mod process;
pub mod public_feeds;
pub mod router;
pub mod schema;
pub mod telemetry;
pub mod websub;
mod welcome;
