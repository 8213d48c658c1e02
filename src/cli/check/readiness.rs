//! Readiness of the running service: its `/readyz` on this machine, for health checks of containers that have
//! no shell.

use std::time::Duration;

use anyhow::{Context, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use http_kit::config::{Origin, Settings};

/// Maximum time for connection, request, and response. Longer than the service waits for its dependencies.
const TIMEOUT: Duration = Duration::from_secs(4);
/// Maximum size of the response, in bytes.
const MAX_RESPONSE: u64 = 4096;

/// Fails if the service of these settings does not answer or is not ready.
pub(super) async fn ask(settings: &Settings) -> anyhow::Result<()> {
    // If CARREL_OPS_LISTEN is set, every role answers there; otherwise the web role answers at CARREL_LISTEN.
    let address = settings.ops_listen.unwrap_or(settings.listen);
    let response = timeout(TIMEOUT, request(Origin::listening_at(address).authority())).await;
    let response = response.with_context(|| format!("no answer from {address} within 4 seconds"))??;
    let (head, body) = response.split_once("\r\n\r\n").unwrap_or((response.as_str(), ""));
    if head.split_whitespace().nth(1) != Some("200") {
        bail!("the service is not ready: {}", body.trim());
    }
    Ok(())
}

async fn request(authority: &str) -> anyhow::Result<String> {
    let mut stream =
        TcpStream::connect(authority).await.with_context(|| format!("no service answers at {authority}"))?;
    stream.write_all(b"GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n").await?;
    let mut response = Vec::new();
    stream.take(MAX_RESPONSE).read_to_end(&mut response).await?;
    Ok(String::from_utf8_lossy(&response).into_owned())
}
