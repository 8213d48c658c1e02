//! A fresh database per test, on SQLite (a file in a temporary folder) or PostgreSQL (a database on the
//! server that `bin/test` starts), with a fixed clock and seeded ids.

pub mod smtp;

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, OnceLock, mpsc};

use entities::account;
use entities::ids::AccountId;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait};

use tokio::sync::OnceCell;

use crate::clock::{Clock, FixedClock, Millis, SystemClock};
use crate::db::{Backend, Database, DatabaseSettings};
use crate::handle::Domain;
use crate::ids::{Ids, RandomIds, SeededIds};
use crate::tiers::Tier;

/// Message for a test whose server is not running.
pub const RUN_BIN_TEST: &str = "run bin/test";
/// Start of the test clock: 2026-11-20T12:00:00Z.
pub const START: i64 = 1_795_176_000_000;

/// Ports below those that the system chooses for sockets.
const FREE_PORTS: std::ops::Range<u16> = 10_100..20_000;

/// Returns a port of 127.0.0.1 on which nothing listens. Other tests neither get it from this function nor from the
/// system, so that it is still free when a server starts late or again.
///
/// # Panics
/// If no port is free.
#[must_use]
pub fn free_port() -> u16 {
    static CALLS: AtomicU16 = AtomicU16::new(0);
    let count = usize::from(FREE_PORTS.end - FREE_PORTS.start);
    // Test programs that run at the same time begin at different ports.
    let first = usize::try_from(std::process::id()).unwrap_or_default().wrapping_mul(577);
    let mut ports = (0..count).filter_map(|_| {
        let call = usize::from(CALLS.fetch_add(1, Ordering::Relaxed));
        FREE_PORTS.clone().nth(first.wrapping_add(call) % count)
    });
    let is_free = |port: &u16| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok();
    ports.find(is_free).expect("a port is free")
}

/// The database of one test, with a handle.
#[derive(Debug)]
pub struct TestDatabase {
    /// Handle with the clock below and seeded ids.
    pub domain: Domain,
    /// The handle's clock.
    pub clock: Arc<FixedClock>,
    /// Database URL, for a second process.
    pub url: String,
    _storage: Storage,
}

/// Storage of a test database, which is deleted after the test.
#[derive(Debug)]
enum Storage {
    Folder { _folder: tempfile::TempDir },
    Server { _database: ServerDatabase },
}

/// Database on the server. It is dropped after its test, because the files of a thousand databases fill the disk and
/// are deleted slowly.
#[derive(Debug)]
struct ServerDatabase(String);

impl Drop for ServerDatabase {
    fn drop(&mut self) {
        static DROPPED: OnceLock<mpsc::Sender<String>> = OnceLock::new();
        if artifact_folder().is_none() {
            DROPPED.get_or_init(drop_databases).send(std::mem::take(&mut self.0)).ok();
        }
    }
}

/// Starts the thread that drops the databases of tests that have ended. The databases of the last tests are deleted
/// with the server.
fn drop_databases() -> mpsc::Sender<String> {
    let (sender, names) = mpsc::channel::<String>();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let Ok(server) = sea_orm::Database::connect(postgres_url()).await else { return };
            for name in names {
                let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
                server.execute_unprepared(&drop).await.ok();
            }
        });
    });
    sender
}

impl TestDatabase {
    /// Creates a migrated database on `backend`. Panics if that fails.
    pub async fn create(backend: Backend) -> Self {
        match backend {
            Backend::Sqlite => Self::on_sqlite(SQLITE_TEMPLATE.get_or_init(sqlite_template).await).await,
            Backend::Postgres => Self::on_postgres().await,
        }
    }

    /// Creates a database with other content and its schema: the bytes of a SQLite file, or SQL of `pg_dump`
    /// (with `INSERT`).
    ///
    /// # Panics
    /// If the database cannot be created.
    pub async fn restore(backend: Backend, content: &[u8]) -> Self {
        if backend == Backend::Sqlite {
            return Self::on_sqlite(content).await;
        }
        let name = random_name("test");
        create_postgres(&name).await;
        let url = postgres_url_of(&name);
        // The dump changes the settings of its session.
        let connection = sea_orm::Database::connect(&url).await.expect(RUN_BIN_TEST);
        let sql = std::str::from_utf8(content).expect("the dump is UTF-8");
        connection.execute_unprepared(sql).await.expect("restore the dump");
        connection.close().await.expect("close the connection");
        Self::open(url, Storage::Server { _database: ServerDatabase(name) }).await
    }

