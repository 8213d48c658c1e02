//! Trust and matching of entries, rule by rule.

use super::*;

fn marks(guid: i64, url: i64, title: i64, published: i64) -> Marks {
    Marks { guid, url, title, published, text: 0, fingerprint: 0 }
}

fn known(marks: Marks) -> KnownEntry {
    KnownEntry { id: 1, marks }
}

fn verdicts(known_marks: &[Marks], entries: &[Marks]) -> Vec<EntryMatch> {
    let known: Vec<KnownEntry> = known_marks.iter().copied().map(known).collect();
    assign(&known, Trust::default(), entries).0
}

fn trust(entries: &[Marks]) -> (bool, bool) {
    let (_, trust) = assign(&[], Trust::default(), entries);
    (trust.guid, trust.url)
}

/// Entries that have no mark in common with other entries of the document.
fn others(count: i64) -> Vec<Marks> {
    (0..count).map(|at| marks(900 + at, 800 + at, 700 + at, 600 + at)).collect()
}

#[test]
fn hash_is_never_zero() {
    assert!((0..64).all(|number: i32| hash("text", &[&number.to_string()]) % 2 != 0));
}

#[test]
fn guid_with_two_urls_removes_trust_in_guids() {
    let entries = [vec![marks(1, 10, 100, 5), marks(1, 11, 101, 6)], others(20)].concat();
    assert_eq!(trust(&entries), (false, true));
    assert!(verdicts(&[], &entries).iter().all(|verdict| *verdict == EntryMatch::New));
}

#[test]
fn rare_pair_with_equal_guid_and_url_is_a_correction() {
    let pair = vec![marks(1, 10, 100, 5), marks(1, 10, 101, 6)];
    let many = [pair.clone(), others(3)].concat();
    assert_eq!(trust(&many), (true, true), "one pair among four guids is a correction");
    assert_eq!(verdicts(&[], &many)[..3], [EntryMatch::New, EntryMatch::Repeated, EntryMatch::New]);
    let few = [pair, others(2)].concat();
    assert_eq!(trust(&few), (false, false), "one pair among three guids makes guids untrusted");
    let pairs = [1, 2].map(|guid| [marks(guid, 10 * guid, 100, 5), marks(guid, 10 * guid, 101, 6)]).concat();
    assert_eq!(trust(&[pairs.clone(), others(6)].concat()), (true, true));
    assert!(!trust(&[pairs, others(5)].concat()).0);
}

#[test]
fn exact_repeat_preserves_trust() {
    let guid = marks(1, 10, 100, 5);
    assert_eq!(trust(&[guid, guid]), (true, true));
    assert_eq!(verdicts(&[], &[guid, guid]), [EntryMatch::New, EntryMatch::Repeated]);
    let url = marks(0, 10, 100, 5);
    assert_eq!(trust(&[url, url]), (true, true));
    let neither = [marks(0, 0, 100, 5), marks(0, 0, 101, 5)];
    assert_eq!(trust(&neither), (true, true), "missing guids and URLs do not repeat");
}

#[test]
fn url_shared_by_two_entries_removes_trust_in_urls() {
    assert_eq!(trust(&[marks(1, 10, 100, 5), marks(2, 10, 101, 6)]), (true, false));
    assert_eq!(trust(&[marks(0, 10, 100, 5), marks(0, 10, 101, 6)]), (true, false));
}

#[test]
fn reliable_match_precedes_less_reliable_matches() {
    let old = marks(1, 10, 100, 5);
    let same_address = marks(0, 10, 200, 7);
    let same_guid = marks(1, 11, 100, 5);
    assert_eq!(verdicts(&[old], &[same_address, same_guid]), [EntryMatch::New, EntryMatch::Known(0)]);
    let moved = [marks(2, 11, 100, 5), marks(3, 12, 100, 5)];
    assert_eq!(
        verdicts(&[old], &moved),
        [EntryMatch::Known(0), EntryMatch::New],
        "a stored entry matches one entry only"
    );
}

