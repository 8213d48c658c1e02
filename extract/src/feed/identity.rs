//! Recognises entries across polls. An entry keeps its identity if its title, its URL or even its guid
//! changes. Two entries with the same guid or URL stay two entries.
//!
//! An entry has a guid, a URL and a text. A feed is trusted to have unique guids, then unique URLs, until two
//! different entries share one. Lost trust does not come back, so the way in which a feed is identified
//! changes at most twice. The result is deterministic.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Whether the guids and the URLs of a feed each name one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trust {
    /// Guids are unique.
    pub guid: bool,
    /// URLs are unique.
    pub url: bool,
}

impl Default for Trust {
    fn default() -> Self {
        Self { guid: true, url: true }
    }
}

/// Identity marks of an entry: hashes, or 0 if there is nothing to hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// Hash of the guid.
    pub guid: i64,
    /// Hash of the normalised URL.
    pub url: i64,
    /// Hash of the title, or of the text if there is no title.
    pub title: i64,
    /// Publication time in milliseconds since the epoch, 0 if unknown.
    pub published: i64,
    /// Hash of everything visible. If it changes, the entry has changed.
    pub fingerprint: i64,
}

/// Stored entry.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct KnownEntry {
    /// Id of its row.
    pub id: i64,
    /// Marks at the time it was last stored.
    pub marks: Marks,
}

/// Match of a document's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryMatch {
    New,
    /// Matches the known entry at this index.
    Known(usize),
    /// Occurs earlier in this document.
    Repeated,
}

/// Hash of the parts, never 0.
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

/// Unique key of a new entry, from the best mark that the feed is trusted with.
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
    let mut matcher = Matcher::new(known, entries, trust);
    // Most reliable matches first, so that a less reliable one cannot take their entry.
    for step in [Matcher::by_guid, Matcher::by_url, Matcher::by_text] {
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
        if !exact.insert((marks.guid, marks.url, marks.title, marks.published)) {
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
            repeats += 1;
            let same_url = entries[first].url == marks.url;
            // A single pair among many entries with the same URL is an entry and its correction.
            trust.guid &= same_url && repeats * 4 <= distinct_guids.len();
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

struct Matcher<'a> {
    known: &'a [KnownEntry],
    trust: Trust,
    guids: HashMap<i64, usize>,
    urls: HashMap<i64, Vec<usize>>,
    titles: HashMap<i64, Vec<usize>>,
    present_guids: HashSet<i64>,
    present_urls: HashSet<i64>,
    /// Several URLs are known, and no two entries share one.
    urls_are_unique: bool,
    taken: HashSet<usize>,
}

impl<'a> Matcher<'a> {
    fn new(known: &'a [KnownEntry], entries: &[Marks], trust: Trust) -> Self {
        let mut matcher = Self {
            known,
            trust,
            guids: HashMap::new(),
            urls: HashMap::new(),
            titles: HashMap::new(),
            present_guids: entries.iter().map(|marks| marks.guid).collect(),
            present_urls: entries.iter().map(|marks| marks.url).collect(),
            urls_are_unique: false,
            taken: HashSet::new(),
        };
        for (at, entry) in known.iter().enumerate() {
            let marks = entry.marks;
            if marks.guid != 0 {
                matcher.guids.entry(marks.guid).or_insert(at);
            }
            if marks.url != 0 {
                matcher.urls.entry(marks.url).or_default().push(at);
            }
            matcher.titles.entry(marks.title).or_default().push(at);
        }
        matcher.urls_are_unique =
            matcher.urls.len() > 1 && matcher.urls.values().all(|holders| holders.len() == 1);
        matcher
    }

    fn is_available(&self, at: usize) -> bool {
        !self.taken.contains(&at)
    }

    fn by_guid(&self, marks: &Marks) -> Option<usize> {
        if !self.trust.guid || marks.guid == 0 {
            return None;
        }
        self.guids.get(&marks.guid).copied().filter(|&at| self.is_available(at))
    }

    /// Matches by URL. If both entries have trusted guids and the guids differ, they match only if the
    /// document no longer has the old guid (guids change on every poll, or the site was published again) and
    /// the title or the time is equal, or the URLs of the feed are known to be unique.
    fn by_url(&self, marks: &Marks) -> Option<usize> {
        if !self.trust.url || marks.url == 0 {
            return None;
        }
        let candidates = self.urls.get(&marks.url)?;
        candidates.iter().copied().filter(|&at| self.is_available(at)).find(|&at| {
            let old = self.known[at].marks;
            if !self.trust.guid || old.guid == 0 || marks.guid == 0 {
                return true;
            }
            let same_words = old.title == marks.title;
            let same_time = old.published != 0 && old.published == marks.published;
            let is_same = same_words || same_time || self.urls_are_unique;
            !self.present_guids.contains(&old.guid) && is_same
        })
    }

    /// Matches by title and time if the document no longer has the old marks: the entry moved. If a feed has
    /// neither trusted guids nor trusted URLs, title and time are enough.
    fn by_text(&self, marks: &Marks) -> Option<usize> {
        let nothing_else = (!self.trust.guid || marks.guid == 0) && (!self.trust.url || marks.url == 0);
        let candidates = self.titles.get(&marks.title)?;
        candidates.iter().copied().filter(|&at| self.is_available(at)).find(|&at| {
            let old = self.known[at].marks;
            let same_time = old.published == marks.published;
            let vanished = !self.present_guids.contains(&old.guid) && !self.present_urls.contains(&old.url);
            same_time && (nothing_else || (marks.published != 0 && vanished))
        })
    }
}

#[cfg(test)]
mod tests;
