//! Example responses of the library operations.

use library::{
    ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, ItemFormat, ItemStatus, ObjectKind,
    TextSource,
};
use poem_openapi::types::Example;

use super::schema::{
    LibraryClassification, LibraryExtraction, LibraryItem, LibraryItemList, LibraryItemOne, LibraryItemSaved,
    LibraryItemsDeleted, LibraryItemsUpdated, LibraryObjectList, LibraryObjectOne, LibraryObjectSummary,
};
use http_kit::http::enum_param::EnumParam;
use http_kit::http::free_object::FreeObject;

pub(crate) fn item_id() -> String {
    "0193a0b2-7c00-7000-8000-3f1e2d4c5b6a".to_owned()
}

pub(super) fn item_ref() -> String {
    format!("item:{}", item_id())
}

impl Example for LibraryItem {
    fn example() -> Self {
        Self {
            id: item_id(),
            url: "https://example.com/article".into(),
            original_url: None,
            title: "A quiet desk".into(),
            author: Some("Ada Reader".into()),
            published_at: Some("2026-01-31".into()),
            domain: "example.com".into(),
            content_kind: EnumParam(ContentKind::Article),
            classification: LibraryClassification {
                method: EnumParam(ClassificationMethod::Metadata),
                confidence: 50,
                version: "1".into(),
                updated_at: "2026-11-20T12:00:00.000Z".into(),
            },
            capture_method: EnumParam(CaptureMethod::Api),
            format: EnumParam(ItemFormat::Html),
            mime_type: Some("text/html".into()),
            file_name: None,
            asset: None,
            external_id: None,
            metadata: Some(FreeObject::of_text(r#"{"list": "desks"}"#)),
            status: EnumParam(ItemStatus::Inbox),
            tags: vec!["to read".into()],
            saved_at: "2026-11-20T12:00:00.000Z".into(),
            updated_at: "2026-11-20T12:00:01.000Z".into(),
            last_read_at: None,
            read_progress: None,
            article_status: EnumParam(ArticleStatus::Ready),
            article_error: None,
            quality_status: Some("complete".into()),
            extraction_source: Some(EnumParam(TextSource::Html)),
            content_hash: Some("sha256:0d1f…".into()),
            finished_at: None,
            duplicate_of: None,
            article: None,
        }
    }
}

impl Example for LibraryItemOne {
    fn example() -> Self {
        Self { item: LibraryItem::example() }
    }
}

impl Example for LibraryItemList {
    fn example() -> Self {
        Self { items: vec![LibraryItem::example()], next_cursor: None, as_of: None, approximate: None }
    }
}

impl Example for LibraryItemSaved {
    fn example() -> Self {
        let extraction = LibraryExtraction {
            source: EnumParam(TextSource::Html),
            cache_hit: false,
            quality_status: Some("complete".into()),
        };
        Self { item: LibraryItem::example(), extraction: Some(extraction), already_saved: false }
    }
}

impl Example for LibraryItemsUpdated {
    fn example() -> Self {
        let item = LibraryItem { status: EnumParam(ItemStatus::Archive), ..LibraryItem::example() };
        Self { items: vec![item], updated: 1, missing: 0 }
    }
}

impl Example for LibraryItemsDeleted {
    fn example() -> Self {
        Self { deleted: 1, missing: 0 }
    }
}

impl Example for LibraryObjectList {
    fn example() -> Self {
        let object = LibraryObjectSummary {
            reference: item_ref(),
            kind: EnumParam(ObjectKind::Item),
            title: "A quiet desk".into(),
            snippet: "A quiet desk A carrel is a desk for one reader.".into(),
            matches: Some(vec![vec![2, 7]]),
            source_url: Some("https://example.com/article".into()),
            updated_at: "2026-11-20T12:00:01.000Z".into(),
            mime_type: Some("text/html".into()),
            has_asset: false,
            score: 0.25,
        };
        Self { objects: vec![object], next_cursor: None, total: 1, partial: false, approximate: None }
    }
}

impl Example for LibraryObjectOne {
    fn example() -> Self {
        let object = FreeObject::of(&LibraryItem::example());
        Self { reference: item_ref(), kind: EnumParam(ObjectKind::Item), object }
    }
}

pub(super) fn note_id() -> String {
    "0193a0b2-7c00-7000-8000-5a6b7c8d9e0f".to_owned()
}

pub(super) fn highlight_id() -> String {
    "0193a0b2-7c00-7000-8000-6b7c8d9e0f1a".to_owned()
}
