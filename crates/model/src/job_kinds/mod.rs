//! Job kinds of this crate, one file each.

mod briefing;
mod meaning_search;
mod summary;

pub use briefing::BriefingJob;
pub use meaning_search::MeaningSearchJob;
pub use summary::SummaryJob;
