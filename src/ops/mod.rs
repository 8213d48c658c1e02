//! Operator interface of every process: the metrics catalogue, process measurements, and the operator
//! address.

mod catalogue;
mod reference;
mod sample;
mod server;
mod state;

pub use catalogue::{METRICS, Metric, MetricKind, describe};
pub use reference::metric_page;
pub use sample::sample;
pub use server::{OpsServer, listen};
pub use state::Ops;
