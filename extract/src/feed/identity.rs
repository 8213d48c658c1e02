//! Recognises entries across polls. An entry keeps its identity if its title, its URL or even its guid
//! changes. Two entries with the same guid or URL remain separate entries.
//!
//! An entry has a guid, a URL, a title, a time and a text. A feed is trusted to have unique guids, or else
//! unique URLs, until two different entries share one. Trust that was lost is not restored, so the
//! identification of the entries of a feed changes at most twice. A missing or untrusted mark is never
//! evidence. The result is deterministic, and its cost is linear in the number of entries.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Trust that each guid and each URL of a feed identifies only one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trust {
    /// True if guids are unique.
    pub guid: bool,
    /// True if URLs are unique.
    pub url: bool,
}

impl Default for Trust {
    fn default() -> Self {
        Self { guid: true, url: true }
    }
}

/// Values that identify an entry: hashes, and the publication time. 0 if missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// Hash of the guid.
    pub guid: i64,
    /// Hash of the normalised URL.
    pub url: i64,
    /// Hash of the title, or of the text if the title is missing. 0 if both are missing.
    pub title: i64,
    /// Publication time in milliseconds since the epoch. 0 if it is unknown.
    pub published: i64,
    /// Hash of the visible text without the title. 0 if the text is missing, or if the entry was stored by an
    /// earlier version of Carrel.
    #[serde(default)]
    pub text: i64,
    /// Hash of all visible content. If it differs, the entry has changed.
    pub fingerprint: i64,
}

/// Stored entry.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct KnownEntry {
    /// Row id of the entry.
    pub id: i64,
    /// Marks from the time at which the entry was last stored.
    pub marks: Marks,
}

/// Maximum number of known entries with equal marks that are compared with one entry.
const MAX_CANDIDATES: usize = 32;

/// Result of matching an entry of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryMatch {
    New,
    /// Equals the known entry at this index.
    Known(usize),
    /// Equals an earlier entry of this document.
    Repeated,
}

/// Hash of the parts. Never 0.
pub(super) fn hash(tag: &str, parts: &[&str]) -> i64 {
    let mut digest = Sha256::new();
    digest.update(tag.as_bytes());
    for part in parts {
        digest.update([0]);
        digest.update(part.as_bytes());
    }
    let mut first = [0_u8; 8];
    first.copy_from_slice(&digest.finalize()[..8]);
    i64::from_be_bytes(first) | 1
}

/// Key of a new entry: the best trusted mark.
pub(super) fn key(marks: &Marks, trust: Trust) -> i64 {
    if trust.guid && marks.guid != 0 {
        return marks.guid;
    }
    if trust.url && marks.url != 0 {
        return marks.url;
    }
    hash("text", &[&marks.title.to_string(), &marks.published.to_string()])
}

/// Matches every entry of a document with a known entry, and returns the remaining trust.
pub(super) fn assign(known: &[KnownEntry], trust: Trust, entries: &[Marks]) -> (Vec<EntryMatch>, Trust) {
    let mut verdicts = vec![EntryMatch::New; entries.len()];
    let trust = detect_repeats(trust, entries, &mut verdicts);
    let mut matcher = EntryMatcher::new(known, entries, trust);
    // Process the most reliable matches first, so that a less reliable match cannot use their known entries.
    for (verdict, marks) in verdicts.iter_mut().zip(entries) {
        if *verdict == EntryMatch::New
            && let Some(matched) = matcher.take_unchanged(marks)
        {
            *verdict = EntryMatch::Known(matched);
        }
    }
    for step in [
        EntryMatcher::by_guid,
        EntryMatcher::by_url,
        EntryMatcher::by_title_time_and_text,
        EntryMatcher::by_title_and_text,
        EntryMatcher::by_time_and_text,
        EntryMatcher::by_title_and_time,
    ] {
        for (at, marks) in entries.iter().enumerate() {
            if verdicts[at] == EntryMatch::New
                && let Some(matched) = step(&matcher, marks)
            {
                matcher.taken.insert(matched);
                verdicts[at] = EntryMatch::Known(matched);
            }
        }
    }
    (verdicts, trust)
}

