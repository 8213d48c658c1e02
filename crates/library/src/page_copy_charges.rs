//! Charges for copies of pages, and their refunds.
//!
//! A copy that a worker creates costs as much as a rendered read ([`COPY_EXTRACTIONS`]). A requested copy is charged by
//! its request; an automatic copy is charged as background work when its job runs. A copy that a person's browser sends
//! costs no fresh extractions.
//!
//! A charge is refunded one time if the copy was not created for a reason other than its page:
//! - The request joins one that is waiting, or its job cannot be submitted.
//! - The request is withdrawn while no worker runs its job: the copy or its item is deleted, or a browser sends the
//!   copy.
//! - The browser, the sandbox, or the file store is unavailable: for a requested copy at its last attempt, for an
//!   automatic copy after each attempt.
//! - The job was lost, and the copy is requested again.
//!
//! It is not refunded if the page was loaded: for an error of the page or its server, a page that crashes its workers,
//! and full storage.
//!
//! A row that is waiting and not automatic has a charge. The transaction that changes this state refunds it.

use articles::RENDERING_EXTRACTIONS;
use entities::library_page_copy::Model;
use entities::library_words::PageCopyState;

use crate::transaction::LibraryTransaction;
use kernel::{Class, Code};

/// Fresh extractions that a copy costs: the page, and its rendering.
pub(crate) const COPY_EXTRACTIONS: u32 = 1 + RENDERING_EXTRACTIONS;

/// Refunds the charge of a request that is waiting, after the commit of the transaction, which changes its state.
pub(crate) fn refund(transaction: &mut LibraryTransaction, row: &Model) {
    if row.state == PageCopyState::Waiting && !row.is_automatic {
        transaction.refund_extractions_on_commit(COPY_EXTRACTIONS, row.requested_at);
    }
}

/// Returns true if a copy that failed with this error is refunded: a part of the service was unavailable.
pub(crate) fn is_refunded(error: Code) -> bool {
    matches!(error.class(), Class::Unavailable | Class::Internal)
}
