//! Content of daily digests: the rows of [`today`], and the highlights that are due for review, as texts with links.

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use identity::accounts::message_language;
use kernel::{Domain, Language, Millis, Result, address};
use library::{Highlight, HighlightCard, Item, Rediscovery, ThemedReview};
use notices::{DigestContent, TodayDigest, TodayList, TodayLoader, TodayRow, TodaySection};

use crate::highlight_review::{self, DueReview};
use crate::today::{self, Today};

/// Loads the content of digests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TodayContent;

impl TodayLoader for TodayContent {
    fn load<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        content: DigestContent,
    ) -> BoxFuture<'a, Result<TodayDigest>> {
        Box::pin(async move {
            let origin = domain.policy().account_url.as_str();
            let mut digest = TodayDigest { review_link: review_link(origin), ..TodayDigest::default() };
            if content.today {
                let language = message_language(domain.db().read(), account_id).await?;
                let today = today::load(domain, account_id).await?;
                digest = digest_of(&today, origin, (language, content.since));
            }
            if content.review {
                let due = highlight_review::due(domain, account_id).await?;
                add_review(&mut digest, &due, origin);
            }
            Ok(digest)
        })
    }
}

/// Converts the page to a digest. Entries and changes that were detected after `since`, and items saved on this
/// day of an earlier year, are new.
fn digest_of(today: &Today, origin: &str, (language, since): (Language, Millis)) -> TodayDigest {
    let Rediscovery { started, waiting, this_day } = &today.rediscovery;
    let has_news = today.unread.newest_at.is_some_and(|at| at > since)
        || today.changes.iter().any(|change| change.detected_at > since)
        || !this_day.is_empty();
    let items =
        |items: &[Item]| -> Vec<TodayRow> { items.iter().map(|item| row_of_item(item, origin)).collect() };
    let sections = [
        (TodaySection::Changes, changes(today, language)),
        (TodaySection::Unread, unread(today, origin)),
        (TodaySection::Started, items(started)),
        (TodaySection::Saved, items(&today.saved)),
        (TodaySection::Waiting, items(waiting)),
        (TodaySection::ThisDay, items(this_day)),
        (TodaySection::Attention, failing(today, origin)),
    ];
    let lists = sections.into_iter().map(|(section, rows)| TodayList { section, name: None, rows });
    TodayDigest {
        lists: lists.filter(|list| !list.rows.is_empty()).collect(),
        due_highlights: today.due_highlights,
        review_link: review_link(origin),
        has_news,
    }
}

fn review_link(origin: &str) -> String {
    format!("{origin}/highlights/review")
}

/// Returns the address of a review's page.
fn link_of(review: &DueReview, origin: &str) -> String {
    match &review.theme {
        Some(ThemedReview { id, .. }) => format!("{}?theme={id}", review_link(origin)),
        None => review_link(origin),
    }
}

/// Adds the highlights that are due. They count as news every day until they are reviewed.
fn add_review(digest: &mut TodayDigest, due: &[DueReview], origin: &str) {
    let mut count = 0;
    for review in due {
        let link = link_of(review, origin);
        let rows: Vec<TodayRow> =
            review.highlights.iter().map(|highlight| row_of_highlight(highlight, &link, origin)).collect();
        count += rows.len();
        let name = review.theme.as_ref().map(|theme| theme.name.clone());
        digest.lists.push(TodayList { section: TodaySection::Highlights, name, rows });
    }
    if count > 0 {
        digest.due_highlights = u32::try_from(count).unwrap_or(u32::MAX);
        digest.has_news = true;
    }
}

/// Returns the row of a highlight: its quote with a link to the passage in its item, its note, and its source. If the
/// highlight has a card that fits its quote, the row has the front of the card and a link to the review instead,
/// because the note and the passage may contain the answer.
fn row_of_highlight(highlight: &Highlight, review_link: &str, origin: &str) -> TodayRow {
    let row = &highlight.row;
    let card = HighlightCard::of(row);
    let front = card.as_ref().and_then(|card| card.face(&row.quote).front());
    let note = row.note.as_deref().filter(|_| front.is_none());
    let url = highlight.source_url.as_deref().and_then(|url| address::parse(url).ok());
    let host = url.as_ref().map(address::domain);
    let parts = [note, highlight.item_title.as_deref(), host.as_deref()];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect();
    let link = match row.item_id.filter(|_| front.is_none()) {
        Some(item_id) => format!("{origin}/library/{item_id}#mark-{}", row.id),
        None => review_link.to_owned(),
    };
    TodayRow::new(front.as_deref().unwrap_or(&row.quote), &parts.join(" · "), link)
}

