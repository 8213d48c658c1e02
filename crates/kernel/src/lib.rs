//! The kernel, which every capability uses: the context handle ([`Domain`]), clock, ids, codes and errors,
//! database access, blobs, cursors, secrets, plans, full-text search terms, and the testing kit. It depends
//! on no capability and no queue.

pub mod address;
pub mod batcher;
pub mod blobs;
pub mod bounds;
pub mod cache_control;
pub mod caller;
pub mod clock;
pub mod code;
pub mod cursor;
pub mod cursor_scope;
pub mod db;
pub mod deletion_hold;
pub mod email;
pub mod error;
pub mod field;
pub mod handle;
pub mod hash;
pub mod ids;
pub mod imported_objects;
pub mod item_key;
pub mod json_bounds;
pub mod language;
pub mod natural_order;
pub mod policy;
pub mod private_folder;
pub mod quotas;
pub mod request_header;
pub mod request_id;
pub mod retention;
pub mod scope;
pub mod search;
pub mod secret_text;
pub mod secrets;
pub mod sequence;
pub mod statement;
pub mod tag;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tiers;
pub mod vault;
pub mod writes;

pub use clock::{Clock, FixedClock, Millis, SystemClock, millis_of_rfc3339, rfc3339, source_time};
pub use code::{Class, Code, UnknownCode};
pub use db::{
    Backend, ConnectError, Database, DatabaseSettings, Listener, PgNotification, PoolUsage,
    connection_unresponsive,
};
pub use entities::ids::{
    AccountId, AgentCallId, ChangeId, ChannelId, CollectionId, ConsumerId, CreditEntryId, EntryId, ExportId,
    FeedId, GrantId, HighlightId, ImportId, ImportServerId, InboxAddressId, InboxMessageId, ItemId, JobId,
    KeyId, LibraryRuleId, MonitorGroupId, MonitorId, MonitorRunId, NoteId, NoticeId, ObjectId, PassageId,
    PasskeyId, PublicTagId, ReadJobId, RuleId, SavedSearchId, SnapshotId, SubscriptionId, TeamId,
    TeamInvitationId, ThemedReviewId,
};
pub use error::{Detail, Error, Result, Used};
pub use field::{FieldError, FieldPath, Segment};
pub use handle::Domain;
pub use ids::{Ids, RandomIds, SeededIds};
pub use imported_objects::{FailedObject, ImportedObjects};
pub use language::Language;
pub use policy::Policy;
pub use scope::{Scope, Scopes};
pub use secret_text::{Secret, SecretKind, looks_like_a_secret};
