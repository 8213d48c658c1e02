//! OpenAPI tags of the operations.

use poem_openapi::Tags;

/// OpenAPI tag of an operation.
#[derive(Tags)]
pub(super) enum ApiTag {
    /// Capabilities, limits, keys and teams.
    Account,
    /// Secure extraction of public URLs.
    Articles,
    /// Saved items, their texts and files, notes, highlights and reading history.
    Library,
    /// Followed feeds, collections, entries and read state.
    #[oai(rename = "RSS")]
    Rss,
    /// Scheduled web-change monitors, published as feeds.
    Monitors,
    /// All followed sources for programs: queries, event log, consumers with acknowledged positions, and bulk
    /// changes.
    Feeds,
}
