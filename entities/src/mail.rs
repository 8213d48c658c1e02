//! Mail that is to be sent, or was: one row for each cause. Its text is made when it is sent, and never stored.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, MailId};

/// One row of `mail`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MailId,
    /// What it is about.
    pub kind: MailKind,
    /// Why it is sent: one mail a cause.
    #[sea_orm(unique)]
    pub cause: String,
    /// The e-mail address of whoever gets it.
    pub recipient: String,
    /// Whose account it is about, when that was known as it was written down.
    pub account_id: Option<AccountId>,
    /// When it was written down.
    pub created_at: i64,
    /// When the mail server took it.
    pub sent_at: Option<i64>,
    /// When the mail server refused it for good.
    pub refused_at: Option<i64>,
}

/// What a mail is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum MailKind {
    /// A link that sets a new password.
    #[sea_orm(string_value = "password_reset")]
    PasswordReset,
    /// An app that was allowed something.
    #[sea_orm(string_value = "grant_made")]
    GrantMade,
    /// An app whose access ended because a token of it was used twice.
    #[sea_orm(string_value = "grant_reused")]
    GrantReused,
    /// A link that has its owner confirm an address for notices.
    #[sea_orm(string_value = "channel_confirm")]
    ChannelConfirm,
}

/// The owner is the only one who matters to a mail.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("All mail of an account.");

impl ActiveModelBehavior for ActiveModel {}