#[test]
fn new_guid_at_same_url_matches_by_title_or_time() {
    let old = marks(1, 10, 100, 5);
    let is_old = |entry: Marks| verdicts(&[old], &[entry])[0] == EntryMatch::Known(0);
    assert!(is_old(marks(2, 10, 100, 9)), "the title is the same");
    assert!(is_old(marks(2, 10, 101, 5)), "the time is the same");
    assert!(!is_old(marks(2, 10, 101, 9)));
    assert!(is_old(marks(0, 10, 101, 9)), "an entry without a guid matches by URL");
    let without_time = marks(1, 10, 100, 0);
    assert_eq!(verdicts(&[without_time], &[marks(2, 10, 101, 0)]), [EntryMatch::New]);
    assert_eq!(verdicts(&[marks(0, 10, 100, 5)], &[marks(2, 10, 101, 9)]), [EntryMatch::Known(0)]);
    let still_there = [marks(2, 10, 100, 5), marks(1, 11, 102, 7)];
    assert_eq!(verdicts(&[old], &still_there), [EntryMatch::New, EntryMatch::Known(0)]);
    let two = [old, marks(7, 17, 170, 5)];
    assert_eq!(
        verdicts(&two, &[marks(2, 10, 101, 9)]),
        [EntryMatch::Known(0)],
        "URLs of this feed identify entries"
    );
    let shared = [old, marks(8, 10, 180, 5), marks(7, 17, 170, 5)];
    assert_eq!(
        verdicts(&shared, &[marks(2, 10, 101, 9)]),
        [EntryMatch::New],
        "repeated URLs do not identify entries"
    );
}

#[test]
fn moved_entry_matches_by_title_and_time() {
    let old = marks(1, 10, 100, 5);
    assert_eq!(verdicts(&[old], &[marks(2, 11, 100, 5)]), [EntryMatch::Known(0)]);
    assert_eq!(verdicts(&[old], &[marks(2, 11, 100, 6)]), [EntryMatch::New]);
    let without_time = marks(1, 10, 100, 0);
    assert_eq!(verdicts(&[without_time], &[marks(2, 11, 100, 0)]), [EntryMatch::New]);
    let guid_is_there = [marks(2, 11, 100, 5), marks(1, 12, 101, 7)];
    assert_eq!(verdicts(&[old], &guid_is_there)[0], EntryMatch::New);
    let address_is_there = [marks(2, 11, 100, 5), marks(3, 10, 101, 7)];
    assert_eq!(verdicts(&[marks(9, 10, 100, 5), marks(8, 10, 1, 1)], &address_is_there)[0], EntryMatch::New);
}

#[test]
fn entry_without_guid_and_url_matches_by_title_and_time() {
    let nameless = marks(0, 0, 100, 0);
    assert_eq!(verdicts(&[nameless], &[nameless]), [EntryMatch::Known(0)]);
    assert_eq!(verdicts(&[nameless], &[marks(0, 0, 100, 6)]), [EntryMatch::New]);
    let by_guid = [known(marks(7, 0, 100, 0))];
    let untrusted = Trust { guid: false, url: true };
    let (assigned, _) = assign(&by_guid, untrusted, &[marks(8, 0, 100, 0)]);
    assert_eq!(assigned, [EntryMatch::Known(0)], "untrusted guids are ignored");
    let (assigned, _) = assign(&by_guid, Trust::default(), &[marks(8, 0, 100, 0)]);
    assert_eq!(assigned, [EntryMatch::New]);
    let (assigned, _) = assign(&by_guid, untrusted, &[marks(8, 11, 100, 0)]);
    assert_eq!(assigned, [EntryMatch::New], "a different URL is a new entry");
}

#[test]
fn entry_is_not_matched_by_an_untrusted_url() {
    let trust = Trust { guid: true, url: false };
    let (assigned, _) = assign(&[known(marks(1, 10, 100, 5))], trust, &[marks(0, 10, 101, 9)]);
    assert_eq!(assigned, [EntryMatch::New]);
}

fn worded(marks: Marks, text: i64) -> Marks {
    Marks { text, fingerprint: text, ..marks }
}

