//! Tests of quote checks: matches across paragraphs, and bounded cost.

use std::cell::Cell;

use extract::Block;

use super::*;

fn document(texts: &[&str]) -> Document {
    let blocks = texts.iter().zip(1..).map(|(text, anchor)| Block {
        anchor,
        text: (*text).to_owned(),
        ..Block::default()
    });
    Document { blocks: blocks.collect(), ..Document::default() }
}

fn check(texts: &[&str], quote: &str) -> QuoteCheck {
    QuoteChecker::new(&document(texts)).check(quote, &|| true).expect("an end")
}

#[test]
fn quote_across_paragraphs_matches() {
    let result = check(&["The boats come home.", "Nobody waits for them."], "come home. Nobody waits");
    assert_eq!((result.match_kind, result.anchor), (QuoteMatch::Exact, Some(1)));
    assert_eq!(result.context.as_deref(), Some("The boats come home.\n\nNobody waits for them."));
}

#[test]
fn quote_with_one_changed_word_is_close() {
    let text = "One two three four five six seven eight nine ten eleven twelve";
    let result = check(&["Something before.", text], "two three four FIVE six seven eight nine ten eleven");
    assert_eq!((result.match_kind, result.anchor), (QuoteMatch::Close, Some(2)));
    assert!((result.similarity - 0.9).abs() < 0.001, "{}", result.similarity);
}

#[test]
fn exact_search_refuses_a_quote_with_a_changed_word() {
    let document = document(&["The boats come home.", "“Nobody” waits for them."]);
    let checker = QuoteChecker::new(&document);
    let anchor = |quote| checker.find_exact(quote).map(|exact| exact.anchor);
    assert_eq!(anchor("\"Nobody\"  waits for"), Some(Some(2)));
    for quote in ["", " ", "The boats came home.", "waits for them and us"] {
        assert_eq!(anchor(quote), None, "{quote}");
    }
}

#[test]
fn reordered_words_do_not_match() {
    let result =
        check(&["alpha beta gamma delta epsilon zeta eta theta"], "theta eta zeta epsilon delta gamma");
    assert_eq!((result.match_kind, result.anchor, result.context), (QuoteMatch::Absent, None, None));
}

#[test]
fn cost_of_a_check_is_linear_in_the_words_of_the_text() {
    let text = "a b c d ".repeat(50_000);
    let document = document(&[&text]);
    let haystack = QuoteChecker::new(&document);
    let calls = Cell::new(0);
    let quote = "d c b a ".repeat(MAX_WORDS / 4);
    let should_continue = || {
        calls.set(calls.get() + 1);
        true
    };
    haystack.check(&quote, &should_continue).expect("an end");
    assert!(calls.get() <= text.len() / 2 / STEPS + MAX_COMPARISONS + 2, "{}", calls.get());
}

#[test]
fn check_stops_when_cancelled() {
    let document = document(&["one two three four five six seven eight"]);
    assert_eq!(QuoteChecker::new(&document).check("two three four 5 six seven", &|| false), None);
}

#[test]
fn close_quote_is_compared_word_by_word() {
    let document =
        document(&["A desk in a quiet corner of the old library is called a carrel, and it has a lamp."]);
    let haystack = QuoteChecker::new(&document);
    let quote = "a desk in the quiet corner of the old library is called a carrel, and it has a lamp";
    let checked = haystack.check(quote, &|| true).unwrap();
    assert_eq!(checked.match_kind, QuoteMatch::Close);
    let parts = compare("desk in the quiet corner", "desk in a quiet corner");
    assert_eq!(
        parts,
        [
            QuoteDiff::Same("desk in".into()),
            QuoteDiff::Quoted("the".into()),
            QuoteDiff::Present("a".into()),
            QuoteDiff::Same("quiet corner".into()),
        ]
    );
    let exact = haystack.check("quiet corner of the old", &|| true).unwrap();
    assert_eq!(exact.passage.as_deref(), Some("quiet corner of the old"));
}
