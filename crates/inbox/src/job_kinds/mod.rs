//! Job kinds of this crate, one file each.

mod inbox_message;
mod inbox_unsubscribe;

use articles::worker_tools::Tools;
use jobs::RegisteredKind;

pub use inbox_message::InboxMessageJob;
pub use inbox_unsubscribe::InboxUnsubscribe;

/// All job kinds of this crate.
pub const KINDS: &[RegisteredKind<Tools>] =
    &[RegisteredKind::of::<InboxMessageJob>(), RegisteredKind::of::<InboxUnsubscribe>()];
