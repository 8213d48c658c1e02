//! Daily review of highlights, general and themed. The time zone of the account's channels determines when a day
//! begins.

use std::collections::HashSet;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, HighlightId, ThemedReviewId};

use kernel::{Domain, Result};
use library::{GivenAnswer, Highlight, NextReview, ThemedReview};

/// Highlights of a review that are still to be reviewed today.
#[derive(Clone, Debug)]
pub struct DueReview {
    /// Themed review. `None` for the general one.
    pub theme: Option<ThemedReview>,
    /// Highlights in the order of review.
    pub highlights: Vec<Highlight>,
}

/// Returns the number of highlights that are still to be reviewed today in the general review.
#[boxed]
pub async fn count_due(domain: &Domain, account_id: AccountId) -> Result<u32> {
    let today = notices::local_day(domain, account_id).await?;
    library::count_due_highlights(domain, account_id, today).await
}

/// Returns the themed reviews, each with the number of highlights that are still to be reviewed today.
#[boxed]
pub async fn themes(domain: &Domain, account_id: AccountId) -> Result<Vec<(ThemedReview, u32)>> {
    let today = notices::local_day(domain, account_id).await?;
    library::count_due_by_theme(domain, account_id, today).await
}

/// Returns the next highlight to review today, in the general review or in a themed one. `None` if none is due.
///
/// # Errors
/// `not_found` if the themed review does not exist.
#[boxed]
pub async fn next(
    domain: &Domain,
    account_id: AccountId,
    theme: Option<ThemedReviewId>,
) -> Result<Option<NextReview>> {
    let today = notices::local_day(domain, account_id).await?;
    library::next_review(domain, account_id, theme, today).await
}

/// Returns the highlights that are still to be reviewed today: those of the general review, then those of
/// each themed review that no earlier review contains. Reviews without highlights are not listed.
#[boxed]
pub async fn due(domain: &Domain, account_id: AccountId) -> Result<Vec<DueReview>> {
    let today = notices::local_day(domain, account_id).await?;
    let general = library::due_highlights(domain, account_id, today).await?;
    let themed = library::due_highlights_by_theme(domain, account_id, today).await?;
    let mut reviews = vec![DueReview { theme: None, highlights: general }];
    reviews
        .extend(themed.into_iter().map(|(theme, highlights)| DueReview { theme: Some(theme), highlights }));
    let mut listed: HashSet<HighlightId> = HashSet::new();
    for review in &mut reviews {
        review.highlights.retain(|highlight| listed.insert(highlight.row.id));
    }
    reviews.retain(|review| !review.highlights.is_empty());
    Ok(reviews)
}

/// Records the answer to a highlight. Returns false, and changes nothing, if the highlight is not due.
///
/// # Errors
/// `not_found` if the highlight or the themed review does not exist.
#[boxed]
pub async fn answer(domain: &Domain, account_id: AccountId, given: GivenAnswer) -> Result<bool> {
    let today = notices::local_day(domain, account_id).await?;
    library::answer_review(domain, account_id, given, today).await
}

/// Includes an excluded highlight in reviews again.
///
/// # Errors
/// `not_found` if the highlight does not exist.
#[boxed]
pub async fn resume(domain: &Domain, account_id: AccountId, id: HighlightId) -> Result<()> {
    let today = notices::local_day(domain, account_id).await?;
    library::resume_review(domain, account_id, id, today).await
}
