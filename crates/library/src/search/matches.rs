//! Finds the objects that match a query, newest first.

use std::collections::BTreeSet;

use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_words::{ContentKind, ItemStatus, ObjectKind};
use sea_orm::{ConnectionTrait, DbBackend, Value};

use super::id_ranges::{IdRange, NAMES};
use super::index::{WordField, counts_of};
use crate::tags::{FAVORITE, Tag};
use kernel::search::expression;
use kernel::search::line_words::LineWords;
use kernel::search::property::{HasPart, ReadState};
use kernel::search::query::{FilterTest, Node, Polarity, Query, SearchFilter, Term};
use kernel::search::rank;
use kernel::search::words;
use kernel::statement::statement;
use kernel::{Millis, Result};

/// Maximum number of matches that are ranked. Applies separately to all words and to
/// titles and tags.
pub(crate) const RANKED: u32 = 2_000;
/// Maximum number of objects that match one word, among those whose text is split over several index rows.
const MAX_SPLIT_OBJECTS_PER_WORD: u32 = 5_000;

/// SQL conditions on index rows `s` and item rows `i`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    sql: String,
    values: Vec<Value>,
}

impl Conditions {
    /// Adds a condition. Each `?` in `sql` is a placeholder for the next value of `values`.
    pub(crate) fn and(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        self.sql.push_str(" AND ");
        self.sql.push_str(sql);
        self.values.extend(values);
    }

    /// Adds the filters of a query.
    pub(crate) fn filter(&mut self, objects: ObjectConditions<'_>, filters: &[SearchFilter]) {
        for filter in filters {
            let (sql, values) = objects.of_filter(filter);
            self.and(&sql, values);
        }
    }

    /// Adds the groups of a query, except groups that the index expression covers.
    pub(crate) fn groups(&mut self, objects: ObjectConditions<'_>, groups: &[Node]) {
        for group in groups.iter().filter(|group| !group.is_of_words()) {
            let (sql, values) = objects.of_node(group);
            self.and(&sql, values);
        }
    }

    /// Adds all conditions of a query, including words and phrases, which searches otherwise match by the index
    /// expression. Each object is checked individually.
    pub(crate) fn whole_query(&mut self, objects: ObjectConditions<'_>, query: &Query) {
        self.filter(objects, &query.filters);
        let of_polarity = |polarity: Polarity| move |term: &Term| Node::Term(polarity, term.clone());
        let terms = query.terms.iter().map(of_polarity(Polarity::Include));
        let without = query.without.iter().map(of_polarity(Polarity::Exclude));
        for node in terms.chain(without).chain(query.groups.iter().cloned()) {
            let (sql, values) = objects.of_node(&node);
            self.and(&sql, values);
        }
    }

    /// Excludes the objects with these ids. `object` is the column that contains the object id.
    pub(crate) fn none_of(&mut self, object: &str, ids: &[ObjectId]) {
        if !ids.is_empty() {
            let params = vec!["?"; ids.len()].join(", ");
            self.and(&format!("{object} NOT IN ({params})"), ids.iter().map(|id| Value::from(*id)));
        }
    }

    pub(crate) fn extend(&mut self, others: Self) {
        self.sql.push_str(&others.sql);
        self.values.extend(others.values);
    }

    /// Returns the SQL text with parameters that are numbered from `first`, and the values of the parameters.
    pub(crate) fn render(&self, first: usize) -> (String, Vec<Value>) {
        let mut sql = String::with_capacity(self.sql.len() + 16);
        let mut next = first;
        for character in self.sql.chars() {
            if character == '?' {
                sql.push_str(&format!("${next}"));
                next += 1;
            } else {
                sql.push(character);
            }
        }
        (sql, self.values.clone())
    }
}

/// Builds the condition that a column satisfies all comparisons.
fn within<V: Into<Value>>(
    column: &str,
    comparisons: impl Iterator<Item = (&'static str, V)>,
) -> (String, Vec<Value>) {
    let (conditions, values): (Vec<String>, Vec<Value>) =
        comparisons.map(|(operator, value)| (format!("{column} {operator} ?"), value.into())).unzip();
    (conditions.join(" AND "), values)
}

/// Builder of conditions on single objects. They search the index rows of each object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectConditions<'a> {
    pub backend: DbBackend,
    pub account_id: AccountId,
    /// Number of the library.
    pub number: i64,
    /// Column that contains the object id.
    pub object: &'a str,
    /// Time to which ages are relative.
    pub now: Millis,
}

