//! Reception of mail by LMTP (RFC 2033), and by SMTP from a mail server that does not speak LMTP. Messages are
//! accepted only for inbox addresses, and never forwarded.
//!
//! A message is confirmed when it is durable. With LMTP, each recipient has its own response. With SMTP, a
//! message has one response, so all its recipients belong to one account; other recipients are accepted with
//! the next message.

mod command;
mod data;
mod job_pushes;
mod server;
mod session;
mod tls;

pub use server::serve;
pub use tls::load_tls;
