//! `carrel jobs`: inspects and controls background jobs.

use std::io::Write;
use std::time::Duration;

use ::jobs::Engine;
use ::jobs::{AttemptFailure, JobFilter, JobKind, JobRow, JobState, KindLimits};
use anyhow::Context;
use application::operators;
use clap::Subcommand;
use kernel::{Code, Domain, JobId, rfc3339};

use http_kit::config::Settings;

/// Interval at which the number of running jobs is queried while a job kind drains.
const DRAIN_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Jobs command.
#[derive(Debug, Subcommand)]
pub(super) enum JobsCommand {
    /// List jobs, newest first.
    List {
        /// Show only jobs of this kind.
        #[arg(long, value_parser = kind)]
        kind: Option<JobKind>,
        /// Show only jobs in this state: ready, running, complete, failed, dead.
        #[arg(long, value_parser = state)]
        state: Option<JobState>,
        /// Maximum number of jobs.
        #[arg(long, default_value_t = 50)]
        limit: u64,
    },
    /// Show all details of a job.
    Show {
        /// Id of the job.
        id: JobId,
    },
    /// Retry a failed or dead job.
    Retry {
        /// Id of the job.
        id: JobId,
    },
    /// Cancel a ready or running job.
    Cancel {
        /// Id of the job.
        id: JobId,
    },
    /// Pause a job kind: workers start no further jobs of it. Running jobs finish and submitted jobs wait.
    Pause {
        /// Job kind.
        #[arg(value_parser = kind)]
        kind: JobKind,
        /// Wait until no job of the kind is running.
        #[arg(long)]
        drain: bool,
    },
    /// Resume a paused job kind.
    Resume {
        /// Job kind.
        #[arg(value_parser = kind)]
        kind: JobKind,
    },
    /// Replace the limits of a job kind while it runs. Without options, its built-in limits apply again.
    Limit {
        /// Job kind.
        #[arg(value_parser = kind)]
        kind: JobKind,
        /// Maximum number of running jobs in all processes together.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(jobs::HIGHEST_LIMIT)))]
        running: Option<u32>,
        /// Maximum number of starts per minute in all processes together.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(jobs::HIGHEST_LIMIT)))]
        starts_a_minute: Option<u32>,
        /// Seconds after which a run is stopped.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(jobs::HIGHEST_LIMIT)))]
        run_seconds: Option<u32>,
    },
    /// Show the backlog of each job kind and which kinds are paused or limited.
    Kinds,
}

/// Runs the command on the database in `settings`.
pub(super) async fn run(settings: Settings, command: JobsCommand) -> anyhow::Result<()> {
    let domain = crate::installation::open_domain(&settings).await?;
    let engine = http_kit::app::engine_of(&settings, domain.clone())?;
    let mut out = std::io::stdout();
    match command {
        JobsCommand::List { kind, state, limit } => {
            let jobs = jobs::list(&domain, &JobFilter { kind, state, after: None, limit }).await?;
            writeln!(
                out,
                "{:<36}  {:<10}  {:<8}  {:>5}  {:<24}  ERROR",
                "ID", "KIND", "STATE", "TRIES", "DUE"
            )?;
            for job in jobs {
                let error = job.error_code.map_or("", Code::as_str);
                let (kind, state) = (job.kind.as_str(), job.state.as_str());
                writeln!(
                    out,
                    "{}  {kind:<10}  {state:<8}  {:>5}  {:<24}  {error}",
                    job.id,
                    job.attempts,
                    rfc3339(job.run_at)
                )?;
            }
        }
        JobsCommand::Show { id } => show(&mut out, &find(&engine, id).await?)?,
        JobsCommand::Retry { id } => show(&mut out, &engine.retry(id).await?)?,
        JobsCommand::Cancel { id } => show(&mut out, &engine.cancel(id).await?)?,
        JobsCommand::Pause { kind, drain } => {
            jobs::pause(&domain, kind, "the command line").await?;
            if drain {
                until_drained(&domain, kind).await?;
            }
            show_kinds(&mut out, &domain).await?;
        }
        JobsCommand::Resume { kind } => {
            jobs::resume(&domain, kind).await?;
            show_kinds(&mut out, &domain).await?;
        }
        JobsCommand::Limit { kind, running, starts_a_minute, run_seconds } => {
            let limits = KindLimits {
                kind,
                max_run_ms: run_seconds.map(|seconds| i64::from(seconds) * 1000),
                most_running: running,
                starts_a_minute,
                set_at: domain.now(),
                set_by: "the command line".to_owned(),
            };
            jobs::set_limits(&domain, &limits).await?;
            show_kinds(&mut out, &domain).await?;
        }
        JobsCommand::Kinds => show_kinds(&mut out, &domain).await?,
    }
    Ok(())
}

