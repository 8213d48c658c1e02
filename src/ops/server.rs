//! Server for the operator endpoints of a process of any role (`CARREL_OPS_LISTEN`).

use std::net::SocketAddr;

use anyhow::Context;
use poem::listener::{Listener, TcpListener};
use poem::{Route, Server};
use tokio::task::JoinSet;

/// Server of the operator endpoints. The server runs until this is dropped. It already responds while the
/// process waits for its database, and still responds while the process finishes running work.
#[derive(Debug)]
pub struct OpsServer {
    _tasks: JoinSet<()>,
}

/// Serves `routes` at `address`, if one is set.
///
/// # Errors
/// If the address cannot be bound.
pub async fn listen(routes: Route, address: Option<SocketAddr>) -> anyhow::Result<OpsServer> {
    let mut tasks = JoinSet::new();
    let Some(address) = address else { return Ok(OpsServer { _tasks: tasks }) };
    let acceptor = TcpListener::bind(address.to_string())
        .into_acceptor()
        .await
        .with_context(|| format!("cannot answer at {address} (CARREL_OPS_LISTEN)"))?;
    tasks.spawn(async move {
        if let Err(error) = Server::new_with_acceptor(acceptor).run(routes).await {
            tracing::error!(%error, "operator server stopped");
        }
    });
    tracing::info!(%address, "operator server listening: /healthz, /readyz, /metrics");
    Ok(OpsServer { _tasks: tasks })
}
