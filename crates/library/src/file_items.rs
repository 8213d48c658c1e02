//! Files that become items of their own. The item is created before its file is uploaded, and is deleted if the
//! file is refused. A refused file is read to its end without being stored, so that the files after it can be
//! uploaded with the same request.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_words::CaptureMethod;
use extract::sniff;

use super::account_concurrency::pace_upload;
use super::annotations::Annotations;
use super::draft::{Save, SaveDraft};
use super::files::{self, ExistingFile, FileUpload, NewFile};
use super::item::Item;
use super::transaction::LibraryTransaction;
use super::{remove, store};
use kernel::{Code, Domain, Error, Result};

/// File that becomes an item.
#[derive(Clone, Debug)]
pub struct NewFileItem {
    /// Declared file name.
    pub name: String,
    /// Media type that a browser declares, by its own table of file names.
    pub media_type: Option<String>,
    /// Maximum size in bytes that the request allows.
    pub max_bytes: u64,
}

/// Running upload of a file that becomes an item. If it is dropped before [`FileItemUpload::finish`], the item
/// and the written bytes are deleted.
pub struct FileItemUpload {
    domain: Domain,
    account_id: AccountId,
    /// Item that is deleted unless the file is assigned to it.
    item_id: Option<ItemId>,
    file: Option<FileUpload>,
    /// Maximum size of the file in bytes, by the request, the plan, and the free storage.
    max_bytes: u64,
    written_bytes: u64,
    /// Error for a file that is larger than its maximum.
    overrun: Option<Error>,
    /// Reason why the file is refused.
    refusal: Option<Error>,
}

impl FileItemUpload {
    /// Creates the item and starts the upload of its file. A refusal is reported by
    /// [`finish`](Self::finish).
    #[boxed]
    pub async fn begin(domain: &Domain, account_id: AccountId, new: NewFileItem) -> Self {
        let mut upload = Self::idle(domain, account_id);
        if let Err(error) = upload.start(new).await {
            upload.refusal = Some(error);
        }
        upload
    }

    /// Creates the upload of a file that is refused before its first byte.
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
            item_id: None,
            file: None,
            max_bytes: 0,
            written_bytes: 0,
            overrun: None,
            refusal: None,
        }
    }

    async fn start(&mut self, new: NewFileItem) -> Result<()> {
        let name = files::clean_file_name(&new.name);
        let declared = declared_type(&name, new.media_type);
        let save = Save {
            file_name: Some(name.clone()),
            mime_type: declared.clone(),
            capture_method: Some(CaptureMethod::Upload),
            ..Save::default()
        };
        let draft = SaveDraft::of(&self.domain, save).await?;
        let id = store::store_draft(&self.domain, self.account_id, draft, None).await?.item.id;
        self.item_id = Some(id);
        self.find_maximum(new.max_bytes).await?;
        let file = NewFile {
            item_id: id,
            declared,
            name: Some(name),
            length: self.max_bytes,
            digest: None,
            existing: ExistingFile::Keep,
        };
        self.file = Some(files::begin_file(&self.domain, self.account_id, file).await?);
        Ok(())
    }

    /// Sets the maximum size. The exact size of a file in a form is unknown before its last byte.
    async fn find_maximum(&mut self, max_bytes: u64) -> Result<()> {
        let transaction = LibraryTransaction::begin(&self.domain, self.account_id).await?;
        let (limit, free) = (transaction.plan.file_bytes, transaction.free_bytes());
        if free == 0 {
            return Err(transaction.full());
        }
        self.max_bytes = max_bytes.min(limit).min(free);
        let overrun =
            if limit <= free { files::too_large(limit, limit.saturating_add(1)) } else { transaction.full() };
        self.overrun = Some(overrun);
        Ok(())
    }

    /// Writes the next chunk, or discards it if the file is refused. Waits if the account uploads faster than
    /// its rate.
    #[boxed]
    pub async fn push(&mut self, piece: &[u8]) {
        let Some(file) = &mut self.file else {
            pace_upload(&self.domain, self.account_id, piece.len()).await;
            return;
        };
        let size = self.written_bytes.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
        let pushed = match self.overrun.take_if(|_| size > self.max_bytes) {
            Some(overrun) => Err(overrun),
            None => file.push(piece).await,
        };
        self.written_bytes = size;
        if let Err(error) = pushed {
            self.refusal = Some(error);
            self.discard().await;
        }
    }

    /// Assigns the file to its item and requests its text. If an error is returned, there is no item.
    ///
    /// # Errors
    /// The errors of [`files::begin_file`] and [`FileUpload::finish`]; `invalid_request` if the file is empty.
    #[boxed]
    pub async fn finish(mut self) -> Result<Item> {
        if self.refusal.is_none() && self.written_bytes == 0 {
            self.refusal = Some(Error::new(Code::InvalidRequest, "The file is empty."));
        }
        let put = match (self.refusal.take(), self.file.take()) {
            (None, Some(file)) => file.finish().await.map(|put| put.item),
            (Some(refusal), file) => {
                self.file = file;
                Err(refusal)
            }
            (None, None) => Err(Error::internal("upload already finished")),
        };
        match &put {
            // The item has its file, so the drop must not delete it.
            Ok(_) => self.item_id = None,
            Err(_) => self.discard().await,
        }
        put
    }

    /// Deletes the written bytes and the item.
    async fn discard(&mut self) {
        if let Some(file) = self.file.take() {
            file.abort().await;
        }
        if let Some(id) = self.item_id.take() {
            delete_item(&self.domain, self.account_id, id).await;
        }
    }
}

/// Returns the media type that the bytes of a file must have. Browsers derive the type from the name, and some
/// name a program instead of the format, so only pictures have the type that the browser declares.
fn declared_type(name: &str, of_browser: Option<String>) -> Option<String> {
    let of_name = sniff::type_of_name(name).map(str::to_owned);
    of_name.or_else(|| of_browser.filter(|media_type| media_type.starts_with("image/")))
}

/// Deletes the item if the client disconnected.
impl Drop for FileItemUpload {
    fn drop(&mut self) {
        let Some(id) = self.item_id.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (domain, account_id) = (self.domain.clone(), self.account_id);
        runtime.spawn(async move { delete_item(&domain, account_id, id).await });
    }
}

async fn delete_item(domain: &Domain, account_id: AccountId, id: ItemId) {
    if let Err(error) = remove::delete(domain, account_id, id, Annotations::Keep).await
        && error.code != Code::NotFound
    {
        tracing::warn!(error = error.report(), item = %id, "failed to delete item of refused file");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_is_declared_by_the_names_of_documents_and_by_browsers_for_pictures() {
        let declared =
            |name: &str, sent: &str| declared_type(name, Some(sent.to_owned())).unwrap_or_default();
        assert_eq!(declared("A.PDF", ""), "application/pdf");
        assert_eq!(declared("a.csv", "application/vnd.ms-excel"), "");
        assert_eq!(declared("a.ts", "video/mp2t"), "");
        assert_eq!(declared("a.png", "image/png"), "image/png");
        assert_eq!(declared_type("a", None), None);
    }
}
