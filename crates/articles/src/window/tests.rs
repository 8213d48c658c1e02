//! Property tests of windows for any document and any budget, and tests of their format.

use extract::BlockKind;
use kernel::Code;
use proptest::prelude::*;

use super::*;

pub fn document(texts: &[String]) -> Document {
    let blocks = texts.iter().zip(1..).map(|(text, anchor)| Block {
        anchor,
        kind: BlockKind::Paragraph,
        text: text.clone(),
        tokens: tokens::count(text),
        ..Block::default()
    });
    Document {
        title: "Title".into(),
        content_type: "text/html".into(),
        blocks: blocks.collect(),
        content_hash: "sha256:00".into(),
        ..Document::default()
    }
}

/// Removes the markers and joins the pieces of cut blocks.
fn unmarked(windows: &[Window]) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for window in windows {
        let mut at = window.from_anchor.unwrap();
        let mut rest = window.text.as_str();
        loop {
            let continued = format!("[p{at}…] ");
            let opening = format!("[p{at}] ");
            let goes_on = rest.starts_with(&continued);
            rest = rest.strip_prefix(if goes_on { &continued } else { &opening }).unwrap();
            let next = format!("\n\n[p{}] ", at + 1);
            let (text, after) = match rest.find(&next) {
                Some(end) if at < window.to_anchor.unwrap() => (&rest[..end], Some(&rest[end + 2..])),
                _ => (rest, None),
            };
            match blocks.last_mut() {
                Some(last) if goes_on => last.push_str(text),
                _ => blocks.push(text.to_owned()),
            }
            let Some(after) = after else { break };
            (rest, at) = (after, at + 1);
        }
    }
    blocks
}

fn all_windows(document: &Document, max_tokens: u32) -> Vec<Window> {
    let measure = TokenCounts::of(document);
    let (mut windows, mut cursor): (Vec<Window>, _) = (Vec::new(), None);
    loop {
        let next = window(document, &measure, WindowRequest { max_tokens, cursor }).unwrap();
        assert!(next.next_cursor.is_none() || next.next_cursor != cursor, "the cursor does not advance");
        let position = |cursor: u64| (cursor % CURSOR_FACTOR, cursor / CURSOR_FACTOR);
        if let (Some(before), Some(after)) = (cursor, next.next_cursor) {
            assert!(position(after) > position(before), "the cursor moves backwards");
        }
        cursor = next.next_cursor;
        windows.push(next);
        if cursor.is_none() {
            return windows;
        }
    }
}

fn any_text() -> impl Strategy<Value = String> {
    let words = prop::collection::vec("[a-zA-Z]{1,12}[.,!?]?", 1..60).prop_map(|words| words.join(" "));
    let long =
        (1_usize..900, "[a-z]{3,9}").prop_map(|(times, word)| format!("{word} ").repeat(times).trim().into());
    let odd = "[\\PC]{1,200}";
    let unbroken =
        (50_usize..700, prop::sample::select(vec!["漢字仮名", "🧑‍🚀", "ẍ̧", "aaaaaaaa", "\u{1F9D1}"]))
            .prop_map(|(times, unit)| unit.repeat(times));
    prop_oneof![4 => words, 1 => long, 1 => odd, 1 => unbroken]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn windows_respect_the_budget_and_cover_the_whole_text(
        texts in prop::collection::vec(any_text(), 0..12),
        max_tokens in 100_u32..600,
    ) {
        let document = document(&texts);
        let windows = all_windows(&document, max_tokens);
        for window in &windows {
            prop_assert!(window.tokens <= max_tokens);
            prop_assert!(tokens::count(&window.text) <= window.tokens, "the text has more tokens than the window reports");
        }
        if texts.is_empty() {
            prop_assert_eq!(windows.len(), 1);
        } else {
            prop_assert_eq!(unmarked(&windows), texts);
        }
    }

    #[test]
    fn any_cursor_returns_a_window_or_cursor_out_of_range(cursor in any::<u64>(), small in 0_u64..40, cut in 0_u64..3000) {
        let document = document(&["one two three".into(), "word ".repeat(2000)]);
        let measure = TokenCounts::of(&document);
        for cursor in [cursor, small, small % 4 + CURSOR_FACTOR * cut] {
            match window(&document, &measure, WindowRequest { max_tokens: 100, cursor: Some(cursor) }) {
                Ok(window) => prop_assert!(window.tokens <= 100),
                Err(error) => prop_assert_eq!(error.code, Code::CursorOutOfRange),
            }
        }
    }
}

#[test]
fn window_has_the_documented_format() {
    let document = document(&["First block.".into(), "Second block.".into()]);
    let measure = TokenCounts::of(&document);
    let window = window(&document, &measure, WindowRequest::default()).unwrap();
    assert_eq!(window.text, "[p1] First block.\n\n[p2] Second block.");
    let expected = tokens::count("[p1] First block.") + tokens::count("[p2] Second block.") + 1;
    assert_eq!((window.tokens, measure.total), (expected, expected));
    assert_eq!((window.from_anchor, window.to_anchor, window.next_cursor), (Some(1), Some(2), None));
}

#[test]
fn long_block_is_cut_at_a_sentence_and_marked_as_continued() {
    let long = "This is one sentence of a very long block. ".repeat(60);
    let document = document(&[long, "After.".into()]);
    let measure = TokenCounts::of(&document);
    let first = window(&document, &measure, WindowRequest { max_tokens: 100, cursor: None }).unwrap();
    assert!(first.text.trim_end().ends_with("block."), "{}", first.text);
    let cursor = first.next_cursor.unwrap();
    assert_eq!(cursor % CURSOR_FACTOR, 1);
    let second =
        window(&document, &measure, WindowRequest { max_tokens: 100, cursor: Some(cursor) }).unwrap();
    assert!(second.text.starts_with("[p1…] "), "{}", second.text);
    assert_eq!((second.from_anchor, second.to_anchor), (Some(1), Some(1)));
}

#[test]
fn cursors_beyond_the_end_are_rejected() {
    let document = document(&["Only block.".into()]);
    let measure = TokenCounts::of(&document);
    for cursor in [0, 2, CURSOR_FACTOR, 1 + CURSOR_FACTOR * 500] {
        let error =
            window(&document, &measure, WindowRequest { max_tokens: 100, cursor: Some(cursor) }).unwrap_err();
        assert_eq!(error.code, Code::CursorOutOfRange, "cursor {cursor}");
    }
}

#[test]
fn truncated_clean_text_reports_the_total_length() {
    let document = document(&["äöü".into(), "second".into()]);
    assert_eq!(
        clean_text(&document, 2_000_000),
        CleanText { text: "äöü\n\nsecond".into(), returned: 11, total: 11 }
    );
    assert_eq!(clean_text(&document, 6), CleanText { text: "äöü\n\ns".into(), returned: 6, total: 11 });
    assert_eq!(clean_text(&document, 2), CleanText { text: "äö".into(), returned: 2, total: 11 });
}