impl ObjectConditions<'_> {
    /// Builds the condition of a filter.
    fn of_filter(self, filter: &SearchFilter) -> (String, Vec<Value>) {
        let (sql, values) = self.of_test(&filter.test);
        match filter.polarity {
            Polarity::Include => (sql, values),
            Polarity::Exclude => (format!("NOT {sql}"), values),
        }
    }

    /// Builds the condition of a test, in parentheses. An object that is not an item fails a test for items, and passes
    /// its negation.
    fn of_test(self, test: &FilterTest) -> (String, Vec<Value>) {
        let item = |(sql, values): (String, Vec<Value>)| (format!("(i.id IS NOT NULL AND {sql})"), values);
        match test {
            FilterTest::Tag(name) => self.with_tag(name),
            FilterTest::Status(status) => item(("i.status = ?".into(), vec![status.as_str().into()])),
            FilterTest::Kind(kind) => item(("i.content_kind = ?".into(), vec![kind.as_str().into()])),
            FilterTest::Domain(host) => {
                let below = host.replace('!', "!!").replace('%', "!%").replace('_', "!_");
                let values = vec![host.as_str().into(), format!("%.{below}").into()];
                item(("(i.domain = ? OR i.domain LIKE ? ESCAPE '!')".into(), values))
            }
            FilterTest::Time(period) | FilterTest::Saved(period) => {
                item(within("i.saved_at", period.times(self.now)))
            }
            FilterTest::Published(period) => {
                // Publication times are texts that start with their date.
                let (sql, values) = within("SUBSTR(i.published_at, 1, 10)", period.dates(self.now));
                item((format!("i.published_at IS NOT NULL AND {sql}"), values))
            }
            FilterTest::Title(words) => item(self.of_line(words, "i.title")),
            FilterTest::Author(words) => item(self.of_line(words, "i.author")),
            FilterTest::State(state) => self.of_state(*state),
            FilterTest::Has(part) => item(self.of_part(*part)),
            FilterTest::Minutes(time) => {
                let (sizes, mut values) = within("x.text_bytes", time.sizes());
                values.insert(0, self.account_id.into());
                let sql =
                    "EXISTS (SELECT 1 FROM library_text x WHERE x.account_id = ? AND x.item_id = i.id AND";
                item((format!("{sql} {sizes})"), values))
            }
            // Items have no feed and no categories.
            FilterTest::Feed(_) | FilterTest::Category(_) | FilterTest::Nothing => {
                ("(1 = 0)".into(), Vec::new())
            }
        }
    }

    /// Builds the condition that an object has a tag.
    fn with_tag(self, name: &str) -> (String, Vec<Value>) {
        let Some(tag) = Tag::of(name) else { return ("(1 = 0)".into(), Vec::new()) };
        let sql = format!(
            "EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = ? AND g.tag_key = ? \
             AND g.object_id = {})",
            self.object
        );
        (sql, vec![self.account_id.into(), tag.key.into()])
    }

    /// Builds the condition that a column of an item contains words.
    fn of_line(self, words: &LineWords, column: &str) -> (String, Vec<Value>) {
        let (sql, values) = words.condition(self.backend, column);
        (format!("{column} IS NOT NULL AND {sql}"), values)
    }

    /// Builds the condition that an item has a state, or that an object has the tag of starred items.
    fn of_state(self, state: ReadState) -> (String, Vec<Value>) {
        let item = |sql: &str| (format!("(i.id IS NOT NULL AND {sql})"), Vec::new());
        match state {
            ReadState::Unread => item("i.finished_at IS NULL"),
            ReadState::Read => item("i.finished_at IS NOT NULL"),
            ReadState::Starred => self.with_tag(FAVORITE),
            ReadState::Archived => self.of_test(&FilterTest::Status(ItemStatus::Archive)),
        }
    }

    /// Builds the condition that an item has an attachment.
    fn of_part(self, part: HasPart) -> (String, Vec<Value>) {
        const HIGHLIGHT: &str =
            "EXISTS (SELECT 1 FROM library_highlight h WHERE h.account_id = ? AND h.item_id = i.id";
        const NOTE: &str =
            "EXISTS (SELECT 1 FROM library_note t WHERE t.account_id = ? AND t.item_id = i.id)";
        let account_id = Value::from(self.account_id);
        match part {
            HasPart::Highlight => (format!("{HIGHLIGHT})"), vec![account_id]),
            HasPart::Note => (
                format!("({NOTE} OR {HIGHLIGHT} AND h.note IS NOT NULL))"),
                vec![account_id.clone(), account_id],
            ),
            HasPart::File => ("i.asset_blob IS NOT NULL".into(), Vec::new()),
            HasPart::Audio => {
                let sql = "(i.content_kind = ? OR COALESCE(i.asset_mime, i.mime_type, '') LIKE 'audio/%')";
                (sql.into(), vec![ContentKind::PodcastEpisode.as_str().into()])
            }
        }
    }

    fn of_node(self, node: &Node) -> (String, Vec<Value>) {
        match node {
            Node::Term(Polarity::Include, term) => self.of_term(term, "IS NOT FALSE"),
            Node::Term(Polarity::Exclude, term) => {
                let (sql, values) = self.of_term(term, "IS TRUE");
                (format!("NOT {sql}"), values)
            }
            Node::Filter(filter) => self.of_filter(filter),
            Node::All(nodes) => joined(nodes.iter().map(|node| self.of_node(node)), " AND "),
            Node::Any(nodes) => {
                let others = nodes.iter().filter(|node| node.single_word().is_none());
                let others = others.map(|node| self.of_node(node));
                joined(self.of_any_word(nodes).into_iter().chain(others), " OR ")
            }
        }
    }

    /// Builds the condition that an object contains one of the single words among alternatives. It needs only
    /// one search of the index. `None` if no alternative is a single word.
    fn of_any_word(self, nodes: &[Node]) -> Option<(String, Vec<Value>)> {
        let words: Vec<&Term> = nodes.iter().filter_map(Node::single_word).collect();
        let any_under = |field: WordField| {
            let front = field.prefix(self.number);
            expression::any_of_terms(self.backend, &front, words.iter().copied())
        };
        let search = (!words.is_empty())
            .then(|| self.matching(&any_under(WordField::Any), &any_under(WordField::Spread)));
        search.map(|(sql, values)| (sql, values.to_vec()))
    }

    /// Builds the condition that an object has an index row that matches one of two expressions.
    fn matching(self, any: &str, spread: &str) -> (String, [Value; 2]) {
        let sql = has_words(self.backend).replace("{object}", self.object);
        (sql, [self.account_id.into(), expression::either(self.backend, any, spread).into()])
    }

    /// Builds the condition that an object contains a term. Rows of earlier versions have no word order: `phrase_test`
    /// decides whether they match if they contain all words of a phrase.
    fn of_term(self, term: &Term, phrase_test: &str) -> (String, Vec<Value>) {
        let mut conditions = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        for word in term.each() {
            let [any, spread] = [WordField::Any, WordField::Spread].map(|field| {
                expression::of_terms(self.backend, &field.prefix(self.number), std::slice::from_ref(&word))
            });
            let (sql, more) = self.matching(&any, &spread);
            conditions.push(sql);
            values.extend(more);
        }
        if let Some(phrase) = &term.phrase {
            conditions.push(format!(
                "(SELECT {} FROM library_search n WHERE n.account_id = ? AND n.object_id = {} AND n.part = 0) \
                 {phrase_test}",
                contains(self.backend, "n.word_order", "?"),
                self.object
            ));
            values.push(words::order(phrase).into());
            values.push(self.account_id.into());
        }
        (format!("({})", conditions.join(" AND ")), values)
    }
}

