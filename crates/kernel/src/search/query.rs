//! Query language. Every text is a valid query: parts that are not in the language are searched for as words.

use entities::library_words::{ContentKind, ItemStatus};
use url::Url;

use super::words::{self, QueryWord};
use crate::address;

/// Maximum number of words in a query. Further words are ignored.
const MAX_WORDS: usize = 32;

/// Parsed query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Terms that must match.
    pub terms: Vec<Term>,
    /// Terms that must not match.
    pub without: Vec<Term>,
    /// Filters that the object must pass.
    pub filters: Vec<Filter>,
    /// URL, if the query consists of a URL only.
    pub address: Option<Url>,
}

/// Search term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Words of the term. All must occur, each in one of its forms.
    pub words: Vec<QueryWord>,
    /// Normalized text, if the words must be adjacent.
    pub phrase: Option<String>,
    /// Ending of the last word.
    pub ending: Ending,
}

/// Ending of the last word of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The word is complete.
    Whole,
    /// The word is a prefix.
    Open,
}

/// Condition that an object must fulfil or must not fulfil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub polarity: Polarity,
    pub test: FilterTest,
}

/// Sign of a term or a filter: required or excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    Include,
    Exclude,
}

/// Test of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterTest {
    /// The object has the tag with this name.
    Tag(String),
    Status(ItemStatus),
    Kind(ContentKind),
    /// The item is from this host or one of its subdomains.
    Domain(String),
    /// No object passes.
    Nothing,
}

impl Query {
    /// Parses a query.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if let Ok(url) = address::parse(text)
            && !text.contains(char::is_whitespace)
        {
            return Self { address: Some(url), ..Self::default() };
        }
        let mut query = Self::default();
        let mut count = 0;
        for token in tokens(text) {
            if let Some(filter) = token.filter() {
                query.filters.push(filter);
                continue;
            }
            let Some(term) = token.term() else { continue };
            count += term.words.len();
            if count > MAX_WORDS {
                break;
            }
            match token.polarity {
                Polarity::Include => query.terms.push(term),
                Polarity::Exclude => query.without.push(term),
            }
        }
        query
    }

    /// True if the query has no terms, no filters, and no URL.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.without.is_empty() && self.filters.is_empty() && self.address.is_none()
    }

    /// True if the query has words, by which matches can be ranked.
    pub fn has_words(&self) -> bool {
        !self.terms.is_empty()
    }

    /// True if the query has phrases, required or excluded.
    pub fn has_phrases(&self) -> bool {
        self.terms.iter().chain(&self.without).any(|term| term.phrase.is_some())
    }
}

impl Term {
    /// Splits the term into terms of one word each.
    pub fn each(&self) -> impl Iterator<Item = Self> + '_ {
        self.words.iter().enumerate().map(|(index, word)| {
            let is_last = index + 1 == self.words.len();
            let ending = if is_last { self.ending } else { Ending::Whole };
            Self { words: vec![word.clone()], phrase: None, ending }
        })
    }
}

/// Part of a query between spaces, with its quoted text.
#[derive(Debug, PartialEq, Eq)]
struct Token {
    polarity: Polarity,
    prefix: Option<String>,
    text: String,
    is_quoted: bool,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let polarity =
            if rest.starts_with('-') && rest.len() > 1 { Polarity::Exclude } else { Polarity::Include };
        if polarity == Polarity::Exclude {
            rest = &rest[1..];
        }
        let known = ["tag:", "status:", "kind:", "domain:"];
        let prefix = known
            .iter()
            .find(|known| rest.get(..known.len()).is_some_and(|front| front.eq_ignore_ascii_case(known)));
        if let Some(prefix) = prefix {
            rest = &rest[prefix.len()..];
        }
        let (text, is_quoted, after) = if let Some(inner) = rest.strip_prefix('"') {
            let (quoted, after) = inner.split_once('"').unwrap_or((inner, ""));
            (quoted, true, after)
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            (&rest[..end], false, &rest[end..])
        };
        let prefix = prefix.map(|prefix| prefix.trim_end_matches(':').to_owned());
        tokens.push(Token { polarity, prefix, text: text.to_owned(), is_quoted });
        rest = after.trim_start();
    }
    tokens
}

impl Token {
    fn filter(&self) -> Option<Filter> {
        let text = self.text.trim();
        let test = match self.prefix.as_deref()? {
            "tag" => (!text.is_empty()).then(|| FilterTest::Tag(text.to_owned())),
            "status" => ItemStatus::parse(&text.to_ascii_lowercase()).map(FilterTest::Status),
            "kind" => ContentKind::parse(&text.to_ascii_lowercase()).map(FilterTest::Kind),
            _ => {
                let host = text.trim_matches('.').to_lowercase();
                let host = host.strip_prefix("www.").unwrap_or(&host).to_owned();
                (!host.is_empty()).then_some(FilterTest::Domain(host))
            }
        };
        Some(Filter { polarity: self.polarity, test: test.unwrap_or(FilterTest::Nothing) })
    }

    fn term(&self) -> Option<Term> {
        let is_open = !self.is_quoted && self.text.ends_with('*');
        let words = words::of_query(&self.text);
        let line = words::line(&self.text);
        let is_phrase = self.is_quoted && line.trim().contains(' ');
        let ending = if is_open { Ending::Open } else { Ending::Whole };
        (!words.is_empty()).then(|| Term { words, phrase: is_phrase.then_some(line), ending })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(terms: &[Term]) -> Vec<String> {
        let joined = |term: &Term| {
            let words: Vec<&str> = term.words.iter().map(|word| word.word.as_str()).collect();
            words.join("+")
        };
        terms.iter().map(joined).collect()
    }

    #[test]
    fn query_has_words_phrases_and_filters() {
        let query = Query::parse(
            "Quiet \"two desks\" -Loud wor* tag:\"to read\" -status:archive KIND:book domain:www.Example.org",
        );
        assert_eq!(words_of(&query.terms), ["quiet", "two+desks", "wor"]);
        assert_eq!(query.terms[1].phrase.as_deref(), Some(" two desks "));
        assert_eq!(
            (query.terms[2].ending, words_of(&query.without)),
            (Ending::Open, vec!["loud".to_owned()])
        );
        let tests: Vec<(Polarity, FilterTest)> =
            query.filters.into_iter().map(|one| (one.polarity, one.test)).collect();
        let expected = [
            (Polarity::Include, FilterTest::Tag("to read".into())),
            (Polarity::Exclude, FilterTest::Status(ItemStatus::Archive)),
            (Polarity::Include, FilterTest::Kind(ContentKind::Book)),
            (Polarity::Include, FilterTest::Domain("example.org".into())),
        ];
        assert_eq!(tests, expected);
    }

    #[test]
    fn unknown_syntax_is_searched_as_words() {
        assert_eq!(words_of(&Query::parse("author:ada a&b \"open").terms), ["author+ada", "a+b", "open"]);
        assert_eq!(words_of(&Query::parse("日本語 -").terms), ["日本+本語"]);
        assert!(!Query::parse("!!! ...").has_words());
        assert!(Query::parse("  ").is_empty());
        assert_eq!(Query::parse("status:nonsense").filters[0].test, FilterTest::Nothing);
        assert!(Query::parse("https://example.org/a?utm_source=x").address.is_some());
        assert!(Query::parse("\"\" - tag: * '").terms.is_empty());
    }
}
