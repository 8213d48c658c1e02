//! Plan of a mutation: the objects that it would currently change.

use entities::ids::{AccountId, CollectionId, EntryId, FeedId, SubscriptionId};
use entities::rss_collection;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};
use serde::{Deserialize, Serialize};

use super::super::author;
use super::super::entries::{as_of, entries_of_ids, ids_query};
use super::super::entry_filter::{EntryFilter, Order};
use super::super::entry_scope::EntryScope;
use super::super::login::has_login;
use super::super::query::filter_of;
use super::super::source::{HealthFilter, select_sources};
use super::super::source_filter::{SourceFilter, Sources};
use super::mutation::{Mutation, MutationOp, MutationTarget, invalid_mutation};
use kernel::statement::statement;
use kernel::{Millis, Result};

/// Maximum number of entries per mutation.
pub(super) const MAX_ENTRIES: usize = 100_000;
/// Maximum number of entries that one mutation saves.
const MAX_SAVED: usize = 100;
/// Maximum number of objects in the sample of a dry run.
const SAMPLE: usize = 10;

/// Objects that a mutation would change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Plan {
    /// Subscriptions with their feeds.
    pub(super) sources: Vec<(SubscriptionId, FeedId)>,
    pub(super) collections: Vec<CollectionId>,
    /// Entries up to this id.
    pub(super) through: Option<EntryId>,
}

/// One object that would be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Id of the object. `None` if the object does not exist yet.
    pub id: Option<i64>,
    /// Title, name, or address of the object.
    pub title: String,
}

/// A plan, with the number of its objects and a sample of them.
pub(super) struct Planned {
    pub(super) plan: Plan,
    pub(super) count: usize,
    pub(super) sample: Vec<Sample>,
}

/// Plans a mutation.
pub(super) async fn plan(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    now: Millis,
    mutation: &Mutation,
) -> Result<Planned> {
    mutation.check()?;
    // The request is stored, and logins must never be stored unsealed.
    if mutation.set.urls.iter().any(|url| has_login(url)) {
        let reason = "must not contain user names or passwords; follow such a feed on its own";
        return Err(invalid_mutation("set.urls", reason));
    }
    collection_of(connection, account_id, mutation).await?;
    let planned = match mutation.op.target() {
        MutationTarget::New => new_objects(mutation),
        MutationTarget::Sources => sources(connection, account_id, now, mutation).await?,
        MutationTarget::Collections => collections(connection, account_id, mutation).await?,
        MutationTarget::Entries => entries(connection, account_id, now, mutation).await?,
    };
    if mutation.op.has_single_target() && planned.count != 1 {
        return Err(invalid_mutation(
            "where",
            format!("must select exactly one item, but selects {}", planned.count),
        ));
    }
    Ok(planned)
}

/// Returns the collection into which a mutation moves sources. `None` if the mutation has none.
pub(super) async fn collection_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    mutation: &Mutation,
) -> Result<Option<CollectionId>> {
    let Some(named) = &mutation.set.collection else { return Ok(None) };
    let filter = SourceFilter { collections: vec![named.clone()], ..SourceFilter::default() };
    let resolved = Sources::resolve(connection, account_id, &filter).await?;
    Ok(resolved.collections.first().copied())
}

fn new_objects(mutation: &Mutation) -> Planned {
    let names: Vec<&String> = mutation.set.urls.iter().chain(&mutation.set.name).collect();
    let sample = names.iter().take(SAMPLE).map(|name| Sample { id: None, title: (*name).clone() });
    Planned { plan: Plan::default(), count: names.len(), sample: sample.collect() }
}

async fn sources(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    now: Millis,
    mutation: &Mutation,
) -> Result<Planned> {
    let filter = current_sources(connection, account_id, mutation).await?;
    let selected = select_sources(connection, account_id, now, &filter, HealthFilter::All).await?;
    let plan = Plan {
        sources: selected.iter().map(|one| (one.subscription_id, one.feed_id)).collect(),
        ..Plan::default()
    };
    let ids: Vec<String> = selected.iter().take(SAMPLE).map(|one| one.subscription_id.to_string()).collect();
    let mut sample = Vec::new();
    if !ids.is_empty() {
        let sql = format!(
            "SELECT s.feed_id, COALESCE(s.title, f.title, f.url) FROM rss_subscription s \
             JOIN feed f ON f.id = s.feed_id WHERE s.account_id = $1 AND s.id IN ({}) ORDER BY s.id",
            ids.join(", ")
        );
        for row in connection.query_all_raw(statement(connection, &sql, [account_id.into()])).await? {
            sample.push(Sample { id: Some(row.try_get_by_index(0)?), title: row.try_get_by_index(1)? });
        }
    }
    Ok(Planned { count: plan.sources.len(), plan, sample })
}

