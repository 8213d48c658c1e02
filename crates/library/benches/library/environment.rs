//! Environment of a benchmark: its own database, a blob folder, and an extraction sandbox.

use std::sync::Arc;
use std::time::Duration;

use extract::sandbox::{Pool, PoolSettings};
use kernel::blobs::{Blobs, Location};
use kernel::testing::TestDatabase;
use kernel::{Backend, Database, DatabaseSettings, Domain, RandomIds, SystemClock};
use sea_orm::{ConnectionTrait, Statement};

pub(crate) struct Environment {
    pub domain: Domain,
    pub backend: Backend,
    pub sandbox: Pool,
    pub url: String,
    /// `None` if the database existed before and must not be dropped.
    database: Option<TestDatabase>,
    _folder: tempfile::TempDir,
}

impl Environment {
    /// Creates a new database, or opens the one at `url`.
    pub(crate) async fn open(backend: Backend, url: Option<String>) -> Self {
        let (url, database) = if let Some(url) = url {
            (url, None)
        } else {
            let database = TestDatabase::create(backend).await;
            (database.url.clone(), Some(database))
        };
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(&Location::Folder(folder.path().to_owned())).unwrap();
        let domain = open_domain(&url).await.with_blobs(blobs);
        let program = std::env::current_exe().unwrap();
        let sandbox = Pool::new(PoolSettings::new(program, vec!["extract-child".into()]));
        Self { domain, backend, sandbox, url, database, _folder: folder }
    }

    pub(crate) async fn execute(&self, sql: &str) {
        self.domain.db().write().execute_unprepared(sql).await.unwrap();
    }

    /// Returns the process ids of the PostgreSQL backends that serve this database. Empty for SQLite.
    pub(crate) async fn backends(&self) -> Vec<i32> {
        if self.backend == Backend::Sqlite {
            return Vec::new();
        }
        let connection = self.domain.db().write();
        let sql = "SELECT pid FROM pg_stat_activity WHERE datname = CURRENT_DATABASE()".to_owned();
        let statement = Statement::from_string(connection.get_database_backend(), sql);
        let rows = connection.query_all_raw(statement).await.unwrap();
        rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
    }

    /// Updates the planner statistics and the visibility map, so that queries run as in a database in steady
    /// use.
    pub(crate) async fn settle(&self) {
        match self.backend {
            Backend::Postgres => self.execute("VACUUM ANALYZE").await,
            Backend::Sqlite => self.execute("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)").await,
        }
    }

    /// Retains the database for another run, and prints its URL.
    pub(crate) fn keep(self) {
        println!("kept: at={}", self.url);
        std::mem::forget(self.database);
    }

    /// Drops the database if this run created it. The folder is removed on drop.
    pub(crate) async fn drop(self) {
        let Self { domain, backend, database, .. } = self;
        domain.db().clone().close().await;
        let Some(database) = database else { return };
        database.domain.db().clone().close().await;
        if backend == Backend::Postgres {
            let (_, name) = database.url.rsplit_once('/').unwrap();
            let name = name.split('?').next().unwrap();
            let admin = sea_orm::Database::connect(kernel::testing::postgres_url()).await.unwrap();
            admin.execute_unprepared(&format!("DROP DATABASE {name} WITH (FORCE)")).await.unwrap();
            admin.close().await.unwrap();
        }
    }
}

/// Opens a handle with the system clock, as a process does, but without a statement timeout, because filling
/// tables takes a long time.
pub(crate) async fn open_domain(url: &str) -> Domain {
    let settings = DatabaseSettings { statement_timeout: Duration::ZERO, ..DatabaseSettings::default() };
    let database = Database::connect(url, &settings).await.unwrap();
    Domain::with(database, Arc::new(SystemClock), Arc::new(RandomIds))
}
