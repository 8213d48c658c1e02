//! The OAuth authorization server, as clients use it.

mod access;
mod client_documents;
mod connected;
mod consent;
mod documents;
mod fixtures;
mod many;
mod registration;
mod revocation;
mod tokens;
