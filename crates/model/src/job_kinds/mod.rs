//! Job kinds of this crate, one file each.

mod briefing;
mod meaning_search;
mod summary;

pub use briefing::Briefing;
pub use meaning_search::MeaningSearch;
pub use summary::Summary;
