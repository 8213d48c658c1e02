//! Fills libraries of any size with bulk inserts, instead of saving each item.

use articles::Payer;
use entities::ids::ObjectId;
use entities::library_words::{
    ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, ItemFormat, Lane, ReviewFrequency,
};
use entities::{library_change, library_item, library_tag, library_tagged};
use jobs::Progress;
use kernel::tiers::Tier;
use kernel::{AccountId, Backend, ItemId};
use library::{Item, ItemStatus, LibraryTransaction, ObjectKind, Save, index_rows, save};
use sea_orm::{ConnectionTrait, Statement, Value};
use uuid::Uuid;

use crate::bulk_insert;
use crate::environment::Environment;
use crate::words::{Random, VOCABULARY, Words};

/// Number of items per bulk insert.
const BATCH_SIZE: u32 = 5_000;
/// One in `TEXTS` items has a text, and one in `BOOKS` items has a text as long as a book.
const TEXTS: u32 = 5;
const BOOKS: u32 = 50_000;
/// Number of words in a text, and in a book.
const TEXT_WORDS: usize = 150;
const BOOK_WORDS: usize = 60_000;
/// Number of different texts.
const DIFFERENT: u32 = 64;
/// Number of different tags.
pub(crate) const TAGS: usize = 300;
/// Save time of the first item.
const FIRST: i64 = 1_700_000_000_000;

pub(crate) struct Library {
    pub account_id: AccountId,
    pub words: Words,
    count: u32,
    /// Number of items per tag.
    pub tags: Vec<u32>,
}

impl Library {
    /// Returns the number of items in the library.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }
}

/// Creates a library of `count` items.
pub(crate) async fn library(environment: &Environment, count: u32) -> Library {
    let domain = &environment.domain;
    let account_id = kernel::testing::person(domain, Tier::Pro).await;
    let number = {
        let transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
        let number = transaction.number;
        transaction.commit().await.unwrap();
        number
    };
    let mut library = Library { account_id, words: Words::new(), count, tags: vec![0; TAGS] };
    let mut random = Random::new(u64::from(count));
    let others = texts(environment, &library.words, &mut Random::new(1)).await;
    let is_large = count > 100_000 && environment.backend == Backend::Postgres;
    if is_large {
        environment.execute("DROP INDEX library_search_stretches").await;
    }
    let mut at = 0;
    while at < count {
        let until = (at + BATCH_SIZE).min(count);
        insert_batch(environment, &mut library, &mut random, (number, at, until)).await;
        at = until;
    }
    if is_large {
        environment
            .execute(
                "SET maintenance_work_mem = '512MB'; CREATE INDEX library_search_stretches ON library_search \
                 USING gin ((ARRAY[id / 16384, -1 - id / 262144]), words)",
            )
            .await;
    }
    words_and_state(environment, &library, number, count).await;
    let copy = format!(
        "INSERT INTO library_text (account_id, item_id, document, text_bytes, origin, cached_at) \
         SELECT i.account_id, i.id, t.document, t.text_bytes, t.origin, t.cached_at FROM library_item i \
         JOIN library_item k ON k.account_id = {} AND k.sequence = {} + i.sequence % {DIFFERENT} \
         JOIN library_text t ON t.account_id = k.account_id AND t.item_id = k.id \
         WHERE i.account_id = {} AND i.content_hash IS NOT NULL",
        quoted(environment.backend, others.0),
        others.1,
        quoted(environment.backend, account_id)
    );
    environment.execute(&copy).await;
    environment.settle().await;
    library
}

/// Opens the library of `count` items that an earlier run created.
pub(crate) async fn reopen(environment: &Environment, count: u32) -> Library {
    let owner = AccountId::from(Uuid::nil());
    let mut library = Library { account_id: owner, words: Words::new(), count, tags: vec![0; TAGS] };
    let mut random = Random::new(u64::from(count));
    for n in 0..count {
        item(&mut library, &mut random, n);
    }
    let sql = format!("SELECT account_id FROM library_account WHERE reserved_bytes = {count}");
    let connection = environment.domain.db().write();
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    library.account_id =
        connection.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap();
    library
}

fn quoted(backend: Backend, id: AccountId) -> String {
    match backend {
        Backend::Postgres => format!("'{}'", id.as_uuid()),
        Backend::Sqlite => format!("x'{}'", id.as_uuid().simple()),
    }
}

