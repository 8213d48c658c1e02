//! Actions with which the owner of a connection undoes calls of default tools. If such an action cannot be
//! prepared, the call still succeeds, but cannot be undone.

use application::agent_undo::{CreatedCollection, MAX_ENTRIES, Undo};
use feeds::{Order, StreamQuery, StreamScope};
use kernel::{AccountId, Domain, EntryId, FeedId, MonitorId, ObjectId, Result, SubscriptionId};
use library::{Item, ObjectKind};
use serde_json::Value;

use super::charges::Calls;
use super::reference::{id_of, split};

/// Unread entries of a source before a call that marks some of them as read.
pub(super) struct UnreadBefore {
    ids: Vec<EntryId>,
    /// True if there were more entries than the undo can mark as unread again.
    is_partial: bool,
}

/// Undo that deletes the objects of a kind that a call created, by their references.
pub(super) async fn of_created(calls: &Calls<'_>, kind: ObjectKind, references: &[&str]) -> Option<Undo> {
    let ids = references.iter().filter_map(|reference| split(reference)?.1.parse::<ObjectId>().ok());
    let ids: Vec<(ObjectKind, ObjectId)> = ids.map(|id| (kind, id)).collect();
    if ids.is_empty() {
        return None;
    }
    let (domain, account_id) = owner(calls);
    let objects = or_none(library::transfer::mark_created(domain, account_id, &ids).await)?;
    (!objects.is_empty()).then_some(Undo::DeleteObjects { objects })
}

/// Undo that restores the values that items had before a call.
pub(super) async fn of_changed(calls: &Calls<'_>, before: &[Item]) -> Option<Undo> {
    let (domain, account_id) = owner(calls);
    let items = or_none(library::item_reversions(domain, account_id, before).await)?;
    (!items.is_empty()).then_some(Undo::RestoreItems { items })
}

/// Entries whose mark changes if they are marked as `unread`.
pub(super) async fn differing_entries(calls: &Calls<'_>, ids: &[&str], unread: bool) -> Vec<EntryId> {
    let ids: Vec<EntryId> = ids.iter().filter_map(|id| id.parse().ok()).map(EntryId::new).collect();
    let (domain, account_id) = owner(calls);
    let entries = feeds::entries_of_ids(domain.db().read(), account_id, &ids).await;
    let entries = or_none(entries).unwrap_or_default();
    entries.into_iter().filter(|entry| entry.unread != unread).map(|entry| entry.id).collect()
}

/// Undo of a call that marked these entries as `unread`.
pub(super) fn of_marked(ids: Vec<EntryId>, unread: bool) -> Option<Undo> {
    if ids.is_empty() {
        return None;
    }
    Some(if unread { Undo::MarkRead { ids } } else { Undo::MarkUnread { ids } })
}

/// Loads the unread entries of a source: `all`, or the name of a feed or collection.
pub(super) async fn unread_before(calls: &Calls<'_>, source: &str) -> Option<UnreadBefore> {
    let (domain, account_id) = owner(calls);
    let scope = or_none(scope_of(domain, account_id, source.trim()).await)??;
    let query = StreamQuery {
        scope,
        unread: Some(true),
        starred: None,
        since: None,
        through: None,
        order: Order::Newest,
    };
    let page = or_none(feeds::stream(domain, account_id, &query, None, MAX_ENTRIES).await)?;
    let ids = page.entries.iter().map(|entry| entry.id).collect();
    Some(UnreadBefore { ids, is_partial: page.next_after.is_some() })
}

async fn scope_of(domain: &Domain, account_id: AccountId, source: &str) -> Result<Option<StreamScope>> {
    if source == "all" {
        return Ok(Some(StreamScope::All));
    }
    if let Some(id) = id_of(source, "feed").ok().and_then(|id| id.parse().ok()) {
        return Ok(Some(StreamScope::Feed(FeedId::new(id))));
    }
    let collection = feeds::find_collection(domain, account_id, source).await?;
    Ok(collection.map(StreamScope::Collection))
}

impl UnreadBefore {
    /// Undo that marks those entries as unread again that have been read since.
    pub(super) async fn undo(self, calls: &Calls<'_>) -> Option<Undo> {
        if self.is_partial {
            return Some(Undo::TooLarge);
        }
        let (domain, account_id) = owner(calls);
        let entries = feeds::entries_of_ids(domain.db().read(), account_id, &self.ids).await;
        let read = or_none(entries)?.into_iter().filter(|entry| !entry.unread);
        of_marked(read.map(|entry| entry.id).collect(), false)
    }
}

/// Undo that unfollows the feed that a call followed, by the id of its subscription.
pub(super) async fn of_followed(
    calls: &Calls<'_>,
    subscription_id: &Value,
    collection: Option<CreatedCollection>,
) -> Option<Undo> {
    let (domain, account_id) = owner(calls);
    let id = SubscriptionId::new(subscription_id.as_i64()?);
    let settings = or_none(feeds::subscription_settings(domain, account_id, id).await)?;
    Some(Undo::Unfollow { id, settings, collection })
}

/// Undo that follows a feed again, prepared before a call unfollows it. `None` if its login or headers would
/// be missing.
pub(super) async fn of_unfollowed(calls: &Calls<'_>, subscription_id: &Value) -> Option<Undo> {
    let (domain, account_id) = owner(calls);
    let id = SubscriptionId::new(subscription_id.as_i64()?);
    let removed = or_none(feeds::removable_subscription(domain, account_id, id).await)??;
    Some(Undo::Follow { removed })
}

/// Undo that deletes the monitor that a call created.
pub(super) async fn of_monitor(calls: &Calls<'_>, id: &str) -> Option<Undo> {
    let (domain, account_id) = owner(calls);
    let id: MonitorId = id.parse().ok()?;
    let mark = or_none(monitors::settings_mark(domain, account_id, id).await)?;
    Some(Undo::DeleteMonitor { id, mark })
}

fn owner<'a>(calls: &Calls<'a>) -> (&'a Domain, AccountId) {
    let session = calls.session();
    (&session.app.domain, session.caller.account_id)
}

fn or_none<T>(result: Result<T>) -> Option<T> {
    result.map_err(|error| tracing::warn!(error = error.report(), "call of an agent without an undo")).ok()
}
