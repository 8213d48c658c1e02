//! Received messages, as their owner sees them.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, FeedId, InboxAddressId, InboxMessageId, ItemId};
use entities::inbox_message::{Column, Entity, InboxMessageState, Model, UnsubscribeState};
use kernel::error::not_found;
use kernel::{Domain, Millis, Result};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::authentication::{self, AuthenticationCheck};

/// Received message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxMessage {
    pub id: InboxMessageId,
    /// Address that received the message. It may have been deleted.
    pub address_id: InboxAddressId,
    pub state: InboxMessageState,
    /// Error code, if the message waits for another attempt, has failed, or was saved as an item because its
    /// newsletter could not be added to the feeds.
    pub reason: Option<String>,
    /// Sender and subject. `None` until the message is processed.
    pub sender: Option<String>,
    pub subject: Option<String>,
    /// Identity of the newsletter.
    pub list_id: Option<String>,
    pub unsubscribe_url: Option<String>,
    /// True if a `POST` to the URL unsubscribes (RFC 8058).
    pub one_click: bool,
    /// Results of SPF, DKIM, and DMARC, from the operator's mail server.
    pub authentication: Option<String>,
    /// Names of attachments and pictures.
    pub attachments: Vec<String>,
    /// Size in bytes.
    pub bytes: i64,
    /// Item of the message. It may have been deleted.
    pub item_id: Option<ItemId>,
    /// Feed with the entry of the message. It may have been deleted.
    pub feed_id: Option<FeedId>,
    /// Number of tracking pixels that were left out.
    pub tracking_pixels: i32,
    /// Link that confirms a subscription. It is never opened by this service.
    pub confirmation_url: Option<String>,
    /// State of the last request to unsubscribe. `None` if there was no request.
    pub unsubscribe_state: Option<UnsubscribeState>,
    /// Error code of a failed request.
    pub unsubscribe_reason: Option<String>,
    /// Time of the request, or of its result.
    pub unsubscribe_at: Option<Millis>,
    pub received_at: Millis,
}

impl InboxMessage {
    /// Returns the results of SPF, DKIM, and DMARC.
    pub fn authentication_checks(&self) -> Vec<AuthenticationCheck> {
        self.authentication.as_deref().map(authentication::checks).unwrap_or_default()
    }
}

#[derive(Clone, Debug, Default)]
pub struct MessagePage {
    /// Messages, newest first.
    pub messages: Vec<InboxMessage>,
    /// Id after which the next page continues. `None` on the last page.
    pub next: Option<InboxMessageId>,
}

impl From<Model> for InboxMessage {
    fn from(row: Model) -> Self {
        Self {
            id: row.id,
            address_id: row.address_id,
            state: row.state,
            reason: row.reason,
            sender: row.sender,
            subject: row.subject,
            list_id: row.list_id,
            unsubscribe_url: row.unsubscribe_url,
            one_click: row.one_click,
            authentication: row.authentication,
            attachments: serde_json::from_str(&row.attachments).unwrap_or_default(),
            bytes: row.bytes,
            item_id: row.item_id,
            feed_id: row.feed_id,
            tracking_pixels: row.tracking_pixels,
            confirmation_url: row.confirmation_url,
            unsubscribe_state: row.unsubscribe_state,
            unsubscribe_reason: row.unsubscribe_reason,
            unsubscribe_at: row.unsubscribe_at,
            received_at: row.received_at,
        }
    }
}

/// Returns a message of an account.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn get_message(domain: &Domain, account_id: AccountId, id: InboxMessageId) -> Result<InboxMessage> {
    let row = Entity::owned_by(account_id).filter(Column::Id.eq(id)).one(domain.db().read()).await?;
    row.map(InboxMessage::from).ok_or_else(|| not_found("message"))
}

/// Returns a page of the messages of an account, newest first.
#[boxed]
pub async fn list_messages(
    domain: &Domain,
    account_id: AccountId,
    after: Option<InboxMessageId>,
    limit: u32,
) -> Result<MessagePage> {
    let start = after.unwrap_or(InboxMessageId::MAX);
    let rows = Entity::owned_by(account_id)
        .filter(Column::Id.lt(start))
        .order_by_desc(Column::Id)
        .limit(u64::from(limit) + 1)
        .all(domain.db().read())
        .await?;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > most;
    let messages: Vec<InboxMessage> = rows.into_iter().take(most).map(InboxMessage::from).collect();
    let next = messages.last().map(|message| message.id).filter(|_| has_more);
    Ok(MessagePage { messages, next })
}
