//! Cues joined into sentences, with their times.

use crate::formats::tests::read;
use crate::{BlockKind, Document, ExtractionOutcome, Input, extract};

fn timed_texts(document: &Document) -> Vec<(Option<f64>, &str)> {
    assert!(document.blocks.iter().all(|block| block.kind == BlockKind::Transcript));
    document.blocks.iter().map(|block| (block.start_seconds, block.text.as_str())).collect()
}

#[test]
fn webvtt_cues_are_joined_into_timed_sentences() {
    let text = "\u{feff}WEBVTT - title\r\n\r\nNOTE a remark\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\n1\r\n00:01.000 --> 00:02.500 align:start\r\n\
        So <c.x>this</c> &amp; that\r\n\r\n00:02.500 --> 00:04.000\r\nSo this &amp; that\r\nends here.\r\n\r\n\
        01:00:05.250 --> 01:00:06.000\r\n<v Ada Lovelace>Next <00:05.500>one\r\n\r\n01:00:06.000 --> 01:00:07.000\r\n<v Bob>Reply";
    let document = read(text.as_bytes().to_vec(), None);
    assert_eq!(document.source.as_str(), "transcript");
    assert_eq!(
        timed_texts(&document),
        [
            (Some(1.0), "So this & that ends here."),
            (Some(3605.25), "Ada Lovelace: Next one"),
            (Some(3606.0), "Bob: Reply")
        ]
    );
}

#[test]
fn srt_cues_are_joined_into_timed_sentences() {
    let text = "1\n00:00:01,000 --> 00:00:02,000\n<i>One</i>\n\n2\n00:00:02,100 --> 00:00:03,000\ntwo.\n\n3\n00:00:09,000 --> 00:00:10,000\nThree\n";
    for mime in [None, Some("application/x-subrip"), Some("text/plain")] {
        assert_eq!(
            timed_texts(&read(text.as_bytes().to_vec(), mime)),
            [(Some(1.0), "One two."), (Some(9.0), "Three")]
        );
    }
}

#[test]
fn transcript_without_cues_has_no_text() {
    for text in ["WEBVTT", "WEBVTT\n\n99999999:00:00 --> x\ny", "WEBVTT\n\n00:01.000 --> 00:02.000\n"] {
        let input = Input { bytes: text.into(), content_type: None, url: None };
        assert!(matches!(extract(&input), ExtractionOutcome::NoText { .. }), "{text}");
    }
}
