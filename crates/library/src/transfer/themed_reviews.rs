//! Themed reviews in an account export. Items are exported with their ids and URLs, and saved searches with their
//! names, by which an import finds them in the library.

use entities::ids::{AccountId, ItemId};
use entities::library_item;
use sea_orm::{ColumnTrait, QueryFilter};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::native_format::import_key;
use crate::keys::{ItemKey, item_with};
use crate::themed_reviews::{
    NewThemedReview, ReviewTheme, ThemedReview, create_themed_review, list_themed_reviews,
};
use kernel::bounds::THEMED_REVIEWS;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, ImportedObjects, Result, address};

/// Themed review in an export. If it has no theme, its saved search was deleted.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExportedReview {
    name: String,
    highlights_per_day: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    item: Option<ExportedItem>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    saved_search: Option<String>,
}

/// Item of a themed review in an export.
#[derive(Debug, Serialize, Deserialize)]
struct ExportedItem {
    id: ItemId,
    /// `None` if the item was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

/// Exports the themed reviews of an account.
pub(super) async fn export_reviews(domain: &Domain, account_id: AccountId) -> Result<Vec<ExportedReview>> {
    let reviews = list_themed_reviews(domain, account_id).await?;
    let mut exported = Vec::with_capacity(reviews.len());
    for ThemedReview { name, per_day: highlights_per_day, theme, .. } in reviews {
        let mut review =
            ExportedReview { name, highlights_per_day, tag: None, item: None, saved_search: None };
        match theme {
            Some(ReviewTheme::Tag(tag)) => review.tag = Some(tag),
            Some(ReviewTheme::Item(id)) => {
                let url = find_item(domain, account_id, id).await?.map(|item| item.url);
                review.item = Some(ExportedItem { id, url });
            }
            Some(ReviewTheme::Search(search)) => review.saved_search = Some(search),
            None => {}
        }
        exported.push(review);
    }
    Ok(exported)
}

/// Imports the themed reviews of an export. Reviews that equal existing ones are not created again. If the reviews
/// exceed the limit per account, only the first of them is recorded as failed.
///
/// # Errors
/// Returns transient errors of the database.
pub(super) async fn import_reviews(
    domain: &Domain,
    account_id: AccountId,
    exported: Value,
) -> Result<ImportedObjects> {
    let mut imported = ImportedObjects::default();
    let Value::Array(reviews) = exported else {
        imported.fail(1, "the themed reviews", Code::InvalidRequest);
        return Ok(imported);
    };
    let existing = list_themed_reviews(domain, account_id).await?;
    for (number, value) in (1..).zip(reviews) {
        if number > u64::from(THEMED_REVIEWS) {
            imported.fail(number, "the rest of the themed reviews", Code::LimitReached);
            break;
        }
        let Ok(review) = serde_json::from_value::<ExportedReview>(value) else {
            imported.fail(number, "a themed review", Code::InvalidRequest);
            continue;
        };
        let name = format!("the themed review “{}”", review.name);
        let created = match new_review(domain, account_id, review).await {
            Ok(new) if existing.iter().any(|own| is_equal(own, &new)) => Ok(()),
            Ok(new) => create_themed_review(domain, account_id, new).await.map(drop),
            Err(error) => Err(error),
        };
        imported.record(number, name, created)?;
        if imported.failed.last().is_some_and(|failed| failed.code == Code::LimitReached) {
            break;
        }
    }
    Ok(imported)
}

fn is_equal(own: &ThemedReview, new: &NewThemedReview) -> bool {
    own.name == new.name && own.per_day == new.per_day && own.theme.as_ref() == Some(&new.theme)
}

async fn new_review(
    domain: &Domain,
    account_id: AccountId,
    review: ExportedReview,
) -> Result<NewThemedReview> {
    let theme = match (review.tag, review.item, review.saved_search) {
        (Some(tag), None, None) => ReviewTheme::Tag(tag),
        (None, Some(item), None) => ReviewTheme::Item(imported_item(domain, account_id, &item).await?),
        (None, None, Some(search)) => ReviewTheme::Search(search),
        _ => {
            return Err(Error::invalid_field("tag", "exactly one of tag, item, and savedSearch is required"));
        }
    };
    Ok(NewThemedReview { name: review.name, per_day: review.highlights_per_day, theme })
}

/// Finds an exported item in this library: by its id, by its id in the library of the export, or by its URL.
async fn imported_item(domain: &Domain, account_id: AccountId, item: &ExportedItem) -> Result<ItemId> {
    if find_item(domain, account_id, item.id).await?.is_some() {
        return Ok(item.id);
    }
    let url = item.url.as_deref().and_then(|url| address::parse(url).ok());
    let keys = std::iter::once(import_key(item.id)).chain(url.as_ref().map(ItemKey::url));
    for key in keys {
        if let Some(id) = item_with(domain.db().write(), account_id, &key).await? {
            return Ok(id);
        }
    }
    Err(not_found("item"))
}

async fn find_item(
    domain: &Domain,
    account_id: AccountId,
    id: ItemId,
) -> Result<Option<library_item::Model>> {
    let owned = library_item::Entity::owned_by(account_id).filter(library_item::Column::Id.eq(id));
    Ok(owned.one(domain.db().write()).await?)
}
