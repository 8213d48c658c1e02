//! Setting of a channel: its daily digest includes the highlights that are due for review.

use entities::channel;
use entities::ids::{AccountId, ChannelId};
use sea_orm::{ActiveModelTrait, ActiveValue::Set};

use super::channel::{Channel, Digest};
use super::dispatch;
use super::rows::load;
use identity::accounts;
use kernel::{Domain, Result};

/// Choice of whether a channel's daily digest contains the due highlights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewDigest<'a> {
    /// The daily digest contains the due highlights. If the channel has no digest yet, its messages are from now on
    /// sent as a daily digest at `time` (`HH:MM`).
    On {
        time: &'a str,
    },
    Off,
}

/// Adds the due highlights to the daily digest of a channel, or removes them.
///
/// # Errors
/// `not_found`; `invalid_request` for the field `digest` if the time is invalid.
pub async fn choose_review_digest(
    domain: &Domain,
    account_id: AccountId,
    id: ChannelId,
    choice: ReviewDigest<'_>,
) -> Result<Channel> {
    let transaction = domain.db().begin().await?;
    // Locked before the channel, in the order of the transactions that write digests.
    accounts::lock(&transaction, account_id).await?;
    let row = load(&transaction, account_id, id).await?;
    let mut change = channel::ActiveModel { id: Set(id), ..Default::default() };
    match choice {
        ReviewDigest::Off => change.digest_review = Set(false),
        ReviewDigest::On { time } => {
            change.digest_review = Set(true);
            if row.digest_minute.is_none() {
                change.digest_minute = Set(Some(i32::from(Digest::of_field(time)?.minute)));
            }
        }
    }
    let row = change.update(&transaction).await?;
    dispatch::ensure_daily_digest(&transaction, domain, &row).await?;
    transaction.commit().await?;
    Ok(row.into())
}
