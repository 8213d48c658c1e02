//! The language of queries. Every text is a query: what is no word of the language is a word to look for.

use entities::library_words::{ContentKind, ItemStatus};
use url::Url;

use super::words;
use crate::address;

/// The most words of a query; more would find no more.
const MOST_WORDS: usize = 32;

/// A query, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// All of these must be there.
    pub terms: Vec<Term>,
    /// None of these may be there.
    pub without: Vec<Term>,
    /// What must hold of the object.
    pub filters: Vec<Filter>,
    /// The address that the whole query is.
    pub address: Option<Url>,
}

/// One thing that is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its words, which all must be there.
    pub words: Vec<String>,
    /// As it stands in a line, where the words must stand together.
    pub phrase: Option<String>,
    /// The last word may go on.
    pub ending: Ending,
}

/// How a word ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With itself.
    Whole,
    /// Somehow.
    Open,
}

/// What must hold of an object, or must not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub wanted: Wanted,
    pub test: Test,
}

/// Whether something is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Yes,
    No,
}

/// What is asked of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// It has the tag of this name.
    Tag(String),
    /// It is kept here.
    Status(ItemStatus),
    /// It is of this kind.
    Kind(ContentKind),
    /// It is from this host or one below it.
    Domain(String),
    /// It is what no object is.
    Nothing,
}

impl Query {
    /// Takes a query apart.
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
            if count > MOST_WORDS {
                break;
            }
            match token.wanted {
                Wanted::Yes => query.terms.push(term),
                Wanted::No => query.without.push(term),
            }
        }
        query
    }

    /// Whether there is nothing to look for and nothing that must hold.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.without.is_empty() && self.filters.is_empty() && self.address.is_none()
    }

    /// Whether words are looked for, so that there is something to rank by.
    pub fn has_words(&self) -> bool {
        !self.terms.is_empty()
    }

    /// Words that must stand together, wanted or not.
    pub fn has_phrases(&self) -> bool {
        self.terms.iter().chain(&self.without).any(|term| term.phrase.is_some())
    }
}

impl Term {
    /// Each of its words as a term of its own.
    pub fn each(&self) -> impl Iterator<Item = Self> + '_ {
        self.words.iter().enumerate().map(|(index, word)| {
            let is_last = index + 1 == self.words.len();
            let ending = if is_last { self.ending } else { Ending::Whole };
            Self { words: vec![word.clone()], phrase: None, ending }
        })
    }
}

/// A part of a query between spaces, with its quotes.
#[derive(Debug, PartialEq, Eq)]
struct Token {
    wanted: Wanted,
    prefix: Option<String>,
    text: String,
    is_quoted: bool,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let wanted = if rest.starts_with('-') && rest.len() > 1 { Wanted::No } else { Wanted::Yes };
        if wanted == Wanted::No {
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
        tokens.push(Token { wanted, prefix, text: text.to_owned(), is_quoted });
        rest = after.trim_start();
    }
    tokens
}

impl Token {
    fn filter(&self) -> Option<Filter> {
        let text = self.text.trim();
        let test = match self.prefix.as_deref()? {
            "tag" => (!text.is_empty()).then(|| Test::Tag(text.to_owned())),
            "status" => ItemStatus::parse(&text.to_ascii_lowercase()).map(Test::Status),
            "kind" => ContentKind::parse(&text.to_ascii_lowercase()).map(Test::Kind),
            _ => {
                let host = text.trim_matches('.').to_lowercase();
                let host = host.strip_prefix("www.").unwrap_or(&host).to_owned();
                (!host.is_empty()).then_some(Test::Domain(host))
            }
        };
        Some(Filter { wanted: self.wanted, test: test.unwrap_or(Test::Nothing) })
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
        terms.iter().map(|term| term.words.join("+")).collect()
    }

    #[test]
    fn a_query_is_words_phrases_and_filters() {
        let query = Query::parse(
            "Quiet \"two desks\" -Loud wor* tag:\"to read\" -status:archive KIND:book domain:www.Example.org",
        );
        assert_eq!(words_of(&query.terms), ["quiet", "two+desks", "wor"]);
        assert_eq!(query.terms[1].phrase.as_deref(), Some(" two desks "));
        assert_eq!(
            (query.terms[2].ending, words_of(&query.without)),
            (Ending::Open, vec!["loud".to_owned()])
        );
        let tests: Vec<(Wanted, Test)> =
            query.filters.into_iter().map(|one| (one.wanted, one.test)).collect();
        let expected = [
            (Wanted::Yes, Test::Tag("to read".into())),
            (Wanted::No, Test::Status(ItemStatus::Archive)),
            (Wanted::Yes, Test::Kind(ContentKind::Book)),
            (Wanted::Yes, Test::Domain("example.org".into())),
        ];
        assert_eq!(tests, expected);
    }

    #[test]
    fn whatever_is_no_language_is_words() {
        assert_eq!(words_of(&Query::parse("author:ada a&b \"open").terms), ["author+ada", "a+b", "open"]);
        assert_eq!(words_of(&Query::parse("日本語 -").terms), ["日本+本語"]);
        assert!(!Query::parse("!!! ...").has_words());
        assert!(Query::parse("  ").is_empty());
        assert_eq!(Query::parse("status:nonsense").filters[0].test, Test::Nothing);
        assert!(Query::parse("https://example.org/a?utm_source=x").address.is_some());
        assert!(Query::parse("\"\" - tag: * '").terms.is_empty());
    }
}
