//! Rules that rewrite the entries of a feed before they are stored: replacements of titles, texts, and addresses, and
//! rules without parameters. Rules apply only to a feed that belongs to a single account, because other accounts share
//! the entries of other feeds.
//!
//! Identities are computed from the original entries, so rules never create a second entry. Rules that need attributes
//! of the publisher's markup, such as classes, are applied to the markup of a second parse, whose body has them in
//! attributes that sanitising retains. Other rules are then applied to the sanitised markup. Expressions run in linear
//! time, and the time for the entries of a body is limited.

mod attributes;
mod entry_texts;
mod feed_rewriting;
mod markup;
mod reading;
mod rewriter;
mod rule;
mod selector;
mod store;
mod titles;

pub(super) use entry_texts::{EntryTexts, allowed_address};
pub(super) use feed_rewriting::rewrite_feed;
pub(super) use reading::read_feed;
pub(super) use rewriter::{REWRITE_TIME_LIMIT, RewriteLimits, Rewriter};
pub(super) use rule::not_fetched;
pub use rule::{NamedRewrite, Replacement, Rewrite, RewriteField};
pub(super) use store::{
    active_rules, compiled, delete_expired_samples, record_report, stored_form, stored_rules,
};
