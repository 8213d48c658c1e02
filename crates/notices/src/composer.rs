//! Composes daily digests and combined messages: when such a message is due, the messages that wait for it become its
//! content.

use entities::channel;
use entities::notice::{self, HoldReason, NoticeKind};
use sea_orm::ConnectionTrait;

use super::message::{Message, MessageContent, NoticeSubject, collects_others};
use super::text::NOTICES;
use super::today::TodayDigest;
use super::{dispatch, sql};
use identity::accounts;
use kernel::clock::DAY;
use kernel::{Domain, Millis, Result};
use language::Key;

/// Maximum number of messages that a message lists. Further messages are only counted.
const MAX_LISTED: u32 = 100;
/// Maximum delay of a digest. A digest that is overdue for longer is merged into the next digest.
const MAX_DELAY: Millis = DAY;
/// Maximum age of missed messages that a channel still gets when it is switched on.
pub(super) const MAX_MISSED_AGE: Millis = 7 * DAY;

/// Composes a message with the messages that it collects. `None` if there is nothing to send, or if a newer
/// message collects them instead. `today` is the content of Today that the message lists.
pub(super) async fn compose(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    (channel, row): (&channel::Model, &notice::Model),
    today: Option<TodayDigest>,
) -> Result<Option<Message>> {
    let now = domain.now();
    if row.kind == NoticeKind::Digest {
        // Locked before the following digest is written: a transaction that holds the lock may write the same digest.
        accounts::lock(transaction, row.account_id).await?;
        dispatch::ensure_following_digest(transaction, domain, channel, row).await?;
    }
    if row.kind == NoticeKind::Digest && now > row.due_at + MAX_DELAY {
        dispatch::ensure_digest(transaction, domain, channel).await?;
        return Ok(None);
    }
    let mut content = MessageContent::of(row);
    if let (NoticeKind::Several, Some(monitor_id)) = (row.kind, row.monitor_id)
        && let Some(until) = sql::snoozed_until(transaction, channel.id, monitor_id, now).await?
    {
        let about = (monitor_id, &content);
        dispatch::ensure_several(transaction, domain, channel, about, (Some(until), now)).await?;
        return Ok(None);
    }
    let mut message = Message {
        kind: row.kind,
        content: MessageContent::default(),
        subject: NoticeSubject::of(row),
        collected: Vec::new(),
        more: 0,
        today: None,
        language: accounts::message_language(transaction, row.account_id).await?,
    };
    if collects_others(row.kind) {
        // Messages are assigned to this message while the account is locked. Each of them is either collected
        // now, or is written after this message was sealed and waits for the next one.
        accounts::lock(transaction, row.account_id).await?;
        if row.kind == NoticeKind::Summary {
            sql::collect_missed(transaction, row, now - MAX_MISSED_AGE).await?;
        } else {
            let waits_for =
                if row.kind == NoticeKind::Several { HoldReason::Several } else { HoldReason::Digest };
            sql::collect_waiting(transaction, row, waits_for).await?;
        }
        let (rows, count) = sql::list_collected(transaction, row.id, MAX_LISTED).await?;
        if count == 0 && today.as_ref().is_none_or(|today| !today.has_news) {
            return Ok(None);
        }
        message.more = count.saturating_sub(rows.len() as u64);
        message.collected = rows.iter().map(|row| (row.kind, MessageContent::of_collected(row))).collect();
        let links: Vec<&str> = message.collected.iter().map(|(_, one)| one.link.as_str()).collect();
        message.today = today.map(|today| today.without(&links));
        if count > 0 {
            content.text = NOTICES.text(message.language, Key("collected-count")).with("count", count).get();
        }
        content.at = now;
    }
    if matches!(row.kind, NoticeKind::Entries | NoticeKind::Saved) {
        (message.collected, message.more) = content.listed_messages(&domain.policy().account_url);
    }
    message.content = content;
    Ok(Some(message))
}
