//! The tables as sea-orm sees them: one file a table, with finders that demand the owner where a row
//! has one. No rule lives here.

pub mod job;
