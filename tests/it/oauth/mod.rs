//! The authorization server, as apps meet it.

mod access;
mod documents;
mod fixtures;
mod many;
mod registration;
mod revocation;
mod tokens;
