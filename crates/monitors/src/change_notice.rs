//! Channel messages and feed entries about a change.

use entities::monitor;
use sea_orm::DatabaseTransaction;

use super::change::Change;
use super::follow::FeedUpdates;
use super::message_text::{self, ChangeFacts, MessageText};
use super::next_run;
use super::render::{self, Links};
use identity::accounts::message_language;
use kernel::{Domain, Language, Result};
use notices::DetectedChange;

/// Recipients that are notified of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoticeAudience {
    ChannelsAndFeeds,
    /// Only the feeds, because the change is not relevant to the owner's wish.
    Feeds,
}

/// Returns the texts of the message about a change, in the language of the owner.
pub(super) async fn text_of(
    transaction: &DatabaseTransaction,
    row: &monitor::Model,
    change: &Change,
    facts: &ChangeFacts,
) -> Result<MessageText> {
    // Most monitors notify no channel, so the query for the language is avoided.
    let language = if has_channels(row) {
        message_language(transaction, row.account_id).await?
    } else {
        Language::English
    };
    Ok(message_text::of_change(language, change, facts))
}

fn has_channels(row: &monitor::Model) -> bool {
    !matches!(row.notify.as_str(), "" | "[]")
}

/// Notifies the audience of a change. Entries are added to `feeds`, which the caller writes.
pub(super) async fn send(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    row: &monitor::Model,
    (change, text): (&Change, &MessageText),
    audience: NoticeAudience,
    feeds: &mut FeedUpdates,
) -> Result<()> {
    let links = Links::load(domain, &domain.policy().base_url, &row.feed_token).await?;
    if audience == NoticeAudience::ChannelsAndFeeds && has_channels(row) {
        let event = DetectedChange {
            id: change.id.to_string(),
            title: &text.title,
            summary: &text.summary,
            changed: message_text::changed_texts(&change.operations),
            link: links.of(change.id),
            not_before: next_run::muted_until(row, domain.now()).unwrap_or(0),
        };
        notices::monitor_changed(transaction, domain, row, event).await?;
    }
    feeds.add_entries(row, || render::items(change, &links));
    Ok(())
}
