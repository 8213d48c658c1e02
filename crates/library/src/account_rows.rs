//! Deletes the library of a deleted account.

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use identity::account_rows::AccountRows;
use jobs::{JobKind, NewJob};
use kernel::statement::scalar;
use kernel::{Domain, Result};
use sea_orm::DatabaseTransaction;

/// Deletes the rows and files of a library when its account is deleted.
#[derive(Clone, Copy, Debug)]
pub struct LibraryRows;

impl AccountRows for LibraryRows {
    fn tables(&self) -> &'static [&'static str] {
        &[
            "team_tag", "library_server", "library_import_made", "library_import_report", "library_import",
            "library_public_tag", "library_saved_search", "library_public_highlight", "library_review_day",
            "library_reviewed_source", "library_themed_review", "library_export", "library_blob",
            "library_word", "library_search", "library_change", "library_tagged", "library_tag",
            "library_highlight", "library_note", "library_key", "library_page_copy", "library_original",
            "library_text", "library_item_number", "library_pending_deletion", "library_model_tag",
            "library_rule_item", "library_rule", "library_item", "reading_position", "library_account",
        ]
    }

    fn before_deletion<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        domain: &'a Domain,
        account_id: AccountId,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let sql = "SELECT count(*) FROM library_blob WHERE account_id = $1";
            let files: i64 = scalar(transaction, sql, [account_id.into()]).await?;
            if files > 0 {
                // Files are not rows, so a job deletes them after the rows were deleted.
                let job = NewJob::new(JobKind::AccountFiles, account_id.to_string());
                jobs::submit(transaction, domain, job).await?;
            }
            Ok(())
        })
    }
}
