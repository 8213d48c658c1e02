//! Rows of the search index: the words of each object, and the number of occurrences of a word in each field.
//!
//! Words are prefixed with the number of their library, so the cost of a search depends only on the searched
//! library. An object has one row. If its words exceed the size of a row, it has several rows, and its words
//! have a different prefix. The first row also contains the hashes of all words in text order, four bytes
//! each, in which phrases are searched.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use entities::ids::ObjectId;
use entities::library_search;
use entities::library_words::ObjectKind;
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, Value};

use crate::transaction::LibraryTransaction;
use kernel::Result;
use kernel::search::rank::Counts;
use kernel::search::words::{self, TextWords};
use kernel::statement::{execute, placeholders, statement};

/// Maximum size of the words of one row, in bytes.
const ROW_BYTES: usize = 60 * 1024;
const ROWS_PER_STATEMENT: usize = 200;
/// Maximum estimated work that is done on the thread of the caller, in bytes.
const INLINE_BYTES: usize = 16 * 1024;
/// Estimated work for a word that is already counted, in bytes.
const COUNTED_WORD_BYTES: usize = 8;
/// Size of a word's entry in `counts`, in bytes.
const COUNT_BYTES: usize = 6;

/// Text of an object that is to be indexed.
#[derive(Clone, Debug)]
pub(crate) enum IndexedText {
    Text(String),
    /// Text whose words were counted before the transaction.
    Counted(Arc<TextWords>),
}

/// Content of an object that is to be indexed.
#[derive(Clone, Debug)]
pub(crate) struct IndexedObject {
    pub id: ObjectId,
    pub kind: ObjectKind,
    pub title: String,
    pub tags: Vec<String>,
    /// Author and domain, each on its own line.
    pub names: String,
    pub text: IndexedText,
}

impl IndexedObject {
    /// Returns the estimated work of indexing the object, in bytes.
    fn work(&self) -> usize {
        let text = match &self.text {
            IndexedText::Text(text) => text.len(),
            IndexedText::Counted(words) => words.counts.len().saturating_mul(COUNTED_WORD_BYTES),
        };
        let tags: usize = self.tags.iter().map(String::len).sum();
        self.title.len() + tags + self.names.len() + text
    }
}

/// Group of index words to which a search refers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordField {
    /// Words of objects with one row.
    Any,
    /// Words of titles and tags, for objects with one row.
    Head,
    /// Words of objects with several rows.
    Spread,
}

impl WordField {
    /// Returns the prefix of a library's words in the index.
    pub(crate) fn prefix(self, number: i64) -> String {
        format!("{number}{}", self.separator())
    }

    fn separator(self) -> char {
        match self {
            Self::Any => ':',
            Self::Head => '=',
            Self::Spread => '+',
        }
    }
}

/// Index row that is to be written.
pub(crate) struct IndexEntry {
    pub object_id: ObjectId,
    pub kind: ObjectKind,
    pub part: i32,
    pub counts: Vec<u8>,
    /// Hashes of the object's words in text order. Empty in all rows of the object except the first.
    pub word_order: Vec<u8>,
    words: Vec<String>,
}

impl IndexEntry {
    /// Returns the words as the text of a `tsvector`.
    pub(crate) fn tsvector(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|word| format!("'{word}'")).collect();
        words.join(" ")
    }
}

/// Writes objects into the index and replaces their previous rows.
pub(crate) async fn write(transaction: &LibraryTransaction, objects: Vec<IndexedObject>) -> Result<()> {
    if objects.is_empty() {
        return Ok(());
    }
    store(transaction, compute(transaction.number, objects).await?).await
}

/// Index rows of objects, and the words for spelling corrections.
pub(crate) struct IndexedRows {
    pub rows: Vec<IndexEntry>,
    dictionary: Vec<String>,
}

