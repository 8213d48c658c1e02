//! SQL statement for exporting a list.

use crate::source_kind::SourceKind;

/// Returns the statement that selects the feeds that account `$1` follows, without internal feeds. Columns: URL,
/// page, title, and collection.
pub(super) fn exported() -> String {
    format!(
        "SELECT f.url, COALESCE(f.site_url, s.site_url), COALESCE(s.title, f.title), s.collection_id \
         FROM rss_subscription s JOIN feed f ON f.id = s.feed_id WHERE s.account_id = $1 AND {} ORDER BY s.id",
        SourceKind::Feed.condition("f")
    )
}
