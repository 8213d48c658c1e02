//! The tables as sea-orm sees them: one file a table, with finders that demand the owner where a row
//! has one. No rule lives here.

mod owned;

pub mod account;
pub mod api_key;
pub mod credit_entry;
pub mod credit_month;
pub mod feed;
pub mod feed_address;
pub mod feed_discovery;
pub mod feed_dropped_entry;
pub mod feed_entry;
pub mod feed_entry_twin;
pub mod feed_hub;
pub mod feed_text_request;
pub mod host_pause;
pub mod idempotency;
pub mod ids;
pub mod invite;
pub mod job;
pub mod library_account;
pub mod library_blob;
pub mod library_change;
pub mod library_export;
pub mod library_highlight;
pub mod library_item;
pub mod library_key;
pub mod library_note;
pub mod library_original;
pub mod library_search;
pub mod library_tag;
pub mod library_tagged;
pub mod library_text;
pub mod library_word;
pub mod library_words;
pub mod mail;
pub mod monitor;
pub mod monitor_change;
pub mod monitor_feed;
pub mod monitor_preview;
pub mod monitor_run;
pub mod monitor_snapshot;
pub mod monitor_target;
pub mod password_reset;
pub mod read_job;
pub mod rss_collection;
pub mod rss_entry_mark;
pub mod rss_former_feed;
pub mod rss_subscription;
pub mod secret;
pub mod session;
pub mod snapshot;
pub mod source;
pub mod usage_day;

pub(crate) use owned::owned;
