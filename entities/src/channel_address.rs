//! How many confirmation links were mailed to an address, whoever asked for them.

use sea_orm::entity::prelude::*;

/// One row of `channel_address`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "channel_address")]
pub struct Model {
    /// A keyed hash of the address.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Links that were mailed since its owner last followed one.
    pub mails: i32,
    /// When the newest of them was.
    pub last_mail_at: i64,
}

/// It stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
