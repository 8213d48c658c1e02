//! Chapters and transcripts of podcasts in JSON.

use crate::formats::tests::read;
use crate::{BlockKind, Document, ExtractionOutcome, Input, extract};

fn timed_texts(document: &Document) -> Vec<(Option<f64>, &str)> {
    document.blocks.iter().map(|block| (block.start_seconds, block.text.as_str())).collect()
}

#[test]
fn chapters_become_a_list_with_times() {
    let json = r#"{"version":"1.2.0","title":"Harbour 7","podcastName":"Harbour","chapters":[
        {"startTime":0,"title":"Start"},{"startTime":754.5,"title":"Ships  &amp; sails","url":"https://ships.example/"},
        {"startTime":60,"title":"Tides","url":"javascript:x"},{"startTime":70,"title":"Hidden","toc":false},
        {"startTime":80},{"startTime":-1,"title":"Before"},{"title":"Never"}]}"#;
    for mime in [None, Some("application/json+chapters"), Some("application/json"), Some("text/plain")] {
        let document = read(json.as_bytes().to_vec(), mime);
        assert_eq!(
            timed_texts(&document),
            [(Some(0.0), "Start"), (Some(60.0), "Tides"), (Some(754.5), "Ships &amp; sails")],
            "{mime:?}"
        );
        assert!(document.blocks.iter().all(|block| block.kind == BlockKind::ListItem));
        assert_eq!(document.title, "Harbour 7");
        let links: Vec<&str> =
            document.blocks.iter().flat_map(|block| &block.links).map(|link| link.url.as_str()).collect();
        assert_eq!(links, ["https://ships.example/"]);
    }
}

#[test]
fn transcript_in_json_is_joined_into_sentences() {
    let json = r#"{"version":"1.0.0","segments":[{"speaker":"Ann","startTime":0.5,"endTime":0.75,"body":"Good"},
        {"speaker":"Ann","startTime":0.75,"endTime":1,"body":"day."},{"speaker":"Bo","startTime":1.5,"endTime":2,"body":"Hello"},
        {"startTime":3,"body":""},{"body":"Lost"}]}"#;
    let document = read(json.as_bytes().to_vec(), Some("application/json"));
    assert_eq!(
        timed_texts(&document),
        [(Some(0.5), "Ann: Good day."), (Some(1.5), "Bo: Hello"), (Some(3.0), "Lost")]
    );
    assert_eq!(
        (document.source.as_str(), document.content_type.as_str()),
        ("transcript", "application/json")
    );
}

#[test]
fn json_without_valid_chapters_is_read_as_data() {
    let data = [
        (r#"{"chapters":[{"title":"One"}]}"#, "application/json"),
        (r#"{"version":1,"startTime":5,"chapters":"none"}"#, "application/json"),
        (r#"{"version":1,"startTime":5,"chapters":"none"}"#, "application/json+chapters"),
        ("{\"version\":1", "application/json+chapters"),
    ];
    for (json, mime) in data {
        let document = read(json.as_bytes().to_vec(), Some(mime));
        assert_eq!(document.blocks[0].start_seconds, None, "{json}");
    }
    let empty = r#"{"version":"1.2.0","chapters":[{"startTime":"soon","title":"x"}]}"#;
    let input = Input { bytes: empty.into(), content_type: Some("application/json".to_owned()), url: None };
    assert!(matches!(extract(&input), ExtractionOutcome::NoText { .. }));
}

#[test]
fn chapters_beyond_the_limit_are_reported() {
    let listed: Vec<String> =
        (0..1_001).map(|n| format!("{{\"startTime\":{n},\"title\":\"Chapter {n}\"}}")).collect();
    let json = format!("{{\"version\":\"1.2.0\",\"chapters\":[{}]}}", listed.join(","));
    let document = read(json.into_bytes(), Some("application/json+chapters"));
    assert_eq!(document.blocks.len(), 1_000);
    assert!(document.warnings.contains(&crate::Warning::TruncatedSource));
}
