//! Actions on an entry list: marking one entry, an entry and those above it, the selected entries, or all
//! entries; starring, which also saves the entry to the library; undoing these actions; and refreshing the
//! feeds of the list.

use feeds::{Entry, MarkRead, ReadBound};
use kernel::EntryId;
use kernel::bounds::MARKED_ENTRIES;
use poem::http::StatusCode;
use poem::{IntoResponse, handler};

use super::super::frame::{back, redirect_done};
use super::super::undo::{UndoStep, parse_steps, redirect_undoable};
use super::entry_scope::EntryListScope;
use crate::page::form::Form;
use crate::page::request::{PageRequest, PageResult, User};

/// Action on entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryAct {
    Read,
    Unread,
    Star,
    Unstar,
}

impl EntryAct {
    const ALL: [Self; 4] = [Self::Read, Self::Unread, Self::Star, Self::Unstar];

    /// Returns the value in forms.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Unread => "unread",
            Self::Star => "star",
            Self::Unstar => "unstar",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.as_str() == word)
    }

    /// Returns the action that undoes this action.
    const fn inverse(self) -> Self {
        match self {
            Self::Read => Self::Unread,
            Self::Unread => Self::Read,
            Self::Star => Self::Unstar,
            Self::Unstar => Self::Star,
        }
    }

    /// Returns true if the action changes this entry.
    const fn changes(self, entry: &Entry) -> bool {
        match self {
            Self::Read => entry.unread,
            Self::Unread => !entry.unread,
            Self::Star => !entry.starred,
            Self::Unstar => entry.starred,
        }
    }

    /// Returns the message after the action on one entry, or on several.
    const fn done(self, count: usize) -> &'static str {
        match (self, count) {
            (Self::Read, 1) => "read",
            (Self::Read, _) => "all",
            (Self::Unread, 1) => "unread",
            (Self::Unread, _) => "all-unread",
            (Self::Star, _) => "starred",
            (Self::Unstar, _) => "unstarred",
        }
    }

    /// Applies the action to entries.
    async fn apply(self, request: &PageRequest, user: &User, ids: &[EntryId]) -> kernel::Result<()> {
        let (domain, account_id) = (&request.app.domain, user.account.id);
        match self {
            Self::Read => feeds::mark_entries(domain, account_id, ids, false).await.map(drop),
            Self::Unread => feeds::mark_entries(domain, account_id, ids, true).await.map(drop),
            Self::Star => library::star(domain, account_id, ids).await.map(drop),
            Self::Unstar => library::unstar(domain, account_id, ids).await.map(drop),
        }
    }

    /// Applies the action, and redirects to the list with its message.
    async fn apply_and_redirect(
        self,
        request: &PageRequest,
        user: &User,
        ids: &[EntryId],
        target: &str,
    ) -> PageResult {
        self.apply(request, user, ids).await?;
        let step = UndoStep::new(self.inverse().as_str(), ids);
        Ok(redirect_undoable(target, self.done(ids.len()), &[step]))
    }
}

