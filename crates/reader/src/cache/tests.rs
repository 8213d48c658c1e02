//! Tests of the response cache.

use poem::http::HeaderMap;

use super::*;

fn key(format: ResponseFormat) -> ResponseKey {
    ResponseKey {
        snapshot_id: SnapshotId::from_u128(0),
        fetched_at: 0,
        url: "https://example.com/".into(),
        format,
        cache_hit: true,
    }
}

fn page(format: ResponseFormat, body: &str) -> RenderedPage {
    RenderedPage { format, body: body.to_owned().into(), headers: HeaderMap::new() }
}

#[test]
fn cached_json_response_gets_the_current_time() {
    let cache = ResponseCache::default();
    let body = format!(
        r#"{{"title":"\"responded_at\":\"2000","responded_at":"{}","untrusted":true}}"#,
        rfc3339(1_000)
    );
    cache.put(key(ResponseFormat::Json), &page(ResponseFormat::Json, &body), 1_000);
    let cached = cache.page(&key(ResponseFormat::Json), 86_400_000).unwrap();
    assert_eq!(
        cached.body,
        r#"{"title":"\"responded_at\":\"2000","responded_at":"1970-01-02T00:00:00.000Z","untrusted":true}"#
    );
}

#[test]
fn cached_text_response_is_unchanged() {
    let cache = ResponseCache::default();
    cache.put(key(ResponseFormat::Text), &page(ResponseFormat::Text, "Title: A\n"), 1_000);
    assert_eq!(cache.page(&key(ResponseFormat::Text), 2_000).unwrap().body, "Title: A\n");
    assert!(cache.page(&key(ResponseFormat::Markdown), 2_000).is_none());
}

#[test]
fn json_response_without_its_time_is_not_cached() {
    let cache = ResponseCache::default();
    cache.put(key(ResponseFormat::Json), &page(ResponseFormat::Json, r#"{"responded_at":"soon"}"#), 1_000);
    assert!(cache.page(&key(ResponseFormat::Json), 2_000).is_none());
}

#[test]
fn oversized_response_is_not_cached() {
    let cache = ResponseCache::default();
    cache.put(key(ResponseFormat::Text), &page(ResponseFormat::Text, &"x".repeat(MAX_BODY_BYTES + 1)), 1_000);
    assert!(cache.page(&key(ResponseFormat::Text), 2_000).is_none());
}
