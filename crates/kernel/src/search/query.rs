//! Query language: words, prefixes, phrases, excluded terms, filters, dates, alternatives (`OR` or `|`), and
//! parentheses. Parts that do not belong to the language are searched as words. Only operators, parentheses, dates, and
//! filters by property can be invalid.

use std::iter::Peekable;
use std::vec;

use entities::library_words::{ContentKind, ItemStatus};
use url::Url;

use super::dates::Period;
use super::fault::{QueryError, QueryFault};
use super::line_words::LineWords;
use super::property::{CategoryName, HasPart, ReadState, ReadingTime};
pub use super::words::Ending;
use super::words::{self, QueryWord};
use crate::address;

/// Maximum number of words in a query. Further words are ignored. In a query with operators or parentheses, filters
/// count as words, and exceeding the number is a fault. Exceeding it with filters alone is always a fault.
pub const MAX_WORDS: usize = 32;
/// Maximum number of groups that contain a word.
pub const MAX_DEPTH: usize = 8;
/// Names of filters.
const FILTERS: [&str; 4] = ["tag:", "status:", "kind:", "domain:"];
/// Names of filters by dates. Without a value they are words.
const DATE_FILTERS: [&str; 4] = ["after:", "before:", "saved:", "published:"];

/// Names of filters by properties. Without a value they are words.
const PROPERTY_FILTERS: [&str; 8] =
    ["title:", "author:", "site:", "feed:", "category:", "is:", "has:", "minutes:"];

/// Parsed query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Terms that must match.
    pub terms: Vec<Term>,
    /// Terms that must not match.
    pub without: Vec<Term>,
    /// Filters that the object must pass.
    pub filters: Vec<SearchFilter>,
    /// Groups of alternatives. The object must match at least one condition of each group.
    pub groups: Vec<Node>,
    /// URL, if the query consists of a URL only.
    pub address: Option<Url>,
}

/// Condition of a group of alternatives. Negations are resolved, so only terms and filters are excluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Term(Polarity, Term),
    Filter(SearchFilter),
    /// All conditions must be true.
    All(Vec<Node>),
    /// At least one condition must be true.
    Any(Vec<Node>),
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

/// Condition that an object must fulfil, or must not fulfil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchFilter {
    pub polarity: Polarity,
    pub test: FilterTest,
}

/// Sign of a term or a filter: required or excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    Include,
    Exclude,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterTest {
    /// The object has the tag with this name.
    Tag(String),
    Status(ItemStatus),
    Kind(ContentKind),
    /// The item is from this host or one of its subdomains.
    Domain(String),
    /// The item was saved, or the entry was published, in this period.
    Time(Period),
    /// The item was saved in this period.
    Saved(Period),
    /// The item or entry was published in this period.
    Published(Period),
    Title(LineWords),
    Author(LineWords),
    Feed(FeedName),
    /// The entry has a category with this name.
    Category(CategoryName),
    State(ReadState),
    Has(HasPart),
    /// The time that it takes to read the text is in this range.
    Minutes(ReadingTime),
    /// No object passes.
    Nothing,
}

impl FilterTest {
    /// True if the result for an entry depends on the subscription through which the account gets the entry.
    pub fn is_of_source(&self) -> bool {
        matches!(self, Self::Feed(_) | Self::State(ReadState::Unread | ReadState::Read))
    }
}

/// Name by which a query selects a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedName {
    pub title: LineWords,
    pub host: String,
}

