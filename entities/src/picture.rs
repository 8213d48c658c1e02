//! Pictures of pages and their smaller versions, identified by the hash of the picture's URL and the width of the
//! version. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "picture")]
pub struct Model {
    /// SHA-256 in hex: of the URL or, for a smaller version, of its maximum width and the URL.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: String,
    pub url: String,
    /// Blob key. Null if no picture is stored.
    pub blob: Option<String>,
    /// Media type, detected from the bytes.
    pub media_type: Option<String>,
    /// Width in pixels; 0 if unknown.
    pub width: i32,
    /// Height in pixels; 0 if unknown.
    pub height: i32,
    pub size_bytes: i64,
    /// Code of the last failure. Null after a success.
    pub failure: Option<String>,
    /// Time until which the picture or the failure is cached.
    pub holds_until: i64,
    /// Time of the last view, to the hour.
    pub asked_at: i64,
    /// Maximum width of a smaller version in pixels; 0 for a picture as fetched.
    pub max_width: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
