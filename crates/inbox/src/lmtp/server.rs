//! Listener: accepts connections within limits, and lets running sessions finish at shutdown.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use jobs::Engine;
use permits::{KeyedLimit, KeyedPermit, MemoryBudget};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::job_pushes::JobPushes;
use super::session::{LmtpSession, Security, SessionContext, SessionEnd};

/// Maximum number of connections.
const MAX_CONNECTIONS: usize = 256;
/// Maximum number of connections from one address.
const MAX_CONNECTIONS_PER_ADDRESS: usize = 64;
/// Memory for messages that are being received, in bytes. One address may use a quarter.
const MEMORY_BYTES: usize = 512 * 1024 * 1024;
/// Maximum time for which sessions may finish at shutdown.
const GRACE: Duration = Duration::from_secs(20);
/// Maximum time for a TLS handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(30);
/// Delay before the next attempt if a connection could not be accepted, for example because no file descriptor is free.
const ACCEPT_DELAY: Duration = Duration::from_millis(100);

/// Permits of one connection, released on drop.
struct ConnectionPermits {
    _total: OwnedSemaphorePermit,
    _address: KeyedPermit<IpAddr>,
}

/// Receives mail on `listener` until `shutdown` is cancelled. Offers STARTTLS if `tls` is set.
pub async fn serve(
    engine: Engine,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    shutdown: CancellationToken,
) {
    let memory = MemoryBudget::new(MEMORY_BYTES);
    let job_pushes = JobPushes::default();
    let context = SessionContext { engine, job_pushes, memory, tls, shutdown: shutdown.clone() };
    let total = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let by_address = KeyedLimit::new(MAX_CONNECTIONS_PER_ADDRESS);
    let mut sessions = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => break,
            Some(_) = sessions.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok((stream, peer)) => (stream, peer.ip().to_canonical()),
            Err(error) => {
                tracing::warn!(%error, "mail connection not accepted");
                let _elapsed = timeout(ACCEPT_DELAY, std::future::pending::<()>()).await;
                continue;
            }
        };
        let permits = permits_of(&total, &by_address, peer);
        sessions.spawn(converse(context.clone(), stream, peer, permits));
    }
    let finish = async { while sessions.join_next().await.is_some() {} };
    if timeout(GRACE, finish).await.is_err() {
        tracing::warn!("mail sessions stopped at shutdown");
    }
}

fn permits_of(
    total: &Arc<Semaphore>,
    by_address: &KeyedLimit<IpAddr>,
    peer: IpAddr,
) -> Option<ConnectionPermits> {
    let total = Arc::clone(total).try_acquire_owned().ok()?;
    Some(ConnectionPermits { _total: total, _address: by_address.try_acquire(peer)? })
}

async fn converse(
    context: SessionContext,
    mut stream: TcpStream,
    peer: IpAddr,
    permits: Option<ConnectionPermits>,
) {
    let Some(_permits) = permits else {
        let refusal = stream.write_all(b"421 4.7.0 Too many connections\r\n");
        let _written = timeout(ACCEPT_DELAY, refusal).await;
        return;
    };
    // Without this, each response to pipelined commands would wait for the acknowledgement of the previous
    // response.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "mail connection failed");
        return;
    }
    if let Err(error) = serve_connection(context, stream, peer).await {
        tracing::debug!(%error, "mail connection failed");
    }
}

/// Serves a connection. After STARTTLS, a new session begins without the state of the previous one.
async fn serve_connection(context: SessionContext, mut stream: TcpStream, peer: IpAddr) -> io::Result<()> {
    let security = if context.tls.is_some() { Security::Offered } else { Security::Unavailable };
    let (reader, writer) = stream.split();
    let end = LmtpSession::new(context.clone(), peer, security, reader, writer).run().await?;
    let (SessionEnd::StartTls, Some(tls)) = (end, context.tls.clone()) else { return Ok(()) };
    let Ok(encrypted) = timeout(HANDSHAKE_TIMEOUT, tls.accept(stream)).await else {
        return Err(io::ErrorKind::TimedOut.into());
    };
    let (reader, writer) = tokio::io::split(encrypted?);
    LmtpSession::new(context, peer, Security::Encrypted, reader, writer).run().await.map(drop)
}
