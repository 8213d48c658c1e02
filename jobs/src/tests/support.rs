//! Support for tests: engines on fresh databases, handlers that wait for a gate, and waits with a timeout.

use crate::cleanup::{COMPLETION_COUNTS, Cleanups, FINISHED_JOBS};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::rows::{self, JobKind, NewJob, Pending, WaitOutcome};
use kernel::testing::{TestDatabase, free_port, redis_url};
use kernel::{Backend, Code, Domain, FixedClock, Ids, JobId, RandomIds};
use sea_orm::{ConnectionTrait, Statement};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use crate::{Engine, EngineSettings, Handler, Handlers, JobContext, JobError, WorkerSettings, Workers};

/// Timeout of waits for expected events, which is long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Database, and settings of the engines that use it.
pub(super) struct Setup {
    pub(super) db: TestDatabase,
    pub(super) settings: EngineSettings,
}

impl Setup {
    pub(super) async fn memory(backend: Backend) -> Self {
        Self::with(backend, None).await
    }

    pub(super) async fn redis(backend: Backend) -> Self {
        Self::with(backend, Some(redis_url())).await
    }

    /// Creates a setup with PostgreSQL and without Redis.
    pub(super) async fn rows() -> Self {
        Self::with(Backend::Postgres, None).await
    }

    /// Creates the two setups whose transport carries ids and limits the depth of the queue.
    pub(super) async fn each_with_ids() -> [Self; 2] {
        [Self::memory(Backend::Sqlite).await, Self::redis(Backend::Postgres).await]
    }

    /// Creates the three deployment variants of the product.
    pub(super) async fn each() -> [Self; 3] {
        [Self::memory(Backend::Sqlite).await, Self::redis(Backend::Postgres).await, Self::rows().await]
    }

    pub(super) async fn with(backend: Backend, redis_url: Option<String>) -> Self {
        let mut db = TestDatabase::create(backend).await;
        db.domain = db.domain.install(Cleanups(&[FINISHED_JOBS, COMPLETION_COUNTS]));
        let create = "CREATE TABLE effect (job_key TEXT PRIMARY KEY)";
        db.domain.db().write().execute_unprepared(create).await.unwrap();
        let settings = EngineSettings { redis_url, redis_prefix: random_word(), ..EngineSettings::default() };
        Self { db, settings }
    }

    pub(super) fn domain(&self) -> &Domain {
        &self.db.domain
    }

    pub(super) fn engine(&self) -> Engine {
        Engine::new(self.domain().clone(), self.settings.clone()).unwrap()
    }

    /// Creates an engine with its own connections, like the engine of a second process.
    pub(super) async fn second_engine(&self) -> Engine {
        Engine::new(self.db.second_handle().await, self.settings.clone()).unwrap()
    }

    /// Creates a second engine whose clock is fast by `ahead` milliseconds.
    pub(super) async fn engine_with_clock(&self, ahead: kernel::Millis) -> Engine {
        let clock = Arc::new(FixedClock::at(self.domain().now() + ahead));
        let db = self.db.second_handle().await.db().clone();
        Engine::new(Domain::with(db, clock, Arc::new(RandomIds)), self.settings.clone()).unwrap()
    }

    /// Makes all waiting jobs due, whatever their delay.
    pub(super) async fn make_all_due(&self) {
        let sql = "UPDATE job SET run_at = 0 WHERE state = 'ready'";
        self.domain().db().write().execute_unprepared(sql).await.unwrap();
    }

    /// Expires every lease.
    pub(super) async fn expire_all_leases(&self) {
        let sql = "UPDATE job SET lease_until = 1 WHERE state = 'running'";
        self.domain().db().write().execute_unprepared(sql).await.unwrap();
    }

    /// Returns the number of keys for which an effect was written.
    pub(super) async fn effects(&self) -> u64 {
        self.count("SELECT COUNT(*) AS n FROM effect").await
    }

    pub(super) async fn count(&self, sql: &str) -> u64 {
        let read = self.domain().db().read();
        let query = Statement::from_string(read.get_database_backend(), sql.to_owned());
        let row = read.query_one_raw(query).await.unwrap().unwrap();
        u64::try_from(row.try_get::<i64>("", "n").unwrap()).unwrap()
    }
}

pub(super) fn random_word() -> String {
    let mut bytes = [0_u8; 8];
    RandomIds.fill(&mut bytes);
    format!("test{:016x}", u64::from_le_bytes(bytes))
}

/// Pending result that returns the outcome of the wait.
pub(super) struct ReturnWaitOutcome;

impl Pending for ReturnWaitOutcome {
    type Answer = WaitOutcome;

    async fn resume(self, _: &Domain, outcome: WaitOutcome) -> kernel::Result<WaitOutcome> {
        Ok(outcome)
    }
}

/// Creates a runtime. Dropping it with everything in it simulates `kill -9`.
pub(super) fn process() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

pub(super) fn read_job(key: impl Into<String>) -> NewJob {
    NewJob::new(JobKind::ReadJob, key)
}

/// Starts a worker pool with its own shutdown token.
pub(super) async fn start(engine: &Engine, handler: Handler) -> Workers {
    start_with(engine, handler, &WorkerSettings::default()).await
}

