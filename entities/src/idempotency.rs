//! Answers kept for callers that ask again under the same `Idempotency-Key`.

use sea_orm::entity::prelude::*;

/// One key of one caller, running or answered.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "idempotency")]
pub struct Model {
    /// SHA-256 of the caller's network and the key, as hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// SHA-256 of path, body and format: what was asked.
    pub fingerprint: String,
    /// Who holds the key while the answer is made.
    pub holder: Uuid,
    /// HTTP status of the kept answer; null while it is made.
    pub status: Option<i32>,
    /// Content headers of the kept answer, as a JSON array of pairs.
    #[sea_orm(column_type = "Text", nullable)]
    pub headers: Option<String>,
    /// Body of the kept answer.
    pub body: Option<Vec<u8>>,
    /// SHA-256 of the caller's network, as hex: whose room the kept answer takes.
    pub caller: String,
    /// What the kept answer takes, in bytes; 0 while it is made.
    pub stored_bytes: i64,
    /// Milliseconds: when the holder counts as gone, or when the kept answer is dropped.
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
