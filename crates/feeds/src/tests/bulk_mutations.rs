//! Tests of mutations that change as many sources as a plan allows in one commit.

use sea_orm::ConnectionTrait;

use super::*;
use articles::Payer;
use jobs::Progress;
use kernel::Backend;
use kernel::statement::scalar;
use kernel::testing::{on_both, series};

const SOURCES: u32 = 2_500;

/// Creates an account that follows [`SOURCES`] feeds.
async fn collector(domain: &Domain, backend: Backend) -> Payer {
    let payer = Payer { account_id: person(domain, Tier::Pro).await, tier: Tier::Pro };
    let first = follows(domain, payer.account_id, FEED).await;
    let series = series(backend, SOURCES - 1);
    for sql in [
        format!(
            "INSERT INTO feed (url, host, trust_guid, trust_url, gone, created_at) \
             SELECT 'https://many.example/' || n, 'many.example', TRUE, TRUE, FALSE, 0 FROM {series}"
        ),
        format!(
            "INSERT INTO rss_subscription (account_id, feed_id, collection_id, read_through, created_at, full_text) \
             SELECT s.account_id, f.id, s.collection_id, 0, 0, FALSE FROM rss_subscription s, feed f \
             WHERE s.id = {} AND f.id <> s.feed_id",
            first.id
        ),
    ] {
        domain.db().write().execute_unprepared(&sql).await.unwrap();
    }
    payer
}

fn all(op: MutationOp, set: MutationSet) -> Mutation {
    Mutation { op, selection: Some(MutationSelection { all: true, ..MutationSelection::default() }), set }
}

async fn dry_run_token(domain: &Domain, payer: Payer, mutation: &Mutation) -> String {
    let preview = dry_run(domain, payer, mutation).await.unwrap();
    assert_eq!((preview.would_affect, preview.sample.len()), (i64::from(SOURCES), 10));
    preview.commit_token
}

async fn committed(domain: &Domain, payer: Payer, op: MutationOp, token: &str) -> MutationResult {
    match crate::commit(domain, payer, token, op, None).await.unwrap() {
        Progress::Done(result) => result,
        Progress::Waiting { .. } => panic!("the commit fetches nothing"),
    }
}

async fn followed(domain: &Domain, condition: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM rss_subscription WHERE {condition}");
    scalar(domain.db().write(), &sql, []).await.unwrap()
}

async fn mutation_of_thousands_of_sources_is_atomic(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let payer = collector(domain, backend).await;
    let sea = NewCollection { name: "Sea".into(), feed_ids: Vec::new() };
    let sea = create_collection(domain, payer.account_id, sea).await.unwrap();
    let set = MutationSet { collection: Some("Sea".into()), ..MutationSet::default() };
    let token = dry_run_token(domain, payer, &all(MutationOp::SourcesMove, set)).await;
    let moved = committed(domain, payer, MutationOp::SourcesMove, &token).await;
    assert_eq!((moved.affected, moved.is_partial()), (i64::from(SOURCES), false));
    assert_eq!(followed(domain, &format!("collection_id = {}", sea.id)).await, i64::from(SOURCES));
    let token = dry_run_token(domain, payer, &all(MutationOp::SourcesUnfollow, MutationSet::default())).await;
    // An error midway rolls back the preceding changes.
    let last = "SELECT MAX(id) FROM rss_subscription";
    let last = scalar(domain.db().write(), last, []).await.unwrap();
    let [prevent, allow] = obstacle(backend, last);
    for sql in prevent {
        domain.db().write().execute_unprepared(&sql).await.unwrap();
    }
    assert!(crate::commit(domain, payer, &token, MutationOp::SourcesUnfollow, None).await.is_err());
    assert_eq!(followed(domain, "TRUE").await, i64::from(SOURCES));
    for sql in allow {
        domain.db().write().execute_unprepared(&sql).await.unwrap();
    }
    let left = committed(domain, payer, MutationOp::SourcesUnfollow, &token).await;
    assert_eq!((left.affected, left.outcomes.len()), (i64::from(SOURCES), SOURCES as usize));
    assert_eq!(followed(domain, "TRUE").await, 0);
    assert_eq!(committed(domain, payer, MutationOp::SourcesUnfollow, &token).await, left);
}

/// Returns the statements that prevent the deletion of one subscription, and the statements that allow it
/// again.
fn obstacle(backend: Backend, id: i64) -> [Vec<String>; 2] {
    match backend {
        Backend::Sqlite => [
            vec![format!(
                "CREATE TRIGGER obstacle BEFORE DELETE ON rss_subscription WHEN old.id = {id} \
                 BEGIN SELECT RAISE(ABORT, 'not this one'); END"
            )],
            vec!["DROP TRIGGER obstacle".to_owned()],
        ],
        Backend::Postgres => [
            vec![
                "CREATE TABLE obstacle (id bigint REFERENCES rss_subscription (id))".to_owned(),
                format!("INSERT INTO obstacle VALUES ({id})"),
            ],
            vec!["DROP TABLE obstacle".to_owned()],
        ],
    }
}

on_both! {
    mutation_of_thousands_of_sources_is_atomic,
}
