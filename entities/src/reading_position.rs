//! Reading positions of e-readers, one per account and document. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "reading_position")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Digest by which e-readers recognise the document, or the name of a text that browsers read aloud.
    #[sea_orm(primary_key, auto_increment = false)]
    pub document: String,
    /// Position in the document, in the format of the e-reader.
    pub progress: String,
    /// Fraction of the document that was read, in millionths.
    pub millionths: i64,
    /// Name of the e-reader.
    pub device: String,
    /// Id of the e-reader.
    pub device_id: String,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the reading positions of an account.");

impl ActiveModelBehavior for ActiveModel {}
