//! Sources that an account follows, with the health of each source, for the API.

use entities::ids::{AccountId, FeedId, SubscriptionId};
use sea_orm::ConnectionTrait;

use super::health::{self, Health};
use super::source_filter::Sources;
use super::source_kind::SourceKind;
use super::subscription::{Subscription, load_where};
use kernel::statement::statement;
use kernel::{Domain, Millis, Result};

/// A followed source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedSource {
    pub subscription: Subscription,
    pub kind: SourceKind,
    pub health: Health,
}

/// A source selected by a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SelectedSource {
    pub(super) subscription_id: SubscriptionId,
    pub(super) feed_id: FeedId,
    pub(super) kind: SourceKind,
    pub(super) health: Health,
}

/// Filter of sources by health.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HealthFilter {
    All,
    /// Only failing and stale sources.
    NeedsAttention,
}

/// Returns the sources that a filter selects, in the order in which the feeds were followed.
pub(super) async fn select_sources(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    now: Millis,
    sources: &Sources,
    filter: HealthFilter,
) -> Result<Vec<SelectedSource>> {
    let only = match filter {
        HealthFilter::All => "",
        HealthFilter::NeedsAttention => " WHERE h.health IN ('failing', 'stale')",
    };
    let sql = format!(
        "SELECT h.id, h.feed_id, h.kind, h.health FROM (SELECT s.id AS id, s.feed_id AS feed_id, f.kind AS kind, \
         {} AS health FROM rss_subscription s JOIN feed f ON f.id = s.feed_id WHERE s.account_id = $1{}) h{only} \
         ORDER BY h.id",
        health::expression(now),
        sources.condition()
    );
    let rows = connection.query_all_raw(statement(connection, &sql, [account_id.into()])).await?;
    let of_row = |row: &sea_orm::QueryResult| -> Result<SelectedSource> {
        let (kind, health): (Option<String>, String) = (row.try_get_by_index(2)?, row.try_get_by_index(3)?);
        Ok(SelectedSource {
            subscription_id: row.try_get_by_index(0)?,
            feed_id: row.try_get_by_index(1)?,
            kind: SourceKind::of_column(kind.as_deref()),
            health: Health::parse(&health),
        })
    };
    rows.iter().map(of_row).collect()
}

/// Loads these sources with all displayed fields, in the same order.
pub(super) async fn load(
    domain: &Domain,
    account_id: AccountId,
    selected: &[SelectedSource],
) -> Result<Vec<FollowedSource>> {
    let mut sources = Vec::with_capacity(selected.len());
    for chunk in selected.chunks(500) {
        let ids: Vec<String> = chunk.iter().map(|source| source.subscription_id.to_string()).collect();
        let condition = format!("s.account_id = $1 AND s.id IN ({})", ids.join(", "));
        let tiers = &domain.policy().tiers;
        let subscriptions = load_where(domain.db().read(), tiers, &condition, [account_id.into()]).await?;
        for source in chunk {
            let own = subscriptions.iter().find(|subscription| subscription.id == source.subscription_id);
            sources.extend(own.map(|subscription| FollowedSource {
                subscription: subscription.clone(),
                kind: source.kind,
                health: source.health,
            }));
        }
    }
    Ok(sources)
}
