//! The authorization server for apps: discovery documents, registration, tokens, and revocation (RFC 6749,
//! 7009, 7591, 8414, 8707, 9728). The consent page is one of the account pages; the rules are in
//! `identity::oauth`.

mod client_auth;
mod documents;
mod endpoint;
mod fault;
mod form;
mod guide;
mod register;
mod revoke;
mod token;

pub use endpoint::endpoint;
