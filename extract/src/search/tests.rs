//! Ranking of blocks: stems, phrases, sections and languages.

use super::*;

fn blocks(texts: &[&str]) -> Vec<Block> {
    texts
        .iter()
        .enumerate()
        .map(|(index, text)| Block {
            anchor: u32::try_from(index + 1).unwrap(),
            text: (*text).to_owned(),
            ..Block::default()
        })
        .collect()
}

fn indices(texts: &[&str], language: Option<&str>, query: &str) -> Vec<usize> {
    rank(&blocks(texts), language, query).into_iter().map(|hit| hit.index).collect()
}

#[test]
fn best_hit_scores_one_and_no_hit_scores_zero() {
    let hits = rank(&blocks(&["whales and ships", "ships", "nothing here"]), Some("en"), "whale ship");
    assert_eq!(hits.iter().map(|hit| hit.index).collect::<Vec<_>>(), [0, 1]);
    assert!((hits[0].score - 1.0).abs() < f64::EPSILON);
    assert!(hits[1].score > 0.0 && hits[1].score < 1.0);
}

#[test]
fn words_match_their_inflected_forms() {
    assert_eq!(indices(&["He was running home", "a tree"], Some("en-GB"), "run"), [0]);
    assert_eq!(indices(&["die Häuser", "ein Baum"], Some("de"), "Häusern"), [0]);
}

#[test]
fn quoted_words_must_be_adjacent() {
    assert_eq!(indices(&["the white whale", "a whale, white"], Some("en"), "\"white whale\""), [0]);
    assert_eq!(indices(&["the white whale", "a whale, white"], Some("en"), "white whale").len(), 2);
}

#[test]
fn text_without_spaces_matches_by_pairs() {
    assert_eq!(indices(&["東京都は日本の首都です", "大阪は西にある"], Some("ja"), "首都"), [0]);
    assert_eq!(indices(&["東京都は日本の首都です"], Some("ja"), "都"), [0]);
    assert_eq!(indices(&["ประเทศไทยมีฤดูร้อน", "อื่น"], Some("th"), "ฤดูร้อน"), [0]);
}

#[test]
fn stop_words_are_searched_if_a_query_has_no_other_words() {
    assert_eq!(indices(&["to be or not to be", "a tree"], Some("en"), "to be"), [0]);
    assert_eq!(indices(&["the tree", "the whale"], Some("en"), "the whale"), [1]);
}

#[test]
fn content_words_are_in_lower_case_and_without_stop_words() {
    let words = content_words;
    assert_eq!(words("The Lamps of the “harbour”, the lamps!", Some("en")), ["lamps", "harbour"]);
    assert_eq!(words("to be", Some("en")), ["to", "be"]);
    assert_eq!(words("首都は", Some("ja")), ["首都", "都は"]);
    assert!(words("?!", None).is_empty());
}

#[test]
fn match_in_the_section_heading_applies_to_its_blocks() {
    let mut all = blocks(&["they swim", "they fly"]);
    all[1].section = Some("Birds".to_owned());
    let hits = rank(&all, Some("en"), "bird");
    assert_eq!(hits.len(), 1);
    assert_eq!((hits[0].index, hits[0].first_match), (1, 0));
}

#[test]
fn equal_scores_are_ordered_by_anchor() {
    let hits = rank(&blocks(&["x whale", "y whale"]), None, "Whale");
    assert_eq!(hits.iter().map(|hit| (hit.index, hit.first_match)).collect::<Vec<_>>(), [(0, 2), (1, 2)]);
}

#[test]
fn empty_query_and_no_match_return_no_hits() {
    assert!(rank(&blocks(&["a"]), None, " \"\" ").is_empty());
    assert!(rank(&blocks(&["a"]), None, "zebra").is_empty());
}

#[test]
fn unusual_words_do_not_make_stemmers_panic() {
    assert_eq!(indices(&["η ισαισα λέξη", "άλλη"], Some("el"), "ισαισα"), [0]);
    for language in [
        "ar", "da", "nl", "en", "fi", "fr", "de", "el", "hu", "it", "no", "pt", "ro", "ru", "es", "sv", "ta",
        "tr",
    ] {
        for word in ["", "ισα", "ισαισα", "ΐΰ", "a", "ы", "ß", "ﷺ", "e\u{301}e\u{301}", "𝒳𝒳𝒳"]
        {
            rank(&blocks(&[&word.repeat(5), word]), Some(language), word);
        }
    }
}
