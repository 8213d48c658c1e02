//! Outgoing mail, one row per event. The text is created when the mail is sent, and never stored.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, MailId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MailId,
    pub kind: MailKind,
    /// Key of the event that caused the mail. At most one mail is sent per event.
    #[sea_orm(unique)]
    pub cause: String,
    /// E-mail address of the recipient.
    pub recipient: String,
    /// Account that the mail concerns, if known when the row was written.
    pub account_id: Option<AccountId>,
    pub created_at: i64,
    /// Time at which the mail server accepted the mail.
    pub sent_at: Option<i64>,
    /// Time at which the mail server rejected the mail permanently.
    pub refused_at: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum MailKind {
    /// Password reset link.
    #[sea_orm(string_value = "password_reset")]
    PasswordReset,
    /// An app was granted access.
    #[sea_orm(string_value = "grant_made")]
    GrantMade,
    /// The access of an app ended because one of its tokens was used twice.
    #[sea_orm(string_value = "grant_reused")]
    GrantReused,
    /// Confirmation link for the address of a notification channel.
    #[sea_orm(string_value = "channel_confirm")]
    ChannelConfirm,
    /// Confirmation link for the new address of an account.
    #[sea_orm(string_value = "email_change")]
    EmailChange,
    /// The address of an account was changed. Contains a link that reverts the change.
    #[sea_orm(string_value = "email_changed")]
    EmailChanged,
    #[sea_orm(string_value = "team_invitation")]
    TeamInvitation,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all mail of an account.");

impl ActiveModelBehavior for ActiveModel {}
