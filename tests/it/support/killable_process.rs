//! Carrel process that is killed with `SIGKILL` and restarted on the same database and file folder.

use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kernel::blobs::Blobs;
use kernel::testing::TestDatabase;
use kernel::tiers::Tier;
use kernel::{Backend, Domain, FixedClock, RandomIds, SystemClock};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use tokio::sync::{Mutex, Notify};

use super::app::client;
use super::eventually;
use super::person::Person;
use super::servers::{LEASE_SECONDS, Process, free_port};

/// Timeout of a request. The process may be killed before it answers.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// Process, and the account whose library it serves.
pub(crate) struct KillableProcess {
    pub(crate) who: Person,
    pub(crate) origin: String,
    /// `None` if the process serves a copy of another process's database.
    database: Option<TestDatabase>,
    files: tempfile::TempDir,
    settings: Vec<(&'static str, String)>,
    process: Mutex<Process>,
    client: Client,
    /// Number of answered requests.
    answered_requests: AtomicU64,
    answer_received: Notify,
}

/// Status and body of an answer.
pub(crate) type StatusAndBody = (u16, Vec<u8>);

impl KillableProcess {
    /// Starts the process on an empty database.
    pub(crate) async fn start(backend: Backend) -> Self {
        Self::start_with(backend, &[]).await
    }

