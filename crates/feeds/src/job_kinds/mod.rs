//! Job kinds of this crate, one file each.

mod feed_discovery;
mod feed_follow;
mod feed_hub;
mod feed_poll;

use articles::worker_tools::Tools;
use jobs::RegisteredKind;

pub use feed_discovery::FeedDiscovery;
pub use feed_follow::FeedFollow;
pub use feed_hub::FeedHub;
pub use feed_poll::FeedPoll;

/// All job kinds of this crate.
pub const KINDS: &[RegisteredKind<Tools>] = &[
    RegisteredKind::of::<FeedDiscovery>(),
    RegisteredKind::of::<FeedFollow>(),
    RegisteredKind::of::<FeedHub>(),
    RegisteredKind::of::<FeedPoll>(),
];
