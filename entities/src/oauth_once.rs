//! What counts once, by hash: answers to a page that asks, and the names of assertions.

use sea_orm::entity::prelude::*;

/// One row of `oauth_once`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_once")]
pub struct Model {
    /// SHA-256 of what it is and of its name.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// When it would be void anyway, and need not be remembered any more. Milliseconds since the Unix epoch.
    pub expires_at: i64,
}

/// It stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
