//! Greedy account, and the traffic that it sends: concurrent senders that pause only after refusals.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use kernel::Domain;
use kernel::tiers::Tier;
use reqwest::{Client, Method, Request, RequestBuilder};
use serde_json::Value;
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::service::Service;
use crate::support::app::client_from;
use crate::support::person::Person;
use crate::support::{HttpAnswer, Site};

/// IP address of the account, which counts as a separate network.
const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 2, 1));
/// After a refusal, a sender pauses until the ordinary accounts have received this number of answers.
const PAUSE: usize = 9;
/// Maximum time for running requests to finish when the traffic stops. Deliveries of hubs may take 30 seconds.
const STOP_TIME: Duration = Duration::from_secs(40);

/// Greedy account, and the site that the service fetches for it.
pub(super) struct Greedy {
    pub(super) person: Person,
    pub(super) site: Site,
    pub(super) domain: Domain,
    pub(super) origin: String,
    client: Client,
    port: u16,
}

impl Greedy {
    pub(super) async fn create(service: &Service) -> Self {
        Self {
            person: Person::in_domain(&service.domain, Tier::Pro).await,
            site: Site::start_on_many_hosts(),
            domain: service.domain.clone(),
            origin: service.origin(),
            client: client_from(ADDRESS),
            port: service.port,
        }
    }

    /// Creates a request without a credential.
    pub(super) fn anonymous(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.origin))
    }

    /// Creates a request with the account's API key.
    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.anonymous(method, path).header("x-api-key", &self.person.key)
    }

    pub(super) fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.post_bytes(path, body.to_string().into())
    }

    /// Creates a `POST` with JSON that is already encoded.
    pub(super) fn post_bytes(&self, path: &str, body: bytes::Bytes) -> RequestBuilder {
        self.request(Method::POST, path).header("content-type", "application/json").body(body)
    }

    /// Converts an existing request into a request builder.
    pub(super) fn built(&self, request: Request) -> RequestBuilder {
        RequestBuilder::from_parts(self.client.clone(), request)
    }

    /// Opens a connection to the service.
    pub(super) async fn connect(&self) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(ADDRESS, 0))?;
        socket.connect(SocketAddr::from(([127, 0, 0, 1], self.port))).await
    }

    /// Returns the URL of the page with this number, on one of `hosts` hosts.
    pub(super) fn url(&self, prefix: &str, number: usize, hosts: u16) -> String {
        let host = u16::try_from(number % usize::from(hosts)).expect("the remainder is a number of a host");
        self.site.url_at(host, &format!("{prefix}{number}"))
    }
}

/// Sends a request and asserts that it succeeds.
pub(super) async fn expect_success(request: RequestBuilder) -> HttpAnswer {
    let answer = HttpAnswer::of(request.send().await.expect("the service responds")).await;
    assert!(matches!(answer.status, 200..=204), "{}: {}", answer.status, answer.text());
    answer
}

/// Sends a request and reads the whole answer. Returns its status. `None` if the connection was closed.
pub(super) async fn status(request: RequestBuilder) -> Option<u16> {
    let mut answer = request.send().await.ok()?;
    let status = answer.status().as_u16();
    while answer.chunk().await.ok()?.is_some() {}
    Some(status)
}

type SendRequest = dyn Fn(usize) -> BoxFuture<'static, Option<u16>> + Send + Sync;

/// Requests that concurrent senders repeat until they are stopped.
pub(super) struct Traffic {
    senders: usize,
    send: Arc<SendRequest>,
}

impl Traffic {
    /// Creates the traffic of `senders` concurrent senders. `send` sends the request with a number and
    /// returns the status of the answer.
    pub(super) fn new<F>(senders: usize, send: impl Fn(usize) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Option<u16>> + Send + 'static,
    {
        Self { senders, send: Arc::new(move |number| send(number).boxed()) }
    }

    /// Starts the senders. `completed` counts the answered requests of ordinary accounts.
    pub(super) fn start(self, completed: &watch::Receiver<u64>) -> RunningTraffic {
        let sender = Sender {
            send: self.send,
            next: Arc::default(),
            answers: Arc::default(),
            completed: completed.clone(),
            stop: CancellationToken::new(),
        };
        let mut tasks = JoinSet::new();
        for _ in 0..self.senders {
            tasks.spawn(sender.clone().run());
        }
        RunningTraffic { tasks, stop: sender.stop, answers: sender.answers }
    }
}

/// Number of answers by status. 0 means connections that were closed without an answer.
type AnswerCounts = BTreeMap<u16, usize>;

#[derive(Clone)]
struct Sender {
    send: Arc<SendRequest>,
    next: Arc<AtomicUsize>,
    answers: Arc<Mutex<AnswerCounts>>,
    completed: watch::Receiver<u64>,
    stop: CancellationToken,
}

impl Sender {
    async fn run(mut self) {
        while !self.stop.is_cancelled() {
            let status = (self.send)(self.next.fetch_add(1, Ordering::Relaxed)).await.unwrap_or(0);
            *self.answers.lock().unwrap_or_else(PoisonError::into_inner).entry(status).or_default() += 1;
            if !(200..400).contains(&status) {
                self.pause().await;
            }
        }
    }

    /// Waits until the ordinary accounts have received several answers, or until the traffic stops.
    async fn pause(&mut self) {
        for _ in 0..PAUSE {
            let changed = self.completed.changed();
            if !matches!(self.stop.run_until_cancelled(changed).await, Some(Ok(()))) {
                return;
            }
        }
    }
}

/// Traffic that is currently sent.
pub(super) struct RunningTraffic {
    tasks: JoinSet<()>,
    stop: CancellationToken,
    answers: Arc<Mutex<AnswerCounts>>,
}

impl RunningTraffic {
    /// Stops the senders and returns the number of answers by status. Requests that do not finish in time are
    /// aborted.
    pub(super) async fn stop(mut self) -> AnswerCounts {
        self.stop.cancel();
        let finish = async {
            while let Some(finished) = self.tasks.join_next().await {
                finished.expect("a sender does not panic");
            }
        };
        if tokio::time::timeout(STOP_TIME, finish).await.is_err() {
            self.tasks.shutdown().await;
        }
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
