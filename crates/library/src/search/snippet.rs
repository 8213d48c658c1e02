//! Snippets: excerpts of texts that surround the first match of a query.

use kernel::search::query::Query;
use kernel::search::words::{self, QueryWord};

/// Maximum length of a snippet, in code points.
const LENGTH: usize = 240;
/// Number of code points before the first match.
const BEFORE: usize = 60;

/// Excerpt of a text, with the positions of matches in code points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// Plain text on one line, without markup.
    pub text: String,
    /// Start and end of each match, in code points of `text`.
    pub matches: Vec<(u32, u32)>,
}

/// Returns the snippet that surrounds the first match. If nothing matches, returns the start of the text.
pub(crate) fn of(text: &str, query: &Query) -> Snippet {
    let query_words: Vec<&str> =
        query.included_terms().into_iter().flat_map(|term| &term.words).flat_map(QueryWord::forms).collect();
    let SnippetLine { characters, match_ranges } = SnippetLine::of(text, &query_words);
    let first = match_ranges.first().map_or(0, |(start, _)| *start);
    let mut start = first.saturating_sub(BEFORE);
    if characters.len() - start < LENGTH {
        start = characters.len().saturating_sub(LENGTH);
    }
    if start > 0 {
        let next_word = characters[start..first.max(start)].iter().position(|character| *character == ' ');
        start += next_word.map_or(0, |space| space + 1);
    }
    let end = (start + LENGTH).min(characters.len());
    let inside = match_ranges.into_iter().filter(|(from, to)| *from >= start && *to <= end);
    let offset = |at: usize| u32::try_from(at - start).unwrap_or(0);
    Snippet {
        matches: inside.map(|(from, to)| (offset(from), offset(to))).collect(),
        text: characters[start..end].iter().collect(),
    }
}

/// Start of a text on one line, without control characters. Contains as much of the text as the snippet
/// needs.
struct SnippetLine {
    characters: Vec<char>,
    /// Ranges of `characters` that match words of the query.
    match_ranges: Vec<(usize, usize)>,
}

impl SnippetLine {
    fn of(text: &str, query_words: &[&str]) -> Self {
        let is_bidi = |one: char| matches!(one, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}');
        let mut line = Self { characters: Vec::new(), match_ranges: Vec::new() };
        let (mut word, mut start, mut has_gap) = (String::new(), None, false);
        // Start of a compound word, and its parts up to the last joiner.
        let mut compound: Option<(usize, String)> = None;
        for character in text.chars().filter(|one| !is_bidi(*one)).chain([' ']) {
            if character.is_alphanumeric() {
                word.push(character);
                start.get_or_insert(line.characters.len() + usize::from(has_gap));
            } else {
                let parts = compound.take();
                if let Some(from) = start.take() {
                    line.add_word(from, &word, query_words);
                    let (first, parts) = parts.unwrap_or((from, String::new()));
                    let parts = parts + &word;
                    if first < from {
                        line.add_compound(first, &parts, query_words);
                    }
                    let goes_on = words::is_joiner(character) && parts.len() <= words::LONGEST;
                    compound = goes_on.then_some((first, parts));
                    word.clear();
                }
                if line.is_enough(query_words) {
                    break;
                }
            }
            if character.is_whitespace() || character.is_control() {
                has_gap = !line.characters.is_empty();
                continue;
            }
            if std::mem::take(&mut has_gap) {
                line.characters.push(' ');
            }
            line.characters.push(character);
        }
        line
    }

    fn add_word(&mut self, from: usize, word: &str, query_words: &[&str]) {
        self.match_ranges.extend(matches_query(word, query_words).then_some((from, self.characters.len())));
    }

    /// If a compound is a word of the query, adds it instead of its parts.
    fn add_compound(&mut self, from: usize, parts: &str, query_words: &[&str]) {
        if query_words.contains(&words::fold(parts).as_str()) {
            self.match_ranges.retain(|(start, _)| *start < from);
            self.match_ranges.push((from, self.characters.len()));
        }
    }

    /// Returns true if the remaining text cannot change the snippet.
    fn is_enough(&self, query_words: &[&str]) -> bool {
        let first = match self.match_ranges.first() {
            Some((first, _)) => *first,
            None if query_words.is_empty() => 0,
            None => return false,
        };
        self.characters.len() >= first + LENGTH
    }
}

/// Returns true if a word equals a query word, or starts with a query word that has at least three bytes.
fn matches_query(word: &str, query_words: &[&str]) -> bool {
    let is_like = |one: &str, query_word: &str| {
        let begins = || {
            one.as_bytes()
                .get(..query_word.len())
                .is_some_and(|front| front.eq_ignore_ascii_case(query_word.as_bytes()))
        };
        one.eq_ignore_ascii_case(query_word) || (query_word.len() > 2 && begins())
    };
    // ASCII words need no Unicode folding.
    if word.is_ascii() && word.len() <= words::LONGEST {
        return query_words.iter().any(|query_word| is_like(word, query_word));
    }
    let folded = words::of_text(word);
    folded.iter().any(|one| {
        query_words
            .iter()
            .any(|query_word| one == query_word || (one.starts_with(query_word) && query_word.len() > 2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippet_surrounds_the_first_match_of_the_query() {
        let text = format!(
            "{} <b>Quiet</b>\n desks \u{202e}and more. {}",
            "Before it. ".repeat(40),
            "After. ".repeat(80)
        );
        let snippet = of(&text, &Query::parse("quiet").unwrap());
        assert!(snippet.text.contains("<b>Quiet</b> desks and more."), "{}", snippet.text);
        assert!(snippet.text.chars().count() <= LENGTH);
        let (from, to) = snippet.matches[0];
        let matched: String = snippet.text.chars().skip(from as usize).take((to - from) as usize).collect();
        assert_eq!(matched, "Quiet");
        let beginning = of(&text, &Query::default());
        assert_eq!((beginning.text.chars().count(), beginning.matches.len()), (LENGTH, 0));
        assert!(beginning.text.starts_with("Before it. Before it."));
        assert_eq!(of(&text, &Query::parse("nowhere").unwrap()).text, beginning.text);
        // If little text follows the match, the snippet extends to the end of the text.
        let at_end =
            of(&format!("{}\u{202e}Été  désk", "word ".repeat(90)), &Query::parse("ete DES*").unwrap());
        assert!(at_end.text.ends_with("word Été désk") && at_end.text.chars().count() <= LENGTH);
        assert_eq!(at_end.matches.len(), 2);
        for (query, matched) in
            [("email", "E-mail"), ("e-mail", "E-mail"), ("dont", "don’t"), ("cœur", "Coeur")]
        {
            let snippet = of("Coeur: E-mail me, don’t call.", &Query::parse(query).unwrap());
            let (from, to) = snippet.matches[0];
            let range: String = snippet.text.chars().skip(from as usize).take((to - from) as usize).collect();
            assert_eq!((range.as_str(), snippet.matches.len()), (matched, 1), "{query}");
        }
        assert_eq!(of("Short.", &Query::default()), Snippet { text: "Short.".into(), matches: vec![] });
    }
}