    /// Creates one database per engine, for tests that must pass on both.
    pub async fn each() -> [Self; 2] {
        [Self::create(Backend::Sqlite).await, Self::create(Backend::Postgres).await]
    }

    async fn on_sqlite(content: &[u8]) -> Self {
        let mut folder = match artifact_folder() {
            Some(parent) => tempfile::tempdir_in(parent).expect("create a folder to retain"),
            None => tempfile::tempdir().expect("create a temporary folder"),
        };
        folder.disable_cleanup(artifact_folder().is_some());
        std::fs::write(folder.path().join("test.db"), content).expect("write the test database");
        let url = format!("sqlite://{}/test.db?mode=rwc", folder.path().display());
        Self::open(url, Storage::Folder { _folder: folder }).await
    }

    async fn on_postgres() -> Self {
        let template = POSTGRES_TEMPLATE.get_or_init(postgres_template).await;
        let name = random_name("test");
        create_postgres(&format!("{name} TEMPLATE {template}")).await;
        Self::open(postgres_url_of(&name), Storage::Server { _database: ServerDatabase(name) }).await
    }

    async fn open(url: String, storage: Storage) -> Self {
        let database = Database::connect(&url, &settings()).await.expect("open the test database");
        let clock = Arc::new(FixedClock::at(START));
        let domain = Domain::with(database, clock.clone(), Arc::new(SeededIds::new(1)));
        Self { domain, clock, url, _storage: storage }
    }

    /// Creates another handle to the same database with its own connections, like a second process.
    ///
    /// # Panics
    /// If the database cannot be opened.
    pub async fn second_handle(&self) -> Domain {
        self.handle_with(&settings()).await
    }

    /// Same as [`second_handle`](Self::second_handle), with other settings.
    ///
    /// # Panics
    /// If the database cannot be opened.
    pub async fn handle_with(&self, settings: &DatabaseSettings) -> Domain {
        let database = Database::connect(&self.url, settings).await.expect("open the test database again");
        Domain::with(database, self.clock.clone(), Arc::new(SeededIds::new(2)))
    }

    /// Creates another handle in real time, as on a machine whose clock is this many milliseconds ahead.
    ///
    /// # Panics
    /// If the database cannot be opened.
    pub async fn handle_ahead(&self, ahead: Millis) -> Domain {
        let database = Database::connect(&self.url, &settings()).await.expect("open the test database again");
        Domain::with(database, Arc::new(SkewedClock(ahead)), Arc::new(RandomIds))
    }
}

/// Clock of a machine that is this many milliseconds ahead.
struct SkewedClock(Millis);

impl Clock for SkewedClock {
    fn now(&self) -> Millis {
        SystemClock.now() + self.0
    }
}

/// Settings of test databases: few connections each, because many databases share a server.
fn settings() -> DatabaseSettings {
    DatabaseSettings { max_connections: 8, ..DatabaseSettings::default() }
}

/// Bytes of a migrated SQLite database. Created on first use and copied for each test.
static SQLITE_TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();
/// Name of a migrated PostgreSQL database. Created on first use and copied for each test.
static POSTGRES_TEMPLATE: OnceCell<String> = OnceCell::const_new();

async fn sqlite_template() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("create a temporary folder");
    let url = format!("sqlite://{}/template.db?mode=rwc", folder.path().display());
    let database = Database::connect(&url, &settings()).await.expect("open the template");
    migrations::run(database.write()).await.expect("run the migrations");
    let copy = folder.path().join("copy.db");
    let vacuum = format!("VACUUM INTO '{}'", copy.display());
    database.write().execute_unprepared(&vacuum).await.expect("copy the template");
    std::fs::read(copy).expect("read the template")
}

