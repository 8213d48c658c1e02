//! The address at which a process of any role answers its operator (`CARREL_OPS_LISTEN`).

use std::net::SocketAddr;

use anyhow::Context;
use poem::listener::{Listener, TcpListener};
use poem::{Route, Server};
use tokio::task::JoinSet;

/// An address that answers until this is dropped: also while the process waits for its database, and while it lets
/// work in hand finish.
#[derive(Debug)]
pub struct Listening {
    _answering: JoinSet<()>,
}

/// Answers `routes` at `address`, where one is set.
///
/// # Errors
/// When the address cannot be had.
pub async fn listen(routes: Route, address: Option<SocketAddr>) -> anyhow::Result<Listening> {
    let mut answering = JoinSet::new();
    let Some(address) = address else { return Ok(Listening { _answering: answering }) };
    let acceptor = TcpListener::bind(address.to_string())
        .into_acceptor()
        .await
        .with_context(|| format!("cannot answer at {address} (CARREL_OPS_LISTEN)"))?;
    answering.spawn(async move {
        if let Err(error) = Server::new_with_acceptor(acceptor).run(routes).await {
            tracing::error!(%error, "the address for operators answers no more");
        }
    });
    tracing::info!(%address, "answering operators: /healthz, /readyz, /metrics");
    Ok(Listening { _answering: answering })
}
