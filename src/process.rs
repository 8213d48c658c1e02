//! Long-lived processes: their components, startup, and shutdown.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use jobs::JobKind;
use jobs::{WorkerSettings, Workers};
use kernel::db::embedded_file;
use kernel::{Clock, Database, DatabaseSettings, SystemClock};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::{Route, Server};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::installation::absolute_text;
use crate::listener::{ConnectionLimits, LimitedListener};
use crate::ops::{self, Ops};
use crate::schema::Schema;
use crate::{health, router, welcome};
use http_kit::app::App;
use http_kit::config::Settings;

/// Maximum number of connections of a process.
const MAX_CONNECTIONS: usize = 8192;
/// Maximum number of connections from one network, except from trusted proxies.
const MAX_CONNECTIONS_PER_NETWORK: usize = 256;
/// Maximum time without a byte on a connection. Longer than the time until any response begins.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);
/// Maximum time for receiving a request head.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// Interval at which the process checks for pending migrations.
const MIGRATION_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Interval at which freed memory is returned to the system.
const MEMORY_RETURN_INTERVAL: Duration = Duration::from_secs(20);

/// Role of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessRole {
    /// All components; no other process is needed.
    All,
    /// HTTP front end.
    Web,
    /// Worker for jobs of these kinds; for all kinds if the list is empty.
    Worker(Vec<JobKind>),
    /// Scheduler.
    Scheduler,
}

/// Runs all pending migrations.
///
/// # Errors
/// If the database cannot be opened, a migration fails, or a newer version upgraded the schema too long ago.
pub async fn migrate(settings: &Settings) -> anyhow::Result<()> {
    // Statements have no timeouts, because a migration may take a long time, and so may the wait for another
    // process that migrates.
    let db = Database::connect(&settings.database_url, &DatabaseSettings::without_timeouts(2)).await?;
    let schema = Schema::read(db.write()).await?;
    require_window(&schema)?;
    migrations::run(db.write()).await.context("failed to migrate the database")?;
    tracing::info!(steps = schema.pending, "the database is up to date");
    db.close().await;
    Ok(())
}

/// Fails if this version must not run on the schema of a newer version. Logs a warning if it may run only for
/// a limited time.
fn require_window(schema: &Schema) -> anyhow::Result<()> {
    schema.require_window(SystemClock.now())?;
    if let Some(text) = schema.newer_text() {
        tracing::warn!("{text}");
    }
    Ok(())
}

/// Runs as `role` until a signal arrives. The first SIGTERM or SIGINT lets running work finish; the second
/// stops immediately. `commands` creates the page of the handbook about the command line.
///
/// # Errors
/// If a component cannot be opened, or a component stops unexpectedly.
pub async fn run(settings: Settings, role: ProcessRole, commands: fn() -> String) -> anyhow::Result<()> {
    if role != ProcessRole::All && !settings.supports_multiple_processes() {
        bail!(
            "web, worker and scheduler need PostgreSQL (DATABASE_URL), or an embedded database with REDIS_URL, to run as separate processes; `carrel serve` needs neither"
        );
    }
    health::install_recorder()?;
    let shutdown = CancellationToken::new();
    let ops = Ops::starting(&settings, shutdown.clone());
    let _answering = ops::listen(health::routes(&ops, Route::new()), settings.ops_listen).await?;
    let welcome = if role == ProcessRole::All { welcome::of_first_start(&settings) } else { None };
    if role == ProcessRole::All {
        migrate(&settings).await?;
    }
    let mut stops = StopSignals::listen()?;
    if role != ProcessRole::All && !wait_for_migrations(&settings, &mut stops).await? {
        return Ok(());
    }
    let app = App::open(settings).await?;
    ops.set_app(&app);
    for rule in &app.settings.fetch.allow {
        tracing::warn!(%rule, "the guard allows this private range (CARREL_FETCH_ALLOW)");
    }
    for name in app.settings.fetch.proxies.names() {
        tracing::info!(name, "monitors may use this proxy (CARREL_PROXIES)");
    }
    let mut parts = JoinSet::new();
    if matches!(role, ProcessRole::All | ProcessRole::Scheduler) {
        parts.spawn(schedule(app.engine.clone(), shutdown.clone()));
    }
    if matches!(role, ProcessRole::All | ProcessRole::Web) {
        parts.spawn(serve(Arc::clone(&app), Front { welcome, commands }, shutdown.clone()));
    }
    if let (ProcessRole::All | ProcessRole::Worker(_), Some(listen)) = (&role, app.settings.inbox.listen) {
        parts.spawn(receive_mail(Arc::clone(&app), listen, shutdown.clone()));
    }
    match role {
        ProcessRole::All => drop(parts.spawn(work(Arc::clone(&app), Vec::new(), shutdown.clone()))),
        ProcessRole::Worker(kinds) => drop(parts.spawn(work(Arc::clone(&app), kinds, shutdown.clone()))),
        ProcessRole::Web | ProcessRole::Scheduler => {}
    }
    let memory_return = tokio::spawn(return_freed_memory());
    let outcome = until_stopped(parts, stops, &shutdown).await;
    memory_return.abort();
    outcome
}

