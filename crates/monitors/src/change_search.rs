//! Searches the changes of all monitors of an account, the newest first. Each call reads a limited number of
//! changes, so a search for a rare word costs no more than a search for a common one.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChangeId, MonitorId};
use entities::{monitor, monitor_change};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};

use super::monitor::ListRange;
use super::notice::Notice;
use super::render::Links;
use kernel::{Domain, Millis, Result};

/// Maximum length of a search text, in characters.
pub const MAX_SEARCH_CHARS: usize = 200;
/// Number of changes that one statement reads.
const STEP: u64 = 500;
/// Maximum number of changes that one call reads.
const MAX_READ: u64 = 5_000;

/// Change that matches a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedChange {
    pub id: ChangeId,
    pub monitor_id: MonitorId,
    /// Name of the monitor.
    pub monitor: String,
    pub detected_at: Millis,
    pub kind: String,
    pub url: String,
    /// Plain text on one line.
    pub title: String,
    /// Plain text on a few lines.
    pub summary: String,
    /// Public link to the change.
    pub link: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedPage {
    /// Matching changes, the newest first. May be empty even if older changes match.
    pub changes: Vec<MatchedChange>,
    /// Id of the last change that was read. `None` if all changes were read.
    pub next_after: Option<ChangeId>,
}

/// Row of a change without its operations.
type ChangeRow = (ChangeId, MonitorId, Millis, String, String, String, String);

/// Finds the changes whose texts, URL or monitor name contain all words of `text`, regardless of letter case.
/// An empty text matches all changes.
#[boxed]
pub async fn search_changes(
    domain: &Domain,
    account_id: AccountId,
    text: &str,
    page: ListRange<ChangeId>,
) -> Result<MatchedPage> {
    let connection = domain.db().read();
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let monitors = names_and_links(domain, account_id).await?;
    let mut matched = MatchedPage { changes: Vec::new(), next_after: None };
    let (mut before, mut read) = (page.before(), 0);
    // Without words, every row of a monitor matches.
    let step = if words.is_empty() { STEP.min(u64::from(page.limit).max(1)) } else { STEP };
    loop {
        let rows = read_step(connection, account_id, before, step).await?;
        let count = rows.len() as u64;
        for row in rows {
            before = row.0;
            let Some((name, links)) = monitors.get(&row.1) else { continue };
            if !matches_words(&row, name, &words) {
                continue;
            }
            let (id, monitor_id, detected_at, kind, url, title, summary) = row;
            let (monitor, link) = (name.clone(), links.of(id));
            matched.changes.push(MatchedChange {
                id,
                monitor_id,
                monitor,
                detected_at,
                kind,
                url,
                title,
                summary,
                link,
            });
            if matched.changes.len() == page.len() {
                matched.next_after = Some(before);
                return Ok(matched);
            }
        }
        read += count;
        if count < step {
            return Ok(matched);
        }
        if read >= MAX_READ {
            matched.next_after = Some(before);
            return Ok(matched);
        }
    }
}

async fn names_and_links(
    domain: &Domain,
    account_id: AccountId,
) -> Result<HashMap<MonitorId, (String, Links)>> {
    let rows: Vec<(MonitorId, String, String)> = monitor::Entity::owned_by(account_id)
        .select_only()
        .columns([monitor::Column::Id, monitor::Column::Name, monitor::Column::FeedToken])
        .into_tuple()
        .all(domain.db().read())
        .await?;
    let mut monitors = HashMap::with_capacity(rows.len());
    for (id, name, token) in rows {
        let links = Links::load(domain, &domain.policy().base_url, &token).await?;
        monitors.insert(id, (name, links));
    }
    Ok(monitors)
}

async fn read_step(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    before: ChangeId,
    step: u64,
) -> Result<Vec<ChangeRow>> {
    let rows = monitor_change::Entity::owned_by(account_id)
        .filter(monitor_change::Column::Id.lt(before))
        .filter(monitor_change::Column::Kind.is_not_in(Notice::KINDS))
        .order_by_desc(monitor_change::Column::Id)
        .limit(step)
        .select_only()
        .columns([
            monitor_change::Column::Id,
            monitor_change::Column::MonitorId,
            monitor_change::Column::DetectedAt,
            monitor_change::Column::Kind,
            monitor_change::Column::Url,
            monitor_change::Column::Title,
            monitor_change::Column::Summary,
        ]);
    Ok(rows.into_tuple().all(connection).await?)
}

fn matches_words((.., url, title, summary): &ChangeRow, name: &str, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let text = format!("{name}\n{url}\n{title}\n{summary}").to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}