/// Saves a few texts for another account, with consecutive values of `sequence`. Returns that account and the
/// first sequence number.
async fn texts(environment: &Environment, words: &Words, random: &mut Random) -> (AccountId, i64) {
    let domain = &environment.domain;
    let account_id = kernel::testing::person(domain, Tier::Pro).await;
    let payer = Payer { account_id, tier: Tier::Pro };
    for _ in 0..DIFFERENT {
        let content = Some(words.text(random, TEXT_WORDS, &mut Vec::new()));
        let new = Save { content, mime_type: Some("text/plain".into()), ..Save::default() };
        let Progress::Done(_) = save(domain, &environment.sandbox, payer, new).await.unwrap() else {
            panic!("saving submitted content must not wait")
        };
    }
    let id = quoted(environment.backend, account_id);
    let from = format!(
        "UPDATE library_item SET sequence = (SELECT COUNT(*) FROM library_item k WHERE k.account_id = {id} \
         AND k.id < library_item.id) WHERE account_id = {id}"
    );
    environment.execute(&from).await;
    (account_id, 0)
}

async fn words_and_state(environment: &Environment, library: &Library, number: i64, count: u32) {
    let account: Value = library.account_id.into();
    let reopen = (0..VOCABULARY).filter(|rank| library.words.items[*rank] > 0);
    let rows = reopen.map(|rank| vec![account.clone(), library.words.name(rank).into()]).collect();
    bulk_insert::write(&environment.domain, "library_word", &["account_id", "word"], rows).await;
    let tags: Vec<library_tag::Model> = (0..TAGS)
        .map(|tag| library_tag::Model {
            account_id: library.account_id,
            tag_key: library.words.name(tag).to_owned(),
            name: library.words.name(tag).to_owned(),
        })
        .collect();
    bulk_insert::models(&environment.domain, "library_tag", &tags).await;
    let state = format!(
        "UPDATE library_account SET last_sequence = {count}, reserved_bytes = {count}, last_updated_at = {} WHERE number = {number}",
        FIRST + i64::from(count) * 1000
    );
    environment.execute(&state).await;
}

/// Rows of one bulk insert.
#[derive(Default)]
struct InsertBatch {
    items: Vec<library_item::Model>,
    tagged: Vec<library_tagged::Model>,
    changes: Vec<library_change::Model>,
    search: Vec<Vec<Value>>,
    search_words: Vec<String>,
}

async fn insert_batch(
    environment: &Environment,
    library: &mut Library,
    random: &mut Random,
    (number, from, until): (i64, u32, u32),
) {
    let domain = &environment.domain;
    let mut rows = InsertBatch::default();
    let is_postgres = environment.backend == Backend::Postgres;
    for n in from..until {
        let (item, text) = item(library, random, n);
        let object_id = ObjectId::from(item.id.as_uuid());
        for part in index_rows(number, &item, text) {
            let mut row: Vec<Value> = vec![
                library.account_id.into(),
                object_id.into(),
                ObjectKind::Item.as_str().into(),
                part.part.into(),
                part.counts.into(),
                part.word_order.into(),
            ];
            if is_postgres {
                let words: Vec<String> = part.words.iter().map(|word| format!("'{word}'")).collect();
                row.push(words.join(" ").into());
            }
            rows.search.push(row);
            rows.search_words.push(part.words.join(" "));
        }
        rows.tagged.extend(item.tags.iter().map(|tag| library_tagged::Model {
            account_id: library.account_id,
            object_id,
            tag_key: tag.clone(),
            kind: ObjectKind::Item,
            position: 0,
            saved_at: item.saved_at,
        }));
        rows.changes.push(library_change::Model {
            account_id: library.account_id,
            object_id,
            kind: ObjectKind::Item,
            sequence: item.sequence,
            updated_at: item.updated_at,
            is_deleted: false,
        });
        rows.items.push(item.row);
    }
    bulk_insert::models(domain, "library_item", &rows.items).await;
    bulk_insert::models(domain, "library_tagged", &rows.tagged).await;
    bulk_insert::models(domain, "library_change", &rows.changes).await;
    let mut columns = vec!["account_id", "object_id", "kind", "part", "counts", "word_order"];
    if is_postgres {
        columns.push("words");
        bulk_insert::write(domain, "library_search", &columns, rows.search).await;
        return;
    }
    let before = max_search_id(environment).await;
    bulk_insert::write(domain, "library_search", &columns, rows.search).await;
    let search_words = (before + 1..)
        .zip(rows.search_words)
        .map(|(id, words)| vec![Value::from(id), words.into()])
        .collect();
    bulk_insert::write(domain, "library_found", &["rowid", "words"], search_words).await;
}

