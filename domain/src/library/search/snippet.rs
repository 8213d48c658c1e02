//! A few words of an object's text, round the first that a query looks for.

use crate::search::query::Query;
use crate::search::words;

/// Code points of a snippet.
const LENGTH: usize = 240;
/// Code points before the first match.
const BEFORE: usize = 60;

/// A snippet, and where in it, in code points, words of the query stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// Plain text on one line; never markup.
    pub text: String,
    /// Begin and end of each match.
    pub matches: Vec<(u32, u32)>,
}

/// The snippet of a text; its beginning where nothing of the query stands in it.
pub(crate) fn of(text: &str, query: &Query) -> Snippet {
    let line = one_line(text);
    let wanted: Vec<&str> = query.terms.iter().flat_map(|term| &term.words).map(String::as_str).collect();
    let found = places(&line, &wanted);
    let characters: Vec<char> = line.chars().collect();
    let first = found.first().map_or(0, |(start, _)| *start);
    let mut start = first.saturating_sub(BEFORE);
    if characters.len() - start < LENGTH {
        start = characters.len().saturating_sub(LENGTH);
    }
    if start > 0 {
        let next_word = characters[start..first.max(start)].iter().position(|character| *character == ' ');
        start += next_word.map_or(0, |space| space + 1);
    }
    let end = (start + LENGTH).min(characters.len());
    let inside = found.into_iter().filter(|(from, to)| *from >= start && *to <= end);
    let place = |at: usize| u32::try_from(at - start).unwrap_or(0);
    Snippet {
        matches: inside.map(|(from, to)| (place(from), place(to))).collect(),
        text: characters[start..end].iter().collect(),
    }
}

/// A text on one line, without what a line must not hold.
fn one_line(text: &str) -> String {
    let is_bidi = |one: char| matches!(one, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}');
    let spaced: String = text
        .chars()
        .filter(|one| !is_bidi(*one))
        .map(|one| if one.is_control() { ' ' } else { one })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where words of the query stand, in code points.
fn places(line: &str, wanted: &[&str]) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    let mut start = None;
    let mut word = String::new();
    for (at, character) in line.chars().chain([' ']).enumerate() {
        if character.is_alphanumeric() {
            start.get_or_insert(at);
            word.push(character);
        } else if let Some(from) = start.take() {
            let is_wanted = words::of_text(&word).iter().any(|one| {
                wanted.iter().any(|wanted| one == wanted || (one.starts_with(wanted) && wanted.len() > 2))
            });
            if is_wanted {
                places.push((from, at));
            }
            word.clear();
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_stands_round_its_first_match() {
        let text = format!(
            "{} <b>Quiet</b>\n desks \u{202e}and more. {}",
            "Before it. ".repeat(40),
            "After. ".repeat(80)
        );
        let snippet = of(&text, &Query::parse("quiet"));
        assert!(snippet.text.contains("<b>Quiet</b> desks and more."), "{}", snippet.text);
        assert!(snippet.text.chars().count() <= LENGTH);
        let (from, to) = snippet.matches[0];
        let matched: String = snippet.text.chars().skip(from as usize).take((to - from) as usize).collect();
        assert_eq!(matched, "Quiet");
        assert_eq!(of("Short.", &Query::default()), Snippet { text: "Short.".into(), matches: vec![] });
    }
}