impl Query {
    /// Parses a query.
    ///
    /// # Errors
    /// If operators, parentheses, dates, or filters by property have a fault.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let trimmed = text.trim();
        if let Ok(url) = address::parse(trimmed)
            && !trimmed.contains(char::is_whitespace)
        {
            return Ok(Self { address: Some(url), ..Self::default() });
        }
        Self::of_lexemes(text, lexemes(text.trim_end(), Syntax::Full))
    }

    /// Parses a query that was stored before it was checked for faults. A query with a fault is searched as words, as
    /// it was before operators, parentheses, dates, and filters by property were introduced.
    pub fn parse_stored(text: &str) -> Self {
        let of_words = || Self::of_lexemes(text, lexemes(text.trim_end(), Syntax::Words));
        // A query with too many filters is empty, and matches nothing.
        Self::parse(text).or_else(|_| of_words()).unwrap_or_default()
    }

    fn of_lexemes(text: &str, lexemes: Vec<Lexeme>) -> Result<Self, QueryError> {
        let has_operators = lexemes.iter().any(|one| !matches!(one.part, QueryPart::Token(_)));
        let lexemes = lexemes.into_iter().peekable();
        let parser = Parser { lexemes, has_operators, words: 0, filters: 0, depth: 0 };
        let located = |(fault, offset): (QueryFault, usize)| QueryError {
            fault,
            position: text.get(..offset).map_or(0, |before| before.chars().count()) + 1,
        };
        let mut query = Self::default();
        for node in parser.parse().map_err(located)? {
            match node {
                Node::Term(Polarity::Include, term) => query.terms.push(term),
                Node::Term(Polarity::Exclude, term) => query.without.push(term),
                Node::Filter(filter) => query.filters.push(filter),
                group @ (Node::Any(_) | Node::All(_)) => query.groups.push(group),
            }
        }
        Ok(query)
    }

    /// True if the query has no terms, no filters, no alternatives, and no URL.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
            && self.without.is_empty()
            && self.filters.is_empty()
            && self.groups.is_empty()
            && self.address.is_none()
    }

    /// True if every match contains a word of the query, by which matches can be ranked.
    pub fn has_words(&self) -> bool {
        !self.terms.is_empty() || self.groups.iter().any(Node::requires_words)
    }

    /// True if the query has phrases outside alternatives, required or excluded.
    pub fn has_phrases(&self) -> bool {
        self.terms.iter().chain(&self.without).any(|term| term.phrase.is_some())
    }

    /// Terms that may occur in a match: required terms, and terms of alternatives that are not excluded.
    pub fn included_terms(&self) -> Vec<&Term> {
        let mut terms: Vec<&Term> = self.terms.iter().collect();
        for group in &self.groups {
            group.add_included(&mut terms);
        }
        terms
    }
}

impl Node {
    /// True if every object that fulfils the condition contains one of its words.
    pub fn requires_words(&self) -> bool {
        match self {
            Self::Term(polarity, _) => *polarity == Polarity::Include,
            Self::Filter(_) => false,
            Self::All(nodes) => nodes.iter().any(Self::requires_words),
            Self::Any(nodes) => nodes.iter().all(Self::requires_words),
        }
    }

    /// True if the words of an object alone decide whether it fulfils the condition: the condition has no filters,
    /// phrases, or excluded terms.
    pub fn is_of_words(&self) -> bool {
        match self {
            Self::Term(polarity, term) => *polarity == Polarity::Include && term.phrase.is_none(),
            Self::Filter(_) => false,
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().all(Self::is_of_words),
        }
    }

    /// The term of a condition that consists of a single included word. `None` for other conditions.
    pub fn single_word(&self) -> Option<&Term> {
        let term = match self {
            Self::Term(Polarity::Include, term) => term,
            Self::Term(Polarity::Exclude, _) | Self::Filter(_) | Self::All(_) | Self::Any(_) => return None,
        };
        (term.phrase.is_none() && term.words.len() == 1).then_some(term)
    }

    /// Terms of the condition that are not excluded.
    pub fn included_terms(&self) -> Vec<&Term> {
        let mut terms = Vec::new();
        self.add_included(&mut terms);
        terms
    }

    fn add_included<'a>(&'a self, terms: &mut Vec<&'a Term>) {
        match self {
            Self::Term(Polarity::Include, term) => terms.push(term),
            Self::Term(Polarity::Exclude, _) | Self::Filter(_) => {}
            Self::All(nodes) | Self::Any(nodes) => {
                for node in nodes {
                    node.add_included(terms);
                }
            }
        }
    }

    /// Returns the condition that is true if this condition is false.
    fn negated(self) -> Self {
        match self {
            Self::Term(polarity, term) => Self::Term(polarity.opposite(), term),
            Self::Filter(SearchFilter { polarity, test }) => {
                Self::Filter(SearchFilter { polarity: polarity.opposite(), test })
            }
            Self::All(nodes) => Self::Any(nodes.into_iter().map(Self::negated).collect()),
            Self::Any(nodes) => Self::All(nodes.into_iter().map(Self::negated).collect()),
        }
    }
}

