//! A fresh database for each test, on SQLite (a file in a temporary folder) or on PostgreSQL (a
//! database of its own on the server that `bin/test` starts), with a clock that stands still and ids
//! that repeat.

pub mod smtp;

use std::sync::Arc;

use entities::account;
use entities::ids::AccountId;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait, DatabaseConnection};

use crate::clock::FixedClock;
use crate::db::{Backend, Database, DatabaseSettings};
use crate::handle::Domain;
use crate::ids::{Ids, RandomIds, SeededIds};
use crate::tiers::Tier;

/// What to do when a test finds no server.
pub const RUN_BIN_TEST: &str = "run bin/test";
/// The test clock's start: 2026-11-20T12:00:00Z.
pub const START: i64 = 1_795_176_000_000;

/// A database that belongs to one test, and the handle on it.
#[derive(Debug)]
pub struct TestDatabase {
    /// The handle, with the clock below and seeded ids.
    pub domain: Domain,
    /// Moves the handle's clock.
    pub clock: Arc<FixedClock>,
    /// Where a second process would find the same database.
    pub url: String,
    _folder: Option<tempfile::TempDir>,
}

impl TestDatabase {
    /// A fresh, migrated database on `backend`. Panics when that cannot be had: a test has no other way.
    pub async fn create(backend: Backend) -> Self {
        match backend {
            Backend::Sqlite => Self::on_sqlite().await,
            Backend::Postgres => Self::on_postgres().await,
        }
    }

    /// One on each engine, for tests that must hold on both.
    pub async fn each() -> [Self; 2] {
        [Self::create(Backend::Sqlite).await, Self::create(Backend::Postgres).await]
    }

    async fn on_sqlite() -> Self {
        let mut folder = match kept_folder() {
            Some(kept) => tempfile::tempdir_in(kept).expect("a folder to keep"),
            None => tempfile::tempdir().expect("a temporary folder"),
        };
        folder.disable_cleanup(kept_folder().is_some());
        let url = format!("sqlite://{}/test.db?mode=rwc", folder.path().display());
        Self::open(url, Some(folder)).await
    }

    async fn on_postgres() -> Self {
        let server = postgres_url();
        let mut random = [0_u8; 8];
        RandomIds.fill(&mut random);
        let name = format!("test_{:016x}", u64::from_le_bytes(random));
        let admin = sea_orm::Database::connect(&server).await.expect(RUN_BIN_TEST);
        create_postgres(&admin, &name).await;
        admin.close().await.expect("the server lets go");
        let (address, query) =
            server.split_once('?').map_or((server.as_str(), ""), |(left, right)| (left, right));
        let (base, _) = address.rsplit_once('/').expect("CARREL_TEST_POSTGRES_URL names a database");
        let url = if query.is_empty() { format!("{base}/{name}") } else { format!("{base}/{name}?{query}") };
        Self::open(url, None).await
    }

    async fn open(url: String, folder: Option<tempfile::TempDir>) -> Self {
        let database = Database::connect(&url, &settings()).await.expect("the test's database opens");
        migrations::run(database.write()).await.expect("the migrations run");
        let clock = Arc::new(FixedClock::at(START));
        let domain = Domain::with(database, clock.clone(), Arc::new(SeededIds::new(1)));
        Self { domain, clock, url, _folder: folder }
    }

    /// Another handle on the same database with connections of its own, as a second process has.
    ///
    /// # Panics
    /// When the database does not open.
    pub async fn second_handle(&self) -> Domain {
        self.handle_with(&settings()).await
    }

    /// Such a handle, whose connections are set otherwise.
    ///
    /// # Panics
    /// When the database does not open.
    pub async fn handle_with(&self, settings: &DatabaseSettings) -> Domain {
        let database = Database::connect(&self.url, settings).await.expect("the test's database opens twice");
        Domain::with(database, self.clock.clone(), Arc::new(SeededIds::new(2)))
    }
}

/// How tests open their databases; many stand on one server.
fn settings() -> DatabaseSettings {
    DatabaseSettings { max_connections: 8, ..DatabaseSettings::default() }
}

async fn create_postgres(admin: &DatabaseConnection, name: &str) {
    admin.execute_unprepared(&format!("CREATE DATABASE {name}")).await.expect("the server makes a database");
}

/// Tests of both engines: each line names a function that takes a `Backend`, its test on SQLite and its test on
/// PostgreSQL.
#[macro_export]
macro_rules! on_both {
    ($($name:ident: $sqlite:ident, $postgres:ident;)+) => {
        $(
            #[tokio::test]
            async fn $sqlite() { $name($crate::Backend::Sqlite).await; }
            #[tokio::test]
            async fn $postgres() { $name($crate::Backend::Postgres).await; }
        )+
    };
}
pub use crate::on_both;

/// A new account on `tier`, which nobody can sign in to; returns its id.
///
/// # Panics
/// When the database does not take it.
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
    };
    row.insert(domain.db().write()).await.expect("an account");
    id
}

/// Where a test run leaves its databases and logs behind, when `CARREL_TEST_KEEP` names a folder: `bin/secrets`
/// looks through them.
#[expect(clippy::disallowed_methods, reason = "tests learn of their folder from bin/secrets alone")]
pub fn kept_folder() -> Option<std::path::PathBuf> {
    std::env::var_os("CARREL_TEST_KEEP").map(Into::into)
}

/// The PostgreSQL server for tests.
///
/// # Panics
/// With what to do, when `bin/test` did not name one.
#[expect(clippy::disallowed_methods, reason = "tests learn of their servers from bin/test alone")]
pub fn postgres_url() -> String {
    std::env::var("CARREL_TEST_POSTGRES_URL").expect(RUN_BIN_TEST)
}

/// The Redis server for tests.
///
/// # Panics
/// With what to do, when `bin/test` did not name one.
#[expect(clippy::disallowed_methods, reason = "tests learn of their servers from bin/test alone")]
pub fn redis_url() -> String {
    std::env::var("CARREL_TEST_REDIS_URL").expect(RUN_BIN_TEST)
}

/// The numbers from 1 to `count` as a table of one column `n`, for statements that insert many rows.
pub fn series(backend: Backend, count: u32) -> String {
    match backend {
        Backend::Postgres => format!("generate_series(1, {count}) AS series (n)"),
        Backend::Sqlite => format!(
            "(WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {count}) SELECT n FROM c)"
        ),
    }
}

/// An expression for a fresh id.
pub fn random_id(backend: Backend) -> &'static str {
    match backend {
        Backend::Postgres => "gen_random_uuid()",
        Backend::Sqlite => "randomblob(16)",
    }
}
