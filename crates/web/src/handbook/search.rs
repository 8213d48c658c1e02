//! Search in the sections of the handbook. A section matches if it has all words of the query.

use super::markdown::{HandbookSection, RenderedHandbookPage};

/// Maximum length of a query, in characters.
pub(super) const MAX_QUERY_CHARS: usize = 200;
/// Maximum number of words of a query that are used.
pub(super) const MAX_WORDS: usize = 8;
/// Maximum number of results on a page.
pub(super) const MAX_HITS: usize = 30;
/// Characters of an excerpt before and after the first word.
const EXCERPT_CHARS: (usize, usize) = (60, 160);
/// Weights of a word in a heading and in a text, and the maximum number of occurrences that count in a text.
const HEADING_WEIGHT: usize = 20;
const MAX_OCCURRENCES: usize = 5;

/// Section that matches.
pub(super) struct SectionHit<'a> {
    /// Position of the page in the book.
    pub(super) page: usize,
    pub(super) section: &'a HandbookSection,
    score: usize,
    /// Byte offset of the first word in the text.
    offset: usize,
}

/// Returns the sections that have all words of `query`, the best first.
pub(super) fn search<'a>(pages: &'a [RenderedHandbookPage], query: &str) -> Vec<SectionHit<'a>> {
    let words = words_of(query);
    let mut hits = Vec::new();
    for (page, text) in pages.iter().enumerate() {
        let sections = text.sections.iter();
        hits.extend(sections.filter_map(|section| hit(page, section, &words)));
    }
    // The sort is stable, so sections of equal score are in the order of the book.
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.score));
    hits
}

/// Returns true if the query has words beyond the maximum, which are not used.
pub(super) fn has_unread_words(query: &str) -> bool {
    split(query).nth(MAX_WORDS).is_some()
}

fn words_of(query: &str) -> Vec<String> {
    split(query).take(MAX_WORDS).map(str::to_ascii_lowercase).collect()
}

/// Splits a query at all characters except letters, digits, and underscores, so the name of a setting is one word.
fn split(query: &str) -> impl Iterator<Item = &str> {
    let words = query.split(|character: char| !character.is_alphanumeric() && character != '_');
    words.filter(|word| !word.is_empty())
}

fn hit<'a>(page: usize, section: &'a HandbookSection, words: &[String]) -> Option<SectionHit<'a>> {
    let first = words.first()?;
    let mut score = 0;
    for word in words {
        let in_heading = section.lower_title.contains(word.as_str());
        let in_text = section.lower_text.matches(word.as_str()).take(MAX_OCCURRENCES).count();
        if !in_heading && in_text == 0 {
            return None;
        }
        score += in_text + if in_heading { HEADING_WEIGHT } else { 0 };
    }
    let offset = section.lower_text.find(first.as_str()).unwrap_or_default();
    Some(SectionHit { page, section, score, offset })
}

impl SectionHit<'_> {
    /// Returns the words of the section near the first word of the query.
    pub(super) fn excerpt(&self) -> String {
        let (before, after) =
            self.section.text.split_at_checked(self.offset).unwrap_or(("", self.section.text.as_str()));
        let start: String = before.chars().rev().take(EXCERPT_CHARS.0).collect();
        let start: String = start.chars().rev().collect();
        let end: String = after.chars().take(EXCERPT_CHARS.1).collect();
        let is_cut = |part: &str, whole: &str| if part.len() < whole.len() { "… " } else { "" };
        let (head, tail) = (is_cut(&start, before), is_cut(&end, after));
        format!("{head}{start}{} {}", end.trim_end(), tail.trim()).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use http_kit::config::{Settings, Variables};

    use super::*;

    fn pages() -> Vec<RenderedHandbookPage> {
        let settings = Settings::read(&mut Variables::of_pairs([])).unwrap();
        let texts = [
            "# Backup\n\nBack up the database.\n\n## Restore\n\nUse `CARREL_FILES` and a new database.",
            "# Proxy\n\nThe proxy is in front. Größe of a **database**.",
        ];
        texts.iter().map(|text| RenderedHandbookPage::of(text, &settings.origins)).collect()
    }

    #[test]
    fn section_matches_if_it_has_all_words() {
        let pages = pages();
        let matching = |query: &str| -> Vec<(usize, String)> {
            search(&pages, query).iter().map(|hit| (hit.page, hit.section.title.clone())).collect()
        };
        assert_eq!(matching("carrel_files"), [(0, "Restore".to_owned())]);
        assert_eq!(matching("DATABASE").len(), 3);
        assert_eq!(matching("proxy database"), [(1, "Proxy".to_owned())]);
        assert!(matching("restore, please").is_empty() && matching(" -- ").is_empty());
        let many = "restore ".repeat(MAX_WORDS);
        assert!(!has_unread_words(&many) && has_unread_words(&format!("{many} please")));
        assert_eq!(matching(&format!("{many} please")), [(0, "Restore".to_owned())]);
    }

    #[test]
    fn excerpt_contains_the_first_query_word() {
        let pages = pages();
        let hits = search(&pages, "database größe");
        assert!(hits[0].excerpt().contains("Größe of a database"), "{}", hits[0].excerpt());
        assert!(hits[0].excerpt().starts_with("The proxy"), "{}", hits[0].excerpt());
    }
}
