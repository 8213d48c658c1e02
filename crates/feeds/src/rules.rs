//! Rules of feeds: what an account wants done with entries that come in. A rule looks for words or a regular expression in
//! the title, the author or the text of an entry; what it finds is kept as it is, hidden, or marked as read.
//!
//! Each entry is looked at once, in the transaction that writes it. What comes of it is a mark of the account on the entry,
//! so that every list and every count goes by it: a hidden entry is a read one that names the rule which has hidden it.

mod apply;
mod matching;
mod present;
mod preview;
mod rule;
mod store;

pub use apply::accounts_with_rules;
pub(super) use apply::{Decisions, decide, decide_by, decide_present, followed, write};
pub(super) use matching::Said;
pub use preview::{RulePreview, preview_rule};
pub use rule::{NewRule, Reach, Rule, RuleAction, RuleKind, RulePart};
pub use store::{create_rule, delete_rule, get_rule, list_rules};
