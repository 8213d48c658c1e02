//! Pending requests for the full articles of entries. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::EntryId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_text_request")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// Time at which a follower first needed the article.
    pub wanted_at: i64,
    /// Time of the next request for the article, if an account can pay for it then.
    pub next_try_at: i64,
    /// Time at which the article was requested. Null until then.
    pub asked_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
