//! Tests of job rows, on both databases.

mod batching;
mod faults;
mod lifecycle;
mod running_insert;
mod submission;
mod sweeps;

use entities::ids::JobId;
use proptest::prelude::*;
use sea_orm::ConnectionTrait;

use super::statement::statement;
use super::*;
use kernel::testing::{START, TestDatabase};
use kernel::{Backend, Domain, Millis};

const LEASE: Millis = 30_000;

fn read_job(key: &str) -> NewJob {
    NewJob::new(JobKind::ReadJob, key)
}

async fn submitted(domain: &Domain, job: NewJob) -> Submitted {
    submit(domain.db().write(), domain, job).await.unwrap()
}

async fn claimed(domain: &Domain, key: &str) -> Claimed {
    let id = submitted(domain, read_job(key)).await.id;
    claim(domain, id, "worker", LEASE).await.unwrap().unwrap()
}

async fn job(domain: &Domain, id: JobId) -> JobRow {
    get(domain, id).await.unwrap().unwrap()
}

/// Renews the claim's lease, as the heartbeat of its process does. Returns true if it was renewed.
async fn is_renewed(domain: &Domain, claimed: &Claimed) -> bool {
    renew_all(domain, &[ClaimId::from(claimed)], LEASE).await.unwrap().is_empty()
}

/// Expires every lease.
async fn expire_all_leases(domain: &Domain) {
    domain
        .db()
        .write()
        .execute_unprepared("UPDATE job SET lease_until = 1 WHERE state = 'running'")
        .await
        .unwrap();
}

#[test]
fn kind_names_round_trip() {
    for kind in JobKind::ALL {
        assert_eq!(JobKind::parse(kind.as_str()), Some(*kind));
    }
    assert_eq!(JobKind::parse("nothing"), None);
}

proptest! {
    #[test]
    fn backoff_grows_up_to_a_cap_and_jitter_subtracts_at_most_a_fifth(attempts in 1_u32..200, jitter: u8) {
        let rules = JobKind::Extraction.rules();
        let delay = rules.backoff_ms(attempts, jitter);
        let full = rules.backoff_ms(attempts, 0);
        prop_assert!(full <= rules.backoff_cap_ms && full >= rules.backoff_base_ms);
        prop_assert!(delay <= full && delay >= full * 4 / 5);
        prop_assert!(rules.backoff_ms(attempts + 1, 0) >= full);
    }

    #[test]
    fn priorities_round_trip_through_the_database(index in 0_usize..4, odd: i16) {
        let level = Priority::ALL[index];
        prop_assert_eq!(Priority::from_i16(level.as_i16()), level);
        let rounded = Priority::from_i16(odd);
        prop_assert!(rounded.as_i16() <= odd || rounded == Priority::Low);
    }
}

#[tokio::test]
async fn job_is_withdrawn_only_before_it_is_claimed() {
    for db in TestDatabase::each().await {
        let waiting = submitted(&db.domain, read_job("waiting")).await.id;
        assert!(withdraw(&db.domain, waiting).await.unwrap());
        assert!(get(&db.domain, waiting).await.unwrap().is_none());
        let begun = claimed(&db.domain, "begun").await;
        assert!(!withdraw(&db.domain, begun.id).await.unwrap());
        assert!(get(&db.domain, begun.id).await.unwrap().is_some());
        let connection = db.domain.db().write();
        assert!(!withdraw_ready(connection, JobKind::ReadJob, "begun").await.unwrap());
        submitted(&db.domain, read_job("pending")).await;
        assert!(withdraw_ready(connection, JobKind::ReadJob, "pending").await.unwrap());
        assert!(!withdraw_ready(connection, JobKind::ReadJob, "pending").await.unwrap());
    }
}
