//! Job kinds of this crate, one file each.

mod briefing;
mod change_explanation;
mod meaning_search;
mod question;
mod summary;

pub use briefing::BriefingJob;
pub use change_explanation::ChangeExplanationJob;
pub use meaning_search::MeaningSearchJob;
pub use question::QuestionJob;
pub use summary::SummaryJob;
