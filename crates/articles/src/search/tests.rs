//! Tests of passage search.

use proptest::prelude::*;

use super::*;
use crate::window::tests::document;

fn request(query: &str) -> SearchRequest {
    SearchRequest {
        query: query.into(),
        max_tokens: DEFAULT_TOKENS,
        max_passages: DEFAULT_PASSAGES,
        cursor: 0,
    }
}

fn garden() -> Document {
    document(&[
        "Tulips are planted in autumn.".into(),
        "Apple trees want sun. An apple a day.".into(),
        "Water the garden in the morning.".into(),
        "The apple harvest begins in September.".into(),
    ])
}

#[test]
fn best_passage_is_first_with_score_one() {
    let result = search(&garden(), &request("apple"));
    assert_eq!(result.matched_blocks, 2);
    assert_eq!(result.next_cursor, None);
    let view: Vec<(u32, u64)> =
        result.passages.iter().map(|passage| (passage.anchor, passage.rank)).collect();
    assert_eq!(view, [(2, 1), (4, 2)]);
    assert!((result.passages[0].score - 1.0).abs() < f64::EPSILON);
    assert!(result.passages[1].score < 1.0 && result.passages[1].score > 0.0);
}

#[test]
fn no_match_returns_empty_result() {
    let result = search(&garden(), &request("submarine"));
    let nothing = Passages { matched_blocks: 0, tokens: 0, next_cursor: None, passages: vec![] };
    assert_eq!(result, nothing);
    assert_eq!(search(&document(&[]), &request("apple")), nothing);
}

#[test]
fn quoted_words_match_as_a_phrase() {
    let result = search(&garden(), &request("\"apple harvest\""));
    assert_eq!(result.passages.iter().map(|passage| passage.anchor).collect::<Vec<_>>(), [4]);
}

#[test]
fn query_of_stop_words_is_searched_literally() {
    assert!(search(&garden(), &request("the in")).matched_blocks > 0);
}

#[test]
fn first_passage_that_exceeds_the_budget_is_cut_near_the_match() {
    let filler = "This sentence says nothing at all. ".repeat(60);
    let document = document(&[format!("{filler}The zebra stands here. {filler}")]);
    let result = search(&document, &SearchRequest { max_tokens: 100, ..request("zebra") });
    let passage = &result.passages[0];
    assert!(passage.text.contains("The zebra stands here."), "{}", passage.text);
    assert!(passage.text.starts_with("This sentence"), "begins with a sentence: {}", passage.text);
    assert!(passage.text.ends_with('.'), "ends with a sentence: {}", passage.text);
    assert!(result.tokens <= 100);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn pages_respect_the_budget_and_cover_every_match_in_order(
        texts in prop::collection::vec("((apple|pear|plum|fig|and|of) ){1,120}", 0..14),
        query in "(apple|pear|plum|fig)( (apple|pear|of))?",
        max_tokens in 100_u32..400,
        max_passages in 1_u32..26,
    ) {
        let document = document(&texts);
        let all =
            search(&document, &SearchRequest { max_tokens: u32::MAX, max_passages: u32::MAX, ..request(&query) });
        let (mut cursor, mut ranked) = (0, Vec::new());
        loop {
            let page_request = SearchRequest { max_tokens, max_passages, cursor, ..request(&query) };
            let page = search(&document, &page_request);
            prop_assert_eq!(&page, &search(&document, &page_request));
            prop_assert!(page.tokens <= max_tokens);
            prop_assert!(page.passages.len() <= max_passages as usize);
            prop_assert_eq!(page.tokens, page.passages.iter().map(|passage| passage.tokens).sum::<u32>());
            ranked.extend(page.passages.iter().map(|passage| (passage.rank, passage.anchor)));
            let Some(next) = page.next_cursor else { break };
            prop_assert!(next > cursor, "the cursor does not advance");
            cursor = next;
        }
        let expected: Vec<_> = all.passages.iter().map(|passage| (passage.rank, passage.anchor)).collect();
        prop_assert_eq!(ranked, expected);
        let beyond = search(&document, &SearchRequest { cursor: u64::MAX, ..request(&query) });
        prop_assert_eq!((beyond.passages.len(), beyond.next_cursor), (0, None));
    }
}