async fn max_search_id(environment: &Environment) -> i64 {
    let connection = environment.domain.db().write();
    let sql = "SELECT COALESCE(MAX(id), 0) FROM library_search".to_owned();
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    connection.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

/// Generates item number `n` and its text.
fn item(library: &mut Library, random: &mut Random, n: u32) -> (Item, String) {
    let mut ranks = Vec::new();
    let title = library.words.text(random, 7, &mut ranks);
    let author = library.words.text(random, 2, &mut ranks);
    let has_text = n.is_multiple_of(TEXTS);
    let length = if n % BOOKS == BOOKS - 1 { BOOK_WORDS } else { TEXT_WORDS };
    let text = if has_text || length == BOOK_WORDS {
        library.words.text(random, length, &mut ranks)
    } else {
        String::new()
    };
    let tags: Vec<usize> = (0..n % 3).map(|_| library.words.sample(random) % TAGS).collect();
    ranks.extend(&tags);
    ranks.sort_unstable();
    ranks.dedup();
    for rank in ranks {
        library.words.items[rank] += 1;
    }
    let mut names: Vec<String> = Vec::new();
    for tag in tags {
        let name = library.words.name(tag).to_owned();
        if !names.contains(&name) {
            library.tags[tag] += 1;
            names.push(name);
        }
    }
    let saved_at = FIRST + i64::from(n) * 1000;
    let id = u128::from(saved_at.unsigned_abs()) << 80 | 7 << 76 | 2 << 62 | u128::from(random.next() >> 4);
    let host = random.below(5_000);
    let row = library_item::Model {
        id: ItemId::from(Uuid::from_u128(id)),
        account_id: library.account_id,
        sequence: i64::from(n) + 1,
        url: format!("https://site{host}.example.org/{n}"),
        domain: format!("site{host}.example.org"),
        title,
        author: Some(author),
        content_kind: if n.is_multiple_of(10) { ContentKind::Book } else { ContentKind::Article },
        status: if n.is_multiple_of(100) { ItemStatus::Later } else { ItemStatus::Inbox },
        saved_at,
        updated_at: saved_at,
        last_read_at: n.is_multiple_of(3).then_some(saved_at + 500),
        content_hash: has_text.then(|| format!("{n:016x}")),
        ..template_row()
    };
    (Item { row, tags: names }, text)
}

/// Returns a row with the column values that all items have in common.
fn template_row() -> library_item::Model {
    library_item::Model {
        id: ItemId::from(Uuid::nil()),
        account_id: AccountId::from(Uuid::nil()),
        sequence: 0,
        url: String::new(),
        original_url: None,
        domain: String::new(),
        title: String::new(),
        title_rank: 2,
        author: None,
        author_rank: 2,
        published_at: None,
        published_rank: 0,
        content_kind: ContentKind::Article,
        kind_method: ClassificationMethod::Legacy,
        kind_confidence: 50,
        kind_at: FIRST,
        capture_method: CaptureMethod::Import,
        format: ItemFormat::Html,
        mime_type: None,
        file_name: None,
        external_id: None,
        metadata: None,
        status: ItemStatus::Inbox,
        saved_at: FIRST,
        updated_at: FIRST,
        last_read_at: None,
        finished_at: None,
        read_progress: None,
        article_status: ArticleStatus::Ready,
        article_error: None,
        quality_status: None,
        extraction_source: None,
        content_hash: None,
        duplicate_of: None,
        asset_blob: None,
        asset_name: None,
        asset_mime: None,
        asset_size: None,
        asset_checksum: None,
        asset_at: None,
        stored_bytes: 1024,
        lane: Lane::Import,
        next_try_at: None,
        tries: 0,
        ask: 0,
        ask_from: None,
        render: None,
        failed_at: None,
        refreshed_at: None,
        import_mark: None,
        review_frequency: ReviewFrequency::Normal,
    }
}
