//! How long, how large and how many: the bounds of what callers may send, each in one place. The rules check
//! by them, every surface describes them.

/// Code points of a URL.
pub const URL_CHARS: usize = 4096;
/// Code points of a key's name.
pub const KEY_NAME_CHARS: usize = 80;
/// Days until a key expires.
pub const KEY_DAYS: u32 = 365;
/// Code points of a collection's name.
pub const COLLECTION_NAME_CHARS: usize = 80;
/// Feeds that one request puts into a collection.
pub const COLLECTION_FEEDS: usize = 2500;
/// Code points of the title that an account gives a feed.
pub const FEED_TITLE_CHARS: usize = 500;
/// Minutes between two polls of a feed, when an account fixes them.
pub const FEED_MINUTES: u32 = 1440;
/// Rules for the entries of feeds that an account has.
pub const RULES: u64 = 100;
/// Code points of what such a rule looks for.
pub const RULE_CHARS: usize = 500;
/// Entries that one request marks.
pub const MARKED_ENTRIES: usize = 500;
/// Code points of a monitor's name.
pub const MONITOR_NAME_CHARS: usize = 120;
/// Minutes between two runs of a monitor, and the longest wait after failures.
pub const MONITOR_MINUTES: u32 = 43_200;
/// Channels that one monitor tells.
pub const MAX_NOTIFIED: usize = 20;
/// Code points of the name of a value that a monitor extracts.
pub const MONITOR_FIELD_NAME_CHARS: usize = 80;
/// Code points of an item's title.
pub const ITEM_TITLE_CHARS: usize = 500;
/// Code points of an item's content, as it is sent.
pub const ITEM_CONTENT_CHARS: usize = 2_000_000;
/// Code points of an author's name, and of the name of a file.
pub const ITEM_NAME_CHARS: usize = 500;
/// Code points of a written time.
pub const WRITTEN_TIME_CHARS: usize = 80;
/// Code points of a media type, and of an id that a client gives.
pub const ITEM_WORD_CHARS: usize = 255;
/// Items that one request changes or deletes.
pub const CHANGED_ITEMS: usize = 100;
/// Tags of an object.
pub const OBJECT_TAGS: usize = 12;
/// Code points of a tag.
pub const TAG_CHARS: usize = 32;
/// Code points of a note.
pub const NOTE_CHARS: usize = 100_000;
/// Code points of the words of a highlight.
pub const HIGHLIGHT_CHARS: usize = 10_000;
/// Code points of what stands before and behind them.
pub const HIGHLIGHT_CONTEXT_CHARS: usize = 64;
/// Code points of a query of a library.
pub const LIBRARY_QUERY_CHARS: usize = 500;
