//! Files that become items of their own. The item and its file are stored in one transaction after the last byte has
//! arrived, so an upload that is refused, interrupted, or lost with its process leaves no item. The file sweep deletes
//! the bytes that were written. A refused file is read to its end without being stored, so that the files after it can
//! be uploaded with the same request.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::library_words::CaptureMethod;
use extract::sniff;

use super::account_concurrency::pace_upload;
use super::draft::{Save, SaveDraft};
use super::files::{self, UPLOAD_TIME};
use super::item::{self, Item};
use super::store;
use super::transaction::LibraryTransaction;
use kernel::blobs::Upload;
use kernel::{Code, Domain, Error, Result};

/// File that becomes an item.
#[derive(Clone, Debug)]
pub struct NewFileItem {
    /// Declared file name.
    pub name: String,
    /// Media type that the browser declares. Browsers derive it from the file name.
    pub media_type: Option<String>,
    /// Maximum size in bytes that the request allows.
    pub max_bytes: u64,
}

/// Running upload of a file that becomes an item. If it is dropped before [`FileItemUpload::finish`], the written
/// bytes are deleted.
pub struct FileItemUpload {
    domain: Domain,
    account_id: AccountId,
    /// Item without its file. `None` if the file is refused before its first byte arrives.
    draft: Option<SaveDraft>,
    /// Key of the blob, which is deleted unless it is assigned to an item.
    blob: Option<String>,
    upload: Option<Upload>,
    /// Maximum size of the file in bytes: the least of the limits of the request, the plan, and the free storage.
    max_bytes: u64,
    written_bytes: u64,
    /// Error for a file that exceeds the maximum size.
    overrun: Option<Error>,
    /// Reason why the file is refused.
    refusal: Option<Error>,
}

impl FileItemUpload {
    /// Starts the upload. A refusal is reported by [`finish`](Self::finish).
    #[boxed]
    pub async fn begin(domain: &Domain, account_id: AccountId, new: NewFileItem) -> Self {
        let mut upload = Self::idle(domain, account_id);
        if let Err(error) = upload.start(new).await {
            upload.refusal = Some(error);
        }
        upload
    }

    /// Creates the upload of a file that is refused before its first byte arrives.
    #[must_use]
    pub fn refused(domain: &Domain, account_id: AccountId, refusal: Error) -> Self {
        let mut upload = Self::idle(domain, account_id);
        upload.refusal = Some(refusal);
        upload
    }

    fn idle(domain: &Domain, account_id: AccountId) -> Self {
        Self {
            domain: domain.clone(),
            account_id,
            draft: None,
            blob: None,
            upload: None,
            max_bytes: 0,
            written_bytes: 0,
            overrun: None,
            refusal: None,
        }
    }

    /// Reserves the maximum size. The exact size of a file in a form is unknown until its last byte arrives.
    async fn start(&mut self, new: NewFileItem) -> Result<()> {
        let name = files::clean_file_name(&new.name);
        let save = Save {
            mime_type: declared_type(&name, new.media_type),
            file_name: Some(name),
            capture_method: Some(CaptureMethod::Upload),
            ..Save::default()
        };
        self.draft = Some(SaveDraft::of(&self.domain, save).await?);
        let transaction = LibraryTransaction::begin(&self.domain, self.account_id).await?;
        let (limit, free) = (transaction.plan.file_bytes, transaction.free_bytes());
        if free == 0 {
            return Err(transaction.full());
        }
        self.max_bytes = new.max_bytes.min(limit).min(free);
        let overrun =
            if limit <= free { files::too_large(limit, limit.saturating_add(1)) } else { transaction.full() };
        self.overrun = Some(overrun);
        let reserved = i64::try_from(self.max_bytes).unwrap_or(i64::MAX);
        let (blob, upload) =
            files::begin_reserved(&self.domain, transaction, (reserved, 0), UPLOAD_TIME).await?;
        (self.blob, self.upload) = (Some(blob), Some(upload));
        Ok(())
    }

