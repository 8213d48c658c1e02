//! Tests of the life cycle of a grant, on both databases: from approval through tokens and their successors
//! to its end.

mod codes;
mod fixture;
mod grant_end;
mod refresh_tokens;
