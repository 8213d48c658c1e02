//! Example responses of the RSS operations.

use extract::feed::FeedKind;
use feeds::Entry;
use poem_openapi::types::Example;

use super::schema::{
    RssCandidate, RssCollection, RssCollectionKind, RssCollectionList, RssCollectionOne, RssContentSource,
    RssDiscovery, RssEntriesUpdated, RssEntry, RssEntryContent, RssEntryList, RssEntryOne, RssFollowed,
    RssImportFailure, RssImported, RssListField, RssListItem, RssListMonitor, RssListTrigger, RssMarkedRead,
    RssPageList, RssSubscription, RssSubscriptionList, RssSubscriptionOne,
};
use http_kit::http::enum_param::EnumParam;

/// OPML list with one subscription.
pub(super) const OPML: &str = "<opml version=\"2.0\"><head><title>Subscriptions</title></head><body>\
    <outline text=\"Magazines\"><outline type=\"rss\" text=\"Example\" xmlUrl=\"https://example.com/feed.xml\" \
    htmlUrl=\"https://example.com/\"/></outline></body></opml>";

impl Example for RssSubscription {
    fn example() -> Self {
        Self {
            id: 1,
            feed_id: 7,
            folder_id: 2,
            feed_url: "https://example.com/feed.xml".into(),
            site_url: Some("https://example.com/".into()),
            title: "Example".into(),
            description: Some("Notes from a quiet desk.".into()),
            last_fetched_at: Some("2026-11-20T12:00:00.000Z".into()),
            last_error: None,
            unread_count: 3,
            unread_partial: false,
            created_at: "2026-11-01T08:30:00.000Z".into(),
            interval_minutes: None,
            full_text: false,
            moved_from: None,
            warnings: Vec::new(),
        }
    }
}

impl Example for RssSubscriptionOne {
    fn example() -> Self {
        Self { subscription: RssSubscription::example() }
    }
}

impl Example for RssSubscriptionList {
    fn example() -> Self {
        Self { subscriptions: vec![RssSubscription::example()], next_cursor: None }
    }
}

impl Example for RssCandidate {
    fn example() -> Self {
        Self {
            feed_url: "https://example.com/comments.xml".into(),
            title: Some("Comments".into()),
            kind: EnumParam(FeedKind::Rss),
        }
    }
}

impl Example for RssFollowed {
    fn example() -> Self {
        Self {
            subscription: RssSubscription::example(),
            already_subscribed: false,
            candidates: Some(vec![RssCandidate::example()]),
        }
    }
}

impl Example for RssDiscovery {
    fn example() -> Self {
        let monitor = RssListMonitor {
            name: "Example".into(),
            target_url: "https://example.com/".into(),
            target_type: "extract".into(),
            items: "ul.news > li".into(),
            fields: vec![RssListField { name: "title".into(), selector: "a".into() }],
            trigger: RssListTrigger { kind: "added".into() },
        };
        let items = vec![RssListItem {
            title: "The harbour opens".into(),
            url: Some("https://example.com/harbour".into()),
        }];
        let page_list = Some(RssPageList { monitor, total: 1, items });
        Self { feeds: vec![RssCandidate::example()], page_list }
    }
}

impl Example for RssImported {
    fn example() -> Self {
        let failed = RssImportFailure { feed_url: "feed.xml".into(), code: "invalid_url".into() };
        Self { created: 12, existing: 1, failed: vec![failed] }
    }
}

impl Example for RssCollection {
    fn example() -> Self {
        Self {
            id: 2,
            name: "Magazines".into(),
            kind: RssCollectionKind::Custom,
            feed_ids: vec![7],
            created_at: "2026-11-01T08:30:00.000Z".into(),
        }
    }
}

impl Example for RssCollectionOne {
    fn example() -> Self {
        Self { collection: RssCollection::example() }
    }
}

impl Example for RssCollectionList {
    fn example() -> Self {
        let unsorted = RssCollection {
            id: 1,
            name: "Unsorted".into(),
            kind: RssCollectionKind::Unsorted,
            feed_ids: Vec::new(),
            ..RssCollection::example()
        };
        Self { collections: vec![unsorted, RssCollection::example()] }
    }
}

impl Example for RssEntry {
    fn example() -> Self {
        Entry::example().into()
    }
}

impl Example for RssEntryList {
    fn example() -> Self {
        Self {
            entries: vec![RssEntry::example()],
            next_cursor: None,
            as_of_id: 4711,
            unread_total: 3,
            unread_partial: false,
        }
    }
}

impl Example for RssEntryOne {
    fn example() -> Self {
        let text = "A quiet desk\n\nA carrel is a desk for one reader.";
        let content = RssEntryContent {
            text: text.into(),
            characters: text.chars().count() as u64,
            truncated: false,
            source: RssContentSource::Article,
            pending: false,
            warnings: Vec::new(),
        };
        Self { entry: RssEntry::example(), content: Some(content) }
    }
}

impl Example for RssEntriesUpdated {
    fn example() -> Self {
        Self { updated: 2, missing: 0 }
    }
}

impl Example for RssMarkedRead {
    fn example() -> Self {
        Self { updated: 3 }
    }
}