/// Computes the index rows of objects in the library with this number. Uses a blocking thread, except for small
/// objects: most callers have an open transaction, and on a busy machine another thread starts late.
pub(crate) async fn compute(number: i64, objects: Vec<IndexedObject>) -> Result<IndexedRows> {
    let is_small = objects.iter().map(IndexedObject::work).sum::<usize>() <= INLINE_BYTES;
    let work = move || {
        let mut dictionary: BTreeSet<String> = BTreeSet::new();
        let mut rows = Vec::new();
        for object in &objects {
            let words = count(object);
            dictionary.extend(words.counts.keys().filter(|word| is_dictionary(word)).cloned());
            rows.extend(rows_of(number, object, words));
        }
        IndexedRows { rows, dictionary: dictionary.into_iter().collect() }
    };
    if is_small {
        return Ok(work());
    }
    tokio::task::spawn_blocking(work).await.map_err(kernel::error::Error::internal)
}

/// Writes computed rows. They replace the previous rows of their objects.
pub(crate) async fn store(transaction: &LibraryTransaction, indexed: IndexedRows) -> Result<()> {
    let IndexedRows { rows, dictionary } = indexed;
    for chunk in rows.chunks(ROWS_PER_STATEMENT) {
        write_rows(transaction, chunk).await?;
    }
    drop_further_parts(transaction, &rows).await?;
    learn(transaction, &dictionary).await
}

/// Deletes the index rows of objects.
pub(crate) async fn remove(transaction: &LibraryTransaction, ids: &[ObjectId]) -> Result<()> {
    for chunk in ids.chunks(1_000) {
        library_search::Entity::delete_many()
            .filter(library_search::Column::AccountId.eq(transaction.account_id))
            .filter(library_search::Column::ObjectId.is_in(chunk.to_vec()))
            .exec(transaction.db())
            .await?;
    }
    Ok(())
}

/// Counted words of an object, and their hashes in text order.
struct ObjectWords {
    counts: BTreeMap<String, Counts>,
    order: Vec<u8>,
}

fn count(object: &IndexedObject) -> ObjectWords {
    let mut counted: BTreeMap<String, Counts> = BTreeMap::new();
    let mut order = Vec::new();
    let mut add = |text: &str, field: fn(&mut Counts) -> &mut u16| {
        for word in words::of_text(text) {
            let count = field(counted.entry(word).or_default());
            *count = count.saturating_add(1);
        }
        add_lines(&mut order, text);
    };
    add(&object.title, |counts| &mut counts.title);
    for tag in &object.tags {
        add(tag, |counts| &mut counts.tags);
    }
    add(&object.names, |counts| &mut counts.names);
    let of_text = match &object.text {
        IndexedText::Text(text) => Arc::new(TextWords::of(text)),
        IndexedText::Counted(words) => Arc::clone(words),
    };
    for (word, count) in &of_text.counts {
        counted.entry(word.clone()).or_default().text = *count;
    }
    match &object.text {
        // A phrase does not span several lines of a note or highlight, or several fields of a head.
        IndexedText::Text(text) if object.kind != ObjectKind::Item => add_lines(&mut order, text),
        IndexedText::Text(_) | IndexedText::Counted(_) => order.extend(&of_text.order),
    }
    ObjectWords { counts: counted, order }
}

/// Adds the words of each line, followed by a hash that no phrase contains.
fn add_lines(order: &mut Vec<u8>, text: &str) {
    for line in text.lines() {
        order.extend(words::order(&words::line(line)));
        order.extend(words::hash("").to_be_bytes());
    }
}

fn rows_of(number: i64, object: &IndexedObject, words: ObjectWords) -> Vec<IndexEntry> {
    let ObjectWords { counts: counted, mut order } = words;
    let size: usize = counted.keys().map(|word| word.len() + 12).sum();
    let is_spread = size > ROW_BYTES;
    let mut parts: Vec<Vec<(&String, &Counts)>> = vec![Vec::new()];
    let mut capacity = ROW_BYTES;
    for (word, counts) in &counted {
        let needed = word.len() + 12;
        if needed > capacity {
            parts.push(Vec::new());
            capacity = ROW_BYTES;
        }
        capacity -= needed;
        if let Some(part) = parts.last_mut() {
            part.push((word, counts));
        }
    }
    let prefix = if is_spread { WordField::Spread } else { WordField::Any }.prefix(number);
    let head_front = WordField::Head.prefix(number);
    let row = |(part, entries): (i32, Vec<(&String, &Counts)>)| {
        let mut all: Vec<(u32, u16)> =
            entries.iter().map(|(word, counts)| (words::hash(word), counts.pack())).collect();
        all.sort_unstable();
        let counts =
            all.iter().flat_map(|(hash, bits)| hash.to_be_bytes().into_iter().chain(bits.to_be_bytes()));
        let mut words: Vec<String> = entries.iter().map(|(word, _)| format!("{prefix}{word}")).collect();
        let head = entries.iter().filter(|(_, counts)| counts.is_head() && !is_spread);
        words.extend(head.map(|(word, _)| format!("{head_front}{word}")));
        IndexEntry {
            object_id: object.id,
            kind: object.kind,
            part,
            counts: counts.collect(),
            word_order: std::mem::take(&mut order),
            words,
        }
    };
    (0_i32..).zip(parts).map(row).collect()
}