/// Returns freed memory to the system at an interval. The start of the process alone frees 16 MB, and each thread of an
/// embedded database up to a megabyte.
async fn return_freed_memory() {
    let mut interval = tokio::time::interval(MEMORY_RETURN_INTERVAL);
    loop {
        interval.tick().await;
        allocator::return_freed_memory();
    }
}

/// Waits for a signal or the unexpected end of a component, then lets the other components finish. A second
/// signal stops immediately.
async fn until_stopped(
    mut parts: JoinSet<anyhow::Result<()>>,
    mut stops: StopSignals,
    shutdown: &CancellationToken,
) -> anyhow::Result<()> {
    let mut outcome = Ok(());
    tokio::select! {
        signal = stops.next() => tracing::info!(signal, "stopping: no new work is accepted, running work may finish"),
        ended = parts.join_next() => {
            outcome = ended.map_or(Ok(()), flatten).and_then(|()| bail!("a component of the process ended unexpectedly"));
        }
    }
    shutdown.cancel();
    let finish = async {
        while let Some(ended) = parts.join_next().await {
            flatten(ended)?;
        }
        anyhow::Ok(())
    };
    tokio::select! {
        finished = finish => outcome.and(finished),
        signal = stops.next() => { tracing::warn!(signal, "stopping at once"); outcome }
    }
}

/// Waits until no migration is pending, because processes of a new version may start while `carrel migrate`
/// still runs. Returns false if a signal arrived first.
async fn wait_for_migrations(settings: &Settings, stops: &mut StopSignals) -> anyhow::Result<bool> {
    if !wait_for_database_file(settings, stops).await {
        return Ok(false);
    }
    let db = Database::connect(&settings.database_url, &DatabaseSettings::without_timeouts(2)).await?;
    let mut interval = tokio::time::interval(MIGRATION_POLL_INTERVAL);
    let mut is_logged = false;
    loop {
        tokio::select! {
            _ = stops.next() => return Ok(false),
            _ = interval.tick() => {}
        }
        let schema = Schema::read(db.write()).await?;
        let steps = schema.pending;
        if steps == 0 || schema.newer.is_some() {
            require_window(&schema)?;
            db.close().await;
            return Ok(true);
        }
        if !is_logged {
            tracing::warn!(steps, "the database is not up to date: waiting for `carrel migrate`");
            is_logged = true;
        }
    }
}

/// Waits until the file of an embedded database exists, and does not create it: this process may have been started in
/// another folder. Returns false if a signal arrived first.
async fn wait_for_database_file(settings: &Settings, stops: &mut StopSignals) -> bool {
    let Some(file) = embedded_file(&settings.database_url).filter(|file| !file.exists()) else {
        return true;
    };
    let file_text = absolute_text(file);
    tracing::warn!(file = %file_text, "there is no installation here: waiting for `carrel migrate`");
    let mut interval = tokio::time::interval(MIGRATION_POLL_INTERVAL);
    while !file.exists() {
        tokio::select! {
            _ = stops.next() => return false,
            _ = interval.tick() => {}
        }
    }
    true
}

fn flatten(ended: Result<anyhow::Result<()>, tokio::task::JoinError>) -> anyhow::Result<()> {
    ended.context("a component of the process panicked")?
}

/// Signals that stop the process. Both signals have one listener, so that a second signal right after the
/// first is also received.
struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    fn listen() -> anyhow::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

async fn schedule(engine: jobs::Engine, shutdown: CancellationToken) -> anyhow::Result<()> {
    tracing::info!("scheduler started");
    Ok(jobs::scheduler::run(engine, shutdown).await?)
}

async fn work(app: Arc<App>, kinds: Vec<JobKind>, shutdown: CancellationToken) -> anyhow::Result<()> {
    let tools = app.tools()?;
    let handlers = application::job_kinds::handlers(&tools);
    let work = &app.settings.work;
    let kinds = kinds_of_worker(&kinds, tools.renderer.is_some())?;
    tracing::info!(browser = app.settings.renderer.state(), "renderer of pages that need scripts");
    let settings = WorkerSettings {
        kinds: Some(kinds),
        concurrency: [
            (JobKind::Extraction, work.extraction_concurrency),
            (JobKind::ReadJob, work.read_job_concurrency),
        ]
        .into(),
        max_run_ms: HashMap::new(),
        grace_ms: i64::try_from(work.shutdown_grace.as_millis()).unwrap_or(i64::MAX),
    };
    let workers = Workers::start(&app.engine, &handlers, &settings, shutdown).await;
    tracing::info!("the workers take work");
    workers.finish().await;
    tools.sandbox.shutdown().await;
    if let Some(renderer) = &tools.renderer {
        renderer.shutdown().await;
    }
    Ok(())
}

