//! Job kinds of this crate, one file each.

mod extraction;
mod picture;
mod read_job;
mod render;
mod smaller_picture;

use crate::worker_tools::Tools;
use jobs::RegisteredKind;

pub use extraction::Extraction;
pub use picture::PictureJob;
pub use read_job::ReadJobRunner;
pub use render::RenderJob;
pub use smaller_picture::SmallerPictureJob;

/// All job kinds of this crate.
pub const KINDS: &[RegisteredKind<Tools>] = &[
    RegisteredKind::of::<Extraction>(),
    RegisteredKind::of::<PictureJob>(),
    RegisteredKind::of::<ReadJobRunner>(),
    RegisteredKind::of::<RenderJob>(),
    RegisteredKind::of::<SmallerPictureJob>(),
];
