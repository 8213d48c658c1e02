//! Conversion of library items to books of Kobo's store API.

use kernel::rfc3339;
use library::{Item, ItemStatus};
use serde_json::{Value, json};

use crate::book::authors_of;

/// Category of all books.
const CATEGORY: &str = "00000000-0000-0000-0000-000000000001";

/// Returns true if devices receive the item: it has a text and is not archived.
pub(super) fn is_on_devices(item: &Item) -> bool {
    item.content_hash.is_some() && item.status != ItemStatus::Archive
}

/// Returns a book with its metadata and reading state.
pub(super) fn entitlement(address: &str, item: &Item) -> Value {
    json!({
        "BookEntitlement": {
            "Accessibility": "Full",
            "ActivePeriod": { "From": rfc3339(item.saved_at) },
            "Created": rfc3339(item.saved_at),
            "CrossRevisionId": item.id.to_string(),
            "Id": item.id.to_string(),
            "IsRemoved": false,
            "IsHiddenFromArchive": false,
            "IsLocked": false,
            "LastModified": rfc3339(item.updated_at),
            "OriginCategory": "Imported",
            "RevisionId": item.id.to_string(),
            "Status": "Active",
        },
        "BookMetadata": metadata(address, item),
        "ReadingState": reading_state(item),
    })
}

/// Returns the instruction to remove a book from devices. `id` is the id of the item, which may be deleted.
pub(super) fn removal(id: &str, changed_at: &str) -> Value {
    json!({
        "BookEntitlement": {
            "Accessibility": "Full",
            "ActivePeriod": { "From": changed_at },
            "Created": changed_at,
            "CrossRevisionId": id,
            "Id": id,
            "IsRemoved": true,
            "IsHiddenFromArchive": false,
            "IsLocked": false,
            "LastModified": changed_at,
            "OriginCategory": "Imported",
            "RevisionId": id,
            "Status": "Active",
        },
        "BookMetadata": { "EntitlementId": id, "CrossRevisionId": id, "RevisionId": id, "WorkId": id },
    })
}

/// Returns the metadata of a book, including its download URLs.
pub(super) fn metadata(address: &str, item: &Item) -> Value {
    let id = item.id.to_string();
    let authors: Vec<&str> = item.author.as_deref().map(authors_of).unwrap_or_default();
    let roles: Vec<Value> = authors.iter().map(|name| json!({ "Name": name })).collect();
    let download = |format: &str| {
        json!({
            "Format": format,
            "Size": item.stored_bytes,
            "Url": format!("{address}/v1/books/{id}/file.epub"),
            "Platform": "Generic",
        })
    };
    json!({
        "Categories": [CATEGORY],
        "Contributors": authors,
        "ContributorRoles": roles,
        "CoverImageId": id,
        "CrossRevisionId": id,
        "CurrentDisplayPrice": { "CurrencyCode": "USD", "TotalAmount": 0 },
        "CurrentLoveDisplayPrice": { "TotalAmount": 0 },
        "Description": item.domain,
        "DownloadUrls": [download("EPUB3"), download("EPUB")],
        "EntitlementId": id,
        "ExternalIds": [],
        "Genre": CATEGORY,
        "IsEligibleForKoboLove": false,
        "IsInternetArchive": false,
        "IsPreOrder": false,
        "IsSocialEnabled": false,
        "Language": "und",
        "PhoneticPronunciations": {},
        "PublicationDate": item.published_at.clone().unwrap_or_else(|| rfc3339(item.saved_at)),
        "Publisher": { "Imprint": "", "Name": item.domain },
        "RevisionId": id,
        "Title": item.title,
        "WorkId": id,
    })
}

/// Returns the reading state of a book.
pub(super) fn reading_state(item: &Item) -> Value {
    let (status, percent) = match (item.finished_at, item.read_progress, item.last_read_at) {
        (Some(_), _, _) => ("Finished", 100),
        (None, Some(percent), _) => ("Reading", percent),
        (None, None, Some(_)) => ("Reading", 0),
        (None, None, None) => ("ReadyToRead", 0),
    };
    let changed_at = rfc3339(item.last_read_at.unwrap_or(item.saved_at));
    json!({
        "EntitlementId": item.id.to_string(),
        "Created": rfc3339(item.saved_at),
        "LastModified": changed_at,
        "PriorityTimestamp": changed_at,
        "StatusInfo": { "LastModified": changed_at, "Status": status, "TimesStartedReading": 0 },
        "Statistics": { "LastModified": changed_at },
        "CurrentBookmark": {
            "LastModified": changed_at,
            "ProgressPercent": percent,
            "ContentSourceProgressPercent": percent,
        },
    })
}
