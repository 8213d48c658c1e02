//! Sources: what an account follows, with the health of each, for the API.

use entities::ids::{AccountId, FeedId, SubscriptionId};
use sea_orm::ConnectionTrait;

use super::health::{self, Health};
use super::source_filter::Sources;
use super::source_kind::SourceKind;
use super::subscription::{Subscription, load_where};
use kernel::clock::Millis;
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::statement::statement;

/// A followed source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub subscription: Subscription,
    pub kind: SourceKind,
    pub health: Health,
}

/// A source selected by a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) subscription_id: SubscriptionId,
    pub(super) feed_id: FeedId,
    pub(super) kind: SourceKind,
    pub(super) health: Health,
}

/// Filter of sources by health.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    All,
    /// Failing and stale sources.
    InNeed,
}

/// Sources selected by a filter, in the order of following.
pub(super) async fn standings(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    now: Millis,
    sources: &Sources,
    wanted: Wanted,
) -> Result<Vec<Standing>> {
    let only = match wanted {
        Wanted::All => "",
        Wanted::InNeed => " WHERE h.health IN ('failing', 'stale')",
    };
    let sql = format!(
        "SELECT h.id, h.feed_id, h.kind, h.health FROM (SELECT s.id AS id, s.feed_id AS feed_id, f.kind AS kind, \
         {} AS health FROM rss_subscription s JOIN feed f ON f.id = s.feed_id WHERE s.account_id = $1{}) h{only} \
         ORDER BY h.id",
        health::expression(now),
        sources.condition()
    );
    let rows = connection.query_all_raw(statement(connection, &sql, [account_id.into()])).await?;
    let standing = |row: &sea_orm::QueryResult| -> Result<Standing> {
        let (kind, health): (Option<String>, String) = (row.try_get_by_index(2)?, row.try_get_by_index(3)?);
        Ok(Standing {
            subscription_id: row.try_get_by_index(0)?,
            feed_id: row.try_get_by_index(1)?,
            kind: SourceKind::of_column(kind.as_deref()),
            health: Health::parse(&health),
        })
    };
    rows.iter().map(standing).collect()
}

/// Loads these sources with all displayed fields, in the same order.
pub(super) async fn load(
    domain: &Domain,
    account_id: AccountId,
    standings: &[Standing],
) -> Result<Vec<Source>> {
    let mut sources = Vec::with_capacity(standings.len());
    for chunk in standings.chunks(500) {
        let ids: Vec<String> = chunk.iter().map(|standing| standing.subscription_id.to_string()).collect();
        let condition = format!("s.account_id = $1 AND s.id IN ({})", ids.join(", "));
        let tiers = &domain.policy().tiers;
        let found = load_where(domain.db().read(), tiers, &condition, [account_id.into()]).await?;
        for standing in chunk {
            let own = found.iter().find(|subscription| subscription.id == standing.subscription_id);
            sources.extend(own.map(|subscription| Source {
                subscription: subscription.clone(),
                kind: standing.kind,
                health: standing.health,
            }));
        }
    }
    Ok(sources)
}
