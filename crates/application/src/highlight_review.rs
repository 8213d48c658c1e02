//! Daily review of highlights. The time zone of the account's channels decides when a day begins.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, HighlightId};

use kernel::{Domain, Result};
use library::{Highlight, NextReview, ReviewAnswer};

/// Returns the number of highlights that are still to be reviewed today.
#[boxed]
pub async fn count_due(domain: &Domain, account_id: AccountId) -> Result<u32> {
    let today = notices::local_day(domain, account_id).await?;
    library::count_due_highlights(domain, account_id, today).await
}

/// Returns the next highlight to review today. `None` if none is due.
#[boxed]
pub async fn next(domain: &Domain, account_id: AccountId) -> Result<Option<NextReview>> {
    let today = notices::local_day(domain, account_id).await?;
    library::next_review(domain, account_id, today).await
}

/// Returns the highlights that are still to be reviewed today, the longest due first.
#[boxed]
pub async fn due(domain: &Domain, account_id: AccountId) -> Result<Vec<Highlight>> {
    let today = notices::local_day(domain, account_id).await?;
    library::due_highlights(domain, account_id, today).await
}

/// Records the answer to a highlight. Returns false, and changes nothing, if the highlight is not due.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn answer(
    domain: &Domain,
    account_id: AccountId,
    id: HighlightId,
    answer: ReviewAnswer,
) -> Result<bool> {
    let today = notices::local_day(domain, account_id).await?;
    library::answer_review(domain, account_id, id, answer, today).await
}

/// Includes an excluded highlight in reviews again.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn resume(domain: &Domain, account_id: AccountId, id: HighlightId) -> Result<()> {
    let today = notices::local_day(domain, account_id).await?;
    library::resume_review(domain, account_id, id, today).await
}
