//! Responses stored for repeated requests with the same `Idempotency-Key`.

use sea_orm::entity::prelude::*;

/// Idempotency key of a caller, whose request is running or answered.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "idempotency")]
pub struct Model {
    /// SHA-256 of the caller's network and the key, in hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// SHA-256 of path, body, and format of the request.
    pub fingerprint: String,
    /// Process that holds the key while the response is being created.
    pub holder: Uuid,
    /// HTTP status of the stored response. Null while it is being created.
    pub status: Option<i32>,
    /// Content headers of the stored response, as a JSON array of pairs.
    #[sea_orm(column_type = "Text", nullable)]
    pub headers: Option<String>,
    /// Body of the stored response.
    pub body: Option<Vec<u8>>,
    /// SHA-256 of the caller's network, in hex: the stored response counts towards its storage limit.
    pub caller: String,
    /// Size of the stored response, in bytes; 0 while it is being created.
    pub stored_bytes: i64,
    /// Milliseconds since the Unix epoch. While the request is running, the time at which the holder is
    /// considered dead; then the time at which the stored response is deleted.
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
