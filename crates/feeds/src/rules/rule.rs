//! Parts of a rule.

use entities::ids::{RuleId, SubscriptionId};
use entities::rss_rule;

use kernel::{Error, Millis, Result};

/// Defines enums with a string value per variant, and the conversions.
macro_rules! words {
    ($($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $note:literal])+ $variant:ident = $word:literal,)+ })+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[doc = $note])+ $variant,)+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// String value in the API and in the table.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// Parses a string value.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word)
            }
        }
    )+};
}

words! {
    /// Action on matching entries. Keep takes precedence over drop, drop over mute, and mute over read.
    RuleAction {
        /// Drops entries: they are counted, hidden for good, and not stored if every follower drops them.
        Drop = "drop",
        /// Hides entries from all lists and marks them as read.
        Mute = "mute",
        /// Marks entries as read.
        Read = "read",
        /// Protects entries from all other rules.
        Keep = "keep",
    }
    /// Part of an entry that a rule searches.
    RulePart {
        /// Title, author and text.
        Any = "any",
        /// Title.
        Title = "title",
        /// Names of the authors.
        Author = "author",
        /// Summary and text from the feed.
        Text = "text",
    }
    /// Kind of pattern.
    RuleKind {
        /// These words; case and accents are ignored.
        Words = "words",
        /// A regular expression; case is ignored.
        Expression = "expression",
    }
}

/// A rule of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub id: RuleId,
    /// Subscription that the rule applies to; all subscriptions if none.
    pub subscription_id: Option<SubscriptionId>,
    pub action: RuleAction,
    pub part: RulePart,
    pub kind: RuleKind,
    /// Words or regular expression.
    pub words: String,
    pub created_at: Millis,
    /// Time at which the rule was disabled because it took too long; none if it is enabled.
    pub stopped_at: Option<Millis>,
    /// Number of entries that the rule hides.
    pub muted: u64,
    /// Number of entries that the rule has dropped.
    pub dropped: u64,
}

/// A rule to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRule {
    /// Subscription that the rule applies to; all subscriptions if none.
    pub subscription_id: Option<SubscriptionId>,
    pub action: RuleAction,
    pub part: RulePart,
    pub kind: RuleKind,
    /// Words or regular expression.
    pub words: String,
}

/// Entries that a new rule is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleScope {
    /// Only entries that arrive from now on.
    NewEntries,
    /// New entries and those that are unread now.
    NewAndUnread,
}

/// Parses action, part and kind of a row.
pub(super) fn words_of(row: &rss_rule::Model) -> Result<(RuleAction, RulePart, RuleKind)> {
    let words = (RuleAction::parse(&row.action), RulePart::parse(&row.part), RuleKind::parse(&row.kind));
    match words {
        (Some(action), Some(part), Some(kind)) => Ok((action, part, kind)),
        (None, _, _) | (_, None, _) | (_, _, None) => {
            Err(Error::internal(format!("rule {} has an unknown action, part or kind", row.id)))
        }
    }
}
