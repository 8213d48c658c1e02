//! Resets times of monitors that a wrong clock stored in the future. Otherwise, monitors that ran in that period run
//! again only after the wrong date.

use entities::monitor;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait, FromQueryResult, Value};

use super::next_run;
use super::sql::STEP;
use jobs::hosts::MAX_QUEUE;
use kernel::clock::FUTURE_LIMIT;
use kernel::statement::{columns_of, execute, scalar, skip_locked, statement};
use kernel::{Domain, Millis, Result};

const FROM_FUTURE: &str = "FROM monitor m WHERE m.last_run_at > $1 OR m.failing_since > $1 OR m.turn_at > $2";

/// Makes monitors due whose last run, failure or queue time is too far in the future.
pub(super) async fn reset_future_times(domain: &Domain) -> Result<()> {
    let any = format!("SELECT COUNT(*) FROM (SELECT 1 {FROM_FUTURE} LIMIT 1) AS monitors");
    if scalar(domain.db().read(), &any, limits(domain.now())).await? == 0 {
        return Ok(());
    }
    let (step, mut count) = (usize::try_from(STEP).unwrap_or(usize::MAX), 0);
    loop {
        let changed = reset_step(domain).await?;
        count += changed;
        if changed < step {
            break;
        }
    }
    tracing::warn!(count, "reset monitor times in the future, because the clock was ahead");
    Ok(())
}

/// Latest plausible time of an event, and of a row in the queue of its host.
fn limits(now: Millis) -> [Value; 2] {
    [(now + FUTURE_LIMIT).into(), (now + MAX_QUEUE + FUTURE_LIMIT).into()]
}

async fn reset_step(domain: &Domain) -> Result<usize> {
    let transaction = domain.db().begin().await?;
    let now = domain.now();
    let sql = format!(
        "SELECT {} {FROM_FUTURE} LIMIT {STEP} {}",
        columns_of::<monitor::Entity>("m"),
        skip_locked(transaction.get_database_backend())
    );
    let rows = transaction.query_all_raw(statement(&transaction, &sql, limits(now))).await?;
    for row in &rows {
        let row = monitor::Model::from_query_result(row, "m_")?;
        let reset = monitor::ActiveModel {
            id: Set(row.id),
            next_run_at: Set(row.next_run_at.map(|at| at.min(next_run::from(&row, now)))),
            // The last run precedes the due time. Otherwise, the next run seems to be complete.
            last_run_at: Set(row.last_run_at.map(|at| at.min(now - 1))),
            failing_since: Set(row.failing_since.map(|at| at.min(now))),
            ..Default::default()
        };
        reset.update(&transaction).await?;
        let sql = "UPDATE monitor SET turn_at = NULL WHERE id = $1 AND turn_at > $2";
        execute(&transaction, sql, [row.id.into(), now.into()]).await?;
    }
    transaction.commit().await?;
    Ok(rows.len())
}
