//! Tests of rows that are inserted as running.

use entities::ids::JobId;

use super::super::batch_executor::find_inserted;
use super::super::batches::NewRow;
use super::super::insert::insert;
use super::*;
use kernel::db::Durable;

#[tokio::test]
async fn row_inserted_as_running_is_identified_by_its_claim_after_a_lost_reply() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let domain = &db.domain;
    let Durable::Postgres(connections) = domain.db().durable() else { panic!("this is PostgreSQL") };
    let row = |number: u32, worker: Option<&str>| {
        let begin: Box<dyn FnOnce(Claimed) + Send + Sync> = Box::new(|_| {});
        let slot = worker.map(|worker| ReservedSlot {
            worker: worker.to_owned(),
            lease_ms: LEASE,
            permit: SlotPermit::default(),
            begin,
        });
        NewRow {
            id: JobId::from_u128(u128::from(number)),
            kind: JobKind::ReadJob,
            key: number.to_string(),
            payload: "{}".to_owned(),
            priority: Priority::High,
            run_at: None,
            in_turn: false,
            is_pushed: true,
            created_at: domain.now(),
            request_id: None,
            may_start: true,
            slot,
        }
    };
    let rows = [row(1, Some("w.1")), row(2, None), row(3, Some("w.3"))];
    let insertions = insert(connections, &rows[..2], None).await.unwrap();
    let is_running = |id: u32| insertions.get(&JobId::from_u128(u128::from(id))).map(|row| row.is_running);
    assert_eq!([is_running(1), is_running(2), is_running(3)], [Some(true), Some(false), None]);
    // Another worker runs a job with the key of the third row.
    insert(connections, &[NewRow { id: JobId::from_u128(9), ..row(3, Some("other")) }], None).await.unwrap();
    let repetition = insert(connections, &rows, None).await.unwrap();
    assert!(repetition.is_empty(), "all rows exist already: {repetition:?}");
    let existing = find_inserted(connections, &rows).await.unwrap();
    let is_running = |id: u32| existing.get(&JobId::from_u128(u128::from(id))).map(|row| row.is_running);
    assert_eq!([is_running(1), is_running(2), is_running(3)], [Some(true), Some(false), None]);
}