    /// Starts the process with additional settings.
    pub(crate) async fn start_with(backend: Backend, further: &[(&'static str, &str)]) -> Self {
        let database = TestDatabase::create(backend).await;
        let (port, files) = (free_port(), tempfile::tempdir().expect("create a temporary folder"));
        let mut settings = vec![
            ("DATABASE_URL", database.url.clone()),
            ("DATABASE_CONNECTIONS", "6".to_owned()),
            ("CARREL_LISTEN", format!("127.0.0.1:{port}")),
            ("CARREL_FILES", files.path().display().to_string()),
            ("CARREL_LEASE_SECONDS", LEASE_SECONDS.to_owned()),
            ("CARREL_EXTRACT_PROCESSES", "1".to_owned()),
            ("CARREL_SHUTDOWN_SECONDS", "1".to_owned()),
        ];
        settings.extend(further.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let who = Person::in_domain(&domain_of(&database).await, Tier::Pro).await;
        let process = Mutex::new(Process::start(&["serve"], &settings));
        let origin = format!("http://127.0.0.1:{port}");
        let (answered_requests, answer_received) = (AtomicU64::new(0), Notify::new());
        let all = Self {
            who,
            origin,
            database: Some(database),
            files,
            settings,
            process,
            client: client(),
            answered_requests,
            answer_received,
        };
        all.wait_until_ready().await;
        all
    }

    /// Returns the settings of the process.
    pub(crate) fn settings(&self) -> &[(&'static str, String)] {
        &self.settings
    }

    /// Starts a second process on the copy of this database and its files that `settings` name.
    pub(crate) async fn start_copy(&self, settings: &[(&'static str, String)]) -> Self {
        let port = free_port();
        let mut settings = settings.to_vec();
        settings.push(("CARREL_LISTEN", format!("127.0.0.1:{port}")));
        let copy = Self {
            who: self.who.clone(),
            origin: format!("http://127.0.0.1:{port}"),
            database: None,
            files: tempfile::tempdir().expect("create a temporary folder"),
            process: Mutex::new(Process::start(&["serve"], &settings)),
            settings,
            client: client(),
            answered_requests: AtomicU64::new(0),
            answer_received: Notify::new(),
        };
        copy.wait_until_ready().await;
        copy
    }

    /// Kills the process and waits for its exit.
    pub(crate) async fn kill(&self) {
        let mut process = self.process.lock().await;
        process.signal(rustix::process::Signal::KILL);
        process.wait_for_exit().await;
    }

    /// Asks the process to stop, and waits for its exit.
    pub(crate) async fn stop(&self) -> ExitStatus {
        let mut process = self.process.lock().await;
        process.signal(rustix::process::Signal::TERM);
        process.wait_for_exit().await
    }

    /// Restarts the process and waits until it is ready.
    pub(crate) async fn restart(&self) {
        *self.process.lock().await = Process::start(&["serve"], &self.settings);
        self.wait_until_ready().await;
    }

    async fn wait_until_ready(&self) {
        let ready = format!("{}/readyz", self.origin);
        let ready_status = async || Some(self.client.get(&ready).send().await.ok()?.status().as_u16());
        eventually("the process is ready", ready_status, |status| *status == Some(200)).await;
    }

    /// Returns the number of answered requests.
    pub(crate) fn answered_requests(&self) -> u64 {
        self.answered_requests.load(Ordering::SeqCst)
    }

    /// Waits until `count` requests were answered.
    pub(crate) async fn wait_for_answers(&self, count: u64) {
        let work = async {
            loop {
                let notified = self.answer_received.notified();
                if self.answered_requests() >= count {
                    return;
                }
                notified.await;
            }
        };
        let limit = super::polling::TIMEOUT;
        tokio::time::timeout(limit, work)
            .await
            .unwrap_or_else(|_| panic!("fewer than {count} answers arrived"));
    }

    /// Creates a request with the person's API key.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.origin))
            .header("x-api-key", &self.who.key)
            .timeout(REQUEST_TIMEOUT)
    }

    /// Sends the request. `None` if the process was killed before the whole answer arrived.
    pub(crate) async fn try_request(&self, request: RequestBuilder) -> Option<StatusAndBody> {
        let answer = request.send().await.ok()?;
        let status = answer.status().as_u16();
        let body = answer.bytes().await.ok()?.to_vec();
        assert!(status < 500 || status == 503, "{status}: {}", String::from_utf8_lossy(&body));
        self.answered_requests.fetch_add(1, Ordering::SeqCst);
        self.answer_received.notify_waiters();
        Some((status, body))
    }

    /// Sends JSON in a single attempt. `None` if the process was killed before the whole answer arrived.
    pub(crate) async fn try_send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Option<(u16, Value)> {
        let request = self.request(method, path);
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(body.to_string()),
            None => request,
        };
        let (status, body) = self.try_request(request).await?;
        Some((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
    }

    /// Sends JSON until it is answered. Repeats the request after 429 and 503.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> (u16, Value) {
        let attempt = async || {
            self.try_send(method.clone(), path, body).await.filter(|(status, _)| !matches!(status, 429 | 503))
        };
        eventually("an answer comes", attempt, Option::is_some).await.expect("an answer arrives")
    }

    /// Sends a `GET`, asserts status 200, and returns the JSON.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, body) = self.send(Method::GET, path, None).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Downloads a file and asserts status 200. Repeats the request after 429 and 503.
    pub(crate) async fn download(&self, path: &str) -> Vec<u8> {
        let attempt = async || {
            let answer = self.try_request(self.request(Method::GET, path)).await;
            answer.filter(|(status, _)| !matches!(status, 429 | 503))
        };
        let answer = eventually("a file comes", attempt, Option::is_some).await;
        let (status, body) = answer.expect("an answer arrives");
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
        body
    }

    /// Deletes the person's account with the operator command.
    pub(crate) async fn delete_account(&self) {
        let mut command = Process::start(&["account", "delete", &self.who.email, "--yes"], &self.settings);
        assert!(command.wait_for_exit().await.success(), "{}", command.log());
    }

    fn database(&self) -> &TestDatabase {
        self.database.as_ref().expect("the process has a database of its own")
    }

    /// Returns access to the database with the system clock.
    pub(crate) async fn domain(&self) -> Domain {
        domain_of(self.database()).await
    }

    /// Returns the folder of the library files.
    pub(crate) fn folder(&self) -> &Path {
        self.files.path()
    }

    /// Returns access to the database and the files with a clock that is two days ahead.
    pub(crate) async fn domain_in_two_days(&self) -> Domain {
        let current = domain_of(self.database()).await;
        let clock = Arc::new(FixedClock::at(current.now() + 2 * super::clock::DAY));
        let folder = self.folder().display().to_string().parse().expect("the folder is a valid location");
        let blobs = Blobs::open(&folder).expect("the folder opens");
        Domain::with(current.db().clone(), clock, Arc::new(RandomIds)).with_blobs(blobs)
    }
}

/// Returns access to the database with the system clock.
async fn domain_of(database: &TestDatabase) -> Domain {
    let handle = database.second_handle().await.db().clone();
    Domain::with(handle, Arc::new(SystemClock), Arc::new(RandomIds))
}
