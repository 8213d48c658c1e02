//! Tests of uploads and of the clean-up of abandoned uploads, on both databases.

use entities::ids::{AccountId, ItemId};
use entities::library_words::{ArticleStatus, CaptureMethod, ContentKind, ItemFormat, TextOrigin};
use entities::{library_account, library_blob, library_item};
use futures_util::TryStreamExt;
use sea_orm::{EntityTrait, IntoActiveModel};

use super::*;
use crate::LibraryTransaction;
use kernel::blobs::{Blobs, Location};
use kernel::clock::{DAY, HOUR};
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Code, Domain};

/// Inserts an item that waits for its file.
async fn pending(domain: &Domain, account_id: AccountId) -> ItemId {
    let id: ItemId = domain.new_id();
    let mut transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
    let stamp = transaction.stamp(entities::library_words::ObjectKind::Item, id.as_uuid().into());
    transaction.count(0, 1024);
    let row = library_item::Model {
        sequence: stamp.sequence,
        title: "A file".into(),
        capture_method: CaptureMethod::Upload,
        file_name: Some("a.pdf".into()),
        updated_at: stamp.updated_at,
        article_status: ArticleStatus::AwaitingUpload,
        stored_bytes: 1024,
        ..crate::item::blank(id, account_id, domain.now())
    };
    library_item::Entity::insert(row.into_active_model())
        .exec_without_returning(transaction.db())
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    id
}

fn new(item_id: ItemId, length: usize) -> NewFile {
    let present = ExistingFile::Replace;
    NewFile { item_id, declared: None, name: None, length: length as u64, digest: None, existing: present }
}

async fn put(
    domain: &Domain,
    account_id: AccountId,
    new: NewFile,
    body: &[u8],
) -> kernel::Result<UploadResult> {
    let mut file = begin_file(domain, account_id, new).await?;
    file.push(body).await?;
    file.finish().await
}

async fn storage(domain: &Domain, account_id: AccountId) -> (i64, i64) {
    let row = library_account::Entity::owned_by(account_id).one(domain.db().read()).await.unwrap().unwrap();
    (row.stored_bytes, row.reserved_bytes)
}

async fn blobs(domain: &Domain) -> usize {
    domain.blobs().list("account").try_collect::<Vec<_>>().await.unwrap().len()
}

async fn rows(domain: &Domain) -> usize {
    library_blob::Entity::find().all(domain.db().read()).await.unwrap().len()
}

async fn file_is_stored_replaced_and_removed(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let id = pending(domain, who).await;
    let first = put(domain, who, new(id, 8), b"%PDF-1.7").await.unwrap();
    assert!(first.is_first);
    assert_eq!(first.item.article_status, ArticleStatus::Queued);
    assert_eq!((first.item.ask, first.item.ask_from), (1, Some(TextOrigin::File)));
    assert_eq!((first.item.format, first.item.content_kind), (ItemFormat::Pdf, ContentKind::Pdf));
    assert_eq!(storage(domain, who).await, (1024 + 8, 0));
    let file = open_file(domain, who, id).await.unwrap();
    assert_eq!((file.name.as_str(), file.size), ("a.pdf", 8));
    // An upload of the same bytes changes nothing, regardless of the setting for an existing file.
    let keep_existing = NewFile { existing: ExistingFile::Keep, ..new(id, 8) };
    let again = put(domain, who, keep_existing.clone(), b"%PDF-1.7").await.unwrap();
    assert_eq!((again.is_first, again.item.sequence), (false, first.item.sequence));
    let other = put(domain, who, keep_existing, b"%PDF-1.6").await.unwrap_err();
    assert_eq!(other.code, Code::PreconditionFailed);
    // If no type is declared, the media type of the item counts as declared.
    let other = put(domain, who, new(id, 4), b"text").await.unwrap_err();
    assert_eq!(other.code, Code::UnsupportedMediaType);
    let text = NewFile { declared: Some("text/plain".into()), ..new(id, 4) };
    let second = put(domain, who, text, b"text").await.unwrap();
    assert!(!second.is_first && second.item.sequence > first.item.sequence);
    assert_eq!(storage(domain, who).await, (1024 + 4, 8), "the replaced file counts until it is deleted");
    // The first file remains available to downloads for two minutes.
    let all: Vec<_> = file.read(domain, 0..8).await.unwrap().try_collect().await.unwrap();
    assert_eq!(all.concat(), b"%PDF-1.7");
    assert_eq!(delete_released(domain).await.unwrap(), 0);
    database.clock.advance(HOUR);
    assert_eq!(delete_released(domain).await.unwrap(), 1);
    assert!(file.read(domain, 0..8).await.is_err());
    remove_file(domain, who, id).await.unwrap();
    assert_eq!(remove_file(domain, who, id).await.unwrap_err().code, Code::NotFound);
    assert_eq!(open_file(domain, who, id).await.unwrap_err().code, Code::NotFound);
    let item = super::upload::find(domain.db().read(), who, id).await.unwrap();
    assert_eq!(item.article_status, ArticleStatus::NotApplicable);
    assert_eq!(storage(domain, who).await, (1024, 4), "the removed file counts until it is deleted");
    database.clock.advance(HOUR);
    delete_released(domain).await.unwrap();
    assert_eq!((blobs(domain).await, rows(domain).await), (0, 0));
}

