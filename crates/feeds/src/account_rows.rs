//! Deletes the rows of an account's feeds: subscriptions, collections, rules, stars, and consumers.

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use identity::account_rows::AccountRows;
use kernel::statement::execute;
use kernel::tiers::TierLimits;
use kernel::{Domain, Result};
use sea_orm::DatabaseTransaction;

/// Rows of an account's feeds, which are deleted with the account.
#[derive(Clone, Copy, Debug)]
pub struct FeedRows;

impl AccountRows for FeedRows {
    fn tables(&self) -> &'static [&'static str] {
        &[
            "feed_commit", "feed_consumer", "rss_star", "rss_playback", "rss_entry_mark", "rss_read_week",
            "rss_rule", "rss_former_feed", "rss_subscription", "rss_collection",
        ]
    }

    fn before_deletion<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        _domain: &'a Domain,
        account_id: AccountId,
    ) -> BoxFuture<'a, Result<()>> {
        // Without this deletion, a star would retain its entry, and a login would be deleted only with its
        // feed, some weeks after the account.
        Box::pin(async move {
            for sql in [
                "DELETE FROM rss_star WHERE account_id = $1",
                "DELETE FROM feed_login WHERE feed_id IN \
                 (SELECT feed_id FROM rss_subscription WHERE account_id = $1)",
            ] {
                execute(transaction, sql, [account_id.into()]).await?;
            }
            Ok(())
        })
    }

    fn apply_plan<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        domain: &'a Domain,
        account_id: AccountId,
        _plan: &'a TierLimits,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(crate::apply_plan(transaction, domain, account_id))
    }
}
