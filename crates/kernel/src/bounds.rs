//! Bounds of request values: lengths, sizes, and counts. The rules enforce these constants, and every surface documents
//! them.

/// Maximum number of days that an account may set, after which unread entries of a feed count as read.
pub const FEED_READ_AFTER_DAYS: u32 = 365;
/// Maximum number of selectors for parts that are removed from the articles of a feed.
pub const FEED_TEXT_REMOVALS: usize = 20;
/// Maximum number of rules that rewrite the entries of a feed.
pub const FEED_REWRITES: usize = 20;
/// Maximum length of the expression, the replacement, or the selector of a rewrite rule, in code points.
pub const FEED_REWRITE_CHARS: usize = 500;
/// Maximum length of a URL in code points.
pub const URL_CHARS: usize = 4096;
/// Maximum length of a key name in code points.
pub const KEY_NAME_CHARS: usize = 80;
/// Maximum number of days until a key expires.
pub const KEY_DAYS: u32 = 365;
/// Maximum length of a collection name in code points.
pub const COLLECTION_NAME_CHARS: usize = 80;
/// Maximum number of feeds that one request adds to a collection.
pub const COLLECTION_FEEDS: usize = 2500;
/// Maximum length of an account's title for a feed, in code points.
pub const FEED_TITLE_CHARS: usize = 500;
/// Maximum polling interval that an account may set for a feed, in minutes.
pub const FEED_MINUTES: u32 = 1440;
/// Maximum number of feed rules per account.
pub const RULES: u64 = 100;
/// Maximum length of the search text of a rule, in code points.
pub const RULE_CHARS: usize = 500;
/// Maximum number of entries that the rules of an account star or save per day, in total.
pub const RULE_SAVES_PER_DAY: u32 = 100;
/// Maximum number of entries that one request marks.
pub const MARKED_ENTRIES: usize = 500;
/// Maximum length of a monitor name in code points.
pub const MONITOR_NAME_CHARS: usize = 120;
/// Maximum interval between two runs of a monitor, and maximum delay after failures, in minutes.
pub const MONITOR_MINUTES: u32 = 43_200;
/// Maximum number of channels that one monitor notifies.
pub const MAX_NOTIFIED: usize = 20;
/// Maximum length of the name of an extracted monitor value, in code points.
pub const MONITOR_FIELD_NAME_CHARS: usize = 80;
/// Maximum number of headers that an account adds to the requests of a monitor or a feed.
pub const MONITOR_HEADERS: usize = 20;
/// Maximum length of the name of a header, in ASCII characters.
pub const MONITOR_HEADER_NAME_CHARS: usize = 100;
/// Maximum length of the value of a header, in ASCII characters.
pub const MONITOR_HEADER_VALUE_CHARS: usize = 1000;
/// Maximum length of the body that a monitor posts, in code points.
pub const MONITOR_BODY_CHARS: usize = 10_000;
/// Maximum length of the media type of the body that a monitor posts, in bytes.
pub const MONITOR_MEDIA_TYPE_CHARS: usize = 100;
/// Maximum length of a user agent in bytes.
pub const MONITOR_USER_AGENT_CHARS: usize = 300;
/// Maximum length of the name of a proxy.
pub const MONITOR_PROXY_CHARS: usize = fetch::MAX_PROXY_NAME_CHARS;
/// Maximum length of the credentials of a monitor in bytes.
pub const MONITOR_CREDENTIAL_CHARS: usize = 2000;
/// Maximum number of steps that a monitor performs on a rendered page.
pub const MONITOR_STEPS: usize = 10;
/// Maximum length of the selector of a step, in code points.
pub const MONITOR_STEP_SELECTOR_CHARS: usize = 500;
/// Maximum length of the text that a step types, in code points.
pub const MONITOR_STEP_TEXT_CHARS: usize = 500;
/// Maximum total time that the steps of a monitor wait, in milliseconds.
pub const MONITOR_STEP_WAIT_MS: u32 = 10_000;
/// Maximum number of times of day at which a monitor runs.
pub const MONITOR_TIMES: usize = 24;
/// Maximum random delay of a run of a monitor, in minutes.
pub const MONITOR_JITTER_MINUTES: u32 = 120;
/// Maximum length of the name of a time zone in code points.
pub const TIME_ZONE_CHARS: usize = 60;
/// Maximum length of the owner's wish for the explanations of a monitor's changes, in code points.
pub const MONITOR_WISH_CHARS: usize = 300;
/// Maximum number of failed runs that an account may require before a monitor notifies.
pub const MONITOR_NOTIFY_FAILURES: u32 = 100;
/// Maximum length of an item title in code points.
pub const ITEM_TITLE_CHARS: usize = 500;
/// Maximum length of submitted item content in code points.
pub const ITEM_CONTENT_CHARS: usize = 2_000_000;
/// Maximum length of an author name and of a file name, in code points.
pub const ITEM_NAME_CHARS: usize = 500;
/// Maximum length of a timestamp text in code points.
pub const WRITTEN_TIME_CHARS: usize = 80;
/// Maximum length of a media type and of a client-supplied id, in code points.
pub const ITEM_TOKEN_CHARS: usize = 255;
/// Maximum number of items that one request changes or deletes.
pub const CHANGED_ITEMS: usize = 100;
/// Maximum number of tags per object.
pub const OBJECT_TAGS: usize = 12;
/// Maximum length of a tag in code points.
pub const TAG_CHARS: usize = 32;
/// Maximum length of a note in code points.
pub const NOTE_CHARS: usize = 100_000;
/// Maximum length of a highlight's quoted text in code points.
pub const HIGHLIGHT_CHARS: usize = 10_000;
/// Maximum number of gaps of a highlight's card.
pub const CARD_GAPS: usize = 20;
/// Maximum length of the question of a highlight's card, in code points.
pub const CARD_QUESTION_CHARS: usize = 1000;
/// Maximum length of the answer of a highlight's card, in code points.
pub const CARD_ANSWER_CHARS: usize = 5000;
/// Maximum number of highlights that an account may choose to review per day.
pub const REVIEWS_PER_DAY: u32 = 50;
/// Maximum number of themed reviews of highlights per account.
pub const THEMED_REVIEWS: u32 = 10;
/// Maximum length of the context before and after a highlight, in code points.
pub const HIGHLIGHT_CONTEXT_CHARS: usize = 64;
/// Maximum number of rules for saved items per account.
pub const ITEM_RULES: u32 = 50;
/// Maximum length of the name of a saved search, of a rule for saved items, and of a themed review, in code points.
pub const SEARCH_NAME_CHARS: usize = 60;
/// Maximum length of a library query in code points.
pub const LIBRARY_QUERY_CHARS: usize = 500;
