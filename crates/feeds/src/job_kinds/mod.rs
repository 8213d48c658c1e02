//! Job kinds of this crate, one file each.

mod feed_discovery;
mod feed_follow;
mod feed_hub;
mod feed_poll;

pub use feed_discovery::FeedDiscovery;
pub use feed_follow::FeedFollow;
pub use feed_hub::FeedHub;
pub use feed_poll::FeedPoll;
