//! Tests of the operator views: job kinds with counts and charts, cleanup runs, and paused hosts.

use std::time::Duration;

use super::*;
use jobs::{CompletionBucket, JobKind, JobState, NewJob};
use kernel::testing::{TestDatabase, on_both};
use kernel::{Backend, Code, Error};

on_both! {
    job_kinds_report_counts_and_charts,
    jobs_of_a_paused_kind_are_not_claimed,
    each_attempt_stores_its_error,
    cleanup_runs_and_paused_hosts_are_listed,
}

async fn job_kinds_report_counts_and_charts(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    for key in ["a", "b", "c"] {
        let job = NewJob::new(JobKind::Mail, key);
        jobs::submit(domain.db().write(), domain, job).await.unwrap();
    }
    let scheduled = NewJob::new(JobKind::Mail, "later").run_at(domain.now() + 5_000);
    jobs::submit(domain.db().write(), domain, scheduled).await.unwrap();
    let first = jobs::list(domain, &jobs::JobFilter::default()).await.unwrap().pop().unwrap();
    let claimed = jobs::claim(domain, first.id, "w", 60_000).await.unwrap().unwrap();
    jobs::fail_in(domain.db().write(), domain, &claimed, (Code::Internal, "no")).await.unwrap();
    let minute = jobs::minute_of(domain.now());
    let completions = |minute, outcome| CompletionBucket { kind: JobKind::Mail, minute, outcome };
    let counted = [
        (completions(minute, "complete"), 2),
        (completions(minute - 59, "complete"), 5),
        (completions(minute, "failed"), 1),
    ];
    jobs::add_completions(domain, &counted).await.unwrap();
    jobs::add_completions(
        domain,
        &[(completions(minute, "complete"), 3), (completions(minute - 60, "complete"), 9)],
    )
    .await
    .unwrap();
    database.clock.advance(2_000);
    let all = kinds(domain).await.unwrap();
    assert_eq!(all.len(), JobKind::ALL.len());
    let mail = all.iter().find(|state| state.kind == JobKind::Mail).unwrap();
    assert_eq!((mail.waiting, mail.scheduled, mail.running, mail.failed, mail.dead), (2, 1, 0, 1, 0));
    assert_eq!(mail.oldest_due, Some(domain.now() - 2_000));
    assert_eq!((mail.done[0], mail.done[59], mail.done.len(), mail.not_done[59]), (5, 5, MINUTES, 1));
    database.clock.advance(3 * 3_600_000);
    assert_eq!(jobs::delete_old_minutes(domain).await.unwrap(), 4);
}

async fn jobs_of_a_paused_kind_are_not_claimed(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let mail = jobs::submit(domain.db().write(), domain, NewJob::new(JobKind::Mail, "a")).await.unwrap();
    let other = jobs::submit(domain.db().write(), domain, NewJob::new(JobKind::FeedHub, "a")).await.unwrap();
    jobs::pause(domain, JobKind::Mail, "me").await.unwrap();
    jobs::pause(domain, JobKind::Mail, "another").await.unwrap();
    let paused = jobs::paused(domain).await.unwrap();
    assert_eq!((paused.len(), paused[0].kind, paused[0].paused_by.as_str()), (1, JobKind::Mail, "me"));
    assert_eq!(jobs::claim(domain, mail.id, "w", 60_000).await.unwrap(), None);
    assert!(jobs::claim(domain, other.id, "w", 60_000).await.unwrap().is_some());
    assert!(jobs::lost_batch(domain, JobKind::Mail, -60_000, 10).await.unwrap().is_empty());
    jobs::resume(domain, JobKind::Mail).await.unwrap();
    assert_eq!(jobs::due_batch(domain, JobKind::Mail, 10).await.unwrap().len(), 1, "the job is pushed again");
    assert!(jobs::claim(domain, mail.id, "w", 60_000).await.unwrap().is_some());
}

async fn each_attempt_stores_its_error(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let request = Some("abc123".to_owned());
    let job = kernel::request_id::with(request, async { NewJob::new(JobKind::Mail, "a") }).await;
    let job = jobs::submit(domain.db().write(), domain, job).await.unwrap();
    let claimed = jobs::claim(domain, job.id, "w1", 60_000).await.unwrap().unwrap();
    assert_eq!(claimed.request_id.as_deref(), Some("abc123"));
    jobs::retry_in(domain.db().write(), domain, &claimed, Some(0), (Code::Internal, "the \"first\""))
        .await
        .unwrap();
    jobs::claim(domain, job.id, "w2", -1_000).await.unwrap().unwrap();
    assert_eq!(jobs::expire_leases(domain).await.unwrap().requeued, 1);
    let claimed = jobs::claim(domain, job.id, "w3", 60_000).await.unwrap().unwrap();
    jobs::fail_in(domain.db().write(), domain, &claimed, (Code::SourceTimeout, "the third")).await.unwrap();
    let job = jobs::get(domain, job.id).await.unwrap().unwrap();
    assert_eq!(job.state, JobState::Failed);
    let errors: Vec<(u32, &str, &str)> =
        job.errors.iter().map(|one| (one.attempt, one.code.as_str(), one.message.as_str())).collect();
    let lost = "The worker was lost before the end.";
    let third = Code::SourceTimeout.as_str();
    assert_eq!(
        errors,
        [(1, "internal_error", "the \"first\""), (2, "worker_lost", lost), (3, third, "the third")]
    );
    assert_eq!((job.errors[0].worker.as_str(), job.errors[2].worker.as_str()), ("w1", "w3"));
}

async fn cleanup_runs_and_paused_hosts_are_listed(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    jobs::record_cleanup_run(domain, "jobs", Duration::from_millis(20), &Ok(7)).await.unwrap();
    jobs::record_cleanup_run(
        domain,
        "jobs",
        Duration::from_millis(30),
        &Err(Error::new(Code::Internal, "away")),
    )
    .await
    .unwrap();
    let runs = jobs::cleanup_runs(domain).await.unwrap();
    assert_eq!((runs.len(), runs[0].took_ms, runs[0].error.as_deref()), (1, 30, Some("away")));
    let pause = |url, length| jobs::hosts::Pause { url, length, account_id: None };
    for (url, length) in
        [("https://a.example/1", 60_000), ("https://a.example/2", 7_200_000), ("https://b.example/", 60_000)]
    {
        jobs::hosts::pause(domain.db().write(), domain.now(), pause(url, length)).await.unwrap();
    }
    let hosts = paused_hosts(domain, "", 10).await.unwrap();
    assert_eq!((hosts.len(), hosts[0].host.as_str(), hosts[0].addresses), (2, "a.example", 2));
    assert_eq!(hosts[0].addresses_until, domain.now() + 7_200_000);
    assert!(hosts[0].until.is_some_and(|until| until > domain.now()));
    assert_eq!(paused_hosts(domain, "a.example", 10).await.unwrap().len(), 1);
}
