//! Articles: texts of public URLs, cached so that many callers share one download.
//!
//! A [`Source`](entities::source) row represents a normalised URL. It references the current text, or contains the last
//! failure. A snapshot is an immutable text. [`request`] returns a text; if no stored text is fresh enough, it submits
//! an extraction, which [`extract`](extraction::run) runs in a worker.

mod address;
mod article;
mod article_reader;
mod cache;
mod caller_limit;
mod cleanup;
mod eviction;
pub mod extraction;
mod failure;
mod freshness;
mod get_or_fetch;
pub mod job_kinds;
mod page_source;
mod parts;
pub mod pictures;
pub mod reader;
mod rendering;
pub mod search;
mod store;
mod stored_bytes;
#[cfg(test)]
mod tests;
pub mod window;
pub mod worker_tools;

pub use address::{Address, typed_address};
pub use article::{Article, CacheAudience, ServedArticle};
pub use article_reader::ArticleReader;
pub use cache::Cache;
pub use caller_limit::CallerLimit;
pub use cleanup::{Removed, remove_expired};
pub use eviction::enforce_budget;
pub use extraction::RENDER_DEADLINE;
pub use extraction::pack_document as pack;
pub use failure::SourceFailure;
pub use failure::{of_extraction, of_render_error, of_sandbox_error};
pub use freshness::{Freshness, RecentFailures};
pub use get_or_fetch::{FetchPurpose, request_for};
pub use get_or_fetch::{ObtainedArticle, Payer, PendingText, RENDERING_EXTRACTIONS, request};
pub use page_source::page_source;
pub use rendering::{
    QueueOutage, ReadOptions, Render, RenderingStep, is_rendered_next, read, rendering_step, require_browser,
};
pub use store::{CacheLookup, lookup, unpack_all};
pub use store::{pinned, submit, was_submitted};
