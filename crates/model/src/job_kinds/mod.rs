//! Job kinds of this crate, one file each.

mod briefing;
mod change_explanation;
mod item_index;
mod meaning_search;
mod passage;
mod question;
mod summary;

use articles::worker_tools::Tools;
use jobs::RegisteredKind;

pub use briefing::BriefingJob;
pub use change_explanation::ChangeExplanationJob;
pub use item_index::ItemIndexJob;
pub use meaning_search::MeaningSearchJob;
pub use passage::PassageJob;
pub use question::QuestionJob;
pub use summary::SummaryJob;

/// All job kinds of this crate.
pub const KINDS: &[RegisteredKind<Tools>] = &[
    RegisteredKind::of::<BriefingJob>(),
    RegisteredKind::of::<ChangeExplanationJob>(),
    RegisteredKind::of::<ItemIndexJob>(),
    RegisteredKind::of::<MeaningSearchJob>(),
    RegisteredKind::of::<PassageJob>(),
    RegisteredKind::of::<QuestionJob>(),
    RegisteredKind::of::<SummaryJob>(),
];
