//! Composes messages that collect others: when such a message is due, it takes in what waits for it.

use entities::channel;
use entities::notice::{self, HoldReason, NoticeKind};
use sea_orm::ConnectionTrait;

use super::message::{Message, MessageContent, collects_others};
use super::{dispatch, sql};
use identity::accounts;
use kernel::clock::DAY;
use kernel::{Domain, Millis, Result};

/// Maximum number of messages that one message lists; the others are counted.
const MAX_LISTED: u32 = 100;
/// A digest that is overdue by more than this is merged into the next one.
const MAX_DELAY: Millis = DAY;
/// Age up to which a channel still gets the messages that it missed.
pub(super) const MAX_MISSED_AGE: Millis = 7 * DAY;

/// Composes a message with the messages that it collects. `None` if there is nothing to send, or if a newer
/// message takes over.
pub(super) async fn compose(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    channel: &channel::Model,
    row: &notice::Model,
) -> Result<Option<Message>> {
    let now = domain.now();
    if row.kind == NoticeKind::Digest && now > row.due_at + MAX_DELAY {
        dispatch::ensure_digest(transaction, domain, channel).await?;
        return Ok(None);
    }
    let mut content = MessageContent::read(&row.content);
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
        monitor_id: row.monitor_id,
        collected: Vec::new(),
        more: 0,
    };
    if collects_others(row.kind) {
        // Messages are assigned to this one under the account's lock: each is either collected now, or its
        // writer finds this message sealed.
        accounts::lock(transaction, row.account_id).await?;
        if row.kind == NoticeKind::Summary {
            sql::collect_missed(transaction, row, now - MAX_MISSED_AGE).await?;
        } else {
            let waits_for =
                if row.kind == NoticeKind::Several { HoldReason::Several } else { HoldReason::Digest };
            sql::collect_waiting(transaction, row, waits_for).await?;
        }
        let (rows, count) = sql::list_collected(transaction, row.id, MAX_LISTED).await?;
        if count == 0 {
            return Ok(None);
        }
        message.more = count.saturating_sub(rows.len() as u64);
        message.collected = rows.iter().map(|row| (row.kind, MessageContent::read(&row.content))).collect();
        content.text = match count {
            1 => "One message:".to_owned(),
            count => format!("{count} messages:"),
        };
        content.at = now;
    }
    message.content = content;
    Ok(Some(message))
}