    /// Writes the next chunk, or discards it if the file is refused. Waits if the account exceeds its upload rate.
    #[boxed]
    pub async fn push(&mut self, piece: &[u8]) {
        pace_upload(&self.domain, self.account_id, piece.len()).await;
        let Some(upload) = &mut self.upload else { return };
        let size = self.written_bytes.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
        let pushed = match self.overrun.take_if(|_| size > self.max_bytes) {
            Some(overrun) => Err(overrun),
            None => upload.push(piece).await,
        };
        self.written_bytes = size;
        if let Err(error) = pushed {
            self.refusal = Some(error);
            self.discard().await;
        }
    }

    /// Refuses the file, unless it is refused already.
    pub fn refuse(&mut self, refusal: Error) {
        self.refusal.get_or_insert(refusal);
    }

    /// Creates the item with its file and requests its text. If an error is returned, no item is created.
    ///
    /// # Errors
    /// `payload_too_large`, `storage_limit_reached`, `unsupported_media_type` if the file does not have the
    /// type that its name indicates; `invalid_request` if the file is empty; `store_full`;
    /// `service_unavailable`.
    #[boxed]
    pub async fn finish(mut self) -> Result<Item> {
        if self.refusal.is_none() && self.written_bytes == 0 {
            self.refusal = Some(Error::new(Code::InvalidRequest, "The file is empty."));
        }
        let created = match (self.refusal.take(), self.upload.take()) {
            (None, Some(upload)) => self.create(upload).await,
            (Some(refusal), upload) => {
                self.upload = upload;
                Err(refusal)
            }
            (None, None) => Err(Error::internal("upload already finished")),
        };
        match &created {
            // The blob is now in use, so it is not abandoned.
            Ok(_) => {
                self.blob.take();
            }
            Err(_) => self.discard().await,
        }
        created
    }

    async fn create(&self, upload: Upload) -> Result<Item> {
        let (Some(draft), Some(blob)) = (&self.draft, &self.blob) else {
            return Err(Error::internal("upload already finished"));
        };
        let stored = upload.finish().await?;
        let mut transaction = LibraryTransaction::begin(&self.domain, self.account_id).await?;
        // The reservation may fill the storage, so it is released before the item is created.
        files::mark_in_use(&mut transaction, blob).await?;
        let id = store::write_draft(&self.domain, &mut transaction, draft, None).await?.id;
        files::assign_first(&mut transaction, id, blob, &stored).await?;
        let item = item::find(transaction.db(), self.account_id, id).await?;
        transaction.commit().await?;
        Ok(item)
    }

    /// Deletes the written bytes.
    async fn discard(&mut self) {
        if let Some(upload) = self.upload.take() {
            upload.abort().await;
        }
        if let Some(blob) = &self.blob {
            files::give_up(&self.domain, self.account_id, blob).await;
        }
        self.blob = None;
    }
}

/// Abandons the upload if the client disconnected.
impl Drop for FileItemUpload {
    fn drop(&mut self) {
        if let Some(blob) = self.blob.take() {
            files::abandon(&self.domain, self.account_id, &blob, self.upload.take());
        }
    }
}

/// Returns the media type that the bytes of a file must have. Only pictures must have the type that the
/// browser declares: browsers derive the type from the name, and some declare the program instead of the
/// format.
fn declared_type(name: &str, of_browser: Option<String>) -> Option<String> {
    let of_name = sniff::type_of_name(name).map(str::to_owned);
    of_name.or_else(|| of_browser.filter(|media_type| media_type.starts_with("image/")))
}

#[cfg(test)]
mod tests {
    use entities::library_words::ArticleStatus;
    use entities::{library_account, library_blob, library_item};

    use super::*;
    use kernel::Backend;
    use kernel::clock::DAY;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;

