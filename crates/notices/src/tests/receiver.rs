//! HTTP server that receives the messages of channels and returns the responses that a test sets.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone, Debug)]
pub(super) struct ReceivedRequest {
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl ReceivedRequest {
    pub(super) fn header(&self, name: &str) -> String {
        let line = self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        });
        line.unwrap_or_default()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

#[derive(Default)]
struct State {
    answers: VecDeque<&'static str>,
    usual: &'static str,
    received: Vec<ReceivedRequest>,
}

/// HTTP server. It stops with the runtime of its test.
pub(super) struct Receiver {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Receiver {
    /// Starts a server that responds with 204.
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State { usual: "204 No Content", ..State::default() }));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { address, state }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sets the response to the next request: status code and reason, header lines, and a body after an empty
    /// line.
    pub(super) fn answer_next(&self, answer: &'static str) {
        self.state.lock().unwrap().answers.push_back(answer);
    }

    /// Sets the response to all further requests.
    pub(super) fn answer(&self, answer: &'static str) {
        self.state.lock().unwrap().usual = answer;
    }

    pub(super) fn received(&self) -> Vec<ReceivedRequest> {
        self.state.lock().unwrap().received.clone()
    }

    /// Returns and removes the requests that were received since the last call.
    pub(super) fn take(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut self.state.lock().unwrap().received)
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) -> Option<()> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let received = ReceivedRequest { head, body: Vec::new() };
    let length: usize = received.header("content-length").parse().unwrap_or(0);
    while bytes.len() < end + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let answer = {
        let mut state = state.lock().unwrap();
        state.received.push(ReceivedRequest { body: bytes[end..].to_vec(), ..received });
        let usual = state.usual;
        state.answers.pop_front().unwrap_or(usual)
    };
    let (head, body) = answer.split_once("\n\n").unwrap_or((answer, ""));
    let length =
        if head.starts_with("204") { String::new() } else { format!("content-length: {}\r\n", body.len()) };
    let head = head.replace('\n', "\r\n");
    let text = format!("HTTP/1.1 {head}\r\n{length}connection: close\r\n\r\n{body}");
    stream.write_all(text.as_bytes()).await.ok()?;
    stream.shutdown().await.ok()
}