/// Returns the kinds of a worker: the named kinds, or all kinds. `render` stands for all kinds that need a
/// browser. A worker without a browser leaves them to other workers.
///
/// # Errors
/// If such a kind is named and the worker has no browser.
pub fn kinds_of_worker(named: &[JobKind], has_browser: bool) -> anyhow::Result<Vec<JobKind>> {
    if let Some(kind) = named.iter().find(|kind| kind.needs_browser() && !has_browser) {
        bail!("--kinds {kind} needs a Chromium: install it, or set CARREL_RENDERER to its path");
    }
    let is_named = |kind: &JobKind| {
        named.is_empty() || named.contains(kind) || (kind.needs_browser() && named.contains(&JobKind::Render))
    };
    let is_taken = |kind: &JobKind| is_named(kind) && (has_browser || !kind.needs_browser());
    Ok(JobKind::ALL.iter().copied().filter(is_taken).collect())
}

/// Receives mail by LMTP or SMTP.
async fn receive_mail(app: Arc<App>, listen: SocketAddr, shutdown: CancellationToken) -> anyhow::Result<()> {
    let listener = tokio::net::TcpListener::bind(listen).await;
    let listener =
        listener.with_context(|| format!("cannot receive mail at {listen} (CARREL_INBOX_LISTEN)"))?;
    let tls = match &app.settings.inbox.tls {
        Some(files) => Some(
            inbox::lmtp::load_tls(&files.certificate, &files.key)
                .context("cannot offer STARTTLS (CARREL_INBOX_CERTIFICATE, CARREL_INBOX_KEY)")?,
        ),
        None => None,
    };
    tracing::info!(%listen, domain = app.domain.policy().mail_domain(), "receiving mail");
    inbox::lmtp::serve(app.engine.clone(), listener, tls, shutdown).await;
    Ok(())
}

/// Texts that the HTTP front end displays.
struct Front {
    /// Text that is printed at the first start.
    welcome: Option<String>,
    /// Creates the page of the handbook about the command line.
    commands: fn() -> String,
}

async fn serve(app: Arc<App>, front: Front, shutdown: CancellationToken) -> anyhow::Result<()> {
    let listen = app.settings.listen;
    let grace = app.settings.work.shutdown_grace.max(Duration::from_secs(1));
    let limits = ConnectionLimits {
        total: MAX_CONNECTIONS,
        per_network: MAX_CONNECTIONS_PER_NETWORK,
        head: HEAD_TIMEOUT,
        idle: IDLE_TIMEOUT.max(app.settings.deadlines.batch + Duration::from_secs(15)),
        trusted_proxies: app.settings.trusted_proxies.clone(),
    };
    let acceptor = bind(listen, limits).await?;
    if let Some(text) = front.welcome {
        welcome::print(&text);
    }
    let routes = router::routes(&app, front.commands);
    if !app.has_account().await {
        let auth = &app.settings.origins.auth;
        tracing::info!(
            "no account exists yet: create one at {auth}/sign-up, or with `carrel account create EMAIL`"
        );
        if !app.domain.policy().is_private() {
            tracing::info!(
                "new accounts have the plan `free`; change yours with `carrel account set-tier EMAIL pro`"
            );
        }
    }
    if app.settings.is_exposed_without_tls() {
        tracing::warn!(
            %listen,
            "other machines can reach this address, but the service is configured without HTTPS: passwords and keys would travel unencrypted; put a TLS proxy in front and set CARREL_BASE_URL to https://…, or listen on 127.0.0.1"
        );
    }
    tracing::info!(%listen, base = %app.settings.origins.base, "answering; open {}/ in a browser", app.settings.origins.reader);
    let stopping = async move {
        shutdown.cancelled().await;
        app.begin_shutdown();
    };
    Server::new_with_acceptor(acceptor)
        .idle_timeout(IDLE_TIMEOUT)
        .http2_max_header_list_size(32 * 1024)
        .run_with_graceful_shutdown(routes, stopping, Some(grace))
        .await
        .with_context(|| format!("cannot answer at {listen}"))
}

/// Binds the address. If the address is in use, the error names the setting to change.
async fn bind(listen: SocketAddr, limits: ConnectionLimits) -> anyhow::Result<impl Acceptor> {
    let listener = LimitedListener::new(TcpListener::bind(listen.to_string()), limits);
    listener.into_acceptor().await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow::anyhow!(
            "cannot answer at {listen}: the address is in use; stop the other program, or set CARREL_LISTEN to another address"
        ),
        _ => anyhow::Error::new(error).context(format!("cannot answer at {listen} (CARREL_LISTEN)")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_render_selects_all_kinds_that_need_a_browser() {
        let kinds = |named: &[JobKind], has_browser| kinds_of_worker(named, has_browser).unwrap();
        let rendering = kinds(&[JobKind::Render], true);
        assert_eq!(rendering.len(), 4);
        assert!(rendering.iter().all(|kind| kind.needs_browser()), "{rendering:?}");
        assert_eq!(kinds(&[JobKind::Mail], false), [JobKind::Mail]);
        assert_eq!(kinds(&[], true), JobKind::ALL);
        assert!(kinds(&[], false).iter().all(|kind| !kind.needs_browser()));
        for kind in rendering {
            assert!(kinds_of_worker(&[kind], false).is_err(), "{kind}");
        }
    }
}
