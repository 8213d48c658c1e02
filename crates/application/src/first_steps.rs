//! First steps of a new account: follow a feed, save an item, and watch a page.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;

use identity::accounts::{self, Account};
use kernel::{Domain, Result};
use library::ItemFilter;

/// Steps of an account. A step is done if the account has an object of its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstSteps {
    pub has_feed: bool,
    pub has_item: bool,
    pub has_monitor: bool,
}

impl FirstSteps {
    /// Number of steps.
    pub const COUNT: usize = 3;

    /// Returns the number of completed steps.
    pub fn completed(self) -> usize {
        [self.has_feed, self.has_item, self.has_monitor].into_iter().filter(|is_done| *is_done).count()
    }
}

/// Loads the steps of an account.
#[boxed]
pub async fn load(domain: &Domain, account_id: AccountId) -> Result<FirstSteps> {
    let connection = domain.db().read();
    let items = library::list(domain, account_id, &ItemFilter::default(), None, 1).await?.items;
    Ok(FirstSteps {
        has_feed: feeds::count_subscriptions(connection, account_id).await? > 0,
        has_item: !items.is_empty(),
        has_monitor: monitors::count(connection, account_id).await? > 0,
    })
}

/// Loads the steps that a start page offers. `None` if they are completed or closed. Completed steps are
/// recorded as closed, so that the objects of the account are not queried again.
#[boxed]
pub async fn open_steps(domain: &Domain, account: &Account) -> Result<Option<FirstSteps>> {
    if account.first_steps_closed_at.is_some() {
        return Ok(None);
    }
    let steps = load(domain, account.id).await?;
    if steps.completed() == FirstSteps::COUNT {
        accounts::close_first_steps(domain, account.id).await?;
        return Ok(None);
    }
    Ok(Some(steps))
}
