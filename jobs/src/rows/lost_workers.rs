//! Jobs whose workers were lost: which job is suspected of having caused the loss, and when each job starts
//! again.
//!
//! A lost worker is usually not the fault of its jobs: its process was killed by a deployment, ran out of
//! memory through another job, or its machine failed. All jobs that were lost with a process are started
//! again, the first time immediately and then after growing delays. Only the suspect can become dead: the job
//! that ran alone, or that has lost more workers than every other job of the process. Jobs that were lost
//! with one process start at different times, because their delays are random, so that a job that crashes its
//! workers is soon the only suspect.

use std::collections::HashMap;

use entities::ids::JobId;
use sea_orm::{ConnectionTrait, TransactionTrait};

use super::claimed::parse_payload;
use super::failures::{self, AttemptFailure};
use super::kind::JobKind;
use super::run::WORKER_LOST;
use super::statement::{statement, statement_about_due};
use kernel::{Domain, Millis, Result};

/// Maximum number of rows changed per call, which bounds the length of a transaction.
const BATCH: i64 = 500;

/// Result of [`expire_leases`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpiredLeases {
    /// Jobs that are ready again; [`due_batch`](super::due_batch) picks them up.
    pub requeued: u64,
    /// Jobs that lost their last allowed worker and were the only suspect of its process.
    pub dead: Vec<DeadJob>,
}

/// A job that is not started again, because it was suspected of having crashed its last workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadJob {
    pub id: JobId,
    pub kind: JobKind,
    pub key: String,
    /// Ids as JSON text.
    pub payload: String,
}

impl DeadJob {
    /// Parses the payload as the type that was submitted.
    ///
    /// # Errors
    /// `Internal` if the payload has another format, for example because an older version wrote it.
    pub fn arguments<T: serde::de::DeserializeOwned>(&self) -> Result<T> {
        parse_payload(&self.payload)
    }
}

/// A running job whose lease has expired.
struct LostJob {
    job: DeadJob,
    worker: String,
    fence: i64,
    attempts: i32,
    /// Number of lost workers before this one.
    lost_starts: u32,
}

/// Handles jobs with expired leases: they become ready again, immediately or after a delay, or dead.
pub async fn expire_leases(domain: &Domain) -> Result<ExpiredLeases> {
    let mut result = ExpiredLeases::default();
    let lost = lost_jobs(domain).await?;
    if lost.is_empty() {
        return Ok(result);
    }
    let suspects = suspects(&lost);
    let transaction = domain.db().write().begin().await?;
    for (index, lost) in lost.into_iter().enumerate() {
        let limit = lost.job.kind.rules().max_lost_starts;
        let is_dead = suspects.contains(&index) && lost.lost_starts + 1 >= limit;
        if !end_start(&transaction, domain, &lost, is_dead).await? {
            continue;
        }
        if is_dead {
            result.dead.push(lost.job);
        } else {
            result.requeued += 1;
        }
    }
    transaction.commit().await?;
    Ok(result)
}

async fn lost_jobs(domain: &Domain) -> Result<Vec<LostJob>> {
    let connection = domain.db().write();
    let sql = "SELECT id, kind, key, payload, worker, fence, attempts, lost_starts FROM job \
               WHERE finished_at IS NULL AND state = 'running' AND lease_until <= {now} LIMIT $1";
    let mut lost = Vec::new();
    for row in connection.query_all_raw(statement(connection, sql, [BATCH.into()])).await? {
        // An unknown kind belongs to a newer build.
        let Some(kind) = JobKind::parse(&row.try_get::<String>("", "kind")?) else { continue };
        lost.push(LostJob {
            job: DeadJob {
                id: row.try_get("", "id")?,
                kind,
                key: row.try_get("", "key")?,
                payload: row.try_get("", "payload")?,
            },
            worker: row.try_get::<Option<String>>("", "worker")?.unwrap_or_default(),
            fence: row.try_get("", "fence")?,
            attempts: row.try_get("", "attempts")?,
            lost_starts: u32::try_from(row.try_get::<i32>("", "lost_starts")?).unwrap_or(0),
        });
    }
    Ok(lost)
}

/// Returns the indexes of the jobs that are suspected of having crashed their process, at most one job per
/// process.
fn suspects(lost: &[LostJob]) -> Vec<usize> {
    let mut processes: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, job) in lost.iter().enumerate() {
        processes.entry(process_of(&job.worker)).or_default().push(index);
    }
    let suspect = |jobs: Vec<usize>| {
        let most = jobs.iter().map(|index| lost[*index].lost_starts).max()?;
        let mut with_most = jobs.iter().filter(|index| lost[**index].lost_starts == most);
        match (with_most.next(), with_most.next()) {
            (Some(index), None) => Some(*index),
            _ => None,
        }
    };
    processes.into_values().filter_map(suspect).collect()
}

