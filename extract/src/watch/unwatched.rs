//! Texts of a snapshot that are not compared, each with the reason, so that users can see what is masked.

use serde::{Deserialize, Serialize};

use super::{
    normalize::{CompiledRules, Rules, text_roles},
    snapshot::Snapshot,
    value_store::cut,
};
use crate::noise;

/// Maximum number of characters in a reported text.
const MAX_CHARS: usize = 80;

/// Reason why a text is not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnwatchedReason {
    /// The text belongs to a control or aside outside the main text.
    Margin,
    /// The text is a date or clock of the page itself.
    Clock,
    /// The times, counters or ids in the text are not compared, but its other words are.
    Part,
    /// The text matches an ignore rule of the owner.
    Ignored,
    /// The text differed in each of the first fetches.
    Learned,
}

impl UnwatchedReason {
    /// Name of the reason in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Margin => "margin",
            Self::Clock => "clock",
            Self::Part => "part",
            Self::Ignored => "ignored",
            Self::Learned => "learned",
        }
    }
}

/// Text that is not compared, or only in part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unwatched {
    /// Number of the block, counted from 1.
    pub anchor: u32,
    pub reason: UnwatchedReason,
    /// Beginning of the text.
    pub text: String,
}

impl Unwatched {
    /// Sentence for the owner of the monitor. `None` unless a built-in mask is the reason.
    pub fn describe(&self) -> Option<String> {
        match self.reason {
            UnwatchedReason::Clock => {
                Some(format!("“{}” is not watched: it looks like a clock or date.", self.text))
            }
            UnwatchedReason::Part => {
                Some(format!("The times and counters in “{}” are not watched.", self.text))
            }
            UnwatchedReason::Margin | UnwatchedReason::Ignored | UnwatchedReason::Learned => None,
        }
    }
}

/// Texts of a page that are not compared under the rules, in order. Empty for snapshots that are not pages.
pub fn unwatched(snapshot: &Snapshot, rules: &Rules) -> Vec<Unwatched> {
    let Snapshot::Blocks(blocks) = snapshot else { return Vec::new() };
    let rules = CompiledRules::new(rules);
    let roles = text_roles(blocks);
    let skip_defaults = rules.skips_defaults(blocks, &roles);
    let reasons = (1..).zip(blocks).zip(&roles).filter_map(|((anchor, block), role)| {
        let masks = || if skip_defaults { Vec::new() } else { noise::masks(&block.text, *role) };
        let reason = if rules.is_outside(block) {
            UnwatchedReason::Margin
        } else if !rules.is_compared(&block.text) {
            UnwatchedReason::Ignored
        } else if rules.is_learned(block) {
            UnwatchedReason::Learned
        } else {
            let masks = masks();
            if masks.is_empty() {
                return None;
            }
            if noise::is_only_date_context(&block.text, &masks) {
                UnwatchedReason::Clock
            } else {
                UnwatchedReason::Part
            }
        };
        Some(Unwatched { anchor, reason, text: cut(&block.text, MAX_CHARS) })
    });
    reasons.collect()
}
