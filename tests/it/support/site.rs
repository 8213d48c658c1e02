//! HTTP site on loopback that the apps under test fetch. Its pages can be changed, counted, and delayed.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use poem::http::{HeaderMap, StatusCode};
use poem::listener::TcpAcceptor;
use poem::{Body, Endpoint, Request, Response};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use super::eventually;

/// Answer of the site at one path.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Reply {
    pub(crate) fn html(body: impl Into<String>) -> Self {
        Self::bytes("text/html; charset=utf-8", body.into().into_bytes())
    }

    /// Creates a reply with a body of any media type.
    pub(crate) fn bytes(content_type: &str, body: Vec<u8>) -> Self {
        Self { status: 200, headers: vec![("content-type".into(), content_type.into())], body }
    }

    /// Creates a reply without a body.
    pub(crate) fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    /// Creates a redirect to another address.
    pub(crate) fn redirect(target: &str) -> Self {
        Self::status(302).with("location", target)
    }

    /// Replaces the status.
    pub(crate) fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// Adds a header.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

/// Request that the site received.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

/// Creates the reply to a request from the number of earlier requests.
type MakeReply = dyn Fn(usize) -> Reply + Send + Sync;

#[derive(Default)]
struct State {
    /// Queued replies by path. The last reply of a path is repeated.
    replies: Mutex<HashMap<String, VecDeque<Reply>>>,
    /// Replies to all other paths that start with a prefix.
    prefixes: Mutex<Vec<(String, Arc<MakeReply>)>>,
    prefix_requests: AtomicUsize,
    gates: Mutex<HashMap<String, Arc<Semaphore>>>,
    requests: Mutex<Vec<ReceivedRequest>>,
}

/// HTTP site. Its paths include the query.
pub(crate) struct Site {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

impl Site {
    /// Starts a site without pages on a free port. Unknown paths respond with 404.
    pub(crate) fn start() -> Self {
        Self::listen("127.0.0.1:0")
    }

    /// Starts a site without pages that answers at every address in 127.0.0.0/8. Each address counts as a
    /// separate host.
    pub(crate) fn start_on_many_hosts() -> Self {
        Self::listen("0.0.0.0:0")
    }

    fn listen(address: &str) -> Self {
        let listener = std::net::TcpListener::bind(address).expect("bind a free port");
        let address = listener.local_addr().expect("read the address");
        listener.set_nonblocking(true).expect("make the socket non-blocking");
        let acceptor = TcpAcceptor::from_std(listener).expect("create the acceptor");
        let state = Arc::new(State::default());
        let server = poem::Server::new_with_acceptor(acceptor).run(SiteEndpoint(Arc::clone(&state)));
        let task = tokio::spawn(async move { server.await.expect("the server runs") });
        Self { address, state, task }
    }

    /// Starts a server that sends the bytes `answer` on every connection and closes it.
    pub(crate) async fn start_raw(answer: &'static [u8]) -> (SocketAddr, JoinHandle<()>) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bind a free port");
        let address = listener.local_addr().expect("read the address");
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut head = [0; 4096];
                    let _ = stream.read(&mut head).await;
                    let _ = stream.write_all(answer).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        (address, task)
    }

    /// Returns the address on which the site listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the URL of a path at one of the 65,536 hosts of a site that has many hosts.
    pub(crate) fn url_at(&self, host: u16, path: &str) -> String {
        let [high, low] = host.to_be_bytes();
        format!("http://127.1.{high}.{low}:{}{path}", self.address.port())
    }

    /// Sets the replies for all paths that start with `prefix` and have no reply of their own. `reply`
    /// receives the number of earlier requests with this prefix.
    #[cfg(feature = "faults")]
    pub(crate) fn put_prefix(&self, prefix: &str, reply: impl Fn(usize) -> Reply + Send + Sync + 'static) {
        lock(&self.state.prefixes).push((prefix.to_owned(), Arc::new(reply)));
    }

    /// Sets the reply for a path. Returns its URL.
    pub(crate) fn put(&self, path: &str, reply: Reply) -> String {
        self.put_sequence(path, [reply])
    }

