//! The authorization server as apps see it: documents by which they find it, registration, tokens, and giving them back
//! (RFC 6749, 7009, 7591, 8414, 8707, 9728). The page on which a person decides is one of the account pages; the rules
//! are `identity::oauth`'s.

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
