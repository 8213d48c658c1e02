//! Job kinds of this crate, one file each.

mod monitor_preview;
mod monitor_render;
mod monitor_render_preview;
mod monitor_run;

pub use monitor_preview::MonitorPreview;
pub use monitor_render::MonitorRender;
pub use monitor_render_preview::MonitorRenderPreview;
pub use monitor_run::MonitorRun;
