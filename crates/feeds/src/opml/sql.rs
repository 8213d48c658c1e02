//! SQL statement for exporting a list.

/// Feeds that account `$1` follows, except feeds of kind `$2`. Columns: URL, page, title, and collection.
pub(super) const EXPORTED: &str = "SELECT f.url, COALESCE(f.site_url, s.site_url), COALESCE(s.title, f.title), \
    s.collection_id FROM rss_subscription s JOIN feed f ON f.id = s.feed_id \
    WHERE s.account_id = $1 AND COALESCE(f.kind, '') <> $2 ORDER BY s.id";
