//! Upgrade of a database with many rows while callers read and write.

use std::time::Instant;

use kernel::testing::TestDatabase;
use kernel::{Backend, DatabaseSettings};
use migrations::{Migrator, MigratorTrait};
use tokio_util::sync::CancellationToken;

use super::filled_database::fill;
use super::load::Load;
use super::locks::watch;
use super::shape::shape;
use crate::support::run;

/// Last migration of the schema from which upgrades start.
const FROM: &str = "m20261122_000312_feed_commit";
/// Number of rows per large table. `CARREL_UPGRADE_ROWS` overrides it.
const ROWS: u64 = 100_000;

#[expect(clippy::disallowed_methods, reason = "the environment of the test sets the size")]
fn rows() -> u64 {
    std::env::var("CARREL_UPGRADE_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(ROWS)
}

#[test]
fn upgrade_of_a_filled_database_causes_no_errors() {
    run(async {
        let rows = rows();
        let test = TestDatabase::create(Backend::Postgres).await;
        let domain = test.handle_with(&DatabaseSettings::without_timeouts(6)).await;
        let newest = shape(domain.db().write()).await;
        let steps: Vec<String> = Migrator::migrations().iter().map(|step| step.name().to_owned()).collect();
        let older = steps.iter().position(|step| step == FROM).expect("the migration exists") + 1;
        let newer = u32::try_from(steps.len() - older).unwrap();
        Migrator::down(domain.db().write(), Some(newer)).await.unwrap();
        fill(&domain, rows).await;

        let stop = CancellationToken::new();
        let watching = tokio::spawn(watch(domain.clone(), stop.clone()));
        let load = Load::begin(&test.url, rows).await;
        let begin = Instant::now();
        migrations::run(domain.db().write()).await.expect("the migrations succeed");
        let took = begin.elapsed();
        stop.cancel();
        let (seen, met) = (watching.await.expect("the watcher does not panic"), load.end().await);

        println!(
            "{newer} steps over {rows} rows a table in {took:.1?}; {} statements of callers, the longest {:.0?} ({})",
            met.answered, met.longest.0, met.longest.1
        );
        for (done, step) in &seen {
            let name = steps.get(*done).map_or("", String::as_str);
            let longest_lock = step.longest.as_ref();
            let longest_lock =
                longest_lock.map_or_else(String::new, |(time, lock)| format!("{time:.0?} {lock}"));
            println!("{name:<44} {:>8.1?}  {longest_lock}", step.took());
        }
        assert_eq!(met.errors, [] as [String; 0], "callers get no errors");
        assert!(met.answered > 0, "callers were answered");
        assert_eq!(
            shape(domain.db().write()).await,
            newest,
            "the upgraded schema equals that of a new installation"
        );
    });
}
