//! What goes when an account goes: the one list of owned tables. A room that adds a table with an owner
//! adds a line here, and the test beside it fails until it does.

use entities::account;
use entities::ids::AccountId;
use sea_orm::EntityTrait;

use crate::error::Result;
use crate::handle::Domain;
use crate::jobs::{self, JobKind, NewJob};
use crate::monitors;
use crate::statement::{execute, scalar};

/// Tables with an `account_id`, in the order in which they are emptied: what points at something goes
/// before it.
pub(super) const TABLES: &[&str] = &[
    "session",
    "library_import_made",
    "library_import",
    "library_export",
    "library_blob",
    "password_reset",
    "mail",
    "notice",
    "channel",
    "app_credential",
    "api_key",
    "oauth_grant",
    "usage_day",
    "monitor_preview",
    "monitor_run",
    "monitor_change",
    "monitor_snapshot",
    "monitor",
    "credit_entry",
    "credit_month",
    "feed_commit",
    "feed_consumer",
    "rss_star",
    "rss_entry_mark",
    "rss_rule",
    "rss_former_feed",
    "rss_subscription",
    "rss_collection",
    "library_word",
    "library_search",
    "library_change",
    "library_tagged",
    "library_tag",
    "library_highlight",
    "library_note",
    "library_key",
    "library_original",
    "library_text",
    "library_item",
    "library_account",
];

/// Mail that somebody asked for knows no account, only whom it is for.
const FORGET_RECIPIENT: &str = "DELETE FROM mail WHERE recipient = (SELECT email FROM account WHERE id = $1)";

/// Deletes an account and everything it owns. Keys and sessions are void with the end of the transaction.
pub(super) async fn delete_account(domain: &Domain, account_id: AccountId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    super::lock(&transaction, account_id).await?;
    // Entries with a star would stay.
    execute(&transaction, "DELETE FROM rss_star WHERE account_id = $1", [account_id.into()]).await?;
    monitors::forget_feeds(&transaction, account_id).await?;
    let sql = "SELECT count(*) FROM library_blob WHERE account_id = $1";
    if scalar(&transaction, sql, [account_id.into()]).await? > 0 {
        // Files are no rows: they go when these are gone for good.
        let job = NewJob::new(JobKind::AccountFiles, account_id.to_string());
        jobs::submit(&transaction, domain, job).await?;
    }
    for table in TABLES {
        let sql = format!("DELETE FROM {table} WHERE account_id = $1");
        execute(&transaction, &sql, [account_id.into()]).await?;
    }
    execute(&transaction, FORGET_RECIPIENT, [account_id.into()]).await?;
    account::Entity::delete_by_id(account_id).exec(&transaction).await?;
    transaction.commit().await?;
    Ok(())
}