#[test]
fn missing_mark_is_never_evidence() {
    let old = marks(0, 10, 100, 5);
    let moved = [marks(0, 11, 100, 5), marks(0, 12, 200, 6)];
    assert_eq!(verdicts(&[old], &moved), [EntryMatch::Known(0), EntryMatch::New], "no entry has a guid");
    let untitled = [marks(0, 11, 0, 5)];
    assert_eq!(verdicts(&[marks(0, 10, 0, 5)], &untitled), [EntryMatch::New], "neither has a title");
    assert_eq!(verdicts(&[marks(0, 10, 100, 0)], &[marks(0, 11, 100, 0)]), [EntryMatch::New]);
}

#[test]
fn untrusted_mark_is_not_evidence_of_presence() {
    let untrusted = Trust { guid: false, url: true };
    let (assigned, _) = assign(&[known(marks(7, 10, 100, 5))], untrusted, &[marks(7, 11, 100, 5)]);
    assert_eq!(assigned, [EntryMatch::Known(0)], "all entries share the guid");
}

#[test]
fn entry_with_a_single_different_mark_is_the_same_entry() {
    let old = worded(marks(0, 10, 100, 5), 50);
    let is_old = |entry: Marks| verdicts(&[old], &[entry])[0] == EntryMatch::Known(0);
    assert!(is_old(worded(marks(0, 11, 100, 5), 50)), "another URL");
    assert!(is_old(worded(marks(0, 10, 100, 6), 50)), "another time");
    assert!(!is_old(worded(marks(0, 11, 100, 6), 50)), "another URL and time");
    assert!(!is_old(worded(marks(0, 11, 100, 5), 51)), "another URL and text");
    let unlinked = worded(marks(0, 0, 100, 5), 50);
    let is_unlinked = |entry: Marks| verdicts(&[unlinked], &[entry])[0] == EntryMatch::Known(0);
    assert!(is_unlinked(worded(marks(0, 0, 101, 5), 50)), "another title");
    assert!(is_unlinked(worded(marks(0, 0, 100, 6), 50)), "another time");
    assert!(is_unlinked(worded(marks(0, 0, 100, 5), 51)), "another text");
    assert!(!is_unlinked(worded(marks(0, 0, 101, 6), 50)), "another title and time");
}

#[test]
fn shared_text_is_not_evidence() {
    let weekly = [worded(marks(0, 0, 100, 5), 50), worded(marks(0, 0, 100, 6), 50)];
    assert_eq!(verdicts(&weekly, &[worded(marks(0, 0, 100, 7), 50)]), [EntryMatch::New]);
}

#[test]
fn entries_with_equal_title_and_different_texts_are_distinct() {
    for (url, published) in [(0, 0), (10, 0), (0, 5), (10, 5)] {
        let (north, south) = (marks(0, url, 100, published), marks(0, url, 100, published));
        let both = [worded(north, 50), worded(south, 51)];
        assert_eq!(verdicts(&[], &both), [EntryMatch::New, EntryMatch::New]);
        let (_, trust) = assign(&[], Trust::default(), &both);
        let stored: Vec<KnownEntry> = both.into_iter().map(known).collect();
        let (again, _) = assign(&stored, trust, &[both[1], both[0]]);
        assert_eq!(again, [EntryMatch::Known(1), EntryMatch::Known(0)]);
    }
}

#[test]
fn entries_that_differ_only_in_untrusted_guids_are_not_duplicated() {
    let untrusted = Trust { guid: false, url: true };
    let same: Vec<Marks> = (1..=100).map(|guid| worded(marks(guid, 0, 100, 0), 50)).collect();
    let stored: Vec<KnownEntry> = same.iter().copied().map(known).collect();
    let (again, _) = assign(&stored, untrusted, &same);
    assert_eq!(again, (0..100).map(EntryMatch::Known).collect::<Vec<_>>());
}

#[test]
fn many_entries_with_equal_marks_are_compared_in_linear_time() {
    let same = |published: i64| (0..20_000).map(move |text| worded(marks(0, 0, 100, published), text + 1));
    let known_marks: Vec<Marks> = same(5).collect();
    let entries: Vec<Marks> = same(5).map(|entry| worded(entry, entry.text + 100_000)).collect();
    let matched = verdicts(&known_marks, &entries).into_iter().filter(|verdict| *verdict != EntryMatch::New);
    assert_eq!(matched.count(), MAX_CANDIDATES);
}
