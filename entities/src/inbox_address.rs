//! Secret mail addresses at which accounts receive messages. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, InboxAddressId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "inbox_address")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: InboxAddressId,
    pub account_id: AccountId,
    /// Part before the `@`, in lower case. Unique.
    pub local: String,
    /// Name given by the owner.
    pub name: String,
    /// Tags of the items of received messages, as a JSON array.
    pub tags: String,
    /// Whether received messages are counted and discarded.
    pub muted: bool,
    /// Time of the last accepted message.
    pub last_received_at: Option<i64>,
    /// Number of refused messages.
    pub refusals: i64,
    /// Time of the last refused message.
    pub refused_at: Option<i64>,
    /// Error code of the last refused message.
    pub refused_reason: Option<String>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the inbox addresses of an account.");

impl ActiveModelBehavior for ActiveModel {}
