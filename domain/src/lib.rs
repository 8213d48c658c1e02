//! The rules of Carrel: every decision the product makes, and none of the ways it is asked.
//!
//! `domain` knows no HTTP surface and no queue. It reads and writes rows through `entities`, asks
//! `fetch` and `extract` for the world outside, and answers in its own types and its own errors.

pub mod accounts;
pub mod articles;
pub mod blobs;
pub mod bounds;
pub mod caller;
mod clock;
mod code;
pub mod credentials;
pub mod credits;
pub mod cursor;
pub mod cursor_scope;
mod db;
pub mod doctor;
mod due;
mod email;
mod error;
pub mod feeds;
mod field;
pub mod groups;
mod handle;
mod hash;
mod hosts;
mod ids;
pub mod jobs;
pub mod keys;
pub mod library;
pub mod limits;
pub mod mail;
pub mod monitors;
mod natural;
pub mod notices;
mod numbering;
pub mod oauth;
pub mod operators;
pub mod pictures;
mod policy;
mod private_folder;
pub mod reader;
pub mod request_id;
mod retention;
mod scope;
mod search;
mod secret_text;
mod secrets;
mod statement;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod worker;
mod writes;

pub use clock::{Clock, FixedClock, Millis, SystemClock, rfc3339, source_time};
pub use code::{Class, Code, UnknownCode};
pub use db::{Backend, ConnectError, Database, DatabaseSettings, Listener, News, PoolUsage, fallen_silent};
pub use due::kinds_without_due;
pub use entities::ids::{
    AccountId, ChangeId, ChannelId, CollectionId, ConsumerId, CreditEntryId, EntryId, ExportId, FeedId,
    GrantId, HighlightId, ImportId, ItemId, JobId, KeyId, MonitorId, MonitorRunId, NoteId, NoticeId,
    ObjectId, ReadJobId, RuleId, SnapshotId, SubscriptionId,
};
pub use error::{Detail, Error, Result, Used};
pub use field::{FieldError, FieldPath, Segment};
pub use handle::Domain;
pub use ids::{Ids, RandomIds, SeededIds};
pub use policy::Policy;
pub use scope::{Scope, Scopes};
pub use secret_text::{Secret, SecretKind, looks_like_a_secret};
