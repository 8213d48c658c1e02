//! OAuth authorization server, called as clients call it.

mod access;
mod client_metadata;
mod concurrency;
mod connected_apps;
pub(crate) mod consent;
mod known_clients;
mod metadata;
mod registration;
mod revocation;
mod tokens;
