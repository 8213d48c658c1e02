//! Tests of logged errors and counted outcomes of runs.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::rows::{self, Claimed, JobKind};
use kernel::{Backend, Code};
use tokio_util::sync::CancellationToken;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Level, Metadata, Subscriber};

use super::support::*;
use crate::runner::{Runner, loss_reason};
use crate::{Engine, Handler, JobError};

/// Captures the errors logged in this thread.
#[derive(Clone, Default)]
struct CapturedErrors(Arc<Mutex<Vec<String>>>);

impl CapturedErrors {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

struct MessageVisitor<'a>(&'a mut String);

impl Visit for MessageVisitor<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            write!(self.0, "{value:?}").unwrap();
        }
    }
}

impl Subscriber for CapturedErrors {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::ERROR && metadata.target().starts_with("jobs")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut message = String::new();
        event.record(&mut MessageVisitor(&mut message));
        self.0.lock().unwrap().push(message);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

async fn claimed(engine: &Engine, key: &str) -> Claimed {
    let id = engine.submit(read_job(key)).await.unwrap().id;
    rows::claim(engine.domain(), id, "worker", 30_000).await.unwrap().unwrap()
}

fn runner(engine: &Engine, handler: &Handler) -> Runner {
    let (max_run, release_now) = (Duration::from_mins(1), CancellationToken::new());
    Runner { engine: engine.clone(), handler: handler.clone(), max_run, release_now }
}

/// Runs one claim in this thread. Returns the logged errors.
async fn errors_of(engine: &Engine, claimed: Claimed, handler: &Handler) -> Vec<String> {
    let (errors, _guard) = capture_errors();
    Box::pin(runner(engine, handler).run(claimed)).await;
    errors.take()
}

/// Captures errors logged in this thread until the guard is dropped.
fn capture_errors() -> (CapturedErrors, DefaultGuard) {
    let errors = CapturedErrors::default();
    (errors.clone(), tracing::subscriber::set_default(errors))
}

#[tokio::test]
async fn handler_that_does_not_complete_its_job_is_logged() {
    let setup = Setup::memory(Backend::Sqlite).await;
    let engine = setup.engine();
    let returns_early = Handler::new(JobKind::ReadJob, |_, _| async { Ok::<(), JobError>(()) });
    let open = claimed(&engine, "open").await;
    let errors = errors_of(&engine, open.clone(), &returns_early).await;
    assert_eq!(errors, ["handler returned without completing its job"]);
    // A worker need not complete a job that another worker has claimed.
    setup.expire_all_leases().await;
    rows::expire_leases(engine.domain()).await.unwrap();
    rows::claim(engine.domain(), open.id, "other", 30_000).await.unwrap().unwrap();
    assert_eq!(errors_of(&engine, open, &returns_early).await, [] as [String; 0]);
    let closed = claimed(&engine, "closed").await;
    let closes = effect_handler(JobKind::ReadJob);
    assert_eq!(errors_of(&engine, closed, &closes).await, [] as [String; 0]);
}

#[tokio::test]
async fn failed_completion_is_logged_unless_the_job_was_cancelled() {
    let setup = Setup::memory(Backend::Sqlite).await;
    let engine = setup.engine();
    let fails = Handler::new(JobKind::ReadJob, |_, _| async {
        Err::<(), _>(fail(Code::UrlNotAllowed, "The address is not public."))
    });
    let void = claimed(&engine, "void").await;
    rows::cancel(engine.domain(), void.id).await.unwrap();
    assert_eq!(errors_of(&engine, void, &fails).await, [] as [String; 0]);
    let stuck = claimed(&engine, "stuck").await;
    let trigger = "CREATE TRIGGER stuck BEFORE UPDATE ON job BEGIN SELECT RAISE(ABORT, 'stuck'); END";
    sea_orm::ConnectionTrait::execute_unprepared(engine.domain().db().write(), trigger).await.unwrap();
    let errors = errors_of(&engine, stuck.clone(), &fails).await;
    assert_eq!(errors, ["failed to write job completion, its lease will expire"]);
    let (errors, _guard) = capture_errors();
    crate::claim::release_claim(&engine, &stuck).await;
    assert_eq!(errors.take(), ["failed to release claim, its lease will expire"]);
}

#[tokio::test]
async fn release_of_a_lost_claim_is_not_logged_as_an_error() {
    let setup = Setup::memory(Backend::Sqlite).await;
    let engine = setup.engine();
    let gone = claimed(&engine, "gone").await;
    rows::cancel(engine.domain(), gone.id).await.unwrap();
    let (errors, _guard) = capture_errors();
    assert!(!crate::claim::release_claim(&engine, &gone).await);
    assert_eq!(errors.take(), [] as [String; 0]);
}

#[tokio::test]
async fn reason_of_a_run_without_effect_is_read_from_its_row() {
    let setup = Setup::memory(Backend::Sqlite).await;
    let engine = setup.engine();
    let domain = engine.domain();
    let reason = async |claimed: &Claimed| {
        let job = rows::get(domain, claimed.id).await.unwrap();
        loss_reason(claimed, job.as_ref())
    };
    let cancelled = claimed(&engine, "cancelled").await;
    assert_eq!(reason(&cancelled).await, "outcome not written");
    rows::cancel(domain, cancelled.id).await.unwrap();
    assert_eq!(reason(&cancelled).await, "cancelled");
    let expired = claimed(&engine, "expired").await;
    setup.expire_all_leases().await;
    rows::expire_leases(domain).await.unwrap();
    assert_eq!(reason(&expired).await, "lease expired");
    let other = rows::claim(domain, expired.id, "other", 30_000).await.unwrap().unwrap();
    assert_eq!(reason(&expired).await, "claimed by another worker");
    rows::complete_in(domain.db().write(), domain, &other).await.unwrap();
    assert!(reason(&expired).await.ends_with("by another worker"));
    assert_ne!(reason(&expired).await, "claimed by another worker");
    let lost = claimed(&engine, "lost").await;
    let undone = "UPDATE job SET state = 'ready', fence = 0 WHERE key = 'lost'";
    sea_orm::ConnectionTrait::execute_unprepared(domain.db().write(), undone).await.unwrap();
    assert_eq!(reason(&lost).await, "claim lost by the database");
}

#[tokio::test]
async fn runs_are_counted_by_outcome() {
    let setup = Setup::memory(Backend::Sqlite).await;
    let engine = setup.engine();
    let handler = Handler::new(JobKind::ReadJob, |context, job| async move {
        match job.key.as_str() {
            "complete" => write_effect(context, job).await,
            "failed" => Err(fail(Code::UrlNotAllowed, "The address is not public.")),
            "retry" => Err(retry_after(1_000)),
            "lost" => Err(JobError::Lost),
            "void" => {
                rows::cancel(context.domain(), job.id).await?;
                Err(retry_after(1_000))
            }
            _ => panic!("in the middle"),
        }
    });
    for key in ["complete", "failed", "retry", "lost", "void", "panic"] {
        runner(&engine, &handler).run(claimed(&engine, key).await).await;
    }
    // The grace period is over, and the handler never returns.
    let never = Handler::new(JobKind::ReadJob, |_, _| std::future::pending::<Result<(), JobError>>());
    let stopped = runner(&engine, &never);
    stopped.release_now.cancel();
    stopped.clone().run(claimed(&engine, "released").await).await;
    let gone = claimed(&engine, "gone").await;
    rows::cancel(engine.domain(), gone.id).await.unwrap();
    stopped.run(gone).await;
    engine.write_completion_counts().await;
    for (outcome, count) in [("complete", 1), ("failed", 1), ("retry", 2), ("lost", 3), ("released", 1)] {
        let sql =
            format!("SELECT CAST(SUM(ends) AS bigint) AS n FROM job_minute WHERE outcome = '{outcome}'");
        assert_eq!(setup.count(&sql).await, count, "{outcome}");
    }
}
