//! Bodies of messages. They are created and stored at the first attempt, in their own transaction.

use entities::channel::{self, ChannelStatus};
use entities::ids::NoticeId;
use entities::notice::{self, HoldReason, NoticeKind, NoticeState};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, EntityTrait};

use super::destination::Destination;
use super::template::Templates;
use super::{composer, services, snooze, today_content};
use identity::accounts;
use jobs::Claimed;
use kernel::vault::Vault;
use kernel::{Domain, Error, Result};

/// Name of the vault in which channels are sealed.
pub(super) const VAULT: &str = "channels";

/// Due message with its body.
pub(super) struct ReadyMessage {
    pub(super) channel: channel::Model,
    pub(super) row: notice::Model,
    pub(super) destination: Destination,
    pub(super) bytes: Vec<u8>,
}

/// Loads the message of a claimed job with its body. If there is nothing to send, completes the job and
/// returns `None`.
///
/// # Errors
/// If another worker has claimed the job in the meantime.
pub(super) async fn ready(domain: &Domain, claimed: &Claimed) -> Result<Option<ReadyMessage>> {
    let vault = Vault::of(domain, VAULT).await?;
    // Load the key before the transaction, in which the link of the message is signed.
    domain.cursor_key().await?;
    let today = today_content::of_claim(domain, claimed).await?;
    let transaction = domain.db().begin().await?;
    let Some((channel, row)) = load(&transaction, claimed).await? else {
        jobs::complete_in(&transaction, domain, claimed).await?;
        transaction.commit().await?;
        return Ok(None);
    };
    if channel.status != ChannelStatus::Active {
        hold(&transaction, &row).await?;
        jobs::complete_in(&transaction, domain, claimed).await?;
        transaction.commit().await?;
        return Ok(None);
    }
    let destination = open(&vault, &channel)?;
    if let Some(sealed) = &row.sealed_body {
        let bytes = vault.open(row.id.as_bytes(), sealed)?;
        return Ok(Some(ReadyMessage { channel, row, destination, bytes }));
    }
    let Some(mut message) = composer::compose(&transaction, domain, (&channel, &row), today).await? else {
        notice::Entity::delete_by_id(row.id).exec(&transaction).await?;
        jobs::complete_in(&transaction, domain, claimed).await?;
        transaction.commit().await?;
        return Ok(None);
    };
    if let Some(monitor_id) = message.subject.monitor_id().filter(|_| snooze::has_link(message.kind)) {
        message.content.snooze_link = Some(snooze::link(domain, channel.id, monitor_id).await?);
    }
    let bytes = services::body(channel.kind, &message, &destination, Templates::of(&channel));
    let sealed = vault.seal(domain, row.id.as_bytes(), bytes.clone())?;
    let mut updated =
        notice::ActiveModel { id: Set(row.id), sealed_body: Set(Some(sealed)), ..Default::default() };
    if let Some(list) = message.content.new_entries.as_ref().filter(|list| list.has_texts) {
        // From now on the sealed body has the texts.
        updated.entries = Set(Some(list.with_texts(false).to_column()?));
    }
    updated.update(&transaction).await?;
    jobs::lock_claim_in(&transaction, claimed).await?;
    transaction.commit().await?;
    Ok(Some(ReadyMessage { channel, row, destination, bytes }))
}

async fn load(
    transaction: &sea_orm::DatabaseTransaction,
    claimed: &Claimed,
) -> Result<Option<(channel::Model, notice::Model)>> {
    let Ok(id) = claimed.key.parse::<NoticeId>() else { return Ok(None) };
    let row = notice::Entity::of_any_owner(id).one(transaction).await?;
    // If an operator retries a message that was given up, it has a job again.
    let is_open = |row: &notice::Model| matches!(row.state, NoticeState::Waiting | NoticeState::Failed);
    let Some(mut row) = row.filter(is_open) else { return Ok(None) };
    if row.kind == NoticeKind::Saved {
        // Transactions that hold the lock add items to the message until it is sealed.
        accounts::lock(transaction, row.account_id).await?;
        let current = notice::Entity::of_any_owner(id).one(transaction).await?;
        let Some(current) = current.filter(is_open) else { return Ok(None) };
        row = current;
    }
    let channel = channel::Entity::of_any_owner(row.channel_id).one(transaction).await?;
    Ok(channel.map(|channel| (channel, row)))
}

/// Retains a message, with the messages that it has collected, until its channel is switched on. A test
/// message fails instead, because it would be useless by then.
async fn hold(transaction: &sea_orm::DatabaseTransaction, row: &notice::Model) -> Result<()> {
    let (state, waits_for) = if row.kind == NoticeKind::Test {
        (NoticeState::Failed, None)
    } else {
        (NoticeState::Held, Some(HoldReason::Channel))
    };
    let mut changed = notice::ActiveModel {
        id: Set(row.id),
        state: Set(state),
        held_for: Set(waits_for),
        ..Default::default()
    };
    if row.kind == NoticeKind::Entries {
        // Another message lists the entries, without their texts.
        changed.sealed_body = Set(None);
    }
    changed.update(transaction).await?;
    Ok(())
}

/// Decrypts the destination of a channel.
pub(super) fn open(vault: &Vault, channel: &channel::Model) -> Result<Destination> {
    let plain = vault.open(channel.id.as_bytes(), &channel.sealed)?;
    serde_json::from_slice(&plain).map_err(Error::internal)
}
