//! Pictures that pages show, by the hash of their address. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

/// One row of `picture`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "picture")]
pub struct Model {
    /// SHA-256 of the address, as hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: String,
    /// The address.
    pub url: String,
    /// Under which the store of files has it; none while there is nothing to show.
    pub blob: Option<String>,
    /// What it is, by its bytes.
    pub media_type: Option<String>,
    /// In pixels; 0 while it is not known.
    pub width: i32,
    /// In pixels; 0 while it is not known.
    pub height: i32,
    /// Its bytes.
    pub size_bytes: i64,
    /// Why the last try came to nothing, as a word; none when it did not.
    pub failure: Option<String>,
    /// Until when nobody asks again, for a picture and for a failure alike.
    pub holds_until: i64,
    /// When somebody looked at it the last time, give or take an hour.
    pub asked_at: i64,
}

/// A picture stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