/// Looks up the counts of `word` in the packed counts of an object.
pub(crate) fn counts_of(counts: &[u8], word: &str) -> Counts {
    let target = words::hash(word).to_be_bytes();
    let (mut low, mut high) = (0, counts.len() / COUNT_BYTES);
    while low < high {
        let middle = low.midpoint(high);
        let entry = &counts[middle * COUNT_BYTES..(middle + 1) * COUNT_BYTES];
        match entry[..4].cmp(target.as_slice()) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => {
                return Counts::unpack(u16::from_be_bytes([entry[4], entry[5]]));
            }
        }
    }
    Counts::default()
}

/// Index row, for tests and benchmarks that fill a library directly.
#[cfg(feature = "testing")]
#[derive(Clone, Debug)]
pub struct IndexRow {
    /// Index of the row among the rows of its object, from 0.
    pub part: i32,
    /// Packed counts of its words.
    pub counts: Vec<u8>,
    /// Hashes of the object's words in text order.
    pub word_order: Vec<u8>,
    /// Words in the form stored in the index.
    pub words: Vec<String>,
}

/// Computes the index rows of an object in the library with this number.
#[cfg(feature = "testing")]
pub(crate) fn index_rows(number: i64, object: &IndexedObject) -> Vec<IndexRow> {
    let row =
        |IndexEntry { part, counts, word_order, words, .. }| IndexRow { part, counts, word_order, words };
    rows_of(number, object, count(object)).into_iter().map(row).collect()
}

async fn write_rows(transaction: &LibraryTransaction, rows: &[IndexEntry]) -> Result<()> {
    let is_postgres = transaction.db().get_database_backend() == DbBackend::Postgres;
    let mut values: Vec<Value> = vec![transaction.account_id.into()];
    let mut tuples = Vec::with_capacity(rows.len());
    for row in rows {
        let at = values.len() + 1;
        values.extend([
            row.object_id.into(),
            row.kind.as_str().into(),
            row.part.into(),
            row.counts.clone().into(),
            row.word_order.clone().into(),
        ]);
        let own = placeholders(at, 5);
        if is_postgres {
            tuples.push(format!("($1, {own}, CAST(${} AS tsvector))", at + 5));
            values.push(row.tsvector().into());
        } else {
            tuples.push(format!("($1, {own})"));
        }
    }
    let (column, update) = if is_postgres { (", words", ", words = excluded.words") } else { ("", "") };
    let sql = format!(
        "INSERT INTO library_search (account_id, object_id, kind, part, counts, word_order{column}) \
         VALUES {} ON CONFLICT (account_id, object_id, part) DO UPDATE SET counts = excluded.counts, \
         word_order = excluded.word_order{update} \
         RETURNING id, object_id, part",
        tuples.join(", ")
    );
    let written = transaction.db().query_all_raw(statement(transaction.db(), &sql, values)).await?;
    if is_postgres {
        return Ok(());
    }
    let mut values: Vec<Value> = Vec::new();
    let mut tuples = Vec::new();
    for line in written {
        let (id, object_id, part): (i64, ObjectId, i32) =
            (line.try_get_by_index(0)?, line.try_get_by_index(1)?, line.try_get_by_index(2)?);
        let Some(row) = rows.iter().find(|row| row.object_id == object_id && row.part == part) else {
            continue;
        };
        tuples.push(format!("(${}, ${})", values.len() + 1, values.len() + 2));
        values.extend([id.into(), row.words.join(" ").into()]);
    }
    let sql = format!("INSERT OR REPLACE INTO library_found (rowid, words) VALUES {}", tuples.join(", "));
    execute(transaction.db(), &sql, values).await?;
    Ok(())
}