impl Polarity {
    fn opposite(self) -> Self {
        match self {
            Self::Include => Self::Exclude,
            Self::Exclude => Self::Include,
        }
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

/// Parser of the parts of a query. `OR` has a lower precedence than the space between two words.
struct Parser {
    lexemes: Peekable<vec::IntoIter<Lexeme>>,
    /// True if the query has operators or parentheses.
    has_operators: bool,
    /// Number of words that were read. If the query has operators or parentheses, filters are counted too.
    words: usize,
    filters: usize,
    /// Number of open parentheses.
    depth: usize,
}

impl Parser {
    /// Returns the conditions that must all be true, or a fault with its offset in bytes.
    fn parse(mut self) -> Result<Vec<Node>, (QueryFault, usize)> {
        Ok(match self.alternatives()? {
            Some(Node::All(nodes)) => nodes,
            other => other.into_iter().collect(),
        })
    }

    /// Reads alternatives up to the end of their group. `None` if they have no words and no filters.
    fn alternatives(&mut self) -> Result<Option<Node>, (QueryFault, usize)> {
        let (mut alternatives, mut current, mut operator) = (Vec::new(), Vec::new(), None);
        while let Some(lexeme) = self.lexemes.next_if(|next| !matches!(next.part, QueryPart::Close)) {
            match lexeme.part {
                QueryPart::Or if current.is_empty() => {
                    return Err((QueryFault::MissingOperand, lexeme.offset));
                }
                QueryPart::Or => {
                    operator = Some(lexeme.offset);
                    alternatives.push(joined(std::mem::take(&mut current)));
                }
                QueryPart::Open(polarity) => current.extend(self.group(polarity, lexeme.offset)?),
                QueryPart::Token(token) => match self.node(&token, lexeme.offset)? {
                    Some(node) => current.push(node),
                    None if self.words > MAX_WORDS => break,
                    None => {}
                },
                QueryPart::Close => {}
            }
        }
        match operator {
            None if current.is_empty() => Ok(None),
            None => Ok(Some(joined(current))),
            Some(offset) if current.is_empty() => Err((QueryFault::MissingOperand, offset)),
            Some(_) => {
                alternatives.push(joined(current));
                Ok(Some(any_of(alternatives)))
            }
        }
    }

    /// Reads a group after its opening parenthesis at `offset`.
    fn group(&mut self, polarity: Polarity, offset: usize) -> Result<Option<Node>, (QueryFault, usize)> {
        if self.depth == MAX_DEPTH {
            return Err((QueryFault::TooDeep, offset));
        }
        self.depth += 1;
        let inner = self.alternatives()?;
        self.depth -= 1;
        if self.lexemes.next().is_none() {
            return Err((QueryFault::OpenGroup, offset));
        }
        Ok(match polarity {
            Polarity::Include => inner,
            Polarity::Exclude => inner.map(Node::negated),
        })
    }

    /// Converts a token. `None` if it has no words, or if it would make the query exceed [`MAX_WORDS`].
    fn node(&mut self, token: &QueryToken, offset: usize) -> Result<Option<Node>, (QueryFault, usize)> {
        let filter = token.filter().map_err(|fault| (fault, offset))?;
        let is_filter = filter.is_some();
        let node = match (filter, token.term()) {
            (Some(filter), term) => {
                self.words += usize::from(self.has_operators);
                self.filters += 1;
                // The index finds the words. The filter then checks their field.
                let required = term.filter(|_| filter.needs_words());
                self.words += required.as_ref().map_or(0, |term| term.words.len());
                let required = required.map(|term| Node::Term(Polarity::Include, term));
                joined(required.into_iter().chain([Node::Filter(filter)]).collect())
            }
            (None, Some(term)) => {
                self.words += term.words.len();
                Node::Term(token.polarity, term)
            }
            (None, None) => return Ok(None),
        };
        if self.words <= MAX_WORDS && self.filters <= MAX_WORDS {
            Ok(Some(node))
        } else if self.has_operators || is_filter || self.filters > MAX_WORDS {
            Err((QueryFault::TooManyWords, offset))
        } else {
            Ok(None)
        }
    }
}

/// Joins conditions that must all be true.
fn joined(nodes: Vec<Node>) -> Node {
    let mut flat = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            Node::All(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    match <[Node; 1]>::try_from(flat) {
        Ok([only]) => only,
        Err(several) => Node::All(several),
    }
}

/// Joins conditions of which at least one must be true.
fn any_of(nodes: Vec<Node>) -> Node {
    let mut flat = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            Node::Any(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    Node::Any(flat)
}

/// Part of a query, and its offset in bytes.
#[derive(Debug)]
struct Lexeme {
    offset: usize,
    part: QueryPart,
}

#[derive(Debug)]
enum QueryPart {
    /// Opening parenthesis, with the sign before it.
    Open(Polarity),
    Close,
    Or,
    Token(QueryToken),
}

/// Part of a query between spaces, with its quoted text.
#[derive(Debug, PartialEq, Eq)]
struct QueryToken {
    polarity: Polarity,
    prefix: Option<&'static str>,
    text: String,
    is_quoted: bool,
}

/// Syntax that is recognized in a query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Full,
    /// Without operators, parentheses, dates, and filters by property, which can have faults.
    Words,
}

/// Splits a query into its parts. A parenthesis opens a group if it is at the start of a part. It closes a group if a
/// group is open and the word does not contain the opening parenthesis.
fn lexemes(text: &str, syntax: Syntax) -> Vec<Lexeme> {
    let mut lexemes = Vec::new();
    let mut depth = 0_usize;
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let offset = text.len() - rest.len();
        let (part, after) = part_of(rest, depth, syntax);
        match part {
            QueryPart::Open(_) => depth += 1,
            QueryPart::Close => depth = depth.saturating_sub(1),
            QueryPart::Or | QueryPart::Token(_) => {}
        }
        lexemes.push(Lexeme { offset, part });
        rest = after.trim_start();
    }
    lexemes
}

/// Returns the first part of a text inside `depth` groups, and the text after it.
fn part_of(text: &str, depth: usize, syntax: Syntax) -> (QueryPart, &str) {
    if let Some(operator) = operator_of(text, depth).filter(|_| syntax == Syntax::Full) {
        return operator;
    }
    let (polarity, text) = match text.strip_prefix('-') {
        Some(positive) if !positive.is_empty() => (Polarity::Exclude, positive),
        Some(_) | None => (Polarity::Include, text),
    };
    let (prefix, text) = match prefix_of(text, syntax) {
        Some(prefix) => (Some(prefix), text.get(prefix.len()..).unwrap_or_default()),
        None => (None, text),
    };
    let (value, is_quoted, after) = if let Some(inner) = text.strip_prefix('"') {
        let (quoted, after) = inner.split_once('"').unwrap_or((inner, ""));
        (quoted, true, after)
    } else {
        let (word, after) = text.split_at(word_end(text, depth));
        (word, false, after)
    };
    (QueryPart::Token(QueryToken { polarity, prefix, text: value.to_owned(), is_quoted }), after)
}

/// Returns the operator or parenthesis with which a text inside `depth` groups starts, and the text after it.
fn operator_of(text: &str, depth: usize) -> Option<(QueryPart, &str)> {
    if let Some(after) = text.strip_prefix('(') {
        return Some((QueryPart::Open(Polarity::Include), after));
    }
    if let Some(after) = text.strip_prefix("-(") {
        return Some((QueryPart::Open(Polarity::Exclude), after));
    }
    if let Some(after) = text.strip_prefix(')').filter(|_| depth > 0) {
        return Some((QueryPart::Close, after));
    }
    let (word, after) = text.split_at(word_end(text, depth));
    matches!(word, "OR" | "|").then_some((QueryPart::Or, after))
}

/// Returns the offset of the end of the first word of a text inside `depth` groups.
fn word_end(text: &str, depth: usize) -> usize {
    let mut open = 0_usize;
    for (offset, character) in text.char_indices() {
        match character {
            '(' => open += 1,
            ')' if open > 0 => open -= 1,
            ')' if depth > 0 => return offset,
            space if space.is_whitespace() => return offset,
            _ => {}
        }
    }
    text.len()
}

/// Returns the name of the filter with which a text starts.
fn prefix_of(text: &str, syntax: Syntax) -> Option<&'static str> {
    let starts =
        |name: &&'static str| text.get(..name.len()).is_some_and(|front| front.eq_ignore_ascii_case(name));
    let has_value = |name: &&'static str| {
        let value = text.get(name.len()..).and_then(|value| value.chars().next());
        value.is_some_and(|first| !first.is_whitespace() && first != ')')
    };
    let valued = DATE_FILTERS.into_iter().chain(PROPERTY_FILTERS).filter(|_| syntax == Syntax::Full);
    let mut valued = valued.filter(|name| starts(name) && has_value(name));
    FILTERS.into_iter().find(starts).or_else(|| valued.next())
}

