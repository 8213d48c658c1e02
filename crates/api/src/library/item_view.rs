//! Conversion of library items to response types.

use std::collections::HashMap;

use articles::window::clean_text;
use extract::Quality;
use kernel::{AccountId, ItemId, rfc3339, source_time};
use library::{Item, SavedItem, StoredText};
use poem_openapi::payload::Json;

use super::save_response::ItemSaved;
use super::schema::{
    LibraryAsset, LibraryClassification, LibraryExtraction, LibraryItem, LibraryItemSaved, StoredArticle,
};
use crate::answers::version_of;
use crate::error::ApiError;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::free_object::FreeObject;

/// Optional parts of an item to include in a response.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ItemParts {
    /// Maximum length of the text in characters; `None` omits the text.
    pub content: Option<usize>,
    pub metadata: MetadataInclusion,
}

/// Decides whether the metadata is included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum MetadataInclusion {
    #[default]
    Omitted,
    Included,
}

impl MetadataInclusion {
    pub(super) fn when(is_requested: Option<bool>) -> Self {
        if is_requested == Some(true) { Self::Included } else { Self::Omitted }
    }
}

/// Converts items to responses with the requested parts.
pub(super) async fn items(
    app: &App,
    account_id: AccountId,
    items: Vec<Item>,
    parts: ItemParts,
) -> Result<Vec<LibraryItem>, ApiError> {
    let mut articles: HashMap<ItemId, StoredArticle> = HashMap::new();
    if let Some(most) = parts.content {
        let ids: Vec<ItemId> =
            items.iter().filter(|item| item.content_hash.is_some()).map(|item| item.id).collect();
        let mut cut = |text: StoredText| {
            articles.insert(text.item_id, stored_article(&text, most));
        };
        library::visit_texts(&app.domain, account_id, &ids, &mut cut).await?;
    }
    let with_text = |item: Item| {
        let article = articles.remove(&item.id);
        LibraryItem { article, ..of(app, item, parts.metadata) }
    };
    Ok(items.into_iter().map(with_text).collect())
}

/// Converts one item to a response with the requested parts.
pub(super) async fn item(app: &App, item: Item, parts: ItemParts) -> Result<LibraryItem, ApiError> {
    let account_id = item.account_id;
    let mut items = items(app, account_id, vec![item], parts).await?;
    items.pop().ok_or_else(|| ApiError::new(kernel::Code::NotFound, "There is no such item."))
}

/// Builds the response of a save.
pub(crate) fn saved_answer(app: &App, saved: SavedItem) -> ItemSaved {
    let (already_existed, version) = (saved.already_saved, version_of(saved.item.sequence));
    let answer = Json(saved_item(app, saved));
    if already_existed { ItemSaved::Existing(answer, version) } else { ItemSaved::Created(answer, version) }
}

fn saved_item(app: &App, saved: SavedItem) -> LibraryItemSaved {
    let extraction = saved.extraction.map(|extraction| LibraryExtraction {
        source: EnumParam(extraction.source),
        cache_hit: extraction.cache_hit,
        quality_status: extraction.quality_status,
    });
    LibraryItemSaved {
        item: of(app, saved.item, MetadataInclusion::Included),
        extraction,
        already_saved: saved.already_saved,
    }
}

/// Converts an item with `text`, which is cut to `most` characters.
pub(super) fn with_text(
    app: &App,
    item: Item,
    text: Option<&StoredText>,
    most: usize,
    metadata: MetadataInclusion,
) -> LibraryItem {
    let article = text.map(|text| stored_article(text, most));
    LibraryItem { article, ..of(app, item, metadata) }
}

/// Converts an item without its text.
pub(super) fn of(app: &App, item: Item, metadata: MetadataInclusion) -> LibraryItem {
    let asset = asset(app, &item);
    let Item { row, tags } = item;
    let quality = row.quality_status.filter(|word| Quality::parse(word).is_some());
    LibraryItem {
        id: row.id.to_string(),
        url: row.url,
        original_url: row.original_url,
        title: row.title,
        author: row.author,
        published_at: row.published_at,
        domain: row.domain,
        content_kind: EnumParam(row.content_kind),
        classification: LibraryClassification {
            method: EnumParam(row.kind_method),
            confidence: row.kind_confidence,
            version: "1".to_owned(),
            updated_at: rfc3339(row.kind_at),
        },
        capture_method: EnumParam(row.capture_method),
        format: EnumParam(row.format),
        mime_type: row.mime_type,
        file_name: row.file_name,
        asset,
        external_id: row.external_id,
        metadata: match metadata {
            MetadataInclusion::Included => {
                Some(row.metadata.as_deref().map(FreeObject::of_text).unwrap_or_default())
            }
            MetadataInclusion::Omitted => None,
        },
        status: EnumParam(row.status),
        tags,
        saved_at: rfc3339(row.saved_at),
        updated_at: rfc3339(row.updated_at),
        last_read_at: row.last_read_at.map(rfc3339),
        read_progress: row.read_progress,
        article_status: EnumParam(row.article_status),
        article_error: row.article_error,
        quality_status: quality,
        extraction_source: row.extraction_source.map(EnumParam),
        content_hash: row.content_hash,
        finished_at: row.finished_at.map(rfc3339),
        duplicate_of: row.duplicate_of.map(|id| id.to_string()),
        article: None,
    }
}

fn asset(app: &App, item: &Item) -> Option<LibraryAsset> {
    item.asset_blob.as_ref()?;
    let id = item.id;
    Some(LibraryAsset {
        item_id: id.to_string(),
        file_name: item
            .asset_name
            .clone()
            .or_else(|| item.file_name.clone())
            .unwrap_or_else(|| "file".to_owned()),
        mime_type: item.asset_mime.clone().unwrap_or_else(|| "application/octet-stream".to_owned()),
        size: item.asset_size.unwrap_or(0),
        checksum: item.asset_checksum.clone().unwrap_or_default(),
        updated_at: rfc3339(item.asset_at.unwrap_or(item.updated_at)),
        resource_uri: format!("svc://library/items/{id}/file"),
        download_url: format!("{}/v1/library/items/{id}/file", app.settings.origins.base.as_str()),
    })
}

fn stored_article(text: &StoredText, most: usize) -> StoredArticle {
    let document = &text.document;
    let cut = clean_text(document, most);
    StoredArticle {
        title: document.title.clone(),
        text_content: cut.text,
        content_characters: cut.total as u64,
        returned_characters: cut.returned as u64,
        truncated: cut.returned < cut.total,
        author: document.author.clone(),
        publisher: document.publisher.clone(),
        published_at: document.published_at.as_deref().map(source_time),
        language: document.language.clone(),
        cached_at: rfc3339(text.cached_at),
    }
}