/// Returns a row for each change, with the name of the monitor and the summary of the change.
fn changes(today: &Today, language: Language) -> Vec<TodayRow> {
    let row = |change: &monitors::MatchedChange| {
        let text = monitors::change_text(language, &change.title, &change.summary);
        let title = format!("{}: {}", change.monitor, text.title);
        let note = if text.summary == text.title { "" } else { &text.summary };
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
    let row = |source: &feeds::FollowedSource| {
        let subscription = &source.subscription;
        TodayRow::new(&subscription.title, "", format!("{origin}/subscriptions/{}", subscription.id))
    };
    today.failing.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use entities::ids::{EntryId, HighlightId, ItemId};
    use entities::library_words::{AnchorStatus, HighlightColor};
    use feeds::{Entry, ImportantEntries};

    use super::*;

    fn page_with_entry(discovered_at: Millis) -> Today {
        let entry = Entry {
            id: EntryId::new(7),
            feed_title: "Port news".into(),
            title: "Harbour opens".into(),
            discovered_at,
            ..Entry::example()
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
        let digest = digest_of(&page_with_entry(10), "https://my.example.org", (Language::English, 9));
        assert!(digest.has_news);
        let row = TodayRow::new("Harbour opens", "Port news", "https://my.example.org/entries/7".into());
        assert_eq!(digest.lists, [TodayList { section: TodaySection::Unread, name: None, rows: vec![row] }]);
        assert!(!digest_of(&page_with_entry(10), "https://my.example.org", (Language::English, 10)).has_news);
    }

    fn highlight(card: Option<&str>) -> Highlight {
        let row = entities::library_highlight::Model {
            id: HighlightId::from_u128(2),
            account_id: AccountId::MAX,
            sequence: 0,
            item_id: Some(ItemId::from_u128(1)),
            detached_from: None,
            item_title: None,
            source_url: None,
            quote: "The ferry leaves".into(),
            picture_url: None,
            picture_alt: None,
            prefix: String::new(),
            suffix: String::new(),
            hint: None,
            note: Some("At nine".into()),
            color: HighlightColor::Yellow,
            anchor: None,
            end_anchor: None,
            start_offset: None,
            end_offset: None,
            page: None,
            anchor_status: AnchorStatus::Orphaned,
            external_id: None,
            review_day: Some(0),
            review_step: 0,
            card: card.map(Into::into),
            stored_bytes: 0,
            created_at: 0,
            updated_at: 0,
        };
        let item_title = Some("Boats".into());
        Highlight { row, tags: Vec::new(), item_title, source_url: None, item_author: None }
    }

    #[test]
    fn row_of_a_card_contains_the_question_without_the_answer() {
        let review = || "https://my.example.org/highlights/review".to_owned();
        let row = |card| row_of_highlight(&highlight(card), &review(), "https://my.example.org");
        let gap = r#"{"kind":"gaps","gaps":[{"start":4,"text":"ferry"}]}"#;
        assert_eq!(row(Some(gap)), TodayRow::new("The […] leaves", "Boats", review()));
        let question = r#"{"kind":"question","question":"When?","answer":"At nine"}"#;
        assert_eq!(row(Some(question)), TodayRow::new("When?", "Boats", review()));
        let (item_id, id) = (ItemId::from_u128(1), HighlightId::from_u128(2));
        let passage = format!("https://my.example.org/library/{item_id}#mark-{id}");
        let passage = TodayRow::new("The ferry leaves", "At nine · Boats", passage);
        assert_eq!(row(None), passage);
        let unfit = r#"{"kind":"gaps","gaps":[{"start":4,"text":"boat"}]}"#;
        assert_eq!(row(Some(unfit)), passage, "nothing is hidden");
    }

    #[test]
    fn digest_lists_a_themed_review_with_its_name_and_link() {
        let id = entities::ids::ThemedReviewId::from_u128(3);
        let theme = ThemedReview {
            id,
            name: "Boats".into(),
            per_day: 5,
            theme: None,
            item_title: None,
            created_at: 0,
        };
        let gap = r#"{"kind":"gaps","gaps":[{"start":4,"text":"ferry"}]}"#;
        let due = [
            DueReview { theme: None, highlights: vec![highlight(None)] },
            DueReview { theme: Some(theme), highlights: vec![highlight(Some(gap))] },
        ];
        let mut digest = TodayDigest::default();
        add_review(&mut digest, &due, "https://my.example.org");
        assert_eq!((digest.due_highlights, digest.has_news), (2, true));
        let names: Vec<Option<&str>> = digest.lists.iter().map(|list| list.name.as_deref()).collect();
        assert_eq!(names, [None, Some("Boats")]);
        let link = format!("https://my.example.org/highlights/review?theme={id}");
        assert_eq!(digest.lists[1].rows, [TodayRow::new("The […] leaves", "Boats", link)]);
        add_review(&mut digest, &[], "https://my.example.org");
        assert_eq!(digest.lists.len(), 2);
    }
}