    #[test]
    fn declared_type_of_a_picture_comes_from_the_browser_and_of_other_files_from_the_name() {
        let declared =
            |name: &str, sent: &str| declared_type(name, Some(sent.to_owned())).unwrap_or_default();
        assert_eq!(declared("A.PDF", ""), "application/pdf");
        assert_eq!(declared("a.csv", "application/vnd.ms-excel"), "");
        assert_eq!(declared("a.ts", "video/mp2t"), "");
        assert_eq!(declared("a.png", "image/png"), "image/png");
        assert_eq!(declared_type("a", None), None);
    }
    on_both! {
        item_exists_only_after_its_upload_is_complete,
        upload_that_is_interrupted_or_refused_leaves_no_item,
    }

    /// Starts the upload of a text file, and writes the bytes `written`.
    async fn begun(domain: &Domain, who: AccountId, written: &[u8]) -> FileItemUpload {
        let new = NewFileItem { name: "Notes.md".into(), media_type: None, max_bytes: 1_000 };
        let mut upload = FileItemUpload::begin(domain, who, new).await;
        if !written.is_empty() {
            upload.push(written).await;
        }
        upload
    }

    /// Returns the number of items, the number of blob rows, and the reserved bytes.
    async fn state(domain: &Domain, who: AccountId) -> (usize, usize, i64) {
        let db = domain.db().read();
        let items = library_item::Entity::owned_by(who).all(db).await.unwrap().len();
        let blobs = library_blob::Entity::owned_by(who).all(db).await.unwrap().len();
        let account = library_account::Entity::owned_by(who).one(db).await.unwrap().unwrap();
        (items, blobs, account.reserved_bytes)
    }

    async fn eventually(domain: &Domain, who: AccountId, expected: (usize, usize, i64)) {
        let reached = async {
            while state(domain, who).await != expected {
                tokio::task::yield_now().await;
            }
        };
        let _ = tokio::time::timeout(std::time::Duration::from_mins(1), reached).await;
        assert_eq!(state(domain, who).await, expected);
    }

    async fn item_exists_only_after_its_upload_is_complete(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let upload = begun(domain, who, b"Words about boats.").await;
        assert_eq!(state(domain, who).await, (0, 1, 1_000));
        let item = upload.finish().await.unwrap();
        assert_eq!((item.asset_size, item.article_status), (Some(18), ArticleStatus::Queued));
        // Background tasks run in order. If the completed upload had started one, it would run before that of
        // the dropped upload.
        drop(begun(domain, who, b"Other words.").await);
        eventually(domain, who, (1, 1, 0)).await;
        database.clock.advance(2 * DAY);
        files::delete_released(domain).await.unwrap();
        assert_eq!(state(domain, who).await, (1, 1, 0));
        let file = files::open_file(domain, who, item.id).await.unwrap();
        assert_eq!((file.name.as_str(), file.size), ("Notes.md", 18));
    }

    async fn upload_that_is_interrupted_or_refused_leaves_no_item(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        // A killed process does not run `drop`.
        std::mem::forget(begun(domain, who, b"Some words").await);
        assert_eq!(state(domain, who).await, (0, 1, 1_000));
        database.clock.advance(DAY);
        assert_eq!(files::delete_released(domain).await.unwrap(), 1);
        assert_eq!(state(domain, who).await, (0, 0, 0));
        drop(begun(domain, who, b"Some words").await);
        eventually(domain, who, (0, 0, 0)).await;
        let empty = begun(domain, who, b"").await.finish().await.unwrap_err();
        let long = begun(domain, who, &[b'a'; 1_001]).await.finish().await.unwrap_err();
        assert_eq!((empty.code, long.code), (Code::InvalidRequest, Code::PayloadTooLarge));
        let document = NewFileItem { name: "a.pdf".into(), media_type: None, max_bytes: 1_000 };
        let mut document = FileItemUpload::begin(domain, who, document).await;
        document.push(b"no PDF").await;
        assert_eq!(document.finish().await.unwrap_err().code, Code::UnsupportedMediaType);
        assert_eq!(state(domain, who).await, (0, 0, 0));
    }
}