    /// Sets the successive replies for a path. The last reply is repeated. Returns the URL.
    pub(crate) fn put_sequence(&self, path: &str, replies: impl IntoIterator<Item = Reply>) -> String {
        lock(&self.state.replies).insert(path.to_owned(), replies.into_iter().collect());
        self.url(path)
    }

    /// Publishes an article with three sections and nine paragraphs at `path`. Returns its URL.
    pub(crate) fn article(&self, path: &str) -> String {
        self.put(path, Reply::html(article()))
    }

    /// Delays the answers of `path` until the gate is opened.
    pub(crate) fn hold(&self, path: &str) -> Gate {
        let open = Arc::new(Semaphore::new(0));
        lock(&self.state.gates).insert(path.to_owned(), Arc::clone(&open));
        Gate { path: path.to_owned(), open, state: Arc::clone(&self.state) }
    }

    /// Returns the number of requests for a path.
    pub(crate) fn hits(&self, path: &str) -> usize {
        hits(&self.state, path)
    }

    /// Returns all received requests except those for `/robots.txt`.
    pub(crate) fn requests(&self) -> Vec<ReceivedRequest> {
        lock(&self.state.requests).iter().filter(|requests| requests.path != "/robots.txt").cloned().collect()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Gate that delays the answers of one path.
pub(crate) struct Gate {
    path: String,
    open: Arc<Semaphore>,
    state: Arc<State>,
}

impl Gate {
    /// Waits until the path has received `requests` requests since the site was started.
    pub(crate) async fn wait_for_requests(&self, requests: usize) {
        let what = format!("{requests} requests for {}", self.path);
        eventually(&what, async || hits(&self.state, &self.path), |received| *received >= requests).await;
    }

    /// Releases all current and future answers.
    pub(crate) fn open(&self) {
        self.open.add_permits(Semaphore::MAX_PERMITS / 2);
    }
}

struct SiteEndpoint(Arc<State>);

impl Endpoint for SiteEndpoint {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
        let body = request.take_body().into_string().await.unwrap_or_default();
        let received = ReceivedRequest { path: path.clone(), headers: request.headers().clone(), body };
        lock(&self.0.requests).push(received);
        let gate = lock(&self.0.gates).get(&path).cloned();
        if let Some(gate) = gate {
            gate.acquire().await.expect("a gate is never closed").forget();
        }
        let reply = self.0.next_reply(&path).unwrap_or_else(|| Reply::status(404));
        let status = StatusCode::from_u16(reply.status).expect("the status is valid");
        let builder = Response::builder().status(status);
        let builder =
            reply.headers.iter().fold(builder, |builder, (name, value)| builder.header(name, value));
        Ok(builder.body(Body::from_bytes(reply.body.into())))
    }
}

impl State {
    fn next_reply(&self, path: &str) -> Option<Reply> {
        if let Some(next) = lock(&self.replies).get_mut(path) {
            return if next.len() > 1 { next.pop_front() } else { next.front().cloned() };
        }
        let reply =
            lock(&self.prefixes).iter().find(|(prefix, _)| path.starts_with(prefix.as_str()))?.1.clone();
        Some(reply(self.prefix_requests.fetch_add(1, Ordering::Relaxed)))
    }
}

fn hits(state: &State, path: &str) -> usize {
    lock(&state.requests).iter().filter(|requests| requests.path == path).count()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the HTML of the article that most tests read.
pub(crate) fn article() -> String {
    let mut body = String::new();
    for (section, words) in
        [("Harbour", "boats and tide"), ("Market", "bread and prices"), ("Library", "books and lamps")]
    {
        body += &format!("<h2>{section}</h2>");
        for number in 1..=3 {
            body += &format!(
                "<p>Paragraph {number} of {section} tells of {words}, of the people who come every morning, \
                 and of what they carry home when the light over the town begins to fade again.</p>"
            );
        }
    }
    format!(
        "<!doctype html><html lang=\"en\"><head><title>A town by the sea</title>\
         <meta name=\"author\" content=\"Ada Quill\"><meta property=\"og:site_name\" content=\"The Gazette\">\
         <meta property=\"article:published_time\" content=\"2026-10-01T08:00:00Z\"></head>\
         <body><article><h1>A town by the sea</h1>{body}</article></body></html>"
    )
}
