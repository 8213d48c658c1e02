//! Filter of sources by collection, feed, and kind. Collection names are resolved to ids when the filter is
//! created, so a collection may be renamed afterwards.

use entities::ids::{AccountId, CollectionId, FeedId};
use entities::rss_collection::{self, Column};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};
use serde::{Deserialize, Serialize};

use super::collections;
use super::previous_feeds;
use super::source_kind::SourceKind;
use kernel::Result;
use kernel::error::not_found;
use kernel::statement::scalar;

/// Source filter as a caller requested it. Fields are combined with AND, and the values of one field with OR.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFilter {
    /// Ids or names of collections.
    pub collections: Vec<String>,
    /// Only these feeds. Empty for all feeds.
    pub include: Vec<FeedId>,
    /// All feeds except these.
    pub exclude: Vec<FeedId>,
    /// Only these kinds. Empty for all kinds.
    pub kinds: Vec<SourceKind>,
}

/// [`SourceFilter`] with collections resolved to ids. All lists are sorted and without duplicates, so that
/// equal filters compare as equal. Consumers store this type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// Only sources in one of these collections. Empty for all collections.
    pub collections: Vec<CollectionId>,
    /// Only these feeds. Empty for all feeds.
    pub include: Vec<FeedId>,
    /// All feeds except these.
    pub exclude: Vec<FeedId>,
    /// Only sources of these kinds. Empty for all kinds.
    pub kinds: Vec<SourceKind>,
}

impl Sources {
    /// Resolves the collections of a filter.
    ///
    /// # Errors
    /// `not_found` if the filter contains a collection of another account.
    pub(super) async fn resolve(
        connection: &impl ConnectionTrait,
        account_id: AccountId,
        filter: &SourceFilter,
    ) -> Result<Self> {
        let mut collections = Vec::with_capacity(filter.collections.len());
        if !filter.collections.is_empty() {
            let own = rss_collection::Entity::owned_by(account_id).all(connection).await?;
            for name_or_id in &filter.collections {
                let number = name_or_id.trim().parse().map(CollectionId::new);
                let by_id = own.iter().find(|one| number == Ok(one.id));
                let key = collections::name_key(name_or_id.trim());
                let named = |one: &&rss_collection::Model| collections::name_key(&one.name) == key;
                let matched =
                    by_id.or_else(|| own.iter().find(named)).ok_or_else(|| not_found("collection"))?;
                collections.push(matched.id);
            }
        }
        let mut sources = Self {
            collections,
            include: filter.include.clone(),
            exclude: filter.exclude.clone(),
            kinds: filter.kinds.clone(),
        };
        sources.collections.sort_unstable();
        sources.collections.dedup();
        for ids in [&mut sources.include, &mut sources.exclude] {
            ids.sort_unstable();
            ids.dedup();
        }
        sources.kinds.sort_unstable();
        sources.kinds.dedup();
        Ok(sources)
    }

    /// Replaces the ids of feeds that moved with the ids of their successors.
    pub(super) async fn current(
        &self,
        connection: &impl ConnectionTrait,
        account_id: AccountId,
    ) -> Result<Self> {
        let named: Vec<FeedId> = self.include.iter().chain(&self.exclude).copied().collect();
        let moved = previous_feeds::current_ids(connection, account_id, &named).await?;
        let now = |ids: &[FeedId]| ids.iter().map(|id| moved.get(id).copied().unwrap_or(*id)).collect();
        Ok(Self { include: now(&self.include), exclude: now(&self.exclude), ..self.clone() })
    }

    /// Returns true if the filter can no longer match: all of its collections were deleted, or none of its
    /// included feeds is followed.
    pub(super) async fn is_gone(
        &self,
        connection: &impl ConnectionTrait,
        account_id: AccountId,
    ) -> Result<bool> {
        if !self.collections.is_empty() {
            let ids = self.collections.iter().copied();
            let named = rss_collection::Entity::owned_by(account_id).filter(Column::Id.is_in(ids));
            if named.one(connection).await?.is_none() {
                return Ok(true);
            }
        }
        if self.include.is_empty() {
            return Ok(false);
        }
        let sql = format!(
            "SELECT count(*) FROM rss_subscription s WHERE s.account_id = $1 AND s.feed_id IN ({})",
            list(&self.include)
        );
        Ok(scalar(connection, &sql, [account_id.into()]).await? == 0)
    }

    /// Returns conditions on subscriptions `s`, each starting with `AND`.
    pub(super) fn condition(&self) -> String {
        let mut sql = String::new();
        if !self.collections.is_empty() {
            sql.push_str(&format!(" AND s.collection_id IN ({})", list(&self.collections)));
        }
        if !self.include.is_empty() {
            sql.push_str(&format!(" AND s.feed_id IN ({})", list(&self.include)));
        }
        if !self.exclude.is_empty() {
            sql.push_str(&format!(" AND s.feed_id NOT IN ({})", list(&self.exclude)));
        }
        if !self.kinds.is_empty() {
            let conditions: Vec<String> = self.kinds.iter().map(|kind| kind.condition("k")).collect();
            sql.push_str(&format!(
                " AND EXISTS (SELECT 1 FROM feed k WHERE k.id = s.feed_id AND ({}))",
                conditions.join(" OR ")
            ));
        }
        sql
    }
}

/// Returns an SQL list of ids.
fn list(ids: &[impl ToString]) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