/// Joins conditions by an operator.
fn joined(conditions: impl Iterator<Item = (String, Vec<Value>)>, operator: &str) -> (String, Vec<Value>) {
    let (conditions, values): (Vec<String>, Vec<Vec<Value>>) = conditions.unzip();
    (format!("({})", conditions.join(operator)), values.concat())
}

/// SQL condition that the object `{object}` has an index row that matches an expression.
fn has_words(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => {
            "EXISTS (SELECT 1 FROM library_search n WHERE n.account_id = ? AND n.object_id = {object} \
             AND n.words @@ CAST(? AS tsquery))"
        }
        // The cross join makes SQLite read index rows by their numbers.
        _ => {
            "EXISTS (SELECT 1 FROM library_search n CROSS JOIN library_found m ON m.rowid = n.id \
             WHERE n.account_id = ? AND n.object_id = {object} AND m.library_found MATCH ?)"
        }
    }
}

/// Search index of one library.
#[derive(Debug)]
pub(crate) struct SearchIndex<'a, C> {
    pub connection: &'a C,
    pub account_id: AccountId,
    /// Number of the library, with which its words are prefixed.
    pub number: i64,
    /// Time to which ages in the query are relative.
    pub now: Millis,
}

impl<C> Clone for SearchIndex<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for SearchIndex<'_, C> {}