/// Waits until no job of `kind` is running.
async fn until_drained(domain: &Domain, kind: JobKind) -> anyhow::Result<()> {
    let mut interval = tokio::time::interval(DRAIN_POLL_INTERVAL);
    loop {
        interval.tick().await;
        let running = jobs::running(domain.db().read(), domain, kind).await?;
        if running == 0 {
            return Ok(());
        }
        eprintln!("{running} {kind} jobs still running");
    }
}

async fn show_kinds(out: &mut impl Write, domain: &Domain) -> anyhow::Result<()> {
    let now = domain.now();
    writeln!(
        out,
        "{:<16}  {:>7}  {:>7}  {:>12}  {:>9}  {:>6}  {:>4}  STATE",
        "KIND", "WAITING", "RUNNING", "OLDEST WAITS", "DONE/HOUR", "FAILED", "DEAD"
    )?;
    for state in operators::kinds(domain).await? {
        let waits =
            state.oldest_due.map_or_else(|| "-".to_owned(), |due| format!("{} s", (now - due).max(0) / 1000));
        let done: u64 = state.done.iter().sum();
        let mut status = state.pause.map_or_else(
            || "on".to_owned(),
            |pause| format!("paused since {} by {}", rfc3339(pause.paused_at), pause.paused_by),
        );
        if let Some(limits) = &state.limits {
            status.push_str(&format!(", {limits}"));
        }
        writeln!(
            out,
            "{:<16}  {:>7}  {:>7}  {waits:>12}  {done:>9}  {:>6}  {:>4}  {status}",
            state.kind.as_str(),
            state.waiting,
            state.running,
            state.failed,
            state.dead
        )?;
    }
    Ok(())
}

async fn find(engine: &Engine, id: JobId) -> anyhow::Result<JobRow> {
    engine.status(id).await?.with_context(|| format!("there is no job {id}"))
}

fn show(out: &mut impl Write, job: &JobRow) -> anyhow::Result<()> {
    let time = |at: Option<i64>| at.map_or_else(|| "-".to_owned(), rfc3339);
    let lines = [
        ("id", job.id.to_string()),
        ("kind", job.kind.to_string()),
        ("key", job.key.clone()),
        ("state", job.state.as_str().to_owned()),
        ("attempts", job.attempts.to_string()),
        ("payload", job.payload.clone()),
        ("due", rfc3339(job.run_at)),
        ("created", rfc3339(job.created_at)),
        ("started", time(job.started_at)),
        ("finished", time(job.finished_at)),
        ("request", job.request_id.clone().unwrap_or_else(|| "-".to_owned())),
        ("worker", job.worker.clone().unwrap_or_else(|| "-".to_owned())),
        ("error", job.error_code.map_or("-", Code::as_str).to_owned()),
        ("message", job.error_message.clone().unwrap_or_else(|| "-".to_owned())),
    ];
    for (name, value) in lines {
        writeln!(out, "{name:<9} {value}")?;
    }
    for failure in &job.errors {
        let AttemptFailure { at, attempt, worker, code, message } = failure;
        writeln!(out, "start {attempt:<3} {}  {code}  {message}  {worker}", rfc3339(*at))?;
    }
    Ok(())
}

fn state(word: &str) -> Result<JobState, String> {
    let known = [JobState::Ready, JobState::Running, JobState::Complete, JobState::Failed, JobState::Dead];
    known
        .into_iter()
        .find(|state| state.as_str() == word)
        .ok_or_else(|| "must be one of ready, running, complete, failed, dead".to_owned())
}

/// Parses the name of a job kind.
pub(super) fn kind(word: &str) -> Result<JobKind, String> {
    JobKind::parse(word).ok_or_else(|| {
        let known: Vec<&str> = JobKind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("unknown job kind; must be one of {}", known.join(", "))
    })
}