async fn postgres_template() -> String {
    let name = random_name("template");
    create_postgres(&name).await;
    let connection = sea_orm::Database::connect(&postgres_url_of(&name)).await.expect(RUN_BIN_TEST);
    migrations::run(&connection).await.expect("run the migrations");
    connection.close().await.expect("close the connection");
    name
}

async fn create_postgres(name_and_options: &str) {
    let admin = sea_orm::Database::connect(&postgres_url()).await.expect(RUN_BIN_TEST);
    let create = format!("CREATE DATABASE {name_and_options}");
    admin.execute_unprepared(&create).await.expect("create a database");
    admin.close().await.expect("close the connection");
}

fn random_name(prefix: &str) -> String {
    let mut random = [0_u8; 8];
    RandomIds.fill(&mut random);
    format!("{prefix}_{:016x}", u64::from_le_bytes(random))
}

/// The URL of a database on the test server.
fn postgres_url_of(name: &str) -> String {
    let server = postgres_url();
    let (address, query) =
        server.split_once('?').map_or((server.as_str(), ""), |(left, right)| (left, right));
    let (base, _) = address.rsplit_once('/').expect("CARREL_TEST_POSTGRES_URL names a database");
    if query.is_empty() { format!("{base}/{name}") } else { format!("{base}/{name}?{query}") }
}

/// Tests for both engines: each line names a function that takes a `Backend`, its test on SQLite, and its
/// test on PostgreSQL.
#[macro_export]
macro_rules! on_both {
    ($($name:ident,)+) => {
        $(
            mod $name {
                #[tokio::test]
                async fn on_sqlite() {
                    super::$name($crate::Backend::Sqlite).await;
                }

                #[tokio::test]
                async fn on_postgres() {
                    super::$name($crate::Backend::Postgres).await;
                }
            }
        )+
    };
}
pub use crate::on_both;

/// Creates an account on `tier` that no person can sign in to. Returns its id.
///
/// # Panics
/// If the account cannot be inserted.
pub async fn person(domain: &Domain, tier: Tier) -> AccountId {
    let id = domain.new_id();
    let row = account::ActiveModel {
        id: Set(id),
        email: Set(format!("{id}@example.org")),
        password_hash: Set(String::new()),
        tier: Set(tier.as_str().to_owned()),
        created_at: Set(domain.now()),
        password_changed_at: Set(domain.now()),
        disabled_at: Set(None),
        is_admin: Set(false),
        is_sample: Set(false),
        first_steps_closed_at: Set(None),
        language: Set(None),
        ..Default::default()
    };
    row.insert(domain.db().write()).await.expect("insert an account");
    id
}

/// Folder in which a test run retains its databases and logs, if `CARREL_TEST_KEEP` is set; `bin/secrets`
/// scans them.
#[expect(clippy::disallowed_methods, reason = "only bin/secrets sets the folder of test artefacts")]
pub fn artifact_folder() -> Option<std::path::PathBuf> {
    std::env::var_os("CARREL_TEST_KEEP").map(Into::into)
}

/// URL of the PostgreSQL server for tests.
///
/// # Panics
/// If `bin/test` did not set it.
#[expect(clippy::disallowed_methods, reason = "only bin/test sets the servers of tests")]
pub fn postgres_url() -> String {
    std::env::var("CARREL_TEST_POSTGRES_URL").expect(RUN_BIN_TEST)
}

/// URL of the Redis server for tests.
///
/// # Panics
/// If `bin/test` did not set it.
#[expect(clippy::disallowed_methods, reason = "only bin/test sets the servers of tests")]
pub fn redis_url() -> String {
    std::env::var("CARREL_TEST_REDIS_URL").expect(RUN_BIN_TEST)
}

/// The numbers from 1 to `count` as a table with one column `n`, for statements that insert many rows.
pub fn series(backend: Backend, count: u32) -> String {
    match backend {
        Backend::Postgres => format!("generate_series(1, {count}) AS series (n)"),
        Backend::Sqlite => format!(
            "(WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {count}) SELECT n FROM c)"
        ),
    }
}

/// SQL expression for a random id.
pub fn random_id(backend: Backend) -> &'static str {
    match backend {
        Backend::Postgres => "gen_random_uuid()",
        Backend::Sqlite => "randomblob(16)",
    }
}