/// Object that matches a query.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    /// Number of the object's index row. Newer rows have higher numbers.
    pub row: i64,
    pub id: ObjectId,
    pub kind: ObjectKind,
    pub counts: Vec<u8>,
    pub phrases: PhraseResult,
}

/// Result of searching the word order of an object for the phrases of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PhraseResult {
    /// The object contains each phrase and no excluded phrase.
    Match,
    NoMatch,
    /// The index row was written by an earlier version and does not contain the word order.
    Unknown,
}

/// SQL column of [`PhraseResult`] for a query without phrases.
const NO_PHRASES: &str = "CAST(1 AS bigint)";
/// SQL subquery for the word order of the object to which an index row `s` belongs. The first row of the
/// object contains the word order.
const ORDER_OF_OBJECT: &str = "(SELECT o.word_order FROM library_search o WHERE o.account_id = s.account_id \
                               AND o.object_id = s.object_id AND o.part = 0)";

/// Builds the SQL column of [`PhraseResult`]: 0 for no match, 1 for a match, and 2 if the result is unknown.
/// Appends the parameters of the column to `values`.
fn phrase_column(backend: DbBackend, query: &Query, word_order: &str, values: &mut Vec<Value>) -> String {
    let mut conditions = Vec::new();
    for (terms, not) in [(&query.terms, ""), (&query.without, "NOT ")] {
        for phrase in terms.iter().filter_map(|term| term.phrase.as_deref()) {
            values.push(words::order(phrase).into());
            let parameter = format!("${}", values.len());
            conditions.push(format!("{not}{}", contains(backend, word_order, &parameter)));
        }
    }
    if conditions.is_empty() {
        return NO_PHRASES.to_owned();
    }
    let all = conditions.join(" AND ");
    format!("CAST(CASE WHEN {word_order} IS NULL THEN 2 WHEN {all} THEN 1 ELSE 0 END AS bigint)")
}

/// Builds the SQL condition that the column `bytes` contains the bytes of a parameter.
fn contains(backend: DbBackend, bytes: &str, parameter: &str) -> String {
    match backend {
        DbBackend::Postgres => format!("(POSITION(CAST({parameter} AS bytea) IN {bytes}) > 0)"),
        _ => format!("(INSTR({bytes}, {parameter}) > 0)"),
    }
}

/// Returns the `FROM` clause for index rows that match the expression `$2`, joined with their items. On
/// SQLite the cross join fixes the order of the tables. Otherwise, each row of the account would be searched
/// in the index.
fn from(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => {
            "FROM library_search s LEFT JOIN library_item i ON i.id = s.object_id \
             WHERE s.account_id = $1 AND s.words @@ CAST($2 AS tsquery)"
        }
        _ => {
            "FROM library_found f CROSS JOIN library_search s ON s.id = f.rowid \
             LEFT JOIN library_item i ON i.id = s.object_id \
             WHERE s.account_id = $1 AND f.library_found MATCH $2"
        }
    }
}

