//! Tests of the folder store: files are complete or absent, and unfinished files are deleted.

use futures_util::TryStreamExt;

use super::*;

fn account() -> AccountId {
    AccountId::from(uuid::Uuid::from_u128(7))
}

async fn bytes(blobs: &Blobs, key: &str, range: Range<u64>) -> Vec<u8> {
    blobs
        .read(key, range)
        .await
        .unwrap()
        .try_fold(Vec::new(), |mut all, piece| async move {
            all.extend_from_slice(&piece);
            Ok(all)
        })
        .await
        .unwrap()
}

#[tokio::test]
async fn file_is_visible_when_complete_and_deleted_with_its_account() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(&Location::Folder(folder.path().join("files"))).unwrap();
    let key = Blobs::key_of(account(), [1; 20]);
    let body: Vec<u8> = (0..12_000_000_u32).map(|at| u8::try_from(at % 251).unwrap()).collect();
    let mut upload = blobs.begin(&key).await.unwrap();
    for piece in body.chunks(700_001) {
        upload.push(piece).await.unwrap();
    }
    assert!(blobs.read_all(&key).await.is_err(), "an unfinished upload cannot be read");
    let stored = upload.finish().await.unwrap();
    assert_eq!(stored.size, 12_000_000);
    assert_eq!(stored.head, body[..EDGE]);
    assert_eq!(stored.tail, body[body.len() - EDGE..]);
    assert_eq!(stored.digest, <[u8; 32]>::from(<sha2::Sha256 as sha2::Digest>::digest(&body)));
    assert_eq!(bytes(&blobs, &key, 5..9).await, body[5..9]);
    assert_eq!(bytes(&blobs, &key, 9..9).await, b"");
    let screenshot = blobs.begin(&Blobs::screenshot_key_of(account(), [1; 20])).await.unwrap();
    screenshot.finish().await.unwrap();
    assert_eq!(blobs.delete_account(account()).await.unwrap(), 2);
    assert!(blobs.read_all(&key).await.is_err());
    blobs.delete(&key).await.unwrap();
}

const EDGE: usize = extract::sniff::EDGE_BYTES;

#[tokio::test]
async fn unfinished_file_of_a_killed_process_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(&Location::Folder(folder.path().to_owned())).unwrap();
    let mut upload = blobs.begin("account/x/y").await.unwrap();
    upload.push(&vec![1; 6 * 1024 * 1024]).await.unwrap();
    // Simulates a killed process: the upload is not dropped.
    std::mem::forget(upload);
    assert_eq!(blobs.delete_unfinished(Duration::from_mins(1)).await.unwrap(), 0);
    assert_eq!(blobs.delete_unfinished(Duration::ZERO).await.unwrap(), 1);
    assert_eq!(blobs.list("account").try_collect::<Vec<_>>().await.unwrap().len(), 0);
    let aborted = blobs.begin("account/x/z").await.unwrap();
    aborted.abort().await;
    assert_eq!(blobs.delete_unfinished(Duration::ZERO).await.unwrap(), 0);
}

#[test]
fn error_of_a_full_disk_is_recognised_by_its_cause() {
    use std::io::{Error as IoError, ErrorKind};
    let store_error = |kind: ErrorKind| {
        let inner = IoError::other(object_store::Error::Generic {
            store: "files",
            source: Box::new(IoError::from(kind)),
        });
        failed(object_store::Error::Generic { store: "files", source: Box::new(inner) })
    };
    let codes = [ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::PermissionDenied]
        .map(|kind| store_error(kind).code);
    let (full, unavailable) = (crate::code::Code::StoreFull, crate::code::Code::ServiceUnavailable);
    assert_eq!(codes, [full, full, unavailable]);
}

#[tokio::test]
async fn whole_file_is_stored_in_a_folder_and_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = Blobs::open(&Location::Folder(folder.path().join("files"))).unwrap();
    for blobs in [in_folder, Blobs::default()] {
        // The folder of the account is deleted with its last file, and created again.
        for _ in 0..2 {
            for (number, size) in [(1_u8, 0), (2, 9), (3, 6 * 1024 * 1024)] {
                let body = Bytes::from(vec![number; size]);
                let key = Blobs::key_of(account(), [number; 20]);
                blobs.write(&key, body.clone()).await.unwrap();
                assert_eq!(blobs.read_all(&key).await.unwrap(), body);
            }
            assert_eq!(blobs.delete_unfinished(Duration::ZERO).await.unwrap(), 0);
            assert_eq!(blobs.delete_account(account()).await.unwrap(), 3);
        }
        let full = blobs.clone().with_min_free_bytes(u64::MAX);
        let is_refused = full.write("account/x/y", Bytes::from_static(b"x")).await.is_err();
        assert_eq!(is_refused, blobs.folder.is_some(), "only a folder can have too little free space");
    }
}

#[tokio::test]
async fn concurrent_writes_are_all_stored() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(&Location::Folder(folder.path().to_owned())).unwrap();
    let keys: Vec<String> = (0..20).map(|number| Blobs::key_of(account(), [number; 20])).collect();
    let writes = keys.iter().map(|key| blobs.write(key, Bytes::from(key.clone())));
    for written in futures_util::future::join_all(writes).await {
        written.unwrap();
    }
    for key in &keys {
        assert_eq!(blobs.read_all(key).await.unwrap(), key.as_bytes());
    }
}

#[tokio::test]
async fn whole_file_that_cannot_be_written_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(&Location::Folder(folder.path().to_owned())).unwrap();
    std::fs::write(folder.path().join("account"), "a file in the way").unwrap();
    let result = blobs.write(&Blobs::key_of(account(), [1; 20]), Bytes::from_static(b"x")).await;
    assert_eq!(result.unwrap_err().code, crate::code::Code::ServiceUnavailable);
}
