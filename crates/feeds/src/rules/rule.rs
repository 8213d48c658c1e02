//! What a rule is made of.

use entities::ids::{RuleId, SubscriptionId};
use entities::rss_rule;

use kernel::clock::Millis;
use kernel::error::{Error, Result};

/// A closed set of words, and the way back.
macro_rules! words {
    ($($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $note:literal])+ $variant:ident = $word:literal,)+ })+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[doc = $note])+ $variant,)+ }

        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The value of a word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word)
            }
        }
    )+};
}

words! {
    /// What is done with the entries that a rule finds. To keep goes before the others, to mute before marking as read.
    RuleAction {
        /// They stand in no list, and are not unread.
        Mute = "mute",
        /// They are marked as read.
        Read = "read",
        /// No other rule does anything with them.
        Keep = "keep",
    }
    /// Where a rule looks.
    RulePart {
        /// In the title, the author and the text.
        Any = "any",
        /// In the title.
        Title = "title",
        /// In the names of the author.
        Author = "author",
        /// In what the feed gives of the text.
        Text = "text",
    }
    /// How a rule looks.
    RuleKind {
        /// For these words as they stand; case and accents make no difference.
        Words = "words",
        /// For a regular expression; case makes no difference.
        Expression = "expression",
    }
}

/// A rule of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its id.
    pub id: RuleId,
    /// The subscription that it is for; all of them where there is none.
    pub subscription_id: Option<SubscriptionId>,
    /// What is done.
    pub action: RuleAction,
    /// Where it looks.
    pub part: RulePart,
    /// How it looks.
    pub kind: RuleKind,
    /// What it looks for.
    pub words: String,
    /// When it was made.
    pub created_at: Millis,
    /// When it was switched off because it took too long.
    pub stopped_at: Option<Millis>,
    /// How many entries it hides.
    pub muted: u64,
}

/// A rule to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRule {
    /// The subscription that it is for; all of them where there is none.
    pub subscription_id: Option<SubscriptionId>,
    /// What is done.
    pub action: RuleAction,
    /// Where it looks.
    pub part: RulePart,
    /// How it looks.
    pub kind: RuleKind,
    /// What it looks for.
    pub words: String,
}

/// Which entries a new rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Those that come in from now on.
    Coming,
    /// Those that are unread now as well.
    Unread,
}

/// The words of a row as values.
pub(super) fn words_of(row: &rss_rule::Model) -> Result<(RuleAction, RulePart, RuleKind)> {
    let words = (RuleAction::parse(&row.action), RulePart::parse(&row.part), RuleKind::parse(&row.kind));
    match words {
        (Some(action), Some(part), Some(kind)) => Ok((action, part, kind)),
        (None, _, _) | (_, None, _) | (_, _, None) => {
            Err(Error::internal(format!("rule {} has words that nobody knows", row.id)))
        }
    }
}
