//! Tests of committed addresses whose feeds must be discovered first.

use sea_orm::ConnectionTrait;

use super::*;
use articles::Payer;
use jobs::{Claimed, JobOutcome, Progress, Submitted};
use kernel::testing::on_both;
use kernel::{Backend, Code, Error};

const LEASE: Millis = 30_000;

fn discovered(url: &str) -> Discovered {
    let kind = extract::feed::FeedKind::Rss;
    let feed = DiscoveredFeed { feed_url: url.to_owned(), title: None, kind, checked: true };
    Discovered { feeds: vec![feed], page_list: None }
}

/// Commits unknown addresses. Returns the token, and the job that discovers their feeds.
async fn committed(domain: &Domain, payer: Payer, urls: &[&str]) -> (String, Submitted) {
    let set =
        MutationSet { urls: urls.iter().map(|url| (*url).to_owned()).collect(), ..MutationSet::default() };
    let mutation = Mutation { op: MutationOp::SourcesFollow, selection: None, set };
    let token = dry_run(domain, payer, &mutation).await.unwrap().commit_token;
    match crate::commit(domain, payer, &token, MutationOp::SourcesFollow, None).await.unwrap() {
        Progress::Waiting { job, .. } => (token, job),
        Progress::Done(result) => panic!("the follows need a job: {result:?}"),
    }
}

async fn commit_again(domain: &Domain, payer: Payer, token: &str) -> MutationResult {
    match crate::commit(domain, payer, token, MutationOp::SourcesFollow, None).await.unwrap() {
        Progress::Done(result) => result,
        Progress::Waiting { .. } => panic!("a follow is still pending"),
    }
}

async fn claimed(domain: &Domain, job: &Submitted, worker: &str) -> Claimed {
    jobs::claim(domain, job.id, worker, LEASE).await.unwrap().expect("the job can be claimed")
}

async fn pending_addresses_complete_after_a_worker_is_killed(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let payer = Payer { account_id: person(domain, Tier::Free).await, tier: Tier::Free };
    let urls = ["https://a.example/feed.xml", "https://b.example/feed.xml"];
    let (token, job) = committed(domain, payer, &urls).await;
    let again = crate::commit(domain, payer, &token, MutationOp::SourcesFollow, None).await.unwrap();
    assert!(
        matches!(again, Progress::Waiting { job: joined, .. } if joined.id == job.id),
        "both commits wait for the same job"
    );
    // Other tokens do not displace a result that a job still updates.
    let other = Mutation {
        op: MutationOp::CollectionsCreate,
        selection: None,
        set: MutationSet { name: Some("Sea".into()), ..MutationSet::default() },
    };
    for _ in 0..101 {
        dry_run(domain, payer, &other).await.unwrap();
    }
    let first = claimed(domain, &job, "first").await;
    let deferred = DeferredFollows::start(domain, &first).await.unwrap().unwrap();
    assert_eq!(deferred.urls().len(), 2);
    deferred.settle(domain, &first, 0, Ok(discovered(urls[0]))).await.unwrap();
    // The worker was lost, and its lease has expired.
    let lost = "UPDATE job SET state = 'ready', lease_until = NULL, pushed_at = 1 WHERE state = 'running'";
    domain.db().write().execute_unprepared(lost).await.unwrap();
    let second = claimed(domain, &job, "second").await;
    let late = deferred.settle(domain, &first, 1, Ok(discovered(urls[1]))).await.unwrap_err();
    assert!(jobs::is_lease_lost(&late), "{late:?}");
    let rest = DeferredFollows::start(domain, &second).await.unwrap().unwrap();
    assert_eq!(rest.urls(), [(1, urls[1].to_owned())], "a settled follow is not repeated");
    rest.settle(domain, &second, 0, Ok(discovered("https://elsewhere.example/feed.xml"))).await.unwrap();
    rest.settle(domain, &second, 1, Ok(discovered(urls[1]))).await.unwrap();
    assert_eq!(rest.finish(domain, &second).await.unwrap(), JobOutcome::Completed);
    let result = commit_again(domain, payer, &token).await;
    assert_eq!((result.affected, result.is_partial()), (2, false), "{result:?}");
    let list = list_subscriptions(domain, payer.account_id, None, None, 10).await.unwrap();
    assert_eq!(list.subscriptions.len(), 2);
}

async fn failed_discovery_is_retried_and_finally_refused(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let payer = Payer { account_id: person(domain, Tier::Free).await, tier: Tier::Free };
    let urls = ["https://a.example/feed.xml", "https://b.example/"];
    let (token, job) = committed(domain, payer, &urls).await;
    let first = claimed(domain, &job, "first").await;
    let deferred = DeferredFollows::start(domain, &first).await.unwrap().unwrap();
    let busy = || Err(Error::new(Code::CapacityExhausted, "Busy."));
    deferred.settle(domain, &first, 0, busy()).await.unwrap();
    deferred.settle(domain, &first, 1, Ok(Discovered::default())).await.unwrap();
    assert!(matches!(deferred.finish(domain, &first).await.unwrap(), JobOutcome::Retried { .. }));
    database.clock.advance(MINUTE);
    let second = claimed(domain, &job, "second").await;
    let rest = DeferredFollows::start(domain, &second).await.unwrap().unwrap();
    assert_eq!(rest.urls(), [(0, urls[0].to_owned())]);
    // The job became dead because it crashed its workers.
    give_up_following(domain, &second.key).await.unwrap();
    let result = commit_again(domain, payer, &token).await;
    let codes: Vec<Option<&str>> = result.outcomes.iter().map(|one| one.code.as_deref()).collect();
    assert_eq!(codes, [Some("service_unavailable"), Some("no_feed_found")]);
    assert_eq!(result.affected, 0);
}

on_both! {
    pending_addresses_complete_after_a_worker_is_killed,
    failed_discovery_is_retried_and_finally_refused,
}
