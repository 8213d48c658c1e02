//! Decision of a run: the reason why it reported a change, or no change.

use super::outcome::Outcome;

/// Reason why a run reported a change, or no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// First check of the monitor, or first check with a new definition.
    FirstCheck,
    /// The source is identical to the source at the previous check.
    SameSource,
    /// The watched content is identical to the last reported content.
    NoDifference,
    /// The content differs only in ignored parts and noise.
    IgnoredDifference,
    /// The content differs, but the condition of the trigger did not become true.
    ConditionNotMet,
    /// The page alternates between two contents.
    Alternating,
    /// The content might not be the watched page, or a list is empty. Another check must confirm this before
    /// it is reported.
    Unconfirmed,
    /// The source still returns a wall, which was already reported.
    NotThePage,
    /// The change was reported.
    Reported,
    /// The change was reported, but the monitor had no channel to notify.
    ReportedWithoutChannel,
    /// The change was recorded, but the language model decided that it is not relevant to the owner's wish,
    /// so no channel was notified.
    JudgedIrrelevant,
    /// The run failed, so nothing was evaluated.
    Failed,
}

impl Decision {
    pub const ALL: &'static [Self] = &[
        Self::FirstCheck,
        Self::SameSource,
        Self::NoDifference,
        Self::IgnoredDifference,
        Self::ConditionNotMet,
        Self::Alternating,
        Self::Unconfirmed,
        Self::NotThePage,
        Self::Reported,
        Self::ReportedWithoutChannel,
        Self::JudgedIrrelevant,
        Self::Failed,
    ];

    /// Name in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FirstCheck => "first_check",
            Self::SameSource => "same_source",
            Self::NoDifference => "no_difference",
            Self::IgnoredDifference => "ignored_difference",
            Self::ConditionNotMet => "condition_not_met",
            Self::Alternating => "alternating",
            Self::Unconfirmed => "unconfirmed",
            Self::NotThePage => "not_the_page",
            Self::Reported => "reported",
            Self::ReportedWithoutChannel => "reported_without_channel",
            Self::JudgedIrrelevant => "judged_irrelevant",
            Self::Failed => "failed",
        }
    }

    pub(super) fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|decision| decision.as_str() == word)
    }

    /// Decision of a run whose content was not evaluated.
    pub(super) const fn of_outcome(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Baseline => Self::FirstCheck,
            Outcome::Unchanged => Self::SameSource,
            Outcome::Changed => Self::Reported,
            Outcome::Error => Self::Failed,
        }
    }

    /// Decision for a monitor with the stored channels `notify`.
    pub(super) fn with_channels(self, notify: &str) -> Self {
        match self {
            Self::Reported if notify == "[]" => Self::ReportedWithoutChannel,
            decision => decision,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_decisions_are_parsed() {
        for decision in Decision::ALL {
            assert_eq!(Decision::parse(decision.as_str()), Some(*decision));
        }
        assert_eq!(Decision::parse("other"), None);
    }
}
