//! Reception of mail by LMTP (RFC 2033), and by SMTP from a mail server that does not speak LMTP. Messages are
//! accepted only for inbox addresses, and never forwarded.
//!
//! A message is confirmed when it is durable. With LMTP, each recipient has its own response.

mod command;
mod data;
mod server;
mod session;

pub use server::serve;
