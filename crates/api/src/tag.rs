//! The groups of operations.

use poem_openapi::Tags;

/// The groups of operations.
#[derive(Tags)]
pub(super) enum Tag {
    /// Capabilities, limits and keys.
    Account,
    /// Secure extraction of public URLs.
    Articles,
    /// Saved items, their texts and files, notes, highlights and reading history.
    Library,
    /// Followed feeds, collections, entries and read state.
    #[oai(rename = "RSS")]
    Rss,
    /// Scheduled web-change monitors, surfaced as feeds.
    Monitors,
    /// Everything that is followed, for programs: what happens, with positions that are acknowledged.
    Feeds,
}
