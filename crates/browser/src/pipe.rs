//! Client of the browser's `DevTools` protocol over a pair of pipes: JSON messages, each followed by NUL.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Maximum time for a command that does not depend on the page.
pub(crate) const COMMAND_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum size of a message, in bytes.
const MAX_MESSAGE_BYTES: u64 = 64 << 20;
/// Size from which a message is parsed on a blocking thread, in bytes.
const HEAVY_BYTES: usize = 64 * 1024;
/// Maximum number of commands that wait for the pipe.
const MAX_QUEUED_COMMANDS: usize = 1024;
/// Maximum number of events of a page that wait for their handling.
const MAX_QUEUED_EVENTS: usize = 2048;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CommandError {
    #[error("the browser ended")]
    Closed,
    #[error("no response in time")]
    TimedOut,
    #[error("{0}")]
    Refused(String),
}

/// Event of the browser.
#[derive(Debug)]
pub(crate) struct BrowserEvent {
    /// Session of the page, frame, or worker. `None` for an event of the browser itself.
    pub(crate) session: Option<String>,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// Events of one page. Dropping it removes the subscriptions.
pub(crate) struct Events {
    shared: Arc<SharedPipe>,
    names: Arc<Mutex<Vec<String>>>,
    receiver: mpsc::Receiver<BrowserEvent>,
}

/// Adds subscriptions to the events of a page.
#[derive(Clone)]
pub(crate) struct Subscriber {
    shared: Arc<SharedPipe>,
    names: Arc<Mutex<Vec<String>>>,
    sender: mpsc::WeakSender<BrowserEvent>,
}

/// Connection to a browser. Cheap to clone; the command pipe closes with the last clone.
#[derive(Clone)]
pub(crate) struct Pipe {
    commands: mpsc::Sender<Vec<u8>>,
    shared: Arc<SharedPipe>,
}

#[derive(Default)]
struct SharedPipe {
    state: Mutex<PipeState>,
    closed: CancellationToken,
}

#[derive(Default)]
struct PipeState {
    last_id: u64,
    pending: HashMap<u64, oneshot::Sender<Result<Value, CommandError>>>,
    /// Subscribers by session or browser context.
    subscribers: HashMap<String, mpsc::Sender<BrowserEvent>>,
}

/// Response to a command, or event.
#[derive(Deserialize)]
struct PipeMessage {
    id: Option<u64>,
    #[serde(default)]
    result: Value,
    error: Option<ProtocolError>,
    #[serde(rename = "sessionId")]
    session_id: Option<String>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
}

#[derive(Deserialize)]
struct ProtocolError {
    #[serde(default)]
    message: String,
}

impl Pipe {
    /// Connects to a browser's pipes.
    pub(crate) fn connect(commands: ChildStdin, responses: ChildStdout) -> Self {
        let (sender, queue) = mpsc::channel(MAX_QUEUED_COMMANDS);
        let shared = Arc::new(SharedPipe::default());
        tokio::spawn(write(commands, queue, shared.closed.clone()));
        tokio::spawn(read(responses, Arc::clone(&shared)));
        Self { commands: sender, shared }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.shared.closed.is_cancelled()
    }

    /// Creates the events of a page, with a subscription to its browser context.
    pub(crate) fn events(&self, context: &str) -> (Subscriber, Events) {
        let (sender, receiver) = mpsc::channel(MAX_QUEUED_EVENTS);
        let names = Arc::new(Mutex::new(vec![context.to_owned()]));
        // Only the subscriptions are strong, so the events end with them.
        let weak = sender.downgrade();
        self.shared.lock().subscribers.insert(context.to_owned(), sender);
        let events = Events { shared: Arc::clone(&self.shared), names: Arc::clone(&names), receiver };
        (Subscriber { shared: Arc::clone(&self.shared), names, sender: weak }, events)
    }

