//! Loads the content of Today and the due highlights for a daily digest, before the transaction of its message.

use entities::channel;
use entities::ids::{AccountId, ChannelId, NoticeId};
use entities::notice::{self, NoticeKind, NoticeState};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder};

use super::dispatch;
use super::today::{DigestContent, InstalledToday, TodayDigest};
use jobs::Claimed;
use kernel::clock::DAY;
use kernel::{Domain, Millis, Result};

/// Loads the content for the message of a claimed job. `None` if the message is not a digest with this
/// content, or if its body already exists.
pub(super) async fn of_claim(domain: &Domain, claimed: &Claimed) -> Result<Option<TodayDigest>> {
    let Some(loader) = domain.installed::<InstalledToday>() else { return Ok(None) };
    let Ok(id) = claimed.key.parse::<NoticeId>() else { return Ok(None) };
    let row = notice::Entity::of_any_owner(id).one(domain.db().write()).await?;
    let is_open = |row: &notice::Model| row.kind == NoticeKind::Digest && row.sealed_body.is_none();
    let Some(row) = row.filter(is_open) else { return Ok(None) };
    let channel = channel::Entity::of_any_owner(row.channel_id).one(domain.db().write()).await?;
    let Some(channel) = channel else { return Ok(None) };
    if !dispatch::sends_daily(&channel) {
        return Ok(None);
    }
    let since = last_digest(domain, row.account_id, row.channel_id).await?;
    let content = DigestContent {
        since: since.unwrap_or_else(|| domain.now() - DAY),
        today: channel.digest_today,
        review: channel.digest_review,
    };
    loader.0.load(domain, row.account_id, content).await.map(Some)
}

/// Due time of the last digest that was sent to a channel.
async fn last_digest(domain: &Domain, account_id: AccountId, id: ChannelId) -> Result<Option<Millis>> {
    let sent_digests = notice::Entity::owned_by(account_id)
        .filter(notice::Column::ChannelId.eq(id))
        .filter(notice::Column::Kind.eq(NoticeKind::Digest))
        .filter(notice::Column::State.eq(NoticeState::Sent))
        .order_by_desc(notice::Column::DueAt);
    Ok(sent_digests.one(domain.db().write()).await?.map(|row| row.due_at))
}