async fn file_of_an_item_is_not_deleted_as_an_abandoned_upload(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let id = pending(domain, who).await;
    let stored = put(domain, who, new(id, 8), b"%PDF-1.7").await.unwrap();
    // The client of a database does not know the result of a commit whose response was lost.
    give_up(domain, who, stored.item.asset_blob.as_deref().unwrap()).await;
    assert_eq!((blobs(domain).await, rows(domain).await), (1, 1));
    let file = open_file(domain, who, id).await.unwrap();
    let bytes: Vec<_> = file.read(domain, 0..8).await.unwrap().try_collect().await.unwrap();
    assert_eq!(bytes.concat(), b"%PDF-1.7");
}

async fn no_file_is_deleted_during_a_hold(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let id = pending(domain, who).await;
    put(domain, who, new(id, 8), b"%PDF-1.7").await.unwrap();
    remove_file(domain, who, id).await.unwrap();
    let hold = domain.new_id();
    hold_deletions(domain, hold, HOUR).await.unwrap();
    database.clock.advance(HOUR / 2);
    hold_deletions(domain, hold, HOUR).await.unwrap();
    database.clock.advance(HOUR / 2);
    assert_eq!((delete_released(domain).await.unwrap(), delete_lost(domain).await.unwrap()), (0, 0));
    assert_eq!(blobs(domain).await, 1, "the renewed hold is in force");
    release_hold(domain, hold).await.unwrap();
    assert_eq!(delete_released(domain).await.unwrap(), 1);
    hold_deletions(domain, domain.new_id(), HOUR).await.unwrap();
    database.clock.advance(HOUR);
    assert!(!is_hold_active(domain).await.unwrap(), "the hold of a killed backup expires");
}

async fn first_of_two_concurrent_uploads_wins(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let id = pending(domain, who).await;
    let mut one = begin_file(domain, who, new(id, 3)).await.unwrap();
    let mut two = begin_file(domain, who, new(id, 3)).await.unwrap();
    let mut same = begin_file(domain, who, new(id, 3)).await.unwrap();
    one.push(b"one").await.unwrap();
    two.push(b"two").await.unwrap();
    same.push(b"one").await.unwrap();
    assert_eq!(storage(domain, who).await.1, 9);
    assert!(one.finish().await.unwrap().is_first);
    assert_eq!(two.finish().await.unwrap_err().code, Code::AssetConflict);
    assert!(!same.finish().await.unwrap().is_first);
    assert_eq!(storage(domain, who).await, (1024 + 3, 0));
    assert_eq!((blobs(domain).await, rows(domain).await), (1, 1));
}

