//! Rows of an account's notices and channels.

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use identity::account_rows::AccountRows;
use kernel::tiers::TierLimits;
use kernel::{Domain, Result};
use sea_orm::DatabaseTransaction;

/// Rows of an account's notices and channels.
#[derive(Clone, Copy, Debug)]
pub struct NoticeRows;

impl AccountRows for NoticeRows {
    fn tables(&self) -> &'static [&'static str] {
        &["notice", "channel"]
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