/// Marks repeated entries of a document and lowers the trust if two different entries share a guid or URL.
fn detect_repeats(mut trust: Trust, entries: &[Marks], verdicts: &mut [EntryMatch]) -> Trust {
    let mut exact = HashSet::new();
    for (at, marks) in entries.iter().enumerate() {
        if !exact.insert((marks.guid, marks.url, marks.title, marks.published, marks.fingerprint)) {
            verdicts[at] = EntryMatch::Repeated;
        }
    }
    let distinct_guids: HashSet<i64> =
        entries.iter().map(|marks| marks.guid).filter(|&guid| guid != 0).collect();
    let mut by_guid: HashMap<i64, usize> = HashMap::new();
    let mut repeats = 0;
    for (at, marks) in entries.iter().enumerate().filter(|(_, marks)| marks.guid != 0) {
        if verdicts[at] == EntryMatch::Repeated {
            continue;
        }
        if let Some(&first) = by_guid.get(&marks.guid) {
            let other = &entries[first];
            let same_url = other.url == marks.url;
            let same_time = marks.published != 0 && other.published == marks.published;
            // The same entry is listed twice, with different texts.
            let is_copy = same_url && same_time && other.title == marks.title;
            repeats += usize::from(!is_copy);
            // If only a single pair among many entries has the same URL, it is an entry and its correction.
            trust.guid &= is_copy || (same_url && repeats * 4 <= distinct_guids.len());
        } else {
            by_guid.insert(marks.guid, at);
        }
    }
    let mut by_url: HashMap<i64, usize> = HashMap::new();
    for (at, marks) in entries.iter().enumerate().filter(|(_, marks)| marks.url != 0) {
        if verdicts[at] == EntryMatch::Repeated {
            continue;
        }
        if let Some(&first) = by_url.get(&marks.url) {
            let one_entry = trust.guid && marks.guid != 0 && entries[first].guid == marks.guid;
            trust.url &= one_entry;
        } else {
            by_url.insert(marks.url, at);
        }
    }
    if trust.guid {
        drop_corrections(entries, verdicts, &by_guid);
    }
    trust
}

fn drop_corrections(entries: &[Marks], verdicts: &mut [EntryMatch], by_guid: &HashMap<i64, usize>) {
    for (at, marks) in entries.iter().enumerate() {
        if by_guid.get(&marks.guid).is_some_and(|&first| first != at) {
            verdicts[at] = EntryMatch::Repeated;
        }
    }
}

/// All marks of an entry. Untrusted marks are 0.
type AllMarks = (i64, i64, i64, i64, i64);

struct EntryMatcher<'a> {
    known: &'a [KnownEntry],
    trust: Trust,
    /// Known entries by all marks, in reverse order, so that `pop` returns the first entry.
    all: HashMap<AllMarks, Vec<usize>>,
    guids: HashMap<i64, usize>,
    urls: HashMap<i64, Vec<usize>>,
    /// Known entries by title and time.
    titles: HashMap<(i64, i64), Vec<usize>>,
    /// Known entry by title and text. `None` if several entries have the same title and text.
    titled_texts: HashMap<(i64, i64), Option<usize>>,
    /// Known entry by text. `None` if several entries have the same text.
    texts: HashMap<i64, Option<usize>>,
    /// Number of the document's entries by title and text.
    present_titled_texts: HashMap<(i64, i64), usize>,
    present_texts: HashMap<i64, usize>,
    /// Trusted guids of the document.
    present_guids: HashSet<i64>,
    present_urls: HashSet<i64>,
    /// True if several URLs are known, and no two entries share a URL.
    urls_are_unique: bool,
    taken: HashSet<usize>,
}

