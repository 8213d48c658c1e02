//! MCP stdio transport of `carrel mcp`: each line of standard input is one message, sent to the service; each
//! response is printed as one line. Standard output carries nothing else. A call that the client cancels is
//! dropped, which closes its connection and so cancels it at the service.

use std::collections::HashMap;
use std::io::{BufRead, Read, Write};
use std::sync::Arc;

use fetch::carrel_server::{CarrelResponse, CarrelServer, CarrelServerError};
use serde_json::{Value, json};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::{AbortHandle, JoinSet};

use super::listen;
use super::message::{self, JsonRpcMessage, RpcError};
use super::revision;

/// Size limit of a line, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Maximum number of messages that are processed concurrently.
const MAX_CONCURRENT: usize = 16;
/// Notification that cancels a request.
const CANCELLED: &str = "notifications/cancelled";

/// Forwards messages to the service.
struct StdioProxy {
    server: CarrelServer,
    /// Protocol revision agreed on by `initialize`.
    agreed: Mutex<Option<String>>,
}

/// Request without a complete response.
struct Running {
    request: AbortHandle,
    /// True if the response is a stream of notifications.
    is_stream: bool,
}

/// Forwards messages until standard input is closed and all responses are printed. Streams of notifications
/// are closed with the input.
///
/// # Errors
/// If standard input cannot be read.
pub async fn run(server: CarrelServer) -> anyhow::Result<()> {
    let proxy = Arc::new(StdioProxy { server, agreed: Mutex::new(None) });
    let slots = Arc::new(Semaphore::new(MAX_CONCURRENT));
    let mut answering = JoinSet::new();
    let mut running: HashMap<String, Running> = HashMap::new();
    let mut lines = lines();
    while let Some(line) = lines.recv().await {
        let line = line?;
        while answering.try_join_next().is_some() {}
        running.retain(|_, running| !running.request.is_finished());
        let message = match parsed(&line) {
            Ok(message) => message,
            Err(answer) => {
                print(&answer);
                continue;
            }
        };
        if message.method == CANCELLED {
            if let Some(running) = cancelled_id(&message).and_then(|id| running.remove(&id)) {
                running.request.abort();
            }
            continue;
        }
        let slot = Arc::clone(&slots).acquire_owned().await?;
        let proxy = Arc::clone(&proxy);
        let id = message.id.as_ref().map(ToString::to_string);
        let is_stream = message.method == listen::METHOD;
        let request = answering.spawn(async move { proxy.forward(message, line, slot).await });
        running.extend(id.map(|id| (id, Running { request, is_stream })));
    }
    // No client reads the notifications of a stream that is still open.
    for running in running.values().filter(|running| running.is_stream) {
        running.request.abort();
    }
    while answering.join_next().await.is_some() {}
    Ok(())
}

/// Lines of standard input, read on a separate thread because a blocking read cannot be cancelled.
fn lines() -> mpsc::Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel(1);
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match (&mut input).take(MAX_BYTES + 1).read_until(b'\n', &mut line) {
                Ok(0) => break,
                Ok(_) if line.iter().all(u8::is_ascii_whitespace) => {}
                Ok(_) => {
                    if sender.blocking_send(Ok(line)).is_err() {
                        break;
                    }
                }
                Err(error) => {
                    let _closed = sender.blocking_send(Err(error));
                    break;
                }
            }
        }
    });
    receiver
}

/// Message of a line.
///
/// # Errors
/// The response to an invalid line.
fn parsed(line: &[u8]) -> Result<JsonRpcMessage, Value> {
    if u64::try_from(line.len()).unwrap_or(u64::MAX) > MAX_BYTES {
        return Err(RpcError::invalid_request("The message is larger than 16 MiB.").answer(None));
    }
    message::parse(line).map_err(|(error, id)| error.answer(id.as_ref()))
}

/// Id of the request that a notification cancels, as JSON.
fn cancelled_id(message: &JsonRpcMessage) -> Option<String> {
    message.params.get("requestId").map(ToString::to_string)
}

impl StdioProxy {
    async fn forward(&self, message: JsonRpcMessage, line: Vec<u8>, _slot: OwnedSemaphorePermit) {
        if let Err(error) = self.answer(&message, line).await {
            report_error(&message, &RpcError::refused(error.to_string()));
        }
    }

    async fn answer(&self, message: &JsonRpcMessage, line: Vec<u8>) -> Result<(), CarrelServerError> {
        let agreed = self.agreed.lock().await.clone();
        let headers = revision::headers_of(message, agreed.as_deref());
        let body = String::from_utf8_lossy(&line).trim().to_owned();
        let mut answer = self.server.post(&headers, body).await?;
        if answer.is_stream() {
            return events(&mut answer).await;
        }
        let mut text = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            text.extend_from_slice(&chunk);
        }
        let value: Option<Value> = serde_json::from_slice(&text).ok();
        match value {
            Some(mut value) if value["jsonrpc"] == "2.0" => {
                if message.method == "initialize"
                    && let Some(version) = value["result"]["protocolVersion"].as_str()
                {
                    *self.agreed.lock().await = Some(version.to_owned());
                    remove_subscriptions(&mut value);
                }
                print(&value);
            }
            _ if answer.status() == 202 => {}
            value => report_error(message, &error_from_response(&answer, value.as_ref())),
        }
        Ok(())
    }
}

/// Removes subscriptions to resources from the capabilities in a response to `initialize`: in older revisions,
/// their notifications need a GET stream, which standard input and output do not have. A changed list of tools
/// is reported with the response to the call that changed it.
fn remove_subscriptions(answer: &mut Value) {
    let resources = answer.pointer_mut("/result/capabilities/resources").and_then(Value::as_object_mut);
    if let Some(resources) = resources {
        resources.remove("subscribe");
    }
}

/// Converts a response that is not JSON-RPC to a JSON-RPC error.
fn error_from_response(answer: &CarrelResponse, body: Option<&Value>) -> RpcError {
    let said = body.and_then(|body| body["error"].as_str());
    let message =
        said.map_or_else(|| format!("The service answered with status {}.", answer.status()), str::to_owned);
    let mut data = json!({ "status": answer.status() });
    if let Some(code) = body.and_then(|body| body.get("code")) {
        data["code"] = code.clone();
    }
    if let Some(seconds) = answer.retry_after() {
        data["retryAfter"] = seconds.into();
    }
    RpcError::refused(message).with_data(data)
}

/// Prints the message of each event as it arrives.
async fn events(answer: &mut CarrelResponse) -> Result<(), CarrelServerError> {
    let mut rest = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        rest.extend_from_slice(&chunk);
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            let message = line.strip_prefix(b"data:").and_then(|text| serde_json::from_slice(text).ok());
            if let Some(message) = message {
                print(&message);
            }
        }
    }
    Ok(())
}

/// Reports an error: to the client if it waits for a response, otherwise to standard error.
fn report_error(message: &JsonRpcMessage, error: &RpcError) {
    let answer = error.answer(message.id.as_ref());
    if message.id.is_some() {
        print(&answer);
    } else {
        let mut people = std::io::stderr().lock();
        let _closed = writeln!(people, "carrel mcp: {}", answer["error"]["message"]);
    }
}

/// Prints a message as one line.
fn print(message: &Value) {
    let mut output = std::io::stdout().lock();
    // If writing fails, the parent process has exited, and standard input is closed too.
    let _closed = writeln!(output, "{message}").and_then(|()| output.flush());
}
