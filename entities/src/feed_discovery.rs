//! What looking for the feeds of a site came to, kept for a while. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

/// One row of `feed_discovery`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_discovery")]
pub struct Model {
    /// Identity of the address that was asked for.
    #[sea_orm(primary_key, auto_increment = false)]
    pub url_key: String,
    /// JSON text of the feeds, the best first.
    pub found: String,
    /// Stable word of why the site could not be read.
    pub error_code: Option<String>,
    /// Sentence of the same.
    pub error_message: Option<String>,
    /// When it was made.
    pub made_at: i64,
}

/// A discovery stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
