//! Charges for page copies, and their refunds.
//!
//! A copy that a worker creates costs as much as a rendered read ([`COPY_EXTRACTIONS`]). A requested copy is charged
//! when it is requested; an automatic copy is charged as background work by the first run of its job. A copy that a
//! person's browser sends costs no fresh extractions.
//!
//! The charge remains during all attempts of the job. It is refunded if a cause other than the page prevented the
//! copy:
//! - The request joins one that is waiting, or its job cannot be submitted.
//! - The request is withdrawn while no worker runs its job: the copy or its item is deleted, or a browser sends the
//!   copy.
//! - The browser, the sandbox, or the file store was unavailable until the last attempt.
//! - The job was lost, and the copy is requested again.
//!
//! It is not refunded if the page was loaded: after an error of the page or its server, after a crash that the page
//! caused, or if the storage is full.
//!
//! A request is charged at most once and refunded at most once, even if a process is lost between two statements. A
//! waiting row with `charged_at` has a charge: the job of an automatic copy writes it before the charge, and the row of
//! a requested copy is written after it. The transaction that changes the state refunds the charge after its commit.
//! Thus a lost process can leave a copy without a charge, or a charge without a refund.

use articles::RENDERING_EXTRACTIONS;
use entities::library_page_copy::{ActiveModel, Column, Entity, Model};
use entities::library_words::PageCopyState;
use identity::accounts;
use identity::limits::{AccountLimits, PastCharge};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use crate::transaction::LibraryTransaction;
use kernel::{Class, Code, Domain, Millis, Result};

/// Fresh extractions that a copy costs: the page, and its rendering.
pub(crate) const COPY_EXTRACTIONS: u32 = 1 + RENDERING_EXTRACTIONS;

/// Charges an automatic copy as background work, so that fresh extractions remain for requests of the person. Does
/// nothing if the copy was charged before, or if its request is no longer waiting.
///
/// # Errors
/// `fresh_extraction_limit`, `plan_required`; `not_found` if the account was deleted.
pub(crate) async fn charge(domain: &Domain, row: &Model) -> Result<()> {
    if !row.is_automatic || row.charged_at.is_some() {
        return Ok(());
    }
    let account = accounts::get(domain, row.account_id).await?;
    let now = domain.now();
    if !replace_charged_at(domain, row, (None, Some(now))).await? {
        return Ok(());
    }
    let payer = (row.account_id, account.tier);
    let charged = domain.limits().reserve_background_extractions(domain, payer, COPY_EXTRACTIONS).await;
    if charged.is_err() {
        replace_charged_at(domain, row, (Some(now), None)).await?;
    }
    charged.map(drop)
}

/// Replaces `charged_at` of a waiting request. Returns false if the row has changed.
async fn replace_charged_at(
    domain: &Domain,
    row: &Model,
    (from, to): (Option<Millis>, Option<Millis>),
) -> Result<bool> {
    let is_unchanged = match from {
        Some(from) => Column::ChargedAt.eq(from),
        None => Column::ChargedAt.is_null(),
    };
    let replaced = Entity::update_many()
        .set(ActiveModel { charged_at: Set(to), ..Default::default() })
        .filter(Column::AccountId.eq(row.account_id))
        .filter(Column::ItemId.eq(row.item_id))
        .filter(Column::Format.eq(row.format.as_str()))
        .filter(Column::State.eq(PageCopyState::Waiting))
        .filter(Column::RequestedAt.eq(row.requested_at))
        .filter(is_unchanged)
        .exec(domain.db().write())
        .await?;
    Ok(replaced.rows_affected > 0)
}

/// Refunds the charge of a waiting request after the commit of the transaction, which changes the state of the request.
pub(crate) fn refund(transaction: &mut LibraryTransaction, row: &Model) {
    if let Some(charged_at) = row.charged_at.filter(|_| row.state == PageCopyState::Waiting) {
        let (count, is_background) = (COPY_EXTRACTIONS, row.is_automatic);
        transaction.refund_on_commit(PastCharge { count, charged_at, is_background });
    }
}

/// Returns true if a copy that failed with this error is refunded: a part of the service was unavailable.
pub(crate) fn is_refunded(error: Code) -> bool {
    matches!(error.class(), Class::Unavailable | Class::Internal)
}
