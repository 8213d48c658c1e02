//! Extracted documents, one for each extraction. Rows never change: pages, jobs, and cursors are pinned to
//! them.

use sea_orm::entity::prelude::*;

use crate::ids::SnapshotId;

/// Extracted document and its origin.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "snapshot")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: SnapshotId,
    /// Key of the `source` row.
    pub source_key: String,
    /// URL that answered, after redirects.
    #[sea_orm(column_type = "Text")]
    pub final_url: String,
    /// SHA-256 of the downloaded body, in hex.
    pub body_hash: String,
    /// SHA-256 of the stored document, in hex. Equal documents share a snapshot.
    pub document_hash: String,
    /// Document as JSON, compressed with zstd.
    pub document: Vec<u8>,
    /// Size of `document`, in bytes.
    pub stored_bytes: i64,
    /// Time of the download, in milliseconds.
    pub fetched_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
