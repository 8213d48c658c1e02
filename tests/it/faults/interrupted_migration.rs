//! Kills `carrel migrate` at random moments. The next run completes the migration to the same schema.

use std::time::{Duration, Instant};

use kernel::Backend;
use kernel::testing::TestDatabase;
use migrations::{Migrator, MigratorTrait};
use rustix::process::Signal;

use super::shape::shape;
use crate::support::run;
use crate::support::servers::Process;

const KILLS: u32 = 10;

async fn migrate(url: &str, kill_after: Option<Duration>) -> bool {
    let begin = Instant::now();
    let mut process = Process::start(&["migrate"], &[("DATABASE_URL", url.to_owned())]);
    if let Some(moment) = kill_after {
        let _ =
            tokio::time::timeout(moment.saturating_sub(begin.elapsed()), std::future::pending::<()>()).await;
        if process.exit_status().is_none() {
            process.signal(Signal::KILL);
            process.wait_for_exit().await;
            return false;
        }
    }
    let status = process.wait_for_exit().await;
    assert!(status.success(), "{}", process.log());
    true
}

#[test]
fn killed_migration_is_completed_by_the_next_run() {
    run(async {
        for backend in [Backend::Sqlite, Backend::Postgres] {
            let migrated = TestDatabase::create(backend).await;
            let (expected, mut killed) = (shape(migrated.domain.db().write()).await, 0);
            let full_duration = {
                let database = database_without_tables(backend).await;
                let begin = Instant::now();
                assert!(migrate(&database.url, None).await);
                begin.elapsed()
            };
            for kill in 1..=KILLS {
                let database = database_without_tables(backend).await;
                killed += u32::from(!migrate(&database.url, Some(full_duration * kill / (KILLS + 1))).await);
                migrate(&database.url, None).await;
                let actual = shape(database.domain.db().write()).await;
                let differs = |line: &&String| !(actual.contains(line) && expected.contains(line));
                let different: Vec<&String> = actual.iter().chain(&expected).filter(differs).collect();
                assert!(different.is_empty(), "killed at {kill} of {KILLS}: {different:#?}");
            }
            println!(
                "{backend:?}: {killed} of {KILLS} migrations of {full_duration:.1?} were killed and finished by the next"
            );
            assert!(killed > 0, "at least one migration was killed");
        }
    });
}

async fn database_without_tables(backend: Backend) -> TestDatabase {
    let database = TestDatabase::create(backend).await;
    Migrator::reset(database.domain.db().write()).await.unwrap();
    database
}
