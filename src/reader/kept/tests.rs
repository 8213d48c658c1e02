//! What a front end keeps of answers.

use poem::http::HeaderMap;

use super::*;

fn key(format: Format) -> Key {
    Key { snapshot_id: Uuid::nil(), url: "https://example.com/".into(), format, cache_hit: true }
}

fn page(format: Format, body: &str) -> Page {
    Page { format, body: body.to_owned().into(), headers: HeaderMap::new() }
}

#[test]
fn a_kept_json_answer_tells_the_time_of_the_telling() {
    let kept = Kept::default();
    let body = format!(
        r#"{{"title":"\"responded_at\":\"2000","responded_at":"{}","untrusted":true}}"#,
        rfc3339(1_000)
    );
    kept.keep(key(Format::Json), &page(Format::Json, &body), 1_000);
    let told = kept.page(&key(Format::Json), 86_400_000).unwrap();
    assert_eq!(
        told.body,
        r#"{"title":"\"responded_at\":\"2000","responded_at":"1970-01-02T00:00:00.000Z","untrusted":true}"#
    );
}

#[test]
fn a_text_answer_is_told_as_it_was() {
    let kept = Kept::default();
    kept.keep(key(Format::Text), &page(Format::Text, "Title: A\n"), 1_000);
    assert_eq!(kept.page(&key(Format::Text), 2_000).unwrap().body, "Title: A\n");
    assert!(kept.page(&key(Format::Markdown), 2_000).is_none());
}

#[test]
fn an_answer_whose_time_is_not_found_is_not_kept() {
    let kept = Kept::default();
    kept.keep(key(Format::Json), &page(Format::Json, r#"{"responded_at":"soon"}"#), 1_000);
    assert!(kept.page(&key(Format::Json), 2_000).is_none());
}

#[test]
fn an_answer_that_is_too_long_is_not_kept() {
    let kept = Kept::default();
    kept.keep(key(Format::Text), &page(Format::Text, &"x".repeat(LONGEST + 1)), 1_000);
    assert!(kept.page(&key(Format::Text), 2_000).is_none());
}
