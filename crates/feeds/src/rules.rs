//! Feed rules, with which an account processes new entries. A rule searches the title, author, or text of an
//! entry for words or a regular expression. Matching entries are protected, dropped, hidden, or marked as
//! read.
//!
//! Each entry is evaluated in the transaction that writes it. The result is a mark of the account on the
//! entry, which all lists and counts use. A hidden entry is a read entry with the id of the rule that hides
//! it. A dropped entry is counted and hidden permanently; it is not stored if every follower drops it.

mod apply;
mod existing_entries;
mod matching;
mod preview;
mod rule;
mod store;

pub use apply::accounts_with_rules;
pub(super) use apply::{Decisions, decide, decide_existing, decide_with, dropped_by_all, followed, write};
pub(super) use existing_entries::TOO_COSTLY;
pub(super) use matching::EntryFields;
pub use preview::{RulePreview, preview_rule};
pub use rule::{NewRule, Rule, RuleAction, RuleKind, RulePart, RuleScope};
pub use store::{create_rule, delete_rule, get_rule, list_rules};
