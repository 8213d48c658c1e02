//! Shared bodies and conditional requests.

use entities::ids::AccountId;
use extract::watch::Target;

use super::*;
use crate::manage::{NewMonitor, create};
use articles::Address;
use kernel::Backend;
use kernel::clock::HOUR;
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;

const HASH: i64 = 7;

/// Run of a new monitor whose stored body was just fetched by `fetched_by`.
async fn context(database: &TestDatabase, owner: AccountId, fetched_by: AccountId) -> RunContext {
    let domain = &database.domain;
    let definition = Definition::of(Target::Page { selector: None });
    let address = Address::parse(domain, "https://harbour.example/").unwrap();
    let new = NewMonitor {
        name: "Harbour".into(),
        address,
        definition,
        interval_minutes: None,
        follow: false,
        notify: Vec::new(),
        tags: Vec::new(),
        options: crate::MonitorOptions::default(),
    };
    let monitor_id = create(domain, owner, new).await.unwrap().monitor.id;
    let (run_id, now) = (domain.new_id(), domain.now());
    let args = MonitorRunArgs { monitor_id, run_id, due_at: now, by_hand: false };
    let mut context = RunContext::load(domain, args).await.unwrap().unwrap();
    context.target = Some(monitor_target::Model {
        url_key: context.row.url_key.clone(),
        url: context.row.target_url.clone(),
        etag: Some("\"a\"".into()),
        last_modified: Some("Fri, 20 Nov 2026 12:00:00 GMT".into()),
        content_type: Some("text/plain".into()),
        final_url: None,
        body_hash: HASH,
        body: Some(zstd::bulk::compress(b"The ferry leaves at nine.", 1).unwrap()),
        fetched_at: now,
        checked_at: now,
        fetched_by: Some(fetched_by),
    });
    context
}

/// Marks the stored body as evaluated by the monitor.
fn mark_evaluated(context: &mut RunContext) {
    context.row.baseline_hash = Some("a".into());
    context.row.seen_body_hash = HASH;
}

/// True if the shared body is free, false if it costs credits. `None` if no body is shared.
fn shared(context: &RunContext) -> Option<bool> {
    match context.shared().unwrap()? {
        SourceFetchOutcome::Same(answered) => Some(answered.is_free),
        SourceFetchOutcome::Body(fetched) => Some(fetched.answered.is_free),
        SourceFetchOutcome::Failed(_) | SourceFetchOutcome::Exhausted | SourceFetchOutcome::Postponed => None,
    }
}

#[tokio::test]
async fn body_is_shared_for_15_minutes_and_free_within_the_account() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let owner = person(&database.domain, Tier::Free).await;
    let stranger = person(&database.domain, Tier::Free).await;
    let mut context = context(&database, owner, owner).await;
    assert_eq!(shared(&context), Some(true));
    let begun = context.started_at;
    context.started_at = begun + MAX_SHARED_AGE_MS - 1;
    assert_eq!(shared(&context), Some(true));
    context.started_at = begun + MAX_SHARED_AGE_MS;
    assert_eq!(shared(&context), None, "a body that is too old is not shared");
    context.started_at = begun;
    context.args.by_hand = true;
    assert_eq!(shared(&context), None, "a manual run does not use a shared body");
    context.args.by_hand = false;
    context.target.as_mut().unwrap().fetched_by = Some(stranger);
    assert_eq!(shared(&context), Some(false), "the cost does not reveal other monitors");
}

#[tokio::test]
async fn unchanged_response_is_returned_without_its_body() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let owner = person(&database.domain, Tier::Free).await;
    let mut context = context(&database, owner, owner).await;
    mark_evaluated(&mut context);
    let url = fetch::Url::parse("https://harbour.example/").unwrap();
    let fetched = Fetched::of_rendered(url, 200, "<p>The ferry leaves at nine.</p>".to_owned()).unwrap();
    context.row.seen_body_hash = body_hash(&fetched.body);
    let body = SourceBody {
        bytes: fetched.body.clone(),
        content_type: None,
        url: "https://harbour.example/".to_owned(),
        is_cut: false,
    };
    let SourceFetchOutcome::Same(answered) = context.outcome_of_body(fetched, body) else {
        panic!("the body was evaluated before")
    };
    assert!(answered.fetched.unwrap().body.is_empty());
}

#[tokio::test]
async fn body_older_than_the_last_check_is_not_shared() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let owner = person(&database.domain, Tier::Free).await;
    let mut context = context(&database, owner, owner).await;
    let had = context.started_at;
    context.started_at += 2;
    context.row.last_run_at = Some(had - 1);
    assert_eq!(shared(&context), Some(true));
    for last_run in [had, had + 1] {
        context.row.last_run_at = Some(last_run);
        assert_eq!(shared(&context), None);
    }
}

#[tokio::test]
async fn requests_are_conditional_for_a_week_if_the_body_is_usable() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let owner = person(&database.domain, Tier::Free).await;
    let mut context = context(&database, owner, owner).await;
    let is_conditional = |context: &RunContext| {
        let request = context.conditions(Request::page(&context.row.target_url));
        assert_eq!(request.etag.is_some(), request.last_modified.is_some());
        request.etag.is_some()
    };
    assert!(is_conditional(&context), "the stored body is available after a 304");
    context.target.as_mut().unwrap().body = None;
    assert!(!is_conditional(&context), "without a stored body or an evaluation the request is unconditional");
    mark_evaluated(&mut context);
    assert!(is_conditional(&context));
    context.row.seen_body_hash = HASH + 1;
    assert!(!is_conditional(&context), "the monitor evaluated another body");
    mark_evaluated(&mut context);
    let start = context.started_at;
    // The source returns 304 every hour, so the time of its last body does not change.
    for hours in 0..7 * 24 {
        context.started_at = start + hours * HOUR;
        context.target.as_mut().unwrap().checked_at = context.started_at;
        assert!(is_conditional(&context));
    }
    context.started_at = start + MAX_VALIDATED_AGE_MS;
    assert!(!is_conditional(&context), "after seven days the request is unconditional");
}
