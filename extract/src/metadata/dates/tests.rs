//! Dates in URLs, and dates in various formats.

use super::*;

#[test]
fn dates_in_urls_are_parsed() {
    let day = NaiveDate::from_ymd_opt(2026, 1, 12);
    for path in
        ["/2026/01/12/title", "/news/2026-01-12-title", "/a/20260112/b", "/2026/1/12", "/x_2026_01_12.html"]
    {
        assert_eq!(date_in_path(path), day, "{path}");
    }
    for path in ["/2026/01/title", "/20269912/", "/id/12345678901", "/2026-01/12", ""] {
        assert_eq!(date_in_path(path), None, "{path}");
    }
}

#[test]
fn declared_dates_are_normalised() {
    assert_eq!(normal("2026-01-12T08:00:00Z").as_deref(), Some("2026-01-12T08:00:00Z"));
    assert_eq!(normal("2026-01-12T08:00:00+0100").as_deref(), Some("2026-01-12T08:00:00+01:00"));
    assert_eq!(normal("2026-01-12 08:00").as_deref(), Some("2026-01-12"));
    assert_eq!(normal("Mon, 12 Jan 2026 08:00:00 GMT").as_deref(), Some("2026-01-12T08:00:00+00:00"));
    assert_eq!(normal("January 12, 2026").as_deref(), Some("2026-01-12"));
    assert_eq!(normal("0001-01-01T00:00:00Z"), None);
    assert_eq!(normal("yesterday"), None);
}
