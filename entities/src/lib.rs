//! The tables as sea-orm sees them: one file a table, with finders that demand the owner where a row
//! has one. No rule lives here.

pub mod account;
pub mod api_key;
pub mod invite;
pub mod job;
pub mod session;
pub mod usage_day;