impl<'a> EntryMatcher<'a> {
    fn new(known: &'a [KnownEntry], entries: &[Marks], trust: Trust) -> Self {
        let mut matcher = Self {
            known,
            trust,
            all: HashMap::new(),
            guids: HashMap::new(),
            urls: HashMap::new(),
            titles: HashMap::new(),
            titled_texts: HashMap::new(),
            texts: HashMap::new(),
            present_titled_texts: HashMap::new(),
            present_texts: HashMap::new(),
            present_guids: HashSet::new(),
            present_urls: HashSet::new(),
            urls_are_unique: false,
            taken: HashSet::new(),
        };
        for (at, entry) in known.iter().enumerate() {
            matcher.index_known(at, &entry.marks);
        }
        for holders in matcher.all.values_mut() {
            holders.reverse();
        }
        for marks in entries {
            matcher.present_guids.extend(trusted(trust.guid, marks.guid));
            matcher.present_urls.extend(trusted(trust.url, marks.url));
            *matcher.present_titled_texts.entry((marks.title, marks.text)).or_default() += 1;
            *matcher.present_texts.entry(marks.text).or_default() += 1;
        }
        matcher.urls_are_unique =
            matcher.urls.len() > 1 && matcher.urls.values().all(|holders| holders.len() == 1);
        matcher
    }

    fn index_known(&mut self, at: usize, marks: &Marks) {
        let all = self.all_marks(marks);
        self.all.entry(all).or_default().push(at);
        if marks.guid != 0 {
            self.guids.entry(marks.guid).or_insert(at);
        }
        if marks.url != 0 {
            self.urls.entry(marks.url).or_default().push(at);
        }
        self.titles.entry((marks.title, marks.published)).or_default().push(at);
        let titled = (marks.title, marks.text);
        self.titled_texts.entry(titled).and_modify(|only| *only = None).or_insert(Some(at));
        self.texts.entry(marks.text).and_modify(|only| *only = None).or_insert(Some(at));
    }

    fn all_marks(&self, marks: &Marks) -> AllMarks {
        let guid = trusted(self.trust.guid, marks.guid).unwrap_or(0);
        let url = trusted(self.trust.url, marks.url).unwrap_or(0);
        (guid, url, marks.title, marks.published, marks.fingerprint)
    }

    fn is_available(&self, at: usize) -> bool {
        !self.taken.contains(&at)
    }

    /// Candidates that have not been matched yet, with their marks.
    fn available<'b>(&'b self, candidates: &'b [usize]) -> impl Iterator<Item = (usize, Marks)> + 'b {
        let near = candidates.iter().take(MAX_CANDIDATES).copied().filter(move |&at| self.is_available(at));
        near.map(move |at| (at, self.known[at].marks))
    }

    /// True if the document no longer contains the old guid and URL.
    fn has_vanished(&self, old: &Marks) -> bool {
        let is_present = trusted(self.trust.guid, old.guid)
            .is_some_and(|it| self.present_guids.contains(&it))
            || trusted(self.trust.url, old.url).is_some_and(|it| self.present_urls.contains(&it));
        !is_present
    }

    /// True if both entries have trusted guids, and the guids differ.
    fn has_other_guid(&self, old: &Marks, marks: &Marks) -> bool {
        self.trust.guid && old.guid != 0 && marks.guid != 0 && old.guid != marks.guid
    }

    fn has_other_url(&self, old: &Marks, marks: &Marks) -> bool {
        self.trust.url && old.url != marks.url
    }

    /// Removes and returns the next known entry with the same marks. Such an entry is unchanged.
    fn take_unchanged(&mut self, marks: &Marks) -> Option<usize> {
        let all = self.all_marks(marks);
        let matched = self.all.get_mut(&all)?.pop()?;
        self.taken.insert(matched);
        Some(matched)
    }

