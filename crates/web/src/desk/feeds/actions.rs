//! Actions on an entry list: marking one entry, an entry and those above it, or all entries; and starring,
//! which also saves the entry to the library.

use feeds::{MarkRead, ReadBound};
use kernel::EntryId;
use kernel::bounds::MARKED_ENTRIES;
use poem::http::StatusCode;
use poem::{IntoResponse, handler};

use super::super::frame::{back, redirect_done};
use super::entry_scope::EntryScope;
use crate::page::form::Form;
use crate::page::request::{PageRequest, PageResult, User};

/// Marks the entry that the pressed button names, or changes its star. Also marks the entries of a story, and
/// entries that the person scrolled past.
#[handler]
pub(in crate::desk) async fn mark(request: PageRequest, user: User, form: Form) -> PageResult {
    let (app, account_id) = (&request.app, user.account.id);
    let passed = form.get("passed");
    if !passed.is_empty() {
        feeds::mark_entries(&app.domain, account_id, &ids_of(passed), false).await?;
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let target = back(&form, "/entries");
    let story = form.get("story");
    if !story.is_empty() {
        feeds::mark_entries(&app.domain, account_id, &ids_of(story), false).await?;
        return Ok(redirect_done(&target, "all"));
    }
    let number = |name: &str| form.get(name).parse::<i64>().ok().map(EntryId::new);
    if let Some(id) = number("star") {
        library::star(&app.domain, account_id, &[id]).await?;
        return Ok(redirect_done(&target, "starred"));
    }
    if let Some(id) = number("unstar") {
        library::unstar(&app.domain, account_id, &[id]).await?;
        return Ok(redirect_done(&target, "unstarred"));
    }
    if let Some(id) = number("above") {
        let mut ids = with_those_above(&request, &user, &EntryScope::of_address(&target), id).await?;
        let through = number("through");
        ids.retain(|id| through.is_none_or(|through| *id <= through));
        feeds::mark_entries(&app.domain, account_id, &ids, false).await?;
        return Ok(redirect_done(&target, "all"));
    }
    let (id, unread, done) = match (number("read"), number("unread")) {
        (Some(id), _) => (id, false, "read"),
        (None, Some(id)) => (id, true, "unread"),
        (None, None) => return Ok(redirect_done(&target, "")),
    };
    feeds::mark_entries(&app.domain, account_id, &[id], unread).await?;
    Ok(redirect_done(&target, done))
}

/// Parses entry ids that are separated by commas, at most as many as one request can mark.
fn ids_of(list: &str) -> Vec<EntryId> {
    let ids = list.split(',').filter_map(|id| id.parse().ok().map(EntryId::new));
    ids.take(MARKED_ENTRIES).collect()
}

/// Returns an entry and the unread entries above it in a list, at most as many as one request can mark.
async fn with_those_above(
    request: &PageRequest,
    user: &User,
    scope: &EntryScope,
    id: EntryId,
) -> kernel::Result<Vec<EntryId>> {
    let filter = feeds::EntryFilter { unread: Some(true), order: feeds::Order::Oldest, ..scope.filter() };
    let before = EntryId::new(id.as_i64().saturating_sub(1));
    let most = u32::try_from(MARKED_ENTRIES).unwrap_or(u32::MAX);
    let page = feeds::list_entries(&request.app.domain, user.account.id, &filter, Some(before), most).await?;
    Ok(page.entries.into_iter().map(|entry| entry.id).collect())
}

/// Marks the entries as read that were in the list when it was displayed.
#[handler]
pub(in crate::desk) async fn mark_all(request: PageRequest, user: User, form: Form) -> PageResult {
    let target = back(&form, "/entries");
    let Ok(through) = form.get("through").parse::<i64>() else { return Ok(redirect_done(&target, "")) };
    let bound = ReadBound::Through(EntryId::new(through));
    let scope = EntryScope::of_address(&target).scope();
    feeds::mark_read(&request.app.domain, user.account.id, MarkRead { scope, bound }).await?;
    Ok(redirect_done(&target, "all"))
}
