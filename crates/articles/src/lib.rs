//! Articles: the text of public URLs, cached so that many callers share one download.
//!
//! A [`Source`](entities::source) row represents a normalised URL and refers to its current text or holds its
//! last failure. A snapshot is one immutable text. [`request`] returns a text; if no stored text is fresh
//! enough, it submits an extraction, which [`extract`](extraction::run) runs in a worker.

mod address;
mod article;
mod cache;
pub mod extraction;
mod failure;
mod freshness;
mod housekeeping;
pub mod job_kinds;
mod obtain;
mod parts;
pub mod pictures;
pub mod reader;
mod reading;
mod room;
mod room_count;
pub mod search;
mod store;
#[cfg(test)]
mod tests;
pub mod window;
pub mod worker;

pub use address::Address;
pub use article::{Answer, Article, Asker};
pub use cache::Cache;
pub use extraction::pack_document as pack;
pub use failure::Failure;
pub use failure::{of_fault, of_found};
pub use freshness::{Freshness, KeptFailures};
pub use housekeeping::{Removed, remove_expired};
pub use obtain::{Obtained, Payer, PendingText, request};
pub use obtain::{Purpose, request_for};
pub use reading::Reading;
pub use room::keep_within_budget;
pub use store::{Stored, look_up, unpack_all};
pub use store::{pinned, submit};
