//! Job kinds of this crate, one file each.

mod monitor_preview;
mod monitor_render;
mod monitor_render_preview;
mod monitor_run;

use articles::worker_tools::Tools;
use jobs::RegisteredKind;

pub use monitor_preview::MonitorPreview;
pub use monitor_render::MonitorRender;
pub use monitor_render_preview::MonitorRenderPreview;
pub use monitor_run::MonitorRun;

/// All job kinds of this crate.
pub const KINDS: &[RegisteredKind<Tools>] = &[
    RegisteredKind::of::<MonitorPreview>(),
    RegisteredKind::of::<MonitorRender>(),
    RegisteredKind::of::<MonitorRenderPreview>(),
    RegisteredKind::of::<MonitorRun>(),
];