/// Marks the entry that the pressed button names, or changes its star. Also changes the selected entries, the
/// entries of a story, and entries that the person scrolled past.
#[handler]
pub(in crate::desk) async fn mark(request: PageRequest, user: User, form: Form) -> PageResult {
    let passed = form.get("passed");
    if !passed.is_empty() {
        EntryAct::Read.apply(&request, &user, &ids_of(passed)).await?;
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let target = back(&form, "/entries");
    if let Some(act) = EntryAct::parse(form.get("act")) {
        return mark_selected(&request, &user, &form, act, &target).await;
    }
    let story = form.get("story");
    if !story.is_empty() {
        return EntryAct::Read.apply_and_redirect(&request, &user, &ids_of(story), &target).await;
    }
    let number = |name: &str| form.get(name).parse::<i64>().ok().map(EntryId::new);
    if let Some(id) = number("above") {
        let mut ids = with_those_above(&request, &user, &EntryListScope::of_address(&target), id).await?;
        let through = number("through");
        ids.retain(|id| through.is_none_or(|through| *id <= through));
        return EntryAct::Read.apply_and_redirect(&request, &user, &ids, &target).await;
    }
    let pressed = EntryAct::ALL.into_iter().find_map(|act| Some((act, number(act.as_str())?)));
    match pressed {
        Some((act, id)) => act.apply_and_redirect(&request, &user, &[id], &target).await,
        None => Ok(redirect_done(&target, "")),
    }
}

/// Changes the selected entries. Undoing the action affects only entries that it changed.
async fn mark_selected(
    request: &PageRequest,
    user: &User,
    form: &Form,
    act: EntryAct,
    target: &str,
) -> PageResult {
    let chosen = form.all("entry").filter_map(|id| id.parse().ok().map(EntryId::new));
    let chosen: Vec<EntryId> = chosen.take(MARKED_ENTRIES).collect();
    if chosen.is_empty() {
        return Ok(redirect_done(target, "none"));
    }
    let connection = request.app.domain.db().read();
    let entries = feeds::entries_of_ids(connection, user.account.id, &chosen).await?;
    let changed = entries.iter().filter(|entry| act.changes(entry)).map(|entry| entry.id);
    let changed: Vec<EntryId> = changed.collect();
    act.apply_and_redirect(request, user, &changed, target).await
}

/// Undoes the last action on the list.
#[handler]
pub(in crate::desk) async fn undo(request: PageRequest, user: User, form: Form) -> PageResult {
    for step in parse_steps(form.get("undo")) {
        if let Some(act) = EntryAct::parse(&step.act) {
            act.apply(&request, &user, &ids_of(&step.ids.join(","))).await?;
        }
    }
    Ok(redirect_done(&back(&form, "/entries"), "undone"))
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
    scope: &EntryListScope,
    id: EntryId,
) -> kernel::Result<Vec<EntryId>> {
    let filter = feeds::EntryFilter { unread: Some(true), order: feeds::Order::Oldest, ..scope.filter() };
    let before = EntryId::new(id.as_i64().saturating_sub(1));
    let page = feeds::list_entries(&request.app.domain, user.account.id, &filter, Some(before), max_marked())
        .await?;
    Ok(page.entries.into_iter().map(|entry| entry.id).collect())
}

/// Marks all entries that were in the list when it was displayed as read. The undo covers only the newest of them.
#[handler]
pub(in crate::desk) async fn mark_all(request: PageRequest, user: User, form: Form) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let target = back(&form, "/entries");
    let Ok(through) = form.get("through").parse::<i64>() else { return Ok(redirect_done(&target, "")) };
    let through = EntryId::new(through);
    let scope = EntryListScope::of_address(&target);
    let filter = feeds::EntryFilter { unread: Some(true), starred: None, query: None, ..scope.filter() };
    let unread = feeds::list_entries(domain, account_id, &filter, None, max_marked()).await?;
    let newest = unread.entries.iter().map(|entry| entry.id).filter(|id| *id <= through);
    let step = UndoStep::new(EntryAct::Unread.as_str(), newest);
    let request = MarkRead { scope: scope.scope(), bound: ReadBound::Through(through) };
    feeds::mark_read(domain, account_id, request).await?;
    let done = if unread.next_after.is_some() { "many" } else { "all" };
    Ok(redirect_undoable(&target, done, &[step]))
}

/// Requests an early fetch of the feeds of the list.
#[handler]
pub(in crate::desk) async fn refresh(request: PageRequest, user: User, form: Form) -> PageResult {
    let target = back(&form, "/entries");
    let scope = EntryListScope::of_address(&target).scope();
    let refresh = feeds::refresh_scope(&request.app.domain, user.account.id, scope).await?;
    let done = match (refresh.feeds, refresh.is_limited) {
        (_, true) => "refreshed-some",
        (0, false) => "refreshed-none",
        (_, false) => "refreshed",
    };
    Ok(redirect_done(&target, done))
}

/// Returns the maximum number of entries that one request marks.
fn max_marked() -> u32 {
    u32::try_from(MARKED_ENTRIES).unwrap_or(u32::MAX)
}