impl SearchFilter {
    /// True if every object that passes contains the words of the value.
    fn needs_words(&self) -> bool {
        let is_of_words = matches!(self.test, FilterTest::Title(_) | FilterTest::Author(_));
        is_of_words && self.polarity == Polarity::Include
    }
}

impl QueryToken {
    fn filter(&self) -> Result<Option<SearchFilter>, QueryFault> {
        let Some(prefix) = self.prefix else { return Ok(None) };
        let text = self.text.trim();
        let test = match prefix {
            "tag:" => (!text.is_empty()).then(|| FilterTest::Tag(text.to_owned())),
            "status:" => ItemStatus::parse(&text.to_ascii_lowercase()).map(FilterTest::Status),
            "kind:" => ContentKind::parse(&text.to_ascii_lowercase()).map(FilterTest::Kind),
            "domain:" | "site:" => {
                let host = host_of(text);
                (!host.is_empty()).then_some(FilterTest::Domain(host))
            }
            _ if DATE_FILTERS.contains(&prefix) => {
                Some(date_test(prefix, text).ok_or(QueryFault::InvalidDate)?)
            }
            _ => Some(self.property_test(prefix, text).ok_or(QueryFault::InvalidValue)?),
        };
        Ok(Some(SearchFilter { polarity: self.polarity, test: test.unwrap_or(FilterTest::Nothing) }))
    }

