//! Feed rules, with which an account processes new entries. A rule searches the title, author, text, URL, categories, or
//! attached files of an entry for words or a regular expression, or compares its publication time. Matching entries are
//! protected, dropped, hidden, marked as read, starred, saved to the library, or sent to channels.
//!
//! Each entry is evaluated in the transaction that writes it. The result is a mark of the account on the
//! entry, which all lists and counts use. A hidden entry is a read entry with the id of the rule that hides
//! it. A dropped entry is counted and hidden permanently; it is not stored if every follower drops it. Entries to
//! star or save are recorded in the same transaction (`saves`), and a job saves them. Entries to send to channels are
//! recorded likewise (`pending_notices`), for the job that writes the messages about new entries.

mod apply;
mod existing_entries;
mod matching;
mod pending_notices;
mod preview;
mod rule;
mod saves;
mod store;

pub use apply::accounts_with_rules;
pub(super) use apply::{Decisions, decide, decide_existing, decide_with, dropped_by_all, followed, write};
pub(super) use existing_entries::TOO_COSTLY;
pub(super) use matching::EntryFields;
pub(super) use pending_notices::{
    IS_SENT_BY_RULE, channel_pattern, delete_notices, delete_undelivered, pending_channels, request_notices,
};
pub use preview::{RulePreview, preview_rule};
pub use rule::{
    NewRule, Rule, RuleAction, RuleKind, RulePart, RuleScope, SAVE_RULES_PER_ENTRY, UnsavedEntries,
    UnsavedReason,
};
pub(super) use saves::withdraw_duplicates;
pub use saves::{claim_saves, save_pending};
pub(super) use store::apply_tag_change;
pub use store::{create_rule, delete_rule, get_rule, list_rules};
