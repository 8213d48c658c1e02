//! Ranked search in the blocks of a document: BM25 over stems, or over bigrams in scripts without spaces,
//! with support for phrases.

mod terms;

use std::collections::HashMap;

use self::terms::{Analyzer, StemmedTerm};
use crate::document::{Block, BlockKind};

/// Saturation of repeated terms (BM25 `k1`).
const K1: f64 = 1.2;
/// Penalty for long blocks (BM25 `b`).
const B: f64 = 0.75;
/// Weight of a term in the section heading, relative to a term in the text.
const SECTION_WEIGHT: f64 = 0.5;

/// Block that matches a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockHit {
    /// Index of the block among the searched blocks.
    pub index: usize,
    /// BM25 score divided by the best score, rounded to four decimals. Above 0 and at most 1.
    pub score: f64,
    /// Byte offset of the first match in the block's text. 0 if only the section matches.
    pub first_match: usize,
}

/// Returns the matching blocks, the best first. Blocks with equal scores are ordered by anchor.
///
/// `language` selects the stemmer and the stop words. Words in double quotes must be adjacent in a block. If
/// a query consists only of stop words, the stop words are searched.
pub fn rank(blocks: &[Block], language: Option<&str>, query: &str) -> Vec<BlockHit> {
    let analyzer = Analyzer::new(language);
    let query = BlockQuery::parse(&analyzer, query);
    if query.terms.is_empty() {
        return Vec::new();
    }
    let corpus: Vec<IndexedBlock> =
        blocks.iter().map(|block| IndexedBlock::new(&analyzer, block, &query)).collect();
    let mean = corpus.iter().map(|entry| entry.length).sum::<f64>() / as_f64(corpus.len().max(1));
    let weights: Vec<f64> = (0..query.terms.len()).map(|term| weight(&corpus, term)).collect();
    let mut hits: Vec<BlockHit> = corpus
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.phrases_hold)
        .map(|(index, entry)| BlockHit {
            index,
            score: entry.score(&weights, mean),
            first_match: entry.first_match,
        })
        .filter(|hit| hit.score > 0.0)
        .collect();
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f64::max);
    for hit in &mut hits {
        hit.score = ((hit.score / best * 10_000.0).round() / 10_000.0).max(0.0001);
    }
    hits.sort_by(|one, other| {
        other.score.total_cmp(&one.score).then(blocks[one.index].anchor.cmp(&blocks[other.index].anchor))
    });
    hits
}

/// Returns the words of a text that are not stop words, in lower case and without repetitions, in the order of the text.
/// In scripts without spaces, they are pairs of characters. If all words are stop words, they are returned.
///
/// `language` selects the stop words.
pub fn content_words(text: &str, language: Option<&str>) -> Vec<String> {
    let analyzer = Analyzer::new(language);
    let terms = analyzer.terms(text);
    let mut words: Vec<String> = Vec::new();
    for term in significant(&analyzer, &terms) {
        if !words.contains(&term.word) {
            words.push(term.word.clone());
        }
    }
    words
}

/// Returns the terms that are not stop words, or all terms if there are no others.
fn significant<'a>(analyzer: &Analyzer, terms: &'a [StemmedTerm]) -> Vec<&'a StemmedTerm> {
    let significant: Vec<&StemmedTerm> =
        terms.iter().filter(|term| !analyzer.is_stop_word(&term.word)).collect();
    if significant.is_empty() { terms.iter().collect() } else { significant }
}

struct BlockQuery {
    terms: Vec<String>,
    phrases: Vec<Vec<String>>,
}

impl BlockQuery {
    fn parse(analyzer: &Analyzer, query: &str) -> Self {
        let query = query.replace(['“', '”', '„', '«', '»'], "\"");
        let mut terms: Vec<StemmedTerm> = Vec::new();
        let mut phrases = Vec::new();
        for (index, part) in query.split('"').enumerate() {
            let part_terms = analyzer.terms(part);
            if index % 2 == 1 && !part_terms.is_empty() {
                phrases.push(part_terms.iter().map(|term| term.stem.clone()).collect());
            }
            terms.extend(part_terms);
        }
        let mut unique: Vec<String> = Vec::new();
        for term in significant(analyzer, &terms) {
            if !unique.contains(&term.stem) {
                unique.push(term.stem.clone());
            }
        }
        Self { terms: unique, phrases }
    }
}

struct IndexedBlock {
    length: f64,
    /// Number of occurrences of each query term.
    counts: Vec<f64>,
    phrases_hold: bool,
    first_match: usize,
}

impl IndexedBlock {
    fn new(analyzer: &Analyzer, block: &Block, query: &BlockQuery) -> Self {
        let term_indexes: HashMap<&str, usize> =
            query.terms.iter().enumerate().map(|(index, term)| (term.as_str(), index)).collect();
        let terms = analyzer.terms(&block.text);
        let mut counts = vec![0.0; query.terms.len()];
        let mut first_match = None;
        for term in &terms {
            if let Some(&index) = term_indexes.get(term.stem.as_str()) {
                counts[index] += 1.0;
                first_match = first_match.or(Some(term.at));
            }
        }
        // In scripts without spaces, a single character is part of a pair, so its occurrences are counted in
        // the text.
        for (index, term) in query.terms.iter().enumerate().filter(|(_, term)| is_single(term)) {
            counts[index] = as_f64(block.text.matches(term.as_str()).count());
            first_match = first_match.into_iter().chain(block.text.find(term.as_str())).min();
        }
        if let Some(section) = block.section.as_deref().filter(|_| block.kind != BlockKind::Heading) {
            for term in analyzer.terms(section) {
                if let Some(&index) = term_indexes.get(term.stem.as_str()) {
                    counts[index] += SECTION_WEIGHT;
                }
            }
        }
        let phrases_hold = query.phrases.iter().all(|phrase| contains_phrase(&terms, phrase));
        Self { length: as_f64(terms.len()), counts, phrases_hold, first_match: first_match.unwrap_or(0) }
    }

    fn score(&self, weights: &[f64], mean: f64) -> f64 {
        let longer = 1.0 - B + B * self.length / mean.max(1.0);
        self.counts
            .iter()
            .zip(weights)
            .map(|(count, weight)| weight * count * (K1 + 1.0) / (count + K1 * longer))
            .sum()
    }
}

/// Inverse document frequency of a term. It is never negative.
fn weight(corpus: &[IndexedBlock], term: usize) -> f64 {
    let with = as_f64(corpus.iter().filter(|entry| entry.counts[term] > 0.0).count());
    let all = as_f64(corpus.len());
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

fn is_single(term: &str) -> bool {
    let mut chars = term.chars();
    chars.next().is_some_and(crate::clean::is_dense) && chars.next().is_none()
}

fn contains_phrase(terms: &[StemmedTerm], phrase: &[String]) -> bool {
    terms.windows(phrase.len()).any(|window| window.iter().zip(phrase).all(|(term, stem)| term.stem == *stem))
}

#[expect(clippy::cast_precision_loss, reason = "word counts stay far below 2^52")]
fn as_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests;
