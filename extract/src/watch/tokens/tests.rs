//! What is one value stays one token.

use super::*;

fn shown(text: &str) -> Vec<&str> {
    keys(text, &[]).1.into_iter().map(|range| &text[range]).collect()
}

#[test]
fn a_time_a_number_a_date_and_a_version_are_one_token_each() {
    assert_eq!(shown("at 18:45 for 1.299,00 €"), ["at", "18:45", "for", "1.299,00", "€"]);
    assert_eq!(shown("2026-11-22, v1.2.3."), ["2026-11-22", ",", "v1.2.3", "."]);
    assert_eq!(shown("22/11/2026 18:45:30"), ["22/11/2026", "18:45:30"]);
    assert_eq!(shown("2026-11-22T18:45Z V2.0-rc1"), ["2026-11-22T18:45Z", "V2.0-rc1"]);
}

#[test]
fn words_beside_a_number_stay_words() {
    assert_eq!(shown("Opens: 9 - 17, v. 2"), ["Opens", ":", "9", "-", "17", ",", "v", ".", "2"]);
    assert_eq!(shown("a 3-day trip, 12.Then"), ["a", "3", "-", "day", "trip", ",", "12", ".", "Then"]);
    assert_eq!(shown("covid-19 and/or 5"), ["covid", "-", "19", "and", "/", "or", "5"]);
}

#[test]
fn a_value_that_a_mask_holds_a_part_of_stays_in_parts() {
    let masked = |masks: &[Mask]| keys("at 18:45", masks);
    assert_eq!(masked(std::slice::from_ref(&(6..8))).1, [0..2, 3..5, 5..6, 6..8]);
    let (found, ranges) = masked(std::slice::from_ref(&(3..8)));
    assert_eq!((found[1], ranges), (MASKED, vec![0..2, 3..8]));
}
