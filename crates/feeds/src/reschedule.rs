//! Applies shorter intervals immediately. If the followers of a feed require another interval, the next poll
//! is computed again from the last poll, and is moved forward if it is now earlier. It is never postponed: a
//! longer interval applies after the next poll. A failing feed is polled soon after its login was changed.

use async_recursion::async_recursion as boxed;
use entities::feed::{Column, Entity};
use entities::ids::{AccountId, FeedId};
use entities::rss_subscription;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::due::FEEDS;
use super::hubs::{self, HubState};
use super::schedule::{self, PublishStats, REFRESH_PAUSE, spread};
use super::subscribers::demands;
use kernel::clock::{MINUTE, SECOND};
use kernel::statement::execute;
use kernel::{Domain, Millis, Result};

/// Number of feeds per statement.
const STEP: usize = 500;
/// Spacing, in milliseconds, of feeds that are rescheduled at the same time.
const SPACING: Millis = 2 * SECOND;
/// Maximum time, in milliseconds, over which all rescheduled feeds are distributed.
const MAX_SPREAD: Millis = 10 * MINUTE;

/// Reschedules the feeds that an account follows after its plan has changed.
#[boxed]
pub async fn apply_plan(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
) -> Result<()> {
    let followed =
        rss_subscription::Entity::find().filter(rss_subscription::Column::AccountId.eq(account_id));
    let feed_ids = followed.select_only().column(rss_subscription::Column::FeedId).into_tuple();
    bring_forward(transaction, domain, &feed_ids.all(transaction).await?).await
}

/// Makes a failing feed due now. Like a manual refresh, this happens at most once per [`REFRESH_PAUSE`].
pub(super) async fn refresh_failing(
    connection: &impl ConnectionTrait,
    now: Millis,
    feed_id: FeedId,
) -> Result<()> {
    let sql = "UPDATE feed SET refreshed_at = $1, next_poll_at = $1 WHERE id = $2 AND failures > 0 \
               AND next_poll_at > $1 AND (refreshed_at IS NULL OR refreshed_at <= $3)";
    execute(connection, sql, [now.into(), feed_id.into(), (now - REFRESH_PAUSE).into()]).await?;
    Ok(())
}

/// Moves the next polls of these feeds forward if their followers now require it. Feeds that are failing or
/// not polled are left unchanged.
pub(super) async fn bring_forward(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    feed_ids: &[FeedId],
) -> Result<()> {
    let now = domain.now();
    let window =
        (SPACING * Millis::try_from(feed_ids.len()).unwrap_or(Millis::MAX / SPACING)).min(MAX_SPREAD);
    for chunk in feed_ids.chunks(STEP) {
        let demands = demands(transaction, &domain.policy().tiers, chunk).await?;
        let hubs = hubs::states(transaction, chunk, now).await?;
        let feeds = Entity::find()
            .filter(Column::Id.is_in(chunk.iter().copied()))
            .filter(Column::NextPollAt.gt(now))
            .filter(Column::LastFetchedAt.is_not_null())
            .filter(Column::Failures.eq(0))
            .order_by_asc(Column::Id)
            .lock_exclusive()
            .all(transaction)
            .await?;
        let earlier = feeds.iter().filter_map(|feed| {
            let is_pushed = hubs.get(&feed.id) == Some(&HubState::Pushed);
            let stats = PublishStats { is_pushed, ..PublishStats::of(feed) };
            let interval = schedule::interval(*demands.get(&feed.id)?, stats, now);
            let at = schedule::next_poll(feed.id, feed.last_fetched_at?, interval, stats);
            // Polls are distributed over the window, so that many feeds are not due in the same second or
            // minute.
            let at = at.max(now + spread(feed.id.as_i64(), window.min(interval)));
            feed.next_poll_at.is_some_and(|next| at < next).then_some((feed.id, at))
        });
        FEEDS.move_to(transaction, earlier.collect()).await?;
    }
    Ok(())
}
