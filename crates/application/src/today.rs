//! Content of a person's start page: new entries, changes of monitors, and items to continue. Each section
//! has a limited number of rows.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, MonitorId};

use super::highlight_review;
use feeds::{FollowedSource, Health, ImportantEntries, SourceQuery};
use kernel::{Domain, Result};
use library::{Item, ItemFilter, ItemStatus, Rediscovery};
use monitors::{ListRange, MatchedChange};

/// Maximum number of unread entries.
const ENTRIES: usize = 10;
/// Maximum number of changes.
const CHANGES: usize = 5;
/// Number of newest changes from which the changes are selected.
const NEWEST_CHANGES: u32 = 30;
/// Maximum number of changes of one monitor.
const CHANGES_PER_MONITOR: usize = 2;
/// Maximum number of recently saved items.
const ITEMS: u32 = 6;
/// Maximum number of failing feeds.
const FAILING: u32 = 3;

/// Content of a start page.
#[derive(Clone, Debug)]
pub struct Today {
    pub unread: ImportantEntries,
    /// Newest changes of the account's monitors.
    pub changes: Vec<MatchedChange>,
    /// Items in the inbox, most recently saved first.
    pub saved: Vec<Item>,
    pub rediscovery: Rediscovery,
    /// Number of highlights that are still to be reviewed today.
    pub due_highlights: u32,
    /// Some of the feeds whose polls fail.
    pub failing: Vec<FollowedSource>,
    /// Number of all feeds whose polls fail.
    pub failing_total: i64,
}

impl Today {
    /// Returns true if there is nothing to read.
    pub fn is_empty(&self) -> bool {
        let Rediscovery { started, waiting, this_day } = &self.rediscovery;
        self.unread.entries.is_empty()
            && self.changes.is_empty()
            && self.saved.is_empty()
            && started.is_empty()
            && waiting.is_empty()
            && this_day.is_empty()
            && self.due_highlights == 0
    }
}

/// Loads the start page of an account.
#[boxed]
pub async fn load(domain: &Domain, account_id: AccountId) -> Result<Today> {
    let inbox = ItemFilter { status: Some(ItemStatus::Inbox), ..ItemFilter::default() };
    let failing = SourceQuery { health: vec![Health::Failing], ..SourceQuery::default() };
    let (unread, changes, saved, mut rediscovery, failing, deleted, due_highlights) = tokio::try_join!(
        feeds::important_unread(domain, account_id, ENTRIES),
        monitors::search_changes(domain, account_id, "", ListRange::first(NEWEST_CHANGES)),
        library::list(domain, account_id, &inbox, None, ITEMS),
        library::rediscover(domain, account_id),
        feeds::query_sources(domain, account_id, &failing, None, FAILING),
        library::pending_deletions(domain, account_id),
        highlight_review::count_due(domain, account_id),
    )?;
    let mut saved = saved.items;
    let Rediscovery { started, waiting, this_day } = &mut rediscovery;
    for items in [&mut saved, started, waiting, this_day] {
        items.retain(|item| !deleted.contains_key(&item.id));
    }
    Ok(Today {
        unread,
        changes: few_of_each(changes.changes),
        saved,
        rediscovery,
        due_highlights,
        failing_total: failing.total,
        failing: failing.items,
    })
}

/// Selects the newest changes with a maximum per monitor, so that one monitor does not fill the section.
fn few_of_each(mut changes: Vec<MatchedChange>) -> Vec<MatchedChange> {
    let mut listed: HashMap<MonitorId, usize> = HashMap::new();
    changes.retain(|change| {
        let count = listed.entry(change.monitor_id).or_default();
        *count += 1;
        *count <= CHANGES_PER_MONITOR
    });
    changes.truncate(CHANGES);
    changes
}