async fn failed_upload_leaves_item_unchanged(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let id = pending(domain, who).await;
    let before = super::upload::find(domain.db().read(), who, id).await.unwrap();
    let wrong = NewFile { digest: Some([0; 32]), ..new(id, 4) };
    assert_eq!(put(domain, who, wrong, b"text").await.unwrap_err().code, Code::ChecksumMismatch);
    let liar = NewFile { declared: Some("image/png".into()), ..new(id, 8) };
    let mismatch = put(domain, who, liar, b"%PDF-1.7").await.unwrap_err();
    assert_eq!(mismatch.code, Code::UnsupportedMediaType);
    assert_eq!(mismatch.field().unwrap().reason, "declared=image/png found=application/pdf");
    assert_eq!(put(domain, who, new(id, 3), b"long").await.unwrap_err().code, Code::PayloadTooLarge);
    let huge = put(domain, who, new(id, 30_000_000), b"x").await.unwrap_err();
    assert_eq!(huge.code, Code::PayloadTooLarge);
    // Storage is reserved for running uploads, so the eleventh upload does not fit.
    let mut uploads = Vec::new();
    for _ in 0..10 {
        uploads.push(begin_file(domain, who, new(id, 26_000_000)).await.unwrap());
    }
    let full = begin_file(domain, who, new(id, 26_000_000)).await.err().unwrap();
    assert_eq!(full.code, Code::StorageLimitReached);
    drop(uploads);
    let released = async {
        while storage(domain, who).await.1 > 0 {
            tokio::task::yield_now().await;
        }
    };
    let released = tokio::time::timeout(std::time::Duration::from_mins(1), released).await;
    released.expect("the reserved storage is released");
    let after = super::upload::find(domain.db().read(), who, id).await.unwrap();
    assert_eq!(before, after);
    assert_eq!(storage(domain, who).await, (1024, 0));
    assert_eq!((blobs(domain).await, rows(domain).await), (0, 0));
}

async fn upload_that_the_store_refuses_reserves_nothing(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let folder = tempfile::tempdir().unwrap();
    let store = Blobs::open(&Location::Folder(folder.path().to_owned())).unwrap();
    // No disk has this much free space, so the store refuses all uploads.
    let domain = &database.domain.clone().with_blobs(store.with_min_free_bytes(u64::MAX));
    let who = person(domain, Tier::Free).await;
    let id = pending(domain, who).await;
    let refused = begin_file(domain, who, new(id, 26_000_000)).await.err().unwrap();
    assert_eq!(refused.code, Code::StoreFull);
    assert_eq!((storage(domain, who).await, rows(domain).await), ((1024, 0), 0));
}

async fn upload_that_outlives_its_account_or_process_is_cleaned_up(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let (who, gone) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
    let id = pending(domain, who).await;
    // A killed process does not run `drop`.
    let mut killed = begin_file(domain, who, new(id, 5)).await.unwrap();
    killed.push(b"never").await.unwrap();
    std::mem::forget(killed);
    assert_eq!(storage(domain, who).await.1, 5);
    assert_eq!(delete_released(domain).await.unwrap(), 0);
    database.clock.advance(DAY);
    assert_eq!(delete_released(domain).await.unwrap(), 1);
    assert_eq!((storage(domain, who).await.1, rows(domain).await), (0, 0));
    let theirs = pending(domain, gone).await;
    put(domain, gone, new(theirs, 4), b"kept").await.unwrap();
    let mut late = begin_file(domain, gone, new(theirs, 4)).await.unwrap();
    late.push(b"late").await.unwrap();
    let owners = identity::account_rows::AccountOwners(vec![std::sync::Arc::new(crate::LibraryRows)]);
    identity::accounts::delete_by_email(&domain.clone().install(owners), &format!("{gone}@example.org"))
        .await
        .unwrap();
    assert_eq!(late.finish().await.unwrap_err().code, Code::NotFound);
    assert_eq!(delete_account_files(domain, &gone.to_string()).await.unwrap(), 1);
    assert_eq!((blobs(domain).await, rows(domain).await), (0, 0));
}

on_both! {
    file_is_stored_replaced_and_removed,
    first_of_two_concurrent_uploads_wins,
    no_file_is_deleted_during_a_hold,
    file_of_an_item_is_not_deleted_as_an_abandoned_upload,
    failed_upload_leaves_item_unchanged,
    upload_that_the_store_refuses_reserves_nothing,
    upload_that_outlives_its_account_or_process_is_cleaned_up,
}
