//! Search text of an entry, and conditions for search queries.
//!
//! The search text has three parts. The first contains the words of title, summary, author, and feed text in
//! their original order, so that phrases match. The second contains character pairs, compounds, host names,
//! a key of the address, and a word for each category. The third contains the words of the article to which
//! the entry links, if it was fetched, each with a prefix. Only accounts that request articles search this
//! part. The database indexes the words of the search text with `tsvector` or FTS5.

use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, DbBackend, Value};
use url::Url;

use kernel::item_key::ItemKey;
use kernel::search::expression;
use kernel::search::line_words::LineWords;
use kernel::search::property::{CategoryName, HasPart, ReadState};
use kernel::search::query::{Ending, FeedName, FilterTest, Node, Polarity, Query, SearchFilter, Term};
use kernel::search::words;
use kernel::statement::scalar;
use kernel::{Millis, Result, address};

/// Prefix of host names.
const HOST: char = '@';
/// Prefix of address keys.
const ADDRESS: char = '#';
/// Prefix of the words of categories.
const CATEGORY: char = '-';
/// Prefix of the words of an article.
const ARTICLE: char = '.';
/// Time by which entries are selected: publication, else update, else discovery, in milliseconds.
pub(super) const PUBLISHED: &str = "COALESCE(e.published_at, e.updated_at, e.discovered_us / 1000)";
/// Condition that entry `e` of source `o` is unread for account `$1`. In a list, the mark of an entry is not
/// always joined.
const IS_UNREAD_IN_SOURCE: &str = "COALESCE((SELECT q.unread FROM rss_entry_mark q WHERE q.account_id = $1 \
    AND q.feed_id = e.feed_id AND q.entry_id = e.id), e.id > o.read_through)";
/// Condition that account `$1` starred entry `e`.
pub(super) const HAS_STAR: &str =
    "EXISTS (SELECT 1 FROM rss_star r WHERE r.account_id = $1 AND r.entry_id = e.id)";
/// Condition for entries with audio.
const HAS_AUDIO: &str = "(e.enclosures IS NOT NULL AND e.enclosures LIKE '%\"media_type\":\"audio/%')";
/// Maximum number of characters of the word of a category. Folding can make a name longer.
const CATEGORY_CHARS: usize = 100;
/// Maximum number of characters of each text that are searched.
const MAX_CHARS: usize = 32_000;

/// Fields of an entry that are searched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SearchFields<'a> {
    pub(super) title: Option<&'a str>,
    pub(super) summary: Option<&'a str>,
    pub(super) author: Option<&'a str>,
    pub(super) url: Option<&'a str>,
    /// Markup of the text.
    pub(super) content: Option<&'a str>,
    /// Names of the categories.
    pub(super) categories: &'a [String],
}

/// Texts that an account's searches cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Texts {
    /// Only texts from the feeds.
    #[default]
    Feeds,
    /// Texts from the feeds, and the texts of articles for subscriptions that request them.
    Articles,
}

/// Context in which a search query is evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SearchContext {
    /// Texts that the search covers.
    pub(super) texts: Texts,
    /// Time to which the ages of the query are relative.
    pub(super) now: Millis,
}

/// SQL condition, and the values for its `?` placeholders in order.
pub(super) type SqlCondition = (String, Vec<Value>);

/// Conditions of a search query.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchConditions {
    /// Index expression. `None` if the query contains no words.
    pub(super) words: Option<String>,
    /// Further conditions on an entry `e`. The first value of the statement is the id of the account.
    pub(super) entry: Vec<SqlCondition>,
    /// Conditions on an entry `e` of a source `o`. The first value of the statement is the id of the account.
    pub(super) source: Vec<SqlCondition>,
}

