//! Job kinds of this crate, one file each.

mod monitor_preview;
mod monitor_render;
mod monitor_render_preview;
mod monitor_run;

use articles::worker_tools::Tools;
use jobs::RegisteredKind;

pub use monitor_preview::MonitorPreviewJob;
pub use monitor_render::MonitorRender;
pub use monitor_render_preview::MonitorRenderPreview;
pub use monitor_run::MonitorRunJob;

/// All job kinds of this crate.
pub const KINDS: &[RegisteredKind<Tools>] = &[
    RegisteredKind::of::<MonitorPreviewJob>(),
    RegisteredKind::of::<MonitorRender>(),
    RegisteredKind::of::<MonitorRenderPreview>(),
    RegisteredKind::of::<MonitorRunJob>(),
];
