//! Job kinds of this crate, one file each.

mod entry_notices;
mod feed_discovery;
mod feed_follow;
mod feed_hub;
mod feed_poll;
mod feed_rule;
mod feed_sample;

use articles::worker_tools::Tools;
use jobs::RegisteredKind;

pub use entry_notices::EntryNotices;
pub use feed_discovery::FeedDiscovery;
pub use feed_follow::FeedFollow;
pub use feed_hub::FeedHub;
pub use feed_poll::FeedPoll;
pub use feed_rule::FeedRule;
pub use feed_sample::FeedSample;

/// All job kinds of this crate.
pub const KINDS: &[RegisteredKind<Tools>] = &[
    RegisteredKind::of::<EntryNotices>(),
    RegisteredKind::of::<FeedDiscovery>(),
    RegisteredKind::of::<FeedFollow>(),
    RegisteredKind::of::<FeedHub>(),
    RegisteredKind::of::<FeedPoll>(),
    RegisteredKind::of::<FeedRule>(),
    RegisteredKind::of::<FeedSample>(),
];
