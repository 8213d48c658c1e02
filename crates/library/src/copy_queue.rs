//! Requests page copies in the background: of new items, of several items at the same time, and of imported items.
//! Their jobs have a low priority, and charge for the copies when they run.

use entities::ids::ItemId;
use entities::library_page_copy;
use entities::library_words::{PageCopyFormat, PageCopyState};
use jobs::{JobKind, NewJob, Priority};

use crate::page_copies::{self, key_of};
use crate::page_copy_charges;
use crate::transaction::LibraryTransaction;
use kernel::{Code, Domain, Result};

const KIND: JobKind = JobKind::LibraryPageCopy;
/// Maximum number of waiting background copies per account, so that one account cannot fill the queue.
const MAX_WAITING: u32 = 150;

/// Requests of one transaction.
pub(crate) struct CopyQueue<'a> {
    domain: &'a Domain,
    /// Number of further copies of the account that may wait.
    free: u64,
}

impl<'a> CopyQueue<'a> {
    pub(crate) async fn open(domain: &'a Domain, transaction: &LibraryTransaction) -> Result<Self> {
        let (connection, account_id) = (transaction.db(), transaction.account_id);
        let waiting = jobs::live_count(connection, (KIND, Priority::Low), account_id, MAX_WAITING).await?;
        Ok(Self { domain, free: u64::from(MAX_WAITING).saturating_sub(waiting) })
    }

    /// Requests a copy. `known` is its row, if it has one. If the storage or the queue is full, writes nothing and
    /// returns the reason.
    pub(crate) async fn request(
        &mut self,
        transaction: &mut LibraryTransaction,
        (item_id, format): (ItemId, PageCopyFormat),
        known: Option<library_page_copy::Model>,
    ) -> Result<Option<Code>> {
        let refusal = self.submit(transaction, (item_id, format)).await?;
        if refusal.is_none() {
            // The job of a request that is still waiting was lost.
            if let Some(lost) = &known {
                page_copy_charges::refund(transaction, lost);
            }
            let row = library_page_copy::Model {
                state: PageCopyState::Waiting,
                error_code: None,
                requested_at: transaction.now,
                is_automatic: true,
                charged_at: None,
                ..known.unwrap_or_else(|| page_copies::blank(transaction, (item_id, format)))
            };
            page_copies::put(transaction.db(), row).await?;
        }
        Ok(refusal)
    }

    /// Submits the job of a copy. Returns the reason if the storage or the queue is full.
    async fn submit(
        &mut self,
        transaction: &LibraryTransaction,
        (item_id, format): (ItemId, PageCopyFormat),
    ) -> Result<Option<Code>> {
        if let Err(error) = transaction.require_capacity() {
            return Ok(Some(error.code));
        }
        if self.free == 0 {
            return Ok(Some(Code::CapacityExhausted));
        }
        // The caller that commits cannot push the job, so the next tick pushes it.
        let job = NewJob::new(KIND, key_of(item_id, format))
            .owner(transaction.account_id)
            .priority(Priority::Low)
            .run_at(transaction.now + 1);
        match jobs::submit(transaction.db(), self.domain, job).await {
            Ok(submitted) => {
                self.free -= u64::from(!submitted.joined);
                Ok(None)
            }
            Err(error) if error.code == Code::CapacityExhausted => Ok(Some(error.code)),
            Err(error) => Err(error),
        }
    }
}

/// Records that a copy was not requested, and the reason.
pub(crate) async fn record_refusal(
    transaction: &LibraryTransaction,
    (item_id, format): (ItemId, PageCopyFormat),
    code: Code,
) -> Result<()> {
    let row = library_page_copy::Model {
        state: PageCopyState::Failed,
        error_code: Some(code.as_str().to_owned()),
        is_automatic: true,
        ..page_copies::blank(transaction, (item_id, format))
    };
    page_copies::put(transaction.db(), row).await
}
