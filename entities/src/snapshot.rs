//! One text as it was extracted at one time. Never changed: pages, jobs and cursors are pinned to it.

use sea_orm::entity::prelude::*;

use crate::ids::SnapshotId;

/// An extracted document and where it came from.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "snapshot")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: SnapshotId,
    /// The `source` it belongs to.
    pub source_key: String,
    /// The URL that answered, after redirects.
    #[sea_orm(column_type = "Text")]
    pub final_url: String,
    /// SHA-256 of the body, as hex.
    pub body_hash: String,
    /// SHA-256 of the stored document, as hex: equal documents share a snapshot.
    pub document_hash: String,
    /// The document: JSON, compressed with zstd.
    pub document: Vec<u8>,
    /// How many bytes that is.
    pub stored_bytes: i64,
    /// When the body was downloaded, in milliseconds.
    pub fetched_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