    /// Parses the value of a filter by property. `None` if it is invalid.
    fn property_test(&self, prefix: &str, text: &str) -> Option<FilterTest> {
        let word = text.to_ascii_lowercase();
        Some(match prefix {
            "title:" => FilterTest::Title(LineWords::of(text, self.ending())?),
            "author:" => FilterTest::Author(LineWords::of(text, self.ending())?),
            "feed:" => {
                let title = LineWords::of(text, self.ending())?;
                FilterTest::Feed(FeedName { title, host: host_of(text) })
            }
            "category:" => FilterTest::Category(CategoryName::parse(text, self.ending())?),
            "is:" => FilterTest::State(ReadState::parse(&word)?),
            "has:" => FilterTest::Has(HasPart::parse(&word)?),
            _ => FilterTest::Minutes(ReadingTime::parse(text)?),
        })
    }

    /// Ending of the last word.
    fn ending(&self) -> Ending {
        let is_open = !self.is_quoted && self.text.ends_with('*');
        if is_open { Ending::Open } else { Ending::Whole }
    }

    fn term(&self) -> Option<Term> {
        let words = words::of_query(&self.text);
        let line = words::line(&self.text);
        let is_phrase = self.is_quoted && line.trim().contains(' ');
        let ending = self.ending();
        (!words.is_empty()).then(|| Term { words, phrase: is_phrase.then_some(line), ending })
    }
}

/// Normalizes the name of a host.
fn host_of(text: &str) -> String {
    let host = text.trim_matches('.').to_lowercase();
    host.strip_prefix("www.").unwrap_or(&host).to_owned()
}

/// Parses the value of a filter by date. `None` if it is not a date.
fn date_test(prefix: &str, text: &str) -> Option<FilterTest> {
    Some(match prefix {
        "after:" => FilterTest::Time(Period::parse(text)?.onward()),
        "before:" => FilterTest::Time(Period::parse(text)?.preceding()),
        "saved:" => FilterTest::Saved(Period::parse_compared(text)?),
        _ => FilterTest::Published(Period::parse_compared(text)?),
    })
}

#[cfg(test)]
mod tests;
