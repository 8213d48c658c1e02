//! `carrel migrate` killed at any moment: the next one brings the database to the same schema.

use std::time::{Duration, Instant};

use domain::testing::TestDatabase;
use domain::{Backend, Database, DatabaseSettings};
use migrations::{Migrator, MigratorTrait};
use rustix::process::Signal;
use sea_orm::{ConnectionTrait, Statement};

use crate::support::run;
use crate::support::servers::Process;

const KILLS: u32 = 10;

async fn shape(url: &str) -> Vec<String> {
    let database = Database::connect(url, &DatabaseSettings::default()).await.unwrap();
    let read = database.read();
    let sql = match database.backend() {
        Backend::Sqlite => {
            "SELECT name || ': ' || COALESCE(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
        }
        Backend::Postgres => {
            "SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line \
             FROM information_schema.columns WHERE table_schema = 'public' \
             UNION ALL SELECT i.indexdef || ' ' || x.indisvalid FROM pg_indexes i \
               JOIN pg_index x ON x.indexrelid = to_regclass(quote_ident(i.indexname)) WHERE i.schemaname = 'public' \
             ORDER BY 1"
        }
    };
    let rows = read.query_all_raw(Statement::from_string(read.get_database_backend(), sql)).await.unwrap();
    let lines = rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
    database.close().await;
    lines
}

async fn migrate(url: &str, kill_after: Option<Duration>) -> bool {
    let begin = Instant::now();
    let mut process = Process::start(&["migrate"], &[("DATABASE_URL", url.to_owned())]);
    if let Some(moment) = kill_after {
        let _ =
            tokio::time::timeout(moment.saturating_sub(begin.elapsed()), std::future::pending::<()>()).await;
        if process.ended().is_none() {
            process.signal(Signal::KILL);
            process.end().await;
            return false;
        }
    }
    let status = process.end().await;
    assert!(status.success(), "{}", process.log());
    true
}

#[test]
fn a_migration_that_is_killed_at_any_moment_is_finished_by_the_next() {
    run(async {
        for backend in [Backend::Sqlite, Backend::Postgres] {
            let whole = TestDatabase::create(backend).await;
            let (expected, mut killed) = (shape(&whole.url).await, 0);
            let whole_time = {
                let database = emptied(backend).await;
                let begin = Instant::now();
                assert!(migrate(&database.url, None).await);
                begin.elapsed()
            };
            for kill in 1..=KILLS {
                let database = emptied(backend).await;
                killed += u32::from(!migrate(&database.url, Some(whole_time * kill / (KILLS + 1))).await);
                migrate(&database.url, None).await;
                let found = shape(&database.url).await;
                let differs = |line: &&String| !(found.contains(line) && expected.contains(line));
                let different: Vec<&String> = found.iter().chain(&expected).filter(differs).collect();
                assert!(different.is_empty(), "killed at {kill} of {KILLS}: {different:#?}");
            }
            println!(
                "{backend:?}: {killed} of {KILLS} migrations of {whole_time:.1?} were killed and finished by the next"
            );
            assert!(killed > 0, "at least one was killed in the middle");
        }
    });
}

/// A database without a table.
async fn emptied(backend: Backend) -> TestDatabase {
    let database = TestDatabase::create(backend).await;
    Migrator::reset(database.domain.db().write()).await.unwrap();
    database
}