pub(super) async fn start_with(engine: &Engine, handler: Handler, settings: &WorkerSettings) -> Workers {
    Workers::start(engine, &Handlers::new().with(handler), settings, CancellationToken::new()).await
}

pub(super) fn one_at_a_time(kind: JobKind) -> WorkerSettings {
    WorkerSettings { concurrency: [(kind, 1)].into(), ..WorkerSettings::default() }
}

/// Inserts one row into `effect` and completes the job, in one transaction. The table refuses a second effect
/// for the same key.
pub(super) async fn write_effect(context: JobContext, job: rows::Claimed) -> Result<(), JobError> {
    let transaction = context.domain().db().begin().await.map_err(kernel::Error::from)?;
    let sql = "INSERT INTO effect (job_key) VALUES ($1)";
    let insert =
        Statement::from_sql_and_values(transaction.get_database_backend(), sql, [job.key.as_str().into()]);
    transaction.execute_raw(insert).await.map_err(kernel::Error::from)?;
    rows::complete_in(&transaction, context.domain(), &job).await?;
    Ok(transaction.commit().await.map_err(kernel::Error::from)?)
}

/// Creates an error that another attempt would not fix.
pub(super) fn fail(code: Code, message: &str) -> JobError {
    JobError::Fail { code, message: message.to_owned() }
}

/// Creates an error that another attempt, after `delay` milliseconds, may fix.
pub(super) fn retry_after(delay: kernel::Millis) -> JobError {
    JobError::Retry { code: Code::SourceTimeout, message: "Too slow.".into(), after_ms: Some(delay) }
}

pub(super) fn effect_handler(kind: JobKind) -> Handler {
    Handler::new(kind, write_effect)
}

/// Handler that signals its start and waits until the test lets it continue.
pub(super) struct Gate {
    pub(super) handler: Handler,
    pub(super) started: mpsc::UnboundedReceiver<String>,
    pub(super) runs: Arc<AtomicUsize>,
    open: Arc<Semaphore>,
}

impl Gate {
    pub(super) fn new(kind: JobKind) -> Self {
        let (sender, started) = mpsc::unbounded_channel();
        let open = Arc::new(Semaphore::new(0));
        let runs = Arc::new(AtomicUsize::new(0));
        let (waits, counts) = (open.clone(), runs.clone());
        let handler = Handler::new(kind, move |context, job| {
            let (sender, waits) = (sender.clone(), waits.clone());
            counts.fetch_add(1, Ordering::SeqCst);
            async move {
                let _ = sender.send(job.key.clone());
                waits.acquire().await.unwrap().forget();
                write_effect(context, job).await
            }
        });
        Self { handler, started, runs, open }
    }

    pub(super) async fn next(&mut self) -> String {
        tokio::time::timeout(TIMEOUT, self.started.recv()).await.expect("a job starts").unwrap()
    }

    pub(super) fn let_through(&self, jobs: usize) {
        self.open.add_permits(jobs);
    }
}

/// Waits until `condition` is true. Panics with `what` after two minutes.
pub(super) async fn eventually<F: Future<Output = bool>>(what: &str, condition: impl Fn() -> F) {
    let mut ticks = tokio::time::interval(Duration::from_millis(10));
    let begin = Instant::now();
    while !condition().await {
        assert!(begin.elapsed() < TIMEOUT, "did not happen within two minutes: {what}");
        ticks.tick().await;
    }
}

pub(super) async fn state_of(engine: &Engine, id: JobId) -> rows::JobState {
    engine.status(id).await.unwrap().unwrap().state
}

/// Returns the number of engines of this setup that listen on Redis.
pub(super) fn listeners(setup: &Setup) -> u64 {
    let url = setup.settings.redis_url.as_deref().unwrap();
    let mut connection = redis::Client::open(url).unwrap().get_connection().unwrap();
    let channel = format!("{}:pushed", setup.settings.redis_prefix);
    let (_, count): (String, u64) =
        redis::cmd("PUBSUB").arg("NUMSUB").arg(channel).query(&mut connection).unwrap();
    count
}

/// Redis server of this test, which the test may kill.
pub(super) struct PrivateRedis {
    child: Option<Child>,
    port: u16,
    folder: tempfile::TempDir,
}

impl PrivateRedis {
    pub(super) fn start() -> Self {
        let mut redis = Self { child: None, port: free_port(), folder: tempfile::tempdir().unwrap() };
        redis.restart();
        redis
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub(super) fn restart(&mut self) {
        let child = Command::new("redis-server")
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--save", "", "--dir"])
            .arg(self.folder.path())
            .stdout(Stdio::null())
            .spawn()
            .expect(kernel::testing::RUN_BIN_TEST);
        self.child = Some(child);
        let begin = Instant::now();
        while self.connection().is_none() {
            assert!(begin.elapsed() < TIMEOUT, "redis-server did not start");
            std::thread::yield_now();
        }
    }

    pub(super) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    pub(super) fn command(&self, words: &[&str]) {
        let mut command = redis::cmd(words[0]);
        command.arg(&words[1..]);
        command.query::<()>(&mut self.connection().expect("Redis responds")).unwrap();
    }

    fn connection(&self) -> Option<redis::Connection> {
        redis::Client::open(self.url()).unwrap().get_connection().ok()
    }
}

impl Drop for PrivateRedis {
    fn drop(&mut self) {
        self.kill();
    }
}