    /// Sends a command to a session, or to the browser, and waits for its result.
    pub(crate) async fn call(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, CommandError> {
        let (sender, response) = oneshot::channel();
        let id = {
            let mut state = self.shared.lock();
            state.last_id += 1;
            let id = state.last_id;
            state.pending.insert(id, sender);
            id
        };
        let exchange = async {
            let queued = self.commands.send(message(id, session, method, &params)).await;
            queued.map_err(|_| CommandError::Closed)?;
            tokio::select! {
                result = response => result.unwrap_or(Err(CommandError::Closed)),
                () = self.shared.closed.cancelled() => Err(CommandError::Closed),
            }
        };
        let result = timeout(limit, exchange).await.unwrap_or(Err(CommandError::TimedOut));
        self.shared.lock().pending.remove(&id);
        result
    }

    /// Sends a command whose result does not matter.
    pub(crate) async fn send(&self, session: Option<&str>, method: &str, params: Value) {
        let id = {
            let mut state = self.shared.lock();
            state.last_id += 1;
            state.last_id
        };
        // If the browser has ended, the caller notices it with its next `call`.
        self.commands.send(message(id, session, method, &params)).await.ok();
    }
}

impl Subscriber {
    /// Subscribes to the events of a session or browser context.
    pub(crate) fn subscribe(&self, name: &str) {
        // The events of a page that sent too many have ended.
        let Some(sender) = self.sender.upgrade() else { return };
        self.names.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
        self.shared.lock().subscribers.insert(name.to_owned(), sender);
    }
}

impl Events {
    /// Waits for the next event. `None` if the browser has ended or the page sent too many events.
    pub(crate) async fn next(&mut self) -> Option<BrowserEvent> {
        self.receiver.recv().await
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let names = std::mem::take(&mut *self.names.lock().unwrap_or_else(PoisonError::into_inner));
        let mut state = self.shared.lock();
        for name in names {
            state.subscribers.remove(&name);
        }
    }
}

impl SharedPipe {
    fn lock(&self) -> MutexGuard<'_, PipeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deliver(&self, message: PipeMessage) {
        let mut state = self.lock();
        if let Some(id) = message.id {
            if let Some(waiting) = state.pending.remove(&id) {
                let result = match message.error {
                    Some(error) => Err(CommandError::Refused(error.message.chars().take(200).collect())),
                    None => Ok(message.result),
                };
                // The caller may have stopped waiting.
                waiting.send(result).ok();
            }
            return;
        }
        let Some(method) = message.method else { return };
        let context = message.params.pointer("/targetInfo/browserContextId").and_then(Value::as_str);
        let Some(name) = message.session_id.as_deref().or(context).map(str::to_owned) else { return };
        let event = BrowserEvent { session: message.session_id, method, params: message.params };
        let is_full = state.subscribers.get(&name).is_some_and(|page| page.try_send(event).is_err());
        if is_full {
            // The page sends events faster than they are handled. Its whole channel is closed.
            tracing::debug!("page sends too many events");
            if let Some(flooding) = state.subscribers.remove(&name) {
                state.subscribers.retain(|_, other| !other.same_channel(&flooding));
            }
        }
    }
}

fn message(id: u64, session: Option<&str>, method: &str, params: &Value) -> Vec<u8> {
    let mut message = json!({ "id": id, "method": method, "params": params });
    if let (Some(session), Some(fields)) = (session, message.as_object_mut()) {
        fields.insert("sessionId".to_owned(), session.into());
    }
    let mut bytes = message.to_string().into_bytes();
    bytes.push(0);
    bytes
}

async fn write(mut pipe: ChildStdin, mut queue: mpsc::Receiver<Vec<u8>>, closed: CancellationToken) {
    loop {
        let bytes = tokio::select! {
            bytes = queue.recv() => bytes,
            () = closed.cancelled() => None,
        };
        let Some(bytes) = bytes else { return };
        if pipe.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

async fn read(pipe: ChildStdout, shared: Arc<SharedPipe>) {
    let mut pipe = BufReader::with_capacity(64 * 1024, pipe);
    loop {
        match next_message(&mut pipe).await {
            Ok(Some(message)) => shared.deliver(message),
            Ok(None) => break,
            Err(error) => {
                tracing::warn!(%error, "the browser sent an invalid message");
                break;
            }
        }
    }
    shared.closed.cancel();
    shared.lock().subscribers.clear();
}

async fn next_message(pipe: &mut BufReader<ChildStdout>) -> io::Result<Option<PipeMessage>> {
    let mut bytes = Vec::new();
    pipe.take(MAX_MESSAGE_BYTES).read_until(0, &mut bytes).await?;
    if bytes.pop() != Some(0) {
        return if bytes.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
    }
    let is_heavy = bytes.len() > HEAVY_BYTES;
    let parse = move || serde_json::from_slice(&bytes).map_err(io::Error::from);
    let parsed = if is_heavy { tokio::task::spawn_blocking(parse).await? } else { parse() };
    parsed.map(Some)
}
