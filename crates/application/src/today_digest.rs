//! Content of the page Today for daily digests by mail: the rows of [`today`](crate::today), as texts with links.

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use kernel::{Domain, Millis, Result};
use library::{Item, Rediscovery};
use notices::{TodayDigest, TodayList, TodayLoader, TodayRow, TodaySection};

use crate::today::{self, Today};

/// Loads the content of Today for digests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TodayContent;

impl TodayLoader for TodayContent {
    fn load<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        since: Millis,
    ) -> BoxFuture<'a, Result<TodayDigest>> {
        Box::pin(async move {
            let today = today::load(domain, account_id).await?;
            Ok(digest_of(&today, &domain.policy().account_url, since))
        })
    }
}

/// Converts the page to a digest. Entries and changes that were detected after `since`, and items saved on this
/// day of an earlier year, are new.
fn digest_of(today: &Today, origin: &str, since: Millis) -> TodayDigest {
    let Rediscovery { started, waiting, this_day } = &today.rediscovery;
    let has_news = today.unread.newest_at.is_some_and(|at| at > since)
        || today.changes.iter().any(|change| change.detected_at > since)
        || !this_day.is_empty();
    let items =
        |items: &[Item]| -> Vec<TodayRow> { items.iter().map(|item| row_of_item(item, origin)).collect() };
    let sections = [
        (TodaySection::Changes, changes(today)),
        (TodaySection::Unread, unread(today, origin)),
        (TodaySection::Started, items(started)),
        (TodaySection::Saved, items(&today.saved)),
        (TodaySection::Waiting, items(waiting)),
        (TodaySection::ThisDay, items(this_day)),
        (TodaySection::Attention, failing(today, origin)),
    ];
    let lists = sections.into_iter().map(|(section, rows)| TodayList { section, rows });
    TodayDigest {
        lists: lists.filter(|list| !list.rows.is_empty()).collect(),
        due_highlights: today.due_highlights,
        review_link: format!("{origin}/highlights/review"),
        has_news,
    }
}

/// Rows of changes: the monitor, and what has changed.
fn changes(today: &Today) -> Vec<TodayRow> {
    let row = |change: &monitors::MatchedChange| {
        let title = format!("{}: {}", change.monitor, change.title);
        let note = if change.summary == change.title { "" } else { &change.summary };
        TodayRow::new(&title, note, change.link.clone())
    };
    today.changes.iter().map(row).collect()
}

fn unread(today: &Today, origin: &str) -> Vec<TodayRow> {
    let row = |entry: &feeds::Entry| {
        TodayRow::new(&entry.title, &entry.feed_title, format!("{origin}/entries/{}", entry.id))
    };
    today.unread.entries.iter().map(row).collect()
}

fn row_of_item(item: &Item, origin: &str) -> TodayRow {
    let title = if item.title.trim().is_empty() { &item.url } else { &item.title };
    TodayRow::new(title, &item.domain, format!("{origin}/library/{}", item.id))
}

fn failing(today: &Today, origin: &str) -> Vec<TodayRow> {
    let row = |source: &feeds::Source| {
        let subscription = &source.subscription;
        TodayRow::new(&subscription.title, "", format!("{origin}/subscriptions/{}", subscription.id))
    };
    today.failing.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use entities::ids::{EntryId, FeedId};
    use feeds::{Entry, ImportantEntries, SourceKind};

    use super::*;

    fn page_with_entry(discovered_at: Millis) -> Today {
        let entry = Entry {
            id: EntryId::new(7),
            feed_id: FeedId::new(1),
            feed_title: "Port news".into(),
            feed_site_url: None,
            url: "https://port.example/".into(),
            title: "Harbour opens".into(),
            summary: None,
            author: None,
            image_url: None,
            enclosures: Vec::new(),
            episode: None,
            published_at: None,
            discovered_at,
            unread: true,
            starred: false,
            source_kind: SourceKind::Feed,
            show_original: false,
        };
        Today {
            unread: ImportantEntries {
                entries: vec![entry],
                as_of_id: EntryId::new(7),
                newest_at: Some(discovered_at),
                unread_total: 1,
                unread_partial: false,
            },
            changes: Vec::new(),
            saved: Vec::new(),
            rediscovery: Rediscovery::default(),
            due_highlights: 0,
            failing: Vec::new(),
            failing_total: 0,
        }
    }

    #[test]
    fn entry_discovered_since_the_last_digest_is_news_with_an_absolute_link() {
        let digest = digest_of(&page_with_entry(10), "https://my.example.org", 9);
        assert!(digest.has_news);
        let row = TodayRow::new("Harbour opens", "Port news", "https://my.example.org/entries/7".into());
        assert_eq!(digest.lists, [TodayList { section: TodaySection::Unread, rows: vec![row] }]);
        assert!(!digest_of(&page_with_entry(10), "https://my.example.org", 10).has_news);
    }
}
