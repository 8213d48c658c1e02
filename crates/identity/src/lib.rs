//! Identity: accounts and sessions, personal API keys, OAuth grants, rate limits, credits, and the mail they
//! send.

pub mod account_rows;
pub mod accounts;
pub mod agents;
pub mod caller;
pub mod credentials;
pub mod credits;
mod granted_access;
pub mod job_kinds;
pub mod keys;
pub mod limits;
pub mod mail;
pub mod oauth;
pub mod public_address;
mod replay;
pub mod security_notices;
mod signatures;
mod signed_token;
pub mod teams;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
