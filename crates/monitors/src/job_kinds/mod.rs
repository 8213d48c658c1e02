//! The job kinds of this capability, one file each.

mod monitor_preview;
mod monitor_run;

pub use monitor_preview::MonitorPreview;
pub use monitor_run::MonitorRun;