/// Deletes the surplus rows of objects that now have fewer rows.
async fn drop_further_parts(transaction: &LibraryTransaction, rows: &[IndexEntry]) -> Result<()> {
    let last = |row: &&IndexEntry| {
        !rows.iter().any(|other| other.object_id == row.object_id && other.part > row.part)
    };
    let mut by_part: BTreeMap<i32, Vec<ObjectId>> = BTreeMap::new();
    if rows.iter().all(|row| row.part == 0) {
        by_part.insert(0, rows.iter().map(|row| row.object_id).collect());
    } else {
        for row in rows.iter().filter(last) {
            by_part.entry(row.part).or_default().push(row.object_id);
        }
    }
    for (part, ids) in by_part {
        for chunk in ids.chunks(1_000) {
            library_search::Entity::delete_many()
                .filter(library_search::Column::AccountId.eq(transaction.account_id))
                .filter(library_search::Column::ObjectId.is_in(chunk.to_vec()))
                .filter(library_search::Column::Part.gt(part))
                .exec(transaction.db())
                .await?;
        }
    }
    Ok(())
}

/// Returns true if a word can be a spelling correction.
fn is_dictionary(word: &str) -> bool {
    let letters = word.chars().count();
    (4..=24).contains(&letters) && word.chars().all(char::is_alphabetic)
}

async fn learn(transaction: &LibraryTransaction, known: &[String]) -> Result<()> {
    // All words are passed as one JSON value, so that the statement is always the same and is prepared only
    // once.
    let each = match transaction.db().get_database_backend() {
        DbBackend::Postgres => "json_array_elements_text(CAST($2 AS json)) AS known (value)",
        _ => "json_each($2) AS known",
    };
    let sql = format!(
        "INSERT INTO library_word (account_id, word) SELECT $1, known.value FROM {each} WHERE TRUE \
         ON CONFLICT DO NOTHING"
    );
    for chunk in known.chunks(5_000) {
        let words = serde_json::to_string(chunk).map_err(kernel::error::Error::internal)?;
        execute(transaction.db(), &sql, [transaction.account_id.into(), words.into()]).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> IndexedObject {
        IndexedObject {
            id: ObjectId::from_u128(1),
            kind: ObjectKind::Item,
            title: "Quiet desks".into(),
            tags: vec!["quiet".into()],
            names: "Ada example.org".into(),
            text: IndexedText::Text(text.into()),
        }
    }

    #[test]
    fn row_counts_each_word_per_field() {
        let object = object("A desk is quiet, quiet, quiet.");
        let rows = rows_of(7, &object, count(&object));
        assert_eq!(rows.len(), 1);
        assert_eq!(counts_of(&rows[0].counts, "quiet"), Counts { title: 1, tags: 1, names: 0, text: 3 });
        assert_eq!(counts_of(&rows[0].counts, "ada"), Counts { names: 1, ..Counts::default() });
        assert_eq!(counts_of(&rows[0].counts, "loud"), Counts::default());
        assert!(
            rows[0].words.contains(&"7:desk".to_owned()) && rows[0].words.contains(&"7=desks".to_owned())
        );
        assert!(!rows[0].words.contains(&"7=desk".to_owned()));
    }

    #[test]
    fn object_with_many_words_has_several_rows() {
        let words: Vec<String> = (0..20_000).map(|n| format!("word{n}")).collect();
        let text = words.join(" ");
        let object = object(&text);
        let rows = rows_of(7, &object, count(&object));
        assert_eq!(rows[0].word_order.len(), 4 * (20_000 + 9));
        assert!(rows[1..].iter().all(|row| row.word_order.is_empty()));
        assert!(rows.len() > 3, "{}", rows.len());
        assert!(rows.iter().all(|row| row.words.iter().map(String::len).sum::<usize>() <= ROW_BYTES));
        assert!(rows.iter().flat_map(|row| &row.words).all(|word| word.starts_with("7+")));
    }
}
