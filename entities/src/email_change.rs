//! Changes of the e-mail address of an account: requested, or confirmed and still revertible. Times are
//! milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EmailChangeId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "email_change")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: EmailChangeId,
    pub account_id: AccountId,
    /// Address of the account before the change.
    pub old_email: String,
    pub new_email: String,
    /// Time of the request.
    pub created_at: i64,
    /// Time at which the new address was confirmed. Null until then.
    pub confirmed_at: Option<i64>,
    /// Expiry time of the current link: the link that confirms the change, or, after the confirmation, the
    /// link that reverts it.
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all changes of an account's e-mail address.");

impl ActiveModelBehavior for ActiveModel {}
