//! Job kinds of this crate, one file each.

mod feed_discovery;
mod feed_follow;
mod feed_hub;
mod feed_poll;
mod feed_sample;

pub use feed_discovery::FeedDiscovery;
pub use feed_follow::FeedFollow;
pub use feed_hub::FeedHub;
pub use feed_poll::FeedPoll;
pub use feed_sample::FeedSample;