/// Builds conditions that exclude objects with one of these words or phrases from a list. Each object of the
/// list is checked individually, because a common word occurs in more objects than the list returns.
pub(crate) fn without(
    backend: DbBackend,
    account_id: AccountId,
    number: i64,
    terms: &[Term],
    object: &str,
) -> Conditions {
    let mut conditions = Conditions::default();
    let sql = format!("NOT {}", has_words(backend));
    let phrases: Vec<&str> = terms.iter().filter_map(|term| term.phrase.as_deref()).collect();
    if !phrases.is_empty() {
        // PostgreSQL would execute `NOT EXISTS` as a join. It executes this subquery for each object.
        let any = vec![contains(backend, "n.word_order", "?"); phrases.len()].join(" OR ");
        let sql = format!(
            "(SELECT {any} FROM library_search n WHERE n.account_id = ? AND n.object_id = {object} \
             AND n.part = 0) IS NOT TRUE"
        );
        let values = phrases.iter().map(|phrase| Value::from(words::order(phrase)));
        conditions.and(&sql, values.chain([account_id.into()]));
    }
    for term in terms.iter().filter(|term| term.phrase.is_none()) {
        let [any, spread] = [WordField::Any, WordField::Spread]
            .map(|field| expression::of_terms(backend, &field.prefix(number), std::slice::from_ref(term)));
        let unwanted = expression::either(backend, &any, &spread);
        conditions.and(&sql.replace("{object}", object), [account_id.into(), unwanted.into()]);
    }
    conditions
}

/// Builds conditions that exclude matches of a search, as [`without`] does for lists, but only matches with
/// several index rows, of which a library has few. The index expression excludes objects with one row.
pub(crate) fn without_spread(backend: DbBackend, number: i64, terms: &[Term]) -> Conditions {
    let mut conditions = Conditions::default();
    let subquery = match backend {
        DbBackend::Postgres => "SELECT n.object_id FROM library_search n WHERE n.words @@ CAST(? AS tsquery)",
        _ => {
            "SELECT n.object_id FROM library_found m CROSS JOIN library_search n ON n.id = m.rowid \
             WHERE m.library_found MATCH ?"
        }
    };
    for term in terms.iter().filter(|term| term.phrase.is_none()) {
        let front = WordField::Spread.prefix(number);
        let expression = expression::of_terms(backend, &front, std::slice::from_ref(term));
        conditions.and(&format!("s.object_id NOT IN ({subquery})"), [expression.into()]);
    }
    conditions
}

