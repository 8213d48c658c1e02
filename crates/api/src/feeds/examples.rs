//! Example responses of the feed operations.

use feeds::{Entry, EventKind, Health, SourceKind};
use poem_openapi::types::Example;

use super::changes::{FeedAttention, FeedChanges, FeedEvent, FeedSourceGroup};
use super::consumers::{
    FeedConsumer, FeedConsumerList, FeedConsumerOne, FeedConsumerSources, FeedConsumerWhere,
};
use super::mutate::{FeedMutateResult, FeedMutateSample};
use super::objects::{FeedEntry, FeedSource};
use super::query::FeedQueryResult;
use super::selected::SelectedFields;
use http_kit::http::enum_param::EnumParam;

const CURSOR: &str = "AAY-8tVR0AAAAAAAAAAAAQAAAAAAAAAA7jWlQw";

impl Example for FeedEntry {
    fn example() -> Self {
        Entry::example().into()
    }
}

impl Example for FeedSource {
    fn example() -> Self {
        Self {
            id: 9,
            subscription_id: 3,
            kind: EnumParam(SourceKind::Feed),
            title: "Elsewhere".into(),
            feed_url: Some("https://elsewhere.example/feed.xml".into()),
            site_url: Some("https://elsewhere.example/".into()),
            description: None,
            collection_id: 2,
            health: EnumParam(Health::Failing),
            last_fetched_at: Some("2026-11-19T02:00:00.000Z".into()),
            last_error: Some("source_timeout: next try 2026-11-20T14:00:00.000Z".into()),
            unread_count: 0,
            unread_partial: false,
            created_at: "2026-11-01T08:30:00.000Z".into(),
        }
    }
}

impl Example for FeedChanges {
    fn example() -> Self {
        let all = SelectedFields::default();
        let event = FeedEvent {
            sequence: 1_795_176_000_000_000,
            kind: EnumParam(EventKind::EntryDiscovered),
            at: "2026-11-20T12:00:00.000Z".into(),
            cursor: CURSOR.into(),
            entry_id: Some(4711),
            entry: Some(all.of(FeedEntry::example())),
            source: None,
            from_feed_id: None,
        };
        let failing = FeedSourceGroup { count: 1, sources: vec![all.of(FeedSource::example())] };
        let stale = FeedSourceGroup { count: 0, sources: Vec::new() };
        Self {
            events: vec![event],
            next_cursor: CURSOR.into(),
            has_more: false,
            gap_detected: false,
            attention: FeedAttention { failing, stale },
        }
    }
}

impl Example for FeedQueryResult {
    fn example() -> Self {
        Self {
            entries: Some(vec![SelectedFields::default().of(FeedEntry::example())]),
            sources: None,
            collections: None,
            next_cursor: None,
            total: 1,
            partial: false,
        }
    }
}

impl Example for FeedMutateResult {
    fn example() -> Self {
        Self {
            dry_run: true,
            would_affect: Some(1),
            sample: Some(vec![FeedMutateSample { id: Some(4711), title: "A quiet desk".into() }]),
            commit_token: Some("3J0vHkq8bO1jRZ5uY2mXnq6dQ9cT4sWfLxKpEiAoBzM".into()),
            expires_at: Some("2026-11-20T12:10:00.000Z".into()),
            affected: None,
            partial: None,
            outcomes: None,
        }
    }
}

impl Example for FeedConsumer {
    fn example() -> Self {
        Self {
            id: 1,
            name: "digest".into(),
            filter: FeedConsumerWhere {
                collection: Vec::new(),
                source: FeedConsumerSources { include: Vec::new(), exclude: Vec::new() },
                kind: vec![EnumParam(SourceKind::Feed)],
                text: None,
                author: None,
            },
            acknowledged_cursor: CURSOR.into(),
            last_delivered_at: Some("2026-11-20T12:00:00.000Z".into()),
            acknowledged_at: None,
            pending: 1,
            pending_partial: false,
            created_at: "2026-11-20T08:00:00.000Z".into(),
        }
    }
}

impl Example for FeedConsumerOne {
    fn example() -> Self {
        Self { consumer: FeedConsumer::example() }
    }
}

impl Example for FeedConsumerList {
    fn example() -> Self {
        Self { consumers: vec![FeedConsumer::example()] }
    }
}
