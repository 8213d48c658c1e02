//! Copies of the pages of selected items: their request, its undo, and the reasons why copies were not requested.

use kernel::{AccountId, Code, Domain, Error, ItemId};
use library::{BulkCopies, PageCopyFormat};
use maud::{Markup, html};

use super::super::undo::{UndoStep, redirect_undoable};
use crate::language::formats;
use crate::language::text::Text;
use crate::page::request::{PageRequest, PageResult, User};

/// Step that deletes the copies of a request. Its argument is their format and the time of the request.
pub(super) const UNCOPY: &str = "uncopy";

/// Reasons why copies were not requested. The last one is used for all other reasons.
const REASONS: [(Code, Text); 5] = [
    (Code::JobConflict, Text("copies-refused-known")),
    (Code::UnsupportedContent, Text("copies-refused-pageless")),
    (Code::CapacityExhausted, Text("copies-refused-queue")),
    (Code::StorageLimitReached, Text("copies-refused-storage")),
    (Code::InvalidUrl, Text("copies-refused-address")),
];

/// Requests copies of the pages of the selected items in the formats of automatic copies, or as HTML if none is
/// chosen.
pub(super) async fn request_copies(
    request: &PageRequest,
    user: &User,
    ids: &[ItemId],
    target: &str,
) -> PageResult {
    let requested = library::request_page_copies(&request.app.domain, user.account.id, ids, &[]).await?;
    let steps: Vec<UndoStep> =
        PageCopyFormat::ALL.iter().map(|format| uncopy_step(&requested, *format)).collect();
    let is_any = steps.iter().any(|step| !step.ids.is_empty());
    let done = if is_any { "copying" } else { "uncopied" };
    Ok(redirect_undoable(&with_refusals(target, &requested), done, &steps))
}

/// Returns the step that deletes the requested copies in a format.
fn uncopy_step(requested: &BulkCopies, format: PageCopyFormat) -> UndoStep {
    let copies = requested.copies.iter().filter(|copy| copy.format == format && copy.refusal.is_none());
    let argument = format!("{}.{}", format.as_str(), requested.requested_at);
    UndoStep::new(UNCOPY, copies.map(|copy| copy.item_id)).with_argument(&argument)
}

/// Undoes a request, except for copies that were requested or sent since then.
pub(super) async fn withdraw_copies(
    domain: &Domain,
    account_id: AccountId,
    step: &UndoStep,
    ids: &[ItemId],
) -> Result<(), Error> {
    let Some((format, time)) = step.argument.split_once('.') else { return Ok(()) };
    let (Some(format), Ok(requested_at)) = (PageCopyFormat::parse(format), time.parse::<i64>()) else {
        return Ok(());
    };
    library::withdraw_page_copies(domain, account_id, ids, (format, requested_at)).await.map(drop)
}

/// Adds the number of copies that were not requested for each reason to an address: `refused=2.0.1.0.0`.
fn with_refusals(target: &str, requested: &BulkCopies) -> String {
    let mut counts = [0_u32; REASONS.len()];
    for code in requested.copies.iter().filter_map(|copy| copy.refusal) {
        let known = REASONS.iter().position(|(reason, _)| *reason == code);
        counts[known.unwrap_or(REASONS.len() - 1)] += 1;
    }
    if counts.iter().all(|count| *count == 0) {
        return target.to_owned();
    }
    let joint = if target.contains('?') { '&' } else { '?' };
    format!("{target}{joint}refused={}", counts.map(|count| count.to_string()).join("."))
}

/// Renders the reasons why copies were not requested, with their numbers. Empty if there are none.
pub(super) fn refusals(request: &PageRequest) -> Markup {
    let sent = request.parameter("refused");
    let counts = sent.split('.').map(|count| count.parse::<u32>().unwrap_or(0));
    let counted = REASONS.iter().zip(counts).filter(|(_, count)| *count > 0);
    let parts: Vec<String> = counted.map(|((_, text), count)| text.with("count", count).get()).collect();
    html! { @if !parts.is_empty() {
        p.notice { (Text("copies-refused").with("reasons", formats::list(&parts))) }
    } }
}
