//! Explanations of changes that monitors detected, written by the language model. Times are milliseconds since the Unix
//! epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ChangeId, MonitorId};
use crate::model_task::ModelTaskState;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_explanation")]
pub struct Model {
    /// Change. Its explanation is deleted with it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub change_id: ChangeId,
    pub account_id: AccountId,
    pub monitor_id: MonitorId,
    pub state: ModelTaskState,
    /// Wish of the owner when the change was detected. Null if there was none.
    pub wish: Option<String>,
    /// True if channels are notified only if the change matters.
    pub only_relevant: bool,
    /// Title of the message about the change, in the language of the owner.
    pub title: String,
    /// Summary of the message about the change.
    pub summary: String,
    /// Null unless the model has answered.
    pub sentence: Option<String>,
    /// Null unless the model has decided whether the change matters.
    pub is_relevant: Option<bool>,
    /// Error code of a failed request.
    pub reason: Option<String>,
    /// Name of the model that answered.
    pub model: Option<String>,
    pub requested_at: i64,
    /// Time after which the message is sent without the sentence. Null if the explanation is finished.
    pub due_at: Option<i64>,
    pub finished_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the explanations of the changes of an account's monitors.");

impl ActiveModelBehavior for ActiveModel {}
