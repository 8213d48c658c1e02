//! Job kinds of this crate, one file each.

mod notice;

use articles::worker_tools::Tools;
use jobs::RegisteredKind;

pub use notice::NoticeJob;

/// All job kinds of this crate.
pub const KINDS: &[RegisteredKind<Tools>] = &[RegisteredKind::of::<NoticeJob>()];