impl<C: ConnectionTrait> SearchIndex<'_, C> {
    /// Returns the newest matching objects with one row, from rows before the row `top`.
    pub(crate) async fn newest(
        &self,
        query: &Query,
        field: WordField,
        conditions: &Conditions,
        top: i64,
        most: u32,
    ) -> Result<Vec<Match>> {
        let mut matches: Vec<Match> = Vec::new();
        let mut next = Some(self.first_range(top));
        while let Some(range) = next {
            let needed = most as usize - matches.len();
            let part = self.newest_of(query, field, conditions, &range, needed).await?;
            next = range.next(part.len(), needed - part.len()).filter(|_| part.len() < needed);
            matches.extend(part);
        }
        Ok(matches)
    }

    /// Returns the first range of row numbers to query.
    fn first_range(&self, top: i64) -> IdRange {
        match self.connection.get_database_backend() {
            DbBackend::Postgres => IdRange::newest(top),
            _ => IdRange::all(top),
        }
    }

    async fn newest_of(
        &self,
        query: &Query,
        field: WordField,
        conditions: &Conditions,
        range: &IdRange,
        most: usize,
    ) -> Result<Vec<Match>> {
        let (rows, mut values) = self.matching(query, field, conditions, range);
        let backend = self.connection.get_database_backend();
        // The sum prevents PostgreSQL from scanning all rows by id and testing each of them.
        let order = match backend {
            DbBackend::Postgres => "s.id + 0",
            _ => "f.rowid",
        };
        let select = |column: &str| {
            format!(
                "SELECT s.id, s.object_id, s.kind, s.counts, {column} {rows} ORDER BY {order} DESC \
                 LIMIT {most}"
            )
        };
        if !query.has_phrases() {
            return self.rows(&select(NO_PHRASES), values).await;
        }
        // Searches only the newest rows for phrases, not all rows that are sorted.
        let column = phrase_column(backend, query, "m.word_order", &mut values);
        let sql = format!(
            "SELECT m.id, m.object_id, m.kind, m.counts, {column} FROM ({}) m",
            select("s.word_order")
        );
        let mut matches = self.rows(&sql, values).await?;
        matches.sort_unstable_by_key(|one| std::cmp::Reverse(one.row));
        Ok(matches)
    }

    /// Builds the `FROM` clause and the conditions for matching objects with one row in a range of row
    /// numbers.
    fn matching(
        &self,
        query: &Query,
        field: WordField,
        conditions: &Conditions,
        range: &IdRange,
    ) -> (String, Vec<Value>) {
        let backend = self.connection.get_database_backend();
        let mut sql = String::from(from(backend));
        let mut values: Vec<Value> =
            vec![self.account_id.into(), self.expression(query, field).into(), range.top().into()];
        match (backend, &range.names) {
            (DbBackend::Postgres, Some(names)) => {
                sql.push_str(&format!(" AND s.id + 0 < $3 AND {NAMES} && CAST($4 AS bigint[])"));
                values.push(names.as_str().into());
            }
            (DbBackend::Postgres, None) => sql.push_str(" AND s.id + 0 < $3"),
            _ => sql.push_str(" AND f.rowid < $3"),
        }
        let (more, further) = conditions.render(values.len() + 1);
        sql.push_str(&more);
        values.extend(further);
        (sql, values)
    }

    /// Builds the index expression for objects with one row. Excluded words must not occur in any field.
    fn expression(&self, query: &Query, field: WordField) -> String {
        let backend = self.connection.get_database_backend();
        let included =
            expression::of_query(backend, &[field.prefix(self.number).as_str()], query).unwrap_or_default();
        let any = WordField::Any.prefix(self.number);
        let unwanted: Vec<String> = query
            .without
            .iter()
            .filter(|term| term.phrase.is_none())
            .map(|term| expression::of_terms(backend, &any, std::slice::from_ref(term)))
            .collect();
        expression::but_not(backend, &included, &unwanted)
    }

    /// Counts the matching objects with one row before `top`, up to `most`. One match per `each` row numbers is
    /// expected.
    pub(crate) async fn count(
        &self,
        query: &Query,
        conditions: &Conditions,
        top: i64,
        each: i64,
        most: u32,
    ) -> Result<u32> {
        let mut count = 0;
        let mut next = Some(match self.connection.get_database_backend() {
            DbBackend::Postgres => IdRange::below(top, each.saturating_mul(most.into())),
            _ => IdRange::all(top),
        });
        while let Some(range) = next {
            let needed = most - count;
            let (rows, values) = self.matching(query, WordField::Any, conditions, &range);
            let sql = format!("SELECT COUNT(*) FROM (SELECT 1 AS one {rows} LIMIT {needed}) c");
            let part = kernel::statement::scalar(self.connection, &sql, values).await?;
            let part = u32::try_from(part).unwrap_or(needed).min(needed);
            next = range.next(part as usize, (needed - part) as usize).filter(|_| part < needed);
            count += part;
        }
        Ok(count)
    }

    /// Returns the objects with several rows that contain every word of the query, and a word of each group
    /// that requires one.
    pub(crate) async fn spread(&self, query: &Query, conditions: &Conditions) -> Result<Vec<Match>> {
        let backend = self.connection.get_database_backend();
        let front = WordField::Spread.prefix(self.number);
        let words = query.terms.iter().flat_map(Term::each);
        let words = words.map(|word| expression::of_terms(backend, &front, &[word]));
        let groups = query.groups.iter().filter(|group| group.requires_words());
        let groups =
            groups.map(|group| expression::any_of_terms(backend, &front, group.included_terms().into_iter()));
        let expressions: Vec<String> = words.chain(groups).collect();
        let mut common: Option<BTreeSet<ObjectId>> = None;
        for expression in expressions {
            let sql =
                format!("SELECT DISTINCT s.object_id {} LIMIT {MAX_SPLIT_OBJECTS_PER_WORD}", from(backend));
            let values = [self.account_id.into(), expression.into()];
            let rows = self.connection.query_all_raw(statement(self.connection, &sql, values)).await?;
            let mut ids = BTreeSet::new();
            for row in &rows {
                let id: ObjectId = row.try_get_by_index(0)?;
                if common.as_ref().is_none_or(|common| common.contains(&id)) {
                    ids.insert(id);
                }
            }
            if ids.is_empty() {
                return Ok(Vec::new());
            }
            common = Some(ids);
        }
        // No expression matches the words of several rows, so the rows of each object decide.
        let mut conditions = conditions.clone();
        let (account_id, number) = (self.account_id, self.number);
        let now = self.now;
        let objects = ObjectConditions { backend, account_id, number, object: "s.object_id", now };
        for group in query.groups.iter().filter(|group| group.is_of_words()) {
            let (sql, values) = objects.of_node(group);
            conditions.and(&sql, values);
        }
        let ids: Vec<ObjectId> = common.unwrap_or_default().into_iter().collect();
        self.load_counts(query, &ids, &conditions).await
    }

    /// Loads objects with several rows. Merges the counts of the rows that contain a word of the query.
    async fn load_counts(
        &self,
        query: &Query,
        ids: &[ObjectId],
        conditions: &Conditions,
    ) -> Result<Vec<Match>> {
        let backend = self.connection.get_database_backend();
        let phrases = query.without.iter().filter(|term| term.phrase.is_some());
        let counted = query.included_terms().into_iter().chain(phrases);
        let words = expression::any_of_terms(backend, &WordField::Spread.prefix(self.number), counted);
        let mut matches: Vec<Match> = Vec::new();
        for chunk in ids.chunks(500) {
            let params = kernel::statement::placeholders(3, chunk.len());
            let (more, further) = conditions.render(3 + chunk.len());
            let mut values: Vec<Value> = vec![self.account_id.into(), words.as_str().into()];
            values.extend(chunk.iter().map(|id| Value::from(*id)));
            values.extend(further);
            let column = phrase_column(backend, query, ORDER_OF_OBJECT, &mut values);
            let sql = format!(
                "SELECT s.id, s.object_id, s.kind, s.counts, {column} {} AND s.object_id IN ({params}){more} \
                 ORDER BY s.object_id, s.part",
                from(backend)
            );
            for row in self.rows(&sql, values).await? {
                match matches.last_mut().filter(|last| last.id == row.id) {
                    Some(last) => last.counts = merged(&last.counts, &row.counts),
                    None => matches.push(row),
                }
            }
        }
        Ok(matches)
    }

    async fn rows(&self, sql: &str, values: Vec<Value>) -> Result<Vec<Match>> {
        let rows = self.connection.query_all_raw(statement(self.connection, sql, values)).await?;
        let read = |row: &sea_orm::QueryResult| -> Result<Match> {
            let kind: String = row.try_get_by_index(2)?;
            let phrases: i64 = row.try_get_by_index(4)?;
            Ok(Match {
                row: row.try_get_by_index(0)?,
                id: row.try_get_by_index(1)?,
                kind: ObjectKind::parse(&kind).unwrap_or(ObjectKind::Item),
                counts: row.try_get_by_index(3)?,
                phrases: match phrases {
                    0 => PhraseResult::NoMatch,
                    1 => PhraseResult::Match,
                    _ => PhraseResult::Unknown,
                },
            })
        };
        rows.iter().map(read).collect()
    }
}

/// Merges the counts of two rows. Preserves the order by hash.
fn merged(one: &[u8], other: &[u8]) -> Vec<u8> {
    let mut entries: Vec<&[u8]> = one.chunks_exact(6).chain(other.chunks_exact(6)).collect();
    entries.sort_unstable();
    entries.concat()
}

/// Computes the score of an object with these counts, in ten-thousandths.
pub(crate) fn score(query: &Query, counts: &[u8]) -> u16 {
    rank::score(query, |word| counts_of(counts, word))
}

pub(crate) fn item_of(id: ObjectId) -> ItemId {
    ItemId::from(id.as_uuid())
}
