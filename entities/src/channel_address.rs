//! Number of confirmation links mailed to an address, by any account.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "channel_address")]
pub struct Model {
    /// Keyed hash of the address.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Links mailed since the address was last confirmed.
    pub mails: i32,
    /// Time of the newest mail.
    pub last_mail_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
