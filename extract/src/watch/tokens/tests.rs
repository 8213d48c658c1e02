//! Values that are read as a single token.

use super::*;

fn token_texts(text: &str) -> Vec<&str> {
    keys(text, &[]).1.into_iter().map(|range| &text[range]).collect()
}

#[test]
fn times_numbers_dates_and_versions_are_single_tokens() {
    assert_eq!(token_texts("at 18:45 for 1.299,00 €"), ["at", "18:45", "for", "1.299,00", "€"]);
    assert_eq!(token_texts("2026-11-22, v1.2.3."), ["2026-11-22", ",", "v1.2.3", "."]);
    assert_eq!(token_texts("22/11/2026 18:45:30"), ["22/11/2026", "18:45:30"]);
    assert_eq!(token_texts("2026-11-22T18:45Z V2.0-rc1"), ["2026-11-22T18:45Z", "V2.0-rc1"]);
}

#[test]
fn words_next_to_a_number_are_separate_tokens() {
    assert_eq!(token_texts("Opens: 9 - 17, v. 2"), ["Opens", ":", "9", "-", "17", ",", "v", ".", "2"]);
    assert_eq!(token_texts("a 3-day trip, 12.Then"), ["a", "3", "-", "day", "trip", ",", "12", ".", "Then"]);
    assert_eq!(token_texts("covid-19 and/or 5"), ["covid", "-", "19", "and", "/", "or", "5"]);
}

#[test]
fn partly_masked_value_is_not_a_single_token() {
    let masked = |masks: &[Mask]| keys("at 18:45", masks);
    assert_eq!(masked(std::slice::from_ref(&(6..8))).1, [0..2, 3..5, 5..6, 6..8]);
    let (token_keys, ranges) = masked(std::slice::from_ref(&(3..8)));
    assert_eq!((token_keys[1], ranges), (MASKED, vec![0..2, 3..8]));
}