/// Number of hexadecimal digits of the scope in a worker's name (see `worker_id`).
const SCOPE_DIGITS: usize = 8;

/// Returns the part of a claim's name that is equal for all claims of one process: host, process id, and
/// scope, without the random digits that follow.
fn process_of(claim: &str) -> &str {
    let name = claim.split_once('-').map_or(claim, |(_kind, rest)| rest);
    let origin = name.rfind('-').map_or(0, |at| at + 1);
    name.get(..origin + SCOPE_DIGITS).unwrap_or(name)
}

/// Records the loss of a job's worker. Returns false if the worker has completed the job or renewed its lease in the
/// meantime.
async fn end_start(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    lost: &LostJob,
    is_dead: bool,
) -> Result<bool> {
    let message = format!("{} workers were lost while they ran the job.", lost.lost_starts + 1);
    let failure = AttemptFailure {
        at: domain.now(),
        attempt: u32::try_from(lost.attempts).unwrap_or(0),
        worker: String::new(),
        code: WORKER_LOST.to_string(),
        message: "The worker was lost before the end.".to_owned(),
    };
    let [jitter] = domain.random();
    let delay: Millis = lost.job.kind.rules().lost_start_delay_ms(lost.lost_starts + 1, jitter);
    let sql = "UPDATE job SET lease_until = NULL, pushed_at = NULL, lost_starts = lost_starts + 1, errors = {errors}, {end} \
               WHERE id = $1 AND fence = $2 AND worker = $3 AND state = 'running' AND lease_until <= {now}";
    let end = match (is_dead, delay) {
        (true, _) => "state = 'dead', finished_at = $5, error_code = $6, error_message = $7",
        (false, 0) => "state = 'ready'",
        (false, _) => "state = 'ready', in_turn = FALSE, run_at = {due} + $5",
    };
    let mut values =
        vec![lost.job.id.into(), lost.fence.into(), lost.worker.as_str().into(), failure.line().into()];
    if is_dead {
        values.extend([domain.now().into(), WORKER_LOST.as_str().into(), message.into()]);
    } else if delay > 0 {
        values.push(delay.into());
    }
    let sql = sql.replace("{end}", end);
    let sql = sql.replace("{errors}", &failures::with_line(connection.get_database_backend(), "$4"));
    let query = statement_about_due(connection, domain, &sql, values);
    Ok(connection.execute_raw(query).await?.rows_affected() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(worker: &str, lost_starts: u32) -> LostJob {
        let job = DeadJob {
            id: JobId::from_u128(1),
            kind: JobKind::Mail,
            key: String::new(),
            payload: String::new(),
        };
        LostJob { job, worker: worker.to_owned(), fence: 1, attempts: 1, lost_starts }
    }

    #[test]
    fn suspect_is_alone_or_has_lost_the_most_workers() {
        let (one, other) = ("mail-host-11-0123456789abcdef.1", "feed_poll-host-12-0123456789abcdef.2");
        let of_one = "feed_poll-host-11-01234567fedcba98.3";
        assert_eq!(suspects(&[lost(one, 0)]), [0], "alone");
        assert!(suspects(&[lost(one, 0), lost(of_one, 0)]).is_empty(), "lost together for the first time");
        assert!(suspects(&[lost(one, 2), lost(of_one, 2)]).is_empty(), "equally suspect");
        assert_eq!(suspects(&[lost(one, 1), lost(of_one, 2)]), [1]);
        let mut both = suspects(&[lost(one, 1), lost(other, 0)]);
        both.sort_unstable();
        assert_eq!(both, [0, 1], "each process has its own suspect");
    }

    #[test]
    fn start_delays_grow_and_jitter_adds_at_most_half() {
        let rules = JobKind::Mail.rules();
        let delays: Vec<Millis> = (1..=6).map(|lost| rules.lost_start_delay_ms(lost, 0)).collect();
        assert_eq!(delays, [0, 10_000, 60_000, 300_000, 300_000, 300_000]);
        assert_eq!(rules.lost_start_delay_ms(2, 255), 15_000);
        assert_eq!(JobKind::LibraryImport.rules().lost_start_delay_ms(2, 0), 10_000);
    }
}
