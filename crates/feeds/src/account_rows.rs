//! Deletes the rows of an account's feeds: subscriptions, collections, rules, stars, and consumers. Renames tags in its
//! rules.

use entities::ids::{AccountId, FeedId};
use futures_util::future::BoxFuture;
use identity::account_rows::AccountRows;
use kernel::statement::{execute, statement};
use kernel::tag::Tag;
use kernel::tiers::TierLimits;
use kernel::{Domain, Result};
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::internal_feed;
use super::rules;
use super::source_kind::INTERNAL_KINDS;

/// Rows of an account's feeds, which are deleted with the account.
#[derive(Clone, Copy, Debug)]
pub struct FeedRows;

impl AccountRows for FeedRows {
    fn tables(&self) -> &'static [&'static str] {
        &[
            "feed_commit", "feed_consumer", "rss_star", "rss_playback", "rss_entry_mark", "rss_read_week",
            "rss_change_record", "rss_rule_notice", "rss_rule_save", "rss_rule", "rss_former_feed",
            "rss_subscription", "rss_collection",
        ]
    }

    fn before_deletion<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        _domain: &'a Domain,
        account_id: AccountId,
    ) -> BoxFuture<'a, Result<()>> {
        // Without this deletion, a star would retain its entry, and a login or an unfollowed internal feed would
        // be deleted some weeks after the account.
        Box::pin(async move {
            let internal = retained_internal_feeds(transaction, account_id).await?;
            for sql in [
                "DELETE FROM rss_star WHERE account_id = $1",
                "DELETE FROM feed_login WHERE feed_id IN \
                 (SELECT feed_id FROM rss_subscription WHERE account_id = $1)",
            ] {
                execute(transaction, sql, [account_id.into()]).await?;
            }
            internal_feed::remove(transaction, &internal).await
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

    fn apply_tag_change<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        account_id: AccountId,
        from: &'a Tag,
        to: Option<&'a Tag>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(rules::apply_tag_change(transaction, account_id, from, to))
    }
}

/// Returns the internal feeds whose starred entries the account retains, and those that it unfollowed. No other account
/// has entries of these feeds.
async fn retained_internal_feeds(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
) -> Result<Vec<FeedId>> {
    let sql = format!(
        "SELECT r.feed_id FROM rss_star r JOIN feed f ON f.id = r.feed_id \
         WHERE r.account_id = $1 AND f.kind IN ({INTERNAL_KINDS}) \
         UNION SELECT p.feed_id FROM rss_former_feed p JOIN feed f ON f.id = p.feed_id \
         WHERE p.account_id = $1 AND f.kind IN ({INTERNAL_KINDS})"
    );
    let rows = transaction.query_all_raw(statement(transaction, &sql, [account_id.into()])).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}
