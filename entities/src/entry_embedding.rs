//! Vectors of the texts of feed entries, computed by the operator's embedding model.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "entry_embedding")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Entry. Its vectors are deleted with it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// Name of the embedding model.
    pub model: String,
    /// Hash of the visible fields of the entry when its text was sent.
    pub fingerprint: i64,
    /// Components as 32-bit floating-point numbers, little-endian.
    pub vector: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the vectors of the entries of an account.");

impl ActiveModelBehavior for ActiveModel {}
