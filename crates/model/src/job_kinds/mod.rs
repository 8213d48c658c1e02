//! Job kinds of this crate, one file each.

mod briefing;
mod summary;

pub use briefing::Briefing;
pub use summary::Summary;