/// Builds the search text of an entry.
pub(super) fn of_entry(fields: SearchFields<'_>) -> String {
    let SearchFields { title, summary, author, url, content, categories } = fields;
    let content = content.map(|markup| cut(&extract::feed::plain_text(markup)));
    let texts: Vec<&str> = [title, summary, author, content.as_deref()].into_iter().flatten().collect();
    // Lines are separated by two spaces, so that phrases do not match across lines.
    let lines = [title, author, content.as_deref()].into_iter().flatten().map(words::line);
    let mut line: String = lines.collect();
    // Most summaries repeat the beginning of the text, and are then omitted.
    if let Some(summary) = summary.map(words::line).filter(|summary| !line.contains(summary.as_str())) {
        line.push_str(&summary);
    }
    let url = url.and_then(|url| Url::parse(url).ok());
    let words = words::pairs_and_compounds(&texts.join("\n"));
    let further = words.into_iter().chain(url.iter().flat_map(hosts)).chain(url.iter().map(key));
    for word in further {
        line.push_str(&word);
        line.push(' ');
    }
    push_categories(&mut line, categories);
    line
}

/// Replaces the words of the categories in a search text.
pub(super) fn with_categories(search_text: &str, categories: &[String]) -> String {
    let (fields, article) = search_text.split_at(article_at(search_text));
    let end = fields.find(&format!(" {CATEGORY}")).unwrap_or(fields.len());
    let mut line = format!("{} ", fields[..end].trim_end());
    push_categories(&mut line, categories);
    format!("{line}{article}")
}

/// Appends the words of categories. They follow all words that an entry has without its article.
fn push_categories(line: &mut String, categories: &[String]) {
    if line.is_empty() {
        line.push(' ');
    }
    for name in categories {
        line.push_str(&category_word(name));
        line.push(' ');
    }
}

/// Returns the word of the index for a category. Letter case and diacritics are ignored. Spaces count as hyphens, and
/// all other ASCII signs except `#` are equal, because the databases index no other sign.
fn category_word(name: &str) -> String {
    let indexed = |character: char| match character {
        '-' => '-',
        '#' => '#',
        space if space.is_whitespace() => '-',
        sign if sign.is_ascii() && !sign.is_ascii_alphanumeric() => '.',
        letter => letter,
    };
    let folded = words::fold(name);
    std::iter::once(CATEGORY).chain(folded.chars().take(CATEGORY_CHARS).map(indexed)).collect()
}

/// Replaces the article's words in a search text.
pub(super) fn with_article(search_text: &str, article: &str) -> String {
    let article = cut(article);
    let mut line = search_text[..article_at(search_text)].to_owned();
    line.push(' ');
    let further = words::pairs_and_compounds(&article);
    let line_of_article = words::line(&article);
    for word in line_of_article.split_whitespace().chain(further.iter().map(String::as_str)) {
        line.push(ARTICLE);
        line.push_str(word);
        line.push(' ');
    }
    line
}

/// Returns `search_text` with the article's words from `before`.
pub(super) fn with_article_of(search_text: &str, before: &str) -> String {
    format!("{search_text}{}", &before[article_at(before)..])
}

/// Returns `search_text`, which has no categories, with the words of the categories and of the article from `before`.
pub(super) fn with_categories_and_article_of(search_text: &str, before: &str) -> String {
    match before.find(&format!(" {CATEGORY}")).filter(|at| *at < article_at(before)) {
        Some(at) => format!("{}{}", search_text.trim_end(), &before[at..]),
        None => with_article_of(search_text, before),
    }
}

/// Returns the position at which the words of the article start.
fn article_at(search_text: &str) -> usize {
    search_text.find(&format!(" {ARTICLE}")).unwrap_or(search_text.len())
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_CHARS).collect()
}

/// Returns the host and its parent domains as words of the index.
fn hosts(url: &Url) -> Vec<String> {
    let host = address::domain(url);
    if !host.chars().all(|character| character.is_alphanumeric() || matches!(character, '.' | '-')) {
        return Vec::new();
    }
    let above = host.match_indices('.').map(|(at, _)| &host[at + 1..]);
    std::iter::once(host.as_str()).chain(above).map(|name| format!("{HOST}{name}")).collect()
}