    fn by_guid(&self, marks: &Marks) -> Option<usize> {
        if !self.trust.guid || marks.guid == 0 {
            return None;
        }
        self.guids.get(&marks.guid).copied().filter(|&at| self.is_available(at))
    }

    /// Matches by URL. If both entries have trusted guids and the guids differ, they match only if the old
    /// guid is no longer in the document, and if the title or the time is equal or the URLs of the feed are
    /// known to be unique. Some feeds change their guids on every poll, or when the site is published again.
    fn by_url(&self, marks: &Marks) -> Option<usize> {
        if !self.trust.url || marks.url == 0 {
            return None;
        }
        let candidates = self.urls.get(&marks.url)?;
        let mut available = self.available(candidates);
        let matching = available.find(|(_, old)| {
            if !self.has_other_guid(old, marks) {
                return true;
            }
            let same_words = old.title != 0 && old.title == marks.title;
            let same_time = old.published != 0 && old.published == marks.published;
            let is_same = same_words || same_time || self.urls_are_unique;
            !self.present_guids.contains(&old.guid) && is_same
        });
        matching.map(|(at, _)| at)
    }

    /// Matches an entry with a new guid and URL by title, time and text.
    fn by_title_time_and_text(&self, marks: &Marks) -> Option<usize> {
        self.moved(marks, |old| old.text == marks.text)
    }

    /// Matches by title and time. If neither entry has a guid, or both have the same guid, only one of URL
    /// and text may differ.
    fn by_title_and_time(&self, marks: &Marks) -> Option<usize> {
        self.moved(marks, |old| {
            let other_text = old.text != 0 && marks.text != 0 && old.text != marks.text;
            self.has_other_guid(old, marks) || !(other_text && self.has_other_url(old, marks))
        })
    }

    /// First known entry with this title and time whose guid and URL are no longer in the document, and for
    /// which `is_same` is true.
    fn moved(&self, marks: &Marks, is_same: impl Fn(&Marks) -> bool) -> Option<usize> {
        if marks.title == 0 || marks.published == 0 {
            return None;
        }
        let candidates = self.titles.get(&(marks.title, marks.published))?;
        let mut available = self.available(candidates);
        let matching = available.find(|(_, old)| self.has_vanished(old) && is_same(old));
        matching.map(|(at, _)| at)
    }

    /// Matches an entry whose time or URL changed, if no other entry has the same title and text.
    fn by_title_and_text(&self, marks: &Marks) -> Option<usize> {
        let titled = (marks.title, marks.text);
        if marks.title == 0 || marks.text == 0 || self.present_titled_texts.get(&titled) != Some(&1) {
            return None;
        }
        let only = self.titled_texts.get(&titled).copied().flatten()?;
        self.unless_two_changed(only, marks, |old| {
            old.published != marks.published && self.has_other_url(old, marks)
        })
    }

    /// Matches an entry whose title changed, if no other entry has the same text.
    fn by_time_and_text(&self, marks: &Marks) -> Option<usize> {
        if marks.published == 0 || marks.text == 0 || self.present_texts.get(&marks.text) != Some(&1) {
            return None;
        }
        let only = self.texts.get(&marks.text).copied().flatten()?;
        self.unless_two_changed(only, marks, |old| {
            old.published != marks.published || self.has_other_url(old, marks)
        })
    }

    fn unless_two_changed(
        &self,
        only: usize,
        marks: &Marks,
        has_second_change: impl Fn(&Marks) -> bool,
    ) -> Option<usize> {
        let old = &self.known[only].marks;
        let is_same = self.is_available(only)
            && self.has_vanished(old)
            && !self.has_other_guid(old, marks)
            && !has_second_change(old);
        is_same.then_some(only)
    }
}

/// Returns the mark if it is present and trusted.
fn trusted(is_trusted: bool, mark: i64) -> Option<i64> {
    (is_trusted && mark != 0).then_some(mark)
}

#[cfg(test)]
mod tests;
