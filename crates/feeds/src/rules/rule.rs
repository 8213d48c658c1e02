//! Parts of a rule.

use entities::ids::{ChannelId, RuleId, SubscriptionId};
use entities::rss_rule;

use kernel::bounds::OBJECT_TAGS;
use kernel::{Error, Millis, Result};

/// Maximum number of rules that save the same entry, oldest first. It bounds the rows that an account with many rules
/// adds to the transaction of new entries.
pub const SAVE_RULES_PER_ENTRY: usize = OBJECT_TAGS;

/// Defines enums whose variants have string values, with conversions from and to these values.
macro_rules! words {
    ($($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $note:literal])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[doc = $note])* $variant,)+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Value in the API and the database.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// Parses a value. `None` if it is unknown.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word)
            }
        }
    )+};
}

words! {
    /// Action on matching entries. If several rules match, keep takes precedence over drop, drop over mute,
    /// and mute over read. Star and save apply in addition to the others, except to dropped entries: the oldest
    /// matching star rule, and the oldest save rules. Notify applies in addition to keep, star, and save.
    RuleAction {
        /// Drops entries: they are counted and hidden permanently, and not stored if every follower drops
        /// them.
        Drop = "drop",
        /// Hides entries from all lists and marks them as read.
        Mute = "mute",
        /// Marks entries as read.
        Read = "read",
        /// Protects entries from drop, mute, and read.
        Keep = "keep",
        /// Stars entries.
        Star = "star",
        /// Saves entries to the library.
        Save = "save",
        /// Sends entries to channels, unless a rule drops them, mutes them, or marks them as read.
        Notify = "notify",
    }
    /// Part of an entry that a rule searches.
    RulePart {
        /// Title, author, and text.
        Any = "any",
        Title = "title",
        /// Names of the authors.
        Author = "author",
        /// Summary and text according to the feed.
        Text = "text",
        /// URL of the page.
        Url = "url",
        /// Publication time, or else the update time. The pattern is a date condition, such as `>7d`.
        Published = "published",
        /// Media types and URLs of the attached files.
        Media = "media",
        /// Each of the categories.
        Category = "category",
    }
    /// Kind of pattern.
    RuleKind {
        /// Words. Letter case and accents are ignored.
        Words = "words",
        /// Regular expression. Letter case is ignored.
        Expression = "expression",
    }
    /// Reason why a matching entry was not starred or saved.
    UnsavedReason {
        /// The rules of the account have starred or saved the maximum number of entries per day.
        DailyLimit = "daily_limit",
        /// The storage of the account is used up.
        StorageLimit = "storage_limit",
        /// The account has deleted its library item for this page.
        Deleted = "deleted",
        /// The entry cannot be saved: its URL is not allowed, or the account can no longer see the entry.
        Unavailable = "unavailable",
        /// All attempts failed.
        Failed = "failed",
    }
}

impl RuleAction {
    /// Returns true if the action writes entries to the library.
    pub const fn is_save(self) -> bool {
        matches!(self, Self::Star | Self::Save)
    }
}

/// A rule of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub id: RuleId,
    /// Subscription to which the rule applies. `None` for all subscriptions.
    pub subscription_id: Option<SubscriptionId>,
    pub action: RuleAction,
    pub part: RulePart,
    pub kind: RuleKind,
    /// Words, regular expression, or date condition.
    pub words: String,
    /// Tags for saved items. Empty if the action is not [`RuleAction::Save`].
    pub tags: Vec<String>,
    /// Channels to which the rule sends entries. Empty if the action is not [`RuleAction::Notify`].
    pub notify: Vec<ChannelId>,
    pub created_at: Millis,
    /// Time at which the rule was disabled because it took too long. `None` if it is enabled.
    pub stopped_at: Option<Millis>,
    /// Number of entries that the rule hides.
    pub muted: u64,
    /// Number of entries that the rule has dropped.
    pub dropped: u64,
    /// Number of entries that the rule has starred or saved.
    pub saved: u64,
    /// Entries that the rule could not star or save. `None` if there are none.
    pub unsaved: Option<UnsavedEntries>,
}

/// Matching entries that a rule could not star or save. They remain in their feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsavedEntries {
    pub count: u64,
    /// Reason for the last of these entries.
    pub reason: UnsavedReason,
    /// Time of the last of these entries.
    pub last_at: Millis,
}

/// Properties of a rule to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRule {
    /// Subscription to which the rule applies. `None` for all subscriptions.
    pub subscription_id: Option<SubscriptionId>,
    pub action: RuleAction,
    pub part: RulePart,
    pub kind: RuleKind,
    /// Words, regular expression, or date condition.
    pub words: String,
    /// Tags for saved items. Ignored if the action is not [`RuleAction::Save`].
    pub tags: Vec<String>,
    /// Channels to which the rule sends entries. Ignored if the action is not [`RuleAction::Notify`].
    pub notify: Vec<ChannelId>,
}

/// Entries to which a new rule is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleScope {
    /// Only entries that arrive after the rule was created.
    NewEntries,
    /// New entries, and entries that are currently unread.
    NewAndUnread,
}

/// Parses the action, part, and kind of a row.
pub(super) fn words_of(row: &rss_rule::Model) -> Result<(RuleAction, RulePart, RuleKind)> {
    let words = (RuleAction::parse(&row.action), RulePart::parse(&row.part), RuleKind::parse(&row.kind));
    match words {
        (Some(action), Some(part), Some(kind)) => Ok((action, part, kind)),
        (None, _, _) | (_, None, _) | (_, _, None) => {
            Err(Error::internal(format!("rule {} has an unknown action, part or kind", row.id)))
        }
    }
}

/// Parses the channels of a row.
pub(super) fn channels_of(row: &rss_rule::Model) -> Result<Vec<ChannelId>> {
    serde_json::from_str(&row.notify).map_err(Error::internal)
}

/// Parses the tags of a row.
pub(super) fn tags_of(row: &rss_rule::Model) -> Result<Vec<String>> {
    serde_json::from_str(&row.tags).map_err(Error::internal)
}
