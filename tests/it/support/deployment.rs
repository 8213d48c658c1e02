//! Real executable as separate processes, with their own PostgreSQL database and, optionally, their own
//! Redis.

use kernel::testing::TestDatabase;
use kernel::tiers::Tier;
use kernel::{Backend, Domain, RandomIds, SystemClock};
use serde_json::{Value, json};

use super::app::client;
use super::person::Person;
use super::servers::{LEASE_SECONDS, PrivateRedis, Process, free_port};
use super::{HttpAnswer, Site, eventually};

pub(crate) struct Deployment {
    pub(crate) database: TestDatabase,
    /// `None` if the processes share only PostgreSQL.
    redis: Option<PrivateRedis>,
    pub(crate) site: Site,
    pub(crate) web: Web,
    pub(crate) processes: Vec<Process>,
    settings: Vec<(&'static str, String)>,
    _files: tempfile::TempDir,
}

/// Web process at a base URL.
pub(crate) struct Web {
    pub(crate) origin: String,
    pub(crate) client: reqwest::Client,
}

impl Web {
    /// Returns the web process that listens on this port.
    pub(crate) fn at(port: u16) -> Self {
        Self { origin: format!("http://127.0.0.1:{port}"), client: client() }
    }

    /// Waits until the process is ready.
    pub(crate) async fn wait_until_ready(&self) {
        let ready_status = async || self.try_get("/readyz").await.map(|answer| answer.status);
        eventually("the front end is ready", ready_status, |status| *status == Some(200)).await;
    }

    /// Sends a `GET` for a path or URL. `None` if the process does not answer.
    pub(crate) async fn try_get(&self, path: &str) -> Option<HttpAnswer> {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.origin) };
        let answer = self.client.get(url).header("accept", "application/json").send().await.ok()?;
        Some(HttpAnswer::of(answer).await)
    }

    /// Sends a `GET` for a path or URL.
    pub(crate) async fn get(&self, path: &str) -> HttpAnswer {
        self.try_get(path).await.expect("the front end responds")
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> HttpAnswer {
        let request = self.client.post(format!("{}{path}", self.origin));
        let request = request.header("content-type", "application/json").body(body.to_string());
        HttpAnswer::of(request.send().await.expect("the front end responds")).await
    }

    /// Posts JSON with the person's API key.
    pub(crate) async fn post_as(&self, person: &Person, path: &str, body: &Value) -> HttpAnswer {
        let request = self.client.post(format!("{}{path}", self.origin)).header("x-api-key", &person.key);
        let request = request.header("content-type", "application/json").body(body.to_string());
        HttpAnswer::of(request.send().await.expect("the front end responds")).await
    }

    /// Creates a read job and returns its id.
    pub(crate) async fn create_read_job(&self, url: &str) -> String {
        let job = self.post("/api/v1/read/jobs", &json!({"url": url})).await.expect(202).json();
        job["job_id"].as_str().unwrap().to_owned()
    }
}

impl Deployment {
    /// Starts one web process, `workers` workers, and a scheduler, with Redis.
    pub(crate) async fn start(workers: usize) -> Self {
        Self::start_on_new_database(Some(PrivateRedis::start().await), workers, &[]).await
    }

    /// Starts the same processes without Redis.
    pub(crate) async fn start_without_redis(workers: usize) -> Self {
        Self::start_with(workers, &[]).await
    }

    /// Starts the same processes without Redis, with additional settings.
    pub(crate) async fn start_with(workers: usize, more: &[(&'static str, String)]) -> Self {
        Self::start_on_new_database(None, workers, more).await
    }

    pub(crate) fn redis(&mut self) -> &mut PrivateRedis {
        self.redis.as_mut().expect("a deployment with Redis")
    }

    /// Starts another worker.
    pub(crate) fn start_worker(&mut self) {
        self.processes.push(Process::start(&["worker"], &self.settings));
    }

    async fn start_on_new_database(
        redis: Option<PrivateRedis>,
        workers: usize,
        more: &[(&'static str, String)],
    ) -> Self {
        Self::on_database(TestDatabase::create(Backend::Postgres).await, redis, workers, more).await
    }

    /// Starts the processes on an existing database.
    pub(crate) async fn on_database(
        database: TestDatabase,
        redis: Option<PrivateRedis>,
        workers: usize,
        more: &[(&'static str, String)],
    ) -> Self {
        let site = Site::start();
        let files = tempfile::tempdir().expect("create a temporary folder");
        let mut settings = vec![
            ("DATABASE_URL", database.url.clone()),
            ("CARREL_FILES", files.path().display().to_string()),
            ("DATABASE_CONNECTIONS", "6".to_owned()),
            ("CARREL_FETCH_ALLOW", "127.0.0.1".to_owned()),
            ("CARREL_READER_LIMITS", "off".to_owned()),
            ("CARREL_LEASE_SECONDS", LEASE_SECONDS.to_owned()),
            ("CARREL_EXTRACT_PROCESSES", "1".to_owned()),
            ("CARREL_SHUTDOWN_SECONDS", "2".to_owned()),
        ];
        settings.extend(redis.as_ref().map(|redis| ("REDIS_URL", redis.url())));
        settings.extend_from_slice(more);
        let (start_web, web) = start_web(&settings);
        let roles = std::iter::once("scheduler").chain(std::iter::repeat_n("worker", workers));
        let others = roles.map(|role| Process::start(&[role], &settings));
        let processes = std::iter::once(start_web).chain(others).collect();
        web.wait_until_ready().await;
        Self { database, redis, site, web, processes, settings, _files: files }
    }

    /// Starts another web process.
    pub(crate) async fn second_web(&mut self) -> Web {
        let (process, web) = start_web(&self.settings);
        self.processes.push(process);
        web.wait_until_ready().await;
        web
    }

    /// Creates an account on the Pro plan with an API key.
    pub(crate) async fn person(&self) -> Person {
        Person::in_domain(&self.domain().await, Tier::Pro).await
    }

    /// Returns access to the database with the system clock.
    pub(crate) async fn domain(&self) -> Domain {
        let database = self.database.second_handle().await.db().clone();
        Domain::with(database, std::sync::Arc::new(SystemClock), std::sync::Arc::new(RandomIds))
    }

    /// Waits until the read job is complete, then asserts its text. Reads the database, because polls are
    /// rate-limited.
    pub(crate) async fn wait_for_read_job(&self, id: &str) {
        let domain = self.domain().await;
        let job_state = async || {
            let job = articles::reader::read_jobs::get(&domain, id.parse().unwrap())
                .await
                .expect("the read job is stored");
            (job.state.as_str(), job.attempts, job.error)
        };
        eventually("the job completes", job_state, |(state, ..)| *state == "complete").await;
        let job = self.web.get(&format!("/api/v1/read/jobs/{id}")).await.expect(200).json();
        let result = self.web.get(job["result_url"].as_str().unwrap()).await.expect(200).json();
        assert_eq!(result["title"], "A town by the sea");
    }

    /// Returns the logs of all processes.
    pub(crate) fn logs(&self) -> String {
        self.processes.iter().map(Process::log).collect::<Vec<_>>().join("\n---\n")
    }
}

impl Drop for Deployment {
    /// Prints the logs of the processes if the test fails.
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.logs());
        }
    }
}

/// Starts a web process on a free port.
fn start_web(settings: &[(&'static str, String)]) -> (Process, Web) {
    let port = free_port();
    let mut settings = settings.to_vec();
    settings.push(("CARREL_LISTEN", format!("127.0.0.1:{port}")));
    (Process::start(&["web"], &settings), Web::at(port))
}
