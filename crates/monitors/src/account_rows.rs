//! Monitors of an account, with their groups, runs, snapshots, and changes.

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use identity::account_rows::AccountRows;
use kernel::tiers::TierLimits;
use kernel::{Domain, Result};
use sea_orm::DatabaseTransaction;

use super::screenshots;

/// Account rows of this crate: monitors with their groups, runs, snapshots, screenshots and changes.
#[derive(Clone, Copy, Debug)]
pub struct MonitorRows;

impl AccountRows for MonitorRows {
    fn tables(&self) -> &'static [&'static str] {
        &[
            "team_monitor", "monitor_preview", "monitor_run", "monitor_explanation", "monitor_change",
            "monitor_picture", "monitor_snapshot", "monitor", "monitor_group",
        ]
    }

    fn before_deletion<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        domain: &'a Domain,
        account_id: AccountId,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            crate::delete_feeds(transaction, account_id).await?;
            screenshots::delete_with_account(transaction, domain, account_id).await
        })
    }

    fn apply_plan<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        domain: &'a Domain,
        account_id: AccountId,
        plan: &'a TierLimits,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(crate::apply_plan(transaction, domain, account_id, plan))
    }
}