/// Returns the selected sources of a mutation, with their current feed ids.
pub(super) async fn current_sources(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    mutation: &Mutation,
) -> Result<Sources> {
    let filter =
        mutation.selection.as_ref().map(|selection| selection.query.sources.clone()).unwrap_or_default();
    Sources::resolve(connection, account_id, &filter).await?.current(connection, account_id).await
}

async fn collections(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    mutation: &Mutation,
) -> Result<Planned> {
    let named = mutation.selection.as_ref().map(|selection| selection.query.sources.collections.clone());
    let filter = SourceFilter { collections: named.unwrap_or_default(), ..SourceFilter::default() };
    let ids = Sources::resolve(connection, account_id, &filter).await?.collections;
    let rows = rss_collection::Entity::owned_by(account_id)
        .filter(rss_collection::Column::Id.is_in(ids.iter().copied()))
        .all(connection)
        .await?;
    let sample = rows.into_iter().take(SAMPLE);
    let sample = sample.map(|row| Sample { id: Some(row.id.as_i64()), title: row.name }).collect();
    Ok(Planned { count: ids.len(), plan: Plan { collections: ids, ..Plan::default() }, sample })
}

async fn entries(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    now: Millis,
    mutation: &Mutation,
) -> Result<Planned> {
    let through = as_of(connection, Order::Newest, None).await?;
    let ids = matching(connection, account_id, now, mutation, through).await?;
    let sampled = &ids[..ids.len().min(SAMPLE)];
    let mut sample = entries_of_ids(connection, account_id, sampled).await?;
    sample.sort_by_key(|entry| std::cmp::Reverse(entry.id));
    let sample = sample.into_iter().map(|entry| Sample { id: Some(entry.id.as_i64()), title: entry.title });
    let plan = Plan { through: Some(through), ..Plan::default() };
    Ok(Planned { count: ids.len(), plan, sample: sample.collect() })
}

/// Returns the selected entries up to `through` that the mutation would change, newest first.
pub(super) async fn matching(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    now: Millis,
    mutation: &Mutation,
    through: EntryId,
) -> Result<Vec<EntryId>> {
    let query = mutation.selection.as_ref().map(|selection| selection.query.clone()).unwrap_or_default();
    let filter = filter_of(connection, account_id, &query, now).await?;
    let (state, most) = match mutation.op {
        MutationOp::EntriesMarkRead => (Some(true), MAX_ENTRIES),
        MutationOp::EntriesMarkUnread => (Some(false), MAX_ENTRIES),
        _ => (filter.unread, MAX_SAVED),
    };
    if filter.unread.is_some() && filter.unread != state {
        return Ok(Vec::new());
    }
    let filter = EntryFilter { unread: state, ..filter };
    let order = format!("ORDER BY e.id DESC LIMIT {}", most + 1);
    let backend = connection.get_database_backend();
    let (ids, values) =
        ids_query(backend, account_id, EntryScope::default(), &filter, (through, None), &order)?;
    let sql = format!("SELECT e.id, e.author FROM ({ids}) o JOIN feed_entry e ON e.id = o.entry_id");
    let mut entry_ids = Vec::new();
    for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
        let author: Option<String> = row.try_get_by_index(1)?;
        if filter.author.as_ref().is_none_or(|name| author::is_by(name, author.as_deref())) {
            entry_ids.push(row.try_get_by_index(0)?);
        }
    }
    entry_ids.sort_unstable_by_key(|id: &EntryId| std::cmp::Reverse(*id));
    if entry_ids.len() > most {
        return Err(invalid_mutation(
            "where",
            format!("selects more than {most} entries; select fewer at a time"),
        ));
    }
    Ok(entry_ids)
}
