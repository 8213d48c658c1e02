//! Notice of entries that arrived after a list was displayed. While the list is visible, its script gets
//! their number from a stream (`entry_stream`). If there is none, it polls: after a minute, and less often
//! while nothing arrives. It inserts their rows if the list is idle, and otherwise on request.

use feeds::EntryFilter;
use kernel::{Code, EntryId, Error};
use maud::{Markup, html};
use poem::handler;
use serde_json::json;

use super::super::frame::link;
use super::entry_scope::{EntryListScope, EntryTab};
use crate::language::text::Text;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::private_json;

/// Maximum number of entries that are counted.
pub(super) const MOST: u32 = 50;

/// Responds with the number of entries of a list that are newer than the entry `through`.
#[handler]
pub(in crate::desk) async fn count(request: PageRequest, user: User) -> PageResult {
    let (filter, through) = selection(&request)?;
    let domain = &request.app.domain;
    let count = feeds::count_newer(domain, user.account.id, &filter, through, MOST).await?;
    Ok(private_json(&json!({ "count": count, "most": MOST })))
}

/// Returns the filter of the list, and the newest entry that it displays.
///
/// # Errors
/// `invalid_request` if the parameter `through` is not the id of an entry.
pub(super) fn selection(request: &PageRequest) -> Result<(EntryFilter, EntryId), Error> {
    let Ok(through) = request.parameter("through").parse::<i64>() else {
        let message = "The parameter through must be the id of an entry.";
        return Err(Error::new(Code::InvalidRequest, message));
    };
    let filter = EntryFilter { query: None, ..EntryListScope::of(request).filter() };
    Ok((filter, EntryId::new(through)))
}

/// Renders the notice on the first page of a list, which its script makes visible. Search results, read, and
/// starred entries have none.
pub(super) fn notice(scope: &EntryListScope, through: EntryId) -> Markup {
    let is_followed = scope.query().is_empty() && matches!(scope.tab(), EntryTab::Unread | EntryTab::All);
    let list = scope.at("/entries", scope.tab_value());
    let parameters = list.split_once('?').map_or("", |(_, query)| query);
    html! { @if is_followed { (hidden_notice(&list, parameters, through)) } }
}

/// Renders the notice on the page *Today*, which lists unread entries of all feeds.
pub(in crate::desk) fn notice_on_today(through: EntryId) -> Markup {
    hidden_notice("/today", "", through)
}

/// Renders a notice with a link to the list. `parameters` are those of the list.
fn hidden_notice(list: &str, parameters: &str, through: EntryId) -> Markup {
    // The script derives the address of the stream from that of the poll.
    let poll = format!("{}&{parameters}", link("/entries/new", &[("through", &through.to_string())]));
    html! {
        p.notice #new-entries role="status" data-poll=(poll.trim_end_matches('&')) hidden { a href=(list) { (Text("entries-new")) } }
    }
}
