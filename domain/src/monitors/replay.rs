//! Reconsidering: which of the changes that were found would be told if a monitor were defined otherwise.
//! Nothing is fetched; what was stored is compared again.

use entities::ids::{AccountId, MonitorId};

use super::change::Change;
use super::changes::list_changes;
use super::edit::{Edit, edited};
use super::evaluate::{self, NoiseModel};
use super::rows::{find_snapshot, load};
use super::{Page, definition};
use crate::error::{Error, Result};
use crate::handle::Domain;

/// Changes that are looked at again, newest first.
const MOST: u32 = 50;

/// A change that was found, and what another definition makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayedChange {
    /// The change.
    pub change: Change,
    /// Whether it would be told; none when that cannot be known without looking at the source again.
    pub would_notify: Option<bool>,
    /// How many of its operations would be left.
    pub operations: usize,
}

/// The account's newest changes of a monitor, as another definition would have them.
///
/// # Errors
/// `not_found`, `invalid_request`.
pub async fn replay_changes(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    edit: &Edit,
) -> Result<Vec<ReplayedChange>> {
    let connection = domain.db().read();
    let row = load(connection, account_id, id).await?;
    let before = definition::read(&row.definition)?;
    let after = edited(&before, edit)?;
    let can_be_known = definition::sees_the_same(&before, &after);
    let memory = NoiseModel::read(&row.masks);
    let mut found = Vec::new();
    for change in list_changes(domain, account_id, id, Page::first(MOST)).await?.changes {
        let pair = match (&change.before_hash, &change.after_hash) {
            (Some(old), Some(new)) if can_be_known => {
                find_snapshot(connection, id, old).await?.zip(find_snapshot(connection, id, new).await?)
            }
            _ => None,
        };
        let Some((old, new)) = pair else {
            found.push(ReplayedChange { change, would_notify: None, operations: 0 });
            continue;
        };
        let (definition, memory) = (after.clone(), memory.clone());
        let counted = tokio::task::spawn_blocking(move || {
            evaluate::count_notified(&definition, &evaluate::rules_of(&definition, &memory), &old, &new)
        });
        let operations = counted.await.map_err(Error::internal)?;
        found.push(ReplayedChange { change, would_notify: Some(operations > 0), operations });
    }
    Ok(found)
}