/// Returns the key of an address as a word of the index.
fn key(url: &Url) -> String {
    format!("{ADDRESS}{}", data_encoding::HEXLOWER.encode(&ItemKey::url(url).hash()))
}

/// Returns the texts that this account's searches cover.
pub(super) async fn texts_of(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<Texts> {
    let sql = "SELECT count(*) FROM (SELECT 1 AS one FROM rss_subscription s WHERE s.account_id = $1 AND s.full_text \
               LIMIT 1) s";
    let wants_articles = scalar(connection, sql, [account_id.into()]).await? > 0;
    Ok(if wants_articles { Texts::Articles } else { Texts::Feeds })
}

/// Returns the condition that an entry `e` matches an index expression.
pub(super) fn index_match(backend: DbBackend, expression: String) -> SqlCondition {
    let sql = match backend {
        DbBackend::Postgres => "e.words @@ CAST(? AS tsquery)",
        _ => "e.id IN (SELECT f.rowid FROM feed_entry_found f WHERE f.feed_entry_found MATCH ?)",
    };
    (sql.to_owned(), vec![expression.into()])
}

/// Returns the read state that a query requires of each match: true for unread, false for read. `None` if the
/// query requires no read state or is invalid.
pub(super) fn required_unread(text: &str) -> Option<bool> {
    let filters = Query::parse(text).ok()?.filters;
    filters.iter().find_map(|filter| match (&filter.test, filter.polarity) {
        (FilterTest::State(ReadState::Unread), Polarity::Include)
        | (FilterTest::State(ReadState::Read), Polarity::Exclude) => Some(true),
        (FilterTest::State(ReadState::Read), Polarity::Include)
        | (FilterTest::State(ReadState::Unread), Polarity::Exclude) => Some(false),
        _ => None,
    })
}

/// Builds the conditions for a search query.
///
/// # Errors
/// `invalid_request` if the query is invalid.
pub(super) fn conditions_for(
    backend: DbBackend,
    text: &str,
    context: SearchContext,
) -> Result<SearchConditions> {
    Ok(conditions_of(backend, text, &Query::parse(text)?, context))
}

/// Builds the conditions for the query that was parsed from `text`.
pub(super) fn conditions_of(
    backend: DbBackend,
    text: &str,
    query: &Query,
    context: SearchContext,
) -> SearchConditions {
    let SearchContext { texts, now } = context;
    let mut conditions = SearchConditions::default();
    if query.is_empty() && !text.trim().is_empty() {
        conditions.entry.push(nothing());
    }
    let search = TermSearch { backend, texts, now };
    search.add_words(query, &mut conditions);
    for term in &query.without {
        search.exclude(term, &mut conditions);
    }
    for filter in &query.filters {
        let condition = search.of_filter(filter);
        if filter.test.is_of_source() {
            conditions.source.extend(condition);
        } else {
            conditions.entry.extend(condition);
        }
    }
    let is_decided = |group: &Node| texts == Texts::Feeds && group.is_of_words();
    for group in query.groups.iter().filter(|group| !is_decided(group)) {
        let condition = search.of_node(group);
        if texts == Texts::Articles || has_source_filter(group) {
            conditions.source.push(condition);
        } else {
            conditions.entry.push(condition);
        }
    }
    let addresses = query.address.iter();
    conditions
        .entry
        .extend(addresses.map(|url| index_match(backend, expression::of_word(backend, &key(url)))));
    conditions
}

/// Returns true if a condition filters by the source of an entry, or by its read state in that source.
fn has_source_filter(node: &Node) -> bool {
    match node {
        Node::Term(..) => false,
        Node::Filter(filter) => filter.test.is_of_source(),
        Node::All(nodes) | Node::Any(nodes) => nodes.iter().any(has_source_filter),
    }
}

/// Builds the condition that an entry `e` of a source `o` has a state: read, unread, or starred. `None` if no
/// entry can have the state.
fn of_state(state: ReadState) -> Option<SqlCondition> {
    let sql = match state {
        ReadState::Unread => IS_UNREAD_IN_SOURCE.to_owned(),
        ReadState::Read => format!("NOT {IS_UNREAD_IN_SOURCE}"),
        ReadState::Starred => HAS_STAR.to_owned(),
        ReadState::Archived => return None,
    };
    Some((sql, Vec::new()))
}

/// Builds the condition that an entry `e` has an attachment. `None` for a kind that entries never have.
fn of_part(part: HasPart) -> Option<SqlCondition> {
    let sql = match part {
        HasPart::File => "e.enclosures IS NOT NULL",
        HasPart::Audio => HAS_AUDIO,
        HasPart::Highlight | HasPart::Note => return None,
    };
    Some((sql.to_owned(), Vec::new()))
}

/// Builds the condition that an entry `e` belongs to a subscription with this title, or to a feed with this
/// host.
fn of_feed(backend: DbBackend, name: &FeedName) -> SqlCondition {
    let (title, mut values) = name.title.condition(backend, "COALESCE(b.title, f.title, '')");
    let host = name.host.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    let sql = format!(
        "o.subscription_id IN (SELECT b.id FROM rss_subscription b JOIN feed f ON f.id = b.feed_id \
         WHERE b.account_id = $1 AND ({title} OR f.host = ? OR f.url LIKE ? ESCAPE '!'))"
    );
    values.extend([name.host.as_str().into(), format!("http%://{host}/%").into()]);
    (sql, values)
}

/// Builds the condition that an entry `e` has a category. It uses the index.
fn of_category(backend: DbBackend, category: &CategoryName) -> SqlCondition {
    let word = category_word(&category.name);
    let expression = match category.ending {
        Ending::Whole => expression::of_word(backend, &word),
        Ending::Open => expression::of_beginning(backend, &word),
    };
    index_match(backend, expression)
}

impl SearchConditions {
    /// Combines all conditions on entries `e` of sources `o`.
    pub(super) fn all(self, backend: DbBackend) -> Vec<SqlCondition> {
        let words = self.words.map(|words| index_match(backend, words));
        words.into_iter().chain(self.entry).chain(self.source).collect()
    }
}

/// Builder of conditions for search terms.
#[derive(Clone, Copy)]
struct TermSearch {
    backend: DbBackend,
    texts: Texts,
    now: Millis,
}

impl TermSearch {
    /// Builds the condition of a filter. `None` if all entries match. Filters of tags, status, kind, time of saving, or
    /// length match no entry.
    fn of_filter(self, filter: &SearchFilter) -> Option<SqlCondition> {
        let condition = match &filter.test {
            FilterTest::Domain(host) => {
                let word = expression::of_word(self.backend, &format!("{HOST}{host}"));
                Some(index_match(self.backend, word))
            }
            FilterTest::Time(period) | FilterTest::Published(period) => {
                let (conditions, values): (Vec<String>, Vec<Value>) = period
                    .times(self.now)
                    .map(|(operator, time)| (format!("{PUBLISHED} {operator} ?"), Value::from(time)))
                    .unzip();
                Some((conditions.join(" AND "), values))
            }
            FilterTest::Title(words) => Some(self.of_line(words, "e.title")),
            FilterTest::Author(words) => Some(self.of_line(words, "e.author")),
            FilterTest::Feed(name) => Some(of_feed(self.backend, name)),
            FilterTest::Category(category) => Some(of_category(self.backend, category)),
            FilterTest::State(state) => of_state(*state),
            FilterTest::Has(part) => of_part(*part),
            FilterTest::Tag(_)
            | FilterTest::Status(_)
            | FilterTest::Kind(_)
            | FilterTest::Saved(_)
            | FilterTest::Minutes(_)
            | FilterTest::Nothing => None,
        };
        match (filter.polarity, condition) {
            (Polarity::Include, condition) => Some(condition.unwrap_or_else(nothing)),
            (Polarity::Exclude, condition) => condition.map(not),
        }
    }

    /// Builds the condition that a column contains words.
    fn of_line(self, words: &LineWords, column: &str) -> SqlCondition {
        let (sql, values) = words.condition(self.backend, column);
        (format!("({column} IS NOT NULL AND {sql})"), values)
    }

    /// Adds the index expression of a query, and its required phrases.
    fn add_words(self, query: &Query, conditions: &mut SearchConditions) {
        let article = ARTICLE.to_string();
        if self.texts == Texts::Articles && !query.terms.is_empty() {
            let (sql, values) =
                index_match(self.backend, expression::of_terms(self.backend, "", &query.terms));
            conditions.source.push((format!("(o.full_text OR {sql})"), values));
        }
        conditions.words = match self.texts {
            Texts::Feeds => expression::of_query(self.backend, &[""], query),
            Texts::Articles => expression::of_query(self.backend, &["", &article], query),
        };
        for phrase in query.terms.iter().filter_map(|term| term.phrase.as_deref()) {
            self.add_phrase(phrase, conditions);
        }
    }

    fn add_phrase(self, phrase: &str, conditions: &mut SearchConditions) {
        match self.texts {
            Texts::Feeds => conditions.entry.push(holds(phrase)),
            Texts::Articles => {
                let [(fields, one), (article, other)] = [holds(phrase), holds(&of_article(phrase))];
                let values = one.into_iter().chain(other).collect();
                conditions.source.push((format!("({fields} OR (o.full_text AND {article}))"), values));
            }
        }
    }

    /// Builds a condition on an entry `e`. If articles are searched, it also refers to the source `o` of the entry.
    fn of_node(self, node: &Node) -> SqlCondition {
        if node.is_of_words() {
            return self.of_words(node);
        }
        match node {
            Node::Term(Polarity::Include, term) => self.of_term(term),
            Node::Term(Polarity::Exclude, term) => not(self.of_term(term)),
            Node::Filter(filter) => self.of_filter(filter).unwrap_or_else(|| not(nothing())),
            Node::All(nodes) => self.of_nodes(nodes, " AND ", Node::All),
            Node::Any(nodes) => self.of_nodes(nodes, " OR ", Node::Any),
        }
    }

    /// Combines conditions by an operator. All conditions that consist of words are combined into one search
    /// of the index.
    fn of_nodes(self, nodes: &[Node], operator: &str, combine: fn(Vec<Node>) -> Node) -> SqlCondition {
        let (words, others): (Vec<&Node>, Vec<&Node>) = nodes.iter().partition(|node| node.is_of_words());
        let words: Vec<Node> = words.into_iter().cloned().collect();
        let words = (!words.is_empty()).then(|| self.of_words(&combine(words)));
        let others = others.into_iter().map(|node| self.of_node(node));
        let (conditions, values): (Vec<String>, Vec<Vec<Value>>) = words.into_iter().chain(others).unzip();
        (format!("({})", conditions.join(operator)), values.concat())
    }

    /// Builds a condition that depends only on the words of an entry.
    fn of_words(self, node: &Node) -> SqlCondition {
        let under = |fronts: &[&str]| {
            let expression = expression::of_node(self.backend, fronts, node);
            expression.map_or_else(nothing, |expression| index_match(self.backend, expression))
        };
        let (fields, mut values) = under(&[""]);
        if self.texts == Texts::Feeds {
            return (fields, values);
        }
        let (article, more) = under(&["", &ARTICLE.to_string()]);
        values.extend(more);
        (format!("({fields} OR (o.full_text AND {article}))"), values)
    }

    /// Builds the condition that an entry contains a term.
    fn of_term(self, term: &Term) -> SqlCondition {
        let terms = std::slice::from_ref(term);
        let within = |fronts: &[&str], phrase: Option<String>| {
            let expression = expression::of_terms_under(self.backend, fronts, terms);
            let (mut sql, mut values) = index_match(self.backend, expression);
            if let Some((condition, more)) = phrase.as_deref().map(holds) {
                sql = format!("{sql} AND {condition}");
                values.extend(more);
            }
            (sql, values)
        };
        let (fields, mut values) = within(&[""], term.phrase.clone());
        if self.texts == Texts::Feeds {
            return (format!("({fields})"), values);
        }
        let phrase = term.phrase.as_deref().map(of_article);
        let (article, more) = within(&["", &ARTICLE.to_string()], phrase);
        values.extend(more);
        (format!("(({fields}) OR (o.full_text AND {article}))"), values)
    }

    fn exclude(self, term: &Term, conditions: &mut SearchConditions) {
        let terms = std::slice::from_ref(term);
        let (fields, of_article) = if let Some(phrase) = &term.phrase {
            (holds(phrase), holds(&of_article(phrase)))
        } else {
            let under =
                |front: &str| index_match(self.backend, expression::of_terms(self.backend, front, terms));
            (under(""), under(&ARTICLE.to_string()))
        };
        conditions.entry.push(not(fields));
        if self.texts == Texts::Articles {
            let (sql, values) = of_article;
            conditions.source.push((format!("NOT (o.full_text AND {sql})"), values));
        }
    }
}

fn nothing() -> SqlCondition {
    ("1 = 0".to_owned(), Vec::new())
}

fn not((sql, values): SqlCondition) -> SqlCondition {
    (format!("NOT ({sql})"), values)
}

fn holds(line: &str) -> SqlCondition {
    ("e.search_text LIKE ?".to_owned(), vec![format!("%{line}%").into()])
}

/// Adds the prefix of article words to the words of a line.
fn of_article(line: &str) -> String {
    line.split_whitespace().map(|word| format!(" {ARTICLE}{word}")).chain([" ".to_owned()]).collect()
}

/// Appends a condition and its values to a statement.
pub(super) fn and(sql: &mut String, values: &mut Vec<Value>, (condition, fields): SqlCondition) {
    sql.push_str(" AND ");
    let mut fields = fields.into_iter();
    for character in condition.chars() {
        if character == '?' {
            values.extend(fields.next());
            sql.push_str(&format!("${}", values.len()));
        } else {
            sql.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_become_conditions_with_their_values_in_order() {
        let of = |text: &str, texts| {
            let context = SearchContext { texts, now: 0 };
            conditions_for(DbBackend::Sqlite, text, context).unwrap()
        };
        let words = of("a (b OR c)", Texts::Feeds);
        assert_eq!(words.words.as_deref(), Some(r#"("a") AND (("b") OR ("c"))"#));
        assert!(words.entry.is_empty() && words.source.is_empty(), "the index decides");
        let mixed = of("(\"b c\" OR -d OR domain:example.org) after:2026 -tag:x", Texts::Feeds);
        assert!(mixed.words.is_none() && mixed.source.is_empty());
        let [time, group] = mixed.entry.as_slice() else { panic!("{:?}", mixed.entry) };
        assert_eq!(time.0, format!("{PUBLISHED} >= ?"));
        assert_eq!(group.0.matches('?').count(), group.1.len());
        assert_eq!(group.0.matches(" OR ").count(), 2);
        let articles = of("a OR \"b c\"", Texts::Articles);
        let [(sql, values)] = articles.source.as_slice() else { panic!("{:?}", articles.source) };
        assert!(sql.contains("o.full_text AND") && articles.entry.is_empty(), "{sql}");
        assert_eq!((sql.matches('?').count(), values.len()), (6, 6));
        assert!(conditions_for(DbBackend::Sqlite, "(a", SearchContext::default()).is_err());
        let several = of("a OR b* OR (c d) OR tag:x", Texts::Feeds);
        let [(sql, values)] = several.entry.as_slice() else { panic!("{:?}", several.entry) };
        assert_eq!((sql.matches(" MATCH ?").count(), values.len()), (1, 1), "one search: {sql}");
        assert_eq!(values[0], Value::from(r#"("a") OR ("b"*) OR (("c") AND ("d"))"#));
    }

    #[test]
    fn filters_on_sources_are_separate_and_have_their_values_in_order() {
        let text = "is:unread is:starred feed:news title:a -author:b (is:read OR has:audio) -is:archived";
        let conditions = conditions_for(DbBackend::Sqlite, text, SearchContext::default()).unwrap();
        assert_eq!(conditions.words.as_deref(), Some("\"a\""));
        let [unread, feed, group] = conditions.source.as_slice() else { panic!("{:?}", conditions.source) };
        assert!(unread.0.contains("o.read_through") && group.0.contains("o.read_through"), "{group:?}");
        assert_eq!((feed.0.matches('?').count(), feed.1.len()), (3, 3));
        let [star, title, author] = conditions.entry.as_slice() else { panic!("{:?}", conditions.entry) };
        assert!(star.0.contains("rss_star") && title.0.contains("e.title") && author.0.starts_with("NOT"));
        for (text, unread) in
            [("a is:unread", Some(true)), ("-is:unread", Some(false)), ("a OR is:read", None), ("(", None)]
        {
            assert_eq!(required_unread(text), unread, "{text}");
        }
        for text in ["is:archived", "has:note", "has:highlight", "minutes:<5", "saved:7d"] {
            let conditions = conditions_for(DbBackend::Sqlite, text, SearchContext::default()).unwrap();
            assert_eq!(conditions.entry, [nothing()], "{text}");
        }
    }

    #[test]
    fn search_text_contains_entry_fields_and_article_text_can_be_replaced() {
        let fields = SearchFields {
            title: Some("Quiet desks"),
            summary: Some("Two of them"),
            author: Some("Ada"),
            url: Some("https://news.example.org/1"),
            content: Some("<p>Two of them <b>stand</b> here.</p>"),
            categories: &["Café 日本".to_owned(), "C++".to_owned()],
        };
        let text = of_entry(fields);
        assert!(text.starts_with(" quiet desks  ada  two of them stand here "), "{text}");
        assert!(text.contains(" @example.org ") && !text.contains(" ."));
        let first = with_article(&text, "Old words");
        let second = with_article(&first, "New words 日本");
        assert!(second.ends_with("  .new .words .日 .本 .日本 "), "{second}");
        assert_eq!(with_article_of(&text, &second), second);
        assert_eq!(with_article_of(&text, &text), text);
        assert!(text.ends_with(" -cafe-日本 -c.. "), "{text}");
        assert_eq!(with_categories(&text, fields.categories), text);
        assert_eq!(with_categories(&second, fields.categories), second);
        let without = of_entry(SearchFields { categories: &[], ..fields });
        assert_eq!(with_categories(&text, &[]), without);
        assert_eq!(with_categories(&without, fields.categories), text);
        assert_eq!(with_categories_and_article_of(&without, &second), second);
        assert_eq!(with_categories_and_article_of(&without, &without), without);
        assert_eq!(with_categories(&second, &[]), with_article(&without, "New words 日本"));
    }

    #[test]
    fn category_is_one_word_in_both_indexes() {
        for (name, word) in [
            ("Open  Source", "-open--source"),
            ("C#", "-c#"),
            ("News: Europe's \\ \"best\"", "-news.-europe.s-.-.best."),
            ("Ｆｕｌｌ：width", "-full.width"),
        ] {
            assert_eq!(category_word(name), word, "{name}");
        }
        let longest = category_word(&"\u{fdfa}".repeat(100));
        assert_eq!(longest.chars().count(), 1 + CATEGORY_CHARS, "folding makes this letter 18 times as long");
        let of = |backend, text: &str| conditions_for(backend, text, SearchContext::default()).unwrap().entry;
        let [(sql, values)] = <[SqlCondition; 1]>::try_from(of(DbBackend::Sqlite, "category:Open*")).unwrap();
        assert!(sql.contains("feed_entry_found MATCH ?"), "{sql}");
        assert_eq!(values, [Value::from("\"-open\"*")]);
        let [(sql, values)] =
            <[SqlCondition; 1]>::try_from(of(DbBackend::Postgres, "-category:\"Open source\"")).unwrap();
        assert!(sql.starts_with("NOT (e.words @@"), "{sql}");
        assert_eq!(values, [Value::from("'-open-source'")]);
    }
}
