//! What every process tells its operator, whatever its role: the catalogue of its metrics, what it measures of itself
//! when it is asked, and the address at which it answers.

mod catalogue;
mod sample;
mod server;
mod state;

pub use catalogue::{METRICS, Metric, MetricKind, describe};
pub use sample::sample;
pub use server::{Listening, listen};
pub use state::Ops;
