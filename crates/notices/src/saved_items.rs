//! Messages about items that are saved to the library: one for each item, up to a maximum number per day. Further items
//! of the day are listed in one message, which is sent on the next day, so that no item is omitted.

use entities::channel;
use entities::ids::{AccountId, ChannelId};
use entities::notice::{self, NoticeKind, NoticeState};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};

use super::dispatch::{NewNotice, Recipients, fits_in_day, notified_channels, notify_from};
use super::message::{MessageContent, NoticeSubject};
use super::saved_list::{ListedItem, SavedList};
use super::sql;
use super::text::NOTICES;
use identity::accounts::message_language;
use kernel::clock::DAY;
use kernel::{Domain, Error, Language, Result};
use language::Key;

/// Maximum number of messages about saved items of an account per UTC day. A message to several channels counts once
/// for each. An item whose message would exceed the number is listed in the message of the next day.
pub const MAX_SAVED_MESSAGES_PER_DAY: i64 = 300;
/// Prefix of the event keys of messages that list several items.
const COMBINED: &str = "saves:";

/// Returns true if a channel of the account gets messages about saved items.
pub async fn notifies_saved_items(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<bool> {
    let channels = channel::Entity::owned_by(account_id).filter(channel::Column::SavedItems.eq(true));
    Ok(channels.count(connection).await? > 0)
}

/// Notifies the channels that get messages about saved items, in the transaction that saves the item and has locked the
/// account.
pub async fn item_saved(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    item: ListedItem,
) -> Result<()> {
    let (now, item) = (domain.now(), item.cleaned());
    let day = now - now.rem_euclid(DAY);
    let to = Recipients::SavedItems { except: &[] };
    let channels = notified_channels(transaction, account_id, to).await?;
    let written = sql::saved_messages_of_account(transaction, account_id, day).await?;
    let is_combined = !fits_in_day(&channels, (written, MAX_SAVED_MESSAGES_PER_DAY));
    let language = message_language(transaction, account_id).await?;
    let except = if is_combined {
        add_to_combined(transaction, domain, (account_id, &channels), (&item, language)).await?
    } else {
        Vec::new()
    };
    let (cause, not_before) = if is_combined {
        (format!("{COMBINED}{}", item.id), day + DAY)
    } else {
        (format!("saved:{}", item.id), now)
    };
    let news = NewNotice {
        account_id,
        cause,
        kind: NoticeKind::Saved,
        subject: NoticeSubject::Account,
        to: Recipients::SavedItems { except: &except },
        content: content_of(domain, language, SavedList::of(item)),
    };
    notify_from(transaction, domain, news, not_before).await
}

/// Adds an item to those messages to these channels that list several items and have no body yet. Returns the channels
/// whose messages were extended.
async fn add_to_combined(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    (account_id, channels): (AccountId, &[ChannelId]),
    (item, language): (&ListedItem, Language),
) -> Result<Vec<ChannelId>> {
    let open = notice::Entity::owned_by(account_id)
        .filter(notice::Column::ChannelId.is_in(channels.iter().copied()))
        .filter(notice::Column::Kind.eq(NoticeKind::Saved))
        .filter(notice::Column::State.is_in([NoticeState::Waiting, NoticeState::Held]))
        .filter(notice::Column::Cause.starts_with(COMBINED))
        .filter(notice::Column::SealedBody.is_null());
    let mut extended = Vec::new();
    for row in open.all(transaction).await? {
        let Some(mut items) = MessageContent::of(&row).saved_items else { continue };
        items.add(item.clone());
        let content = content_of(domain, language, items);
        let changed = notice::ActiveModel {
            content: Set(serde_json::to_string(&content).map_err(Error::internal)?),
            ..Default::default()
        };
        let of_row = notice::Column::Id.eq(row.id);
        notice::Entity::update_many().set(changed).filter(of_row).exec(transaction).await?;
        extended.push(row.channel_id);
    }
    Ok(extended)
}

fn content_of(domain: &Domain, language: Language, items: SavedList) -> MessageContent {
    let origin = &domain.policy().account_url;
    let (title, text, link) = if let Some(item) = items.single() {
        let title = NOTICES.text(language, Key("item-saved-title")).with("title", item.title.as_str()).get();
        (title, item.tags.join(", "), item.link(origin))
    } else {
        let title = NOTICES.text(language, Key("items-saved-title")).with("count", items.count()).get();
        (title, String::new(), format!("{origin}/library"))
    };
    MessageContent::new(&title, &text, link, domain.now()).with_saved_items(items)
}
