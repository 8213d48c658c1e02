//! Actions on several items and their undo, a confirmation before deletion, and the page of tags.

use std::collections::BTreeMap;

use kernel::ItemId;
use library::{Annotations, Item, ItemChanges, ItemStatus, ReadMark, ReadProgress, Tag, TagCount};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;

use super::super::frame::{Section, back, link, pager, redirect_done, respond_with};
use super::super::undo::{UndoStep, parse_steps, redirect_undoable};
use super::bulk_copies::{self, UNCOPY};
use super::fields::{require_length, tags_of};
use super::item_rows::{STATUSES, title};
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

/// Returns the items that the form selects.
fn chosen(form: &Form) -> Vec<ItemId> {
    let mut ids: Vec<ItemId> =
        form.all("item").filter_map(|id| id.parse().ok()).take(kernel::bounds::CHANGED_ITEMS).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Changes the status of the selected items, tags them, or copies their pages, or asks for confirmation before deleting
/// them.
#[handler]
pub(in crate::desk) async fn change(request: PageRequest, user: User, form: Form) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let target = back(&form, "/library");
    let ids = chosen(&form);
    if ids.is_empty() {
        return Ok(redirect_done(&target, "none"));
    }
    let act = form.get("act");
    if act == "delete" {
        return ask(&request, &user, &ids, &target).await;
    }
    if act == "copy" {
        return bulk_copies::request_copies(&request, &user, &ids, &target).await;
    }
    let items = library::find(domain, account_id, &ids).await?;
    let (changes, done, steps) = match act {
        "tag" => {
            let tags = tags_of("tag", form.get("tag"))?;
            if tags.is_empty() {
                return Ok(redirect_done(&target, "none"));
            }
            let steps = tags.iter().map(|tag| untag_step(&items, tag)).collect();
            (ItemChanges { add_tags: tags, ..ItemChanges::default() }, "tagged", steps)
        }
        "read" => {
            let changes = ItemChanges { mark_read: Some(ReadMark::Read), ..ItemChanges::default() };
            (changes, "read", unread_steps(&items))
        }
        "unread" => {
            let changes = ItemChanges { mark_read: Some(ReadMark::Unread), ..ItemChanges::default() };
            let steps = std::iter::once(read_step(&items)).chain(unread_steps(&items));
            (changes, "unread", steps.collect())
        }
        status => {
            let status = ItemStatus::parse(status);
            (ItemChanges { status, ..ItemChanges::default() }, "moved", status_steps(&items, status))
        }
    };
    library::change_all(domain, account_id, &ids, &changes).await?;
    Ok(redirect_undoable(&target, done, &steps))
}

/// Step that undoes a deletion.
const RESTORE: &str = "restore";
/// Step that removes a tag, which is its argument.
const UNTAG: &str = "untag";
/// Step that restores the reading progress, which is its argument.
const PROGRESS: &str = "progress";
/// Step that marks items as unread.
const UNREAD: &str = "unread";
/// Step that marks items as read.
const READ: &str = "read";

/// Returns the step that removes a tag from the items that do not have it yet.
fn untag_step(items: &[Item], tag: &str) -> UndoStep {
    let key = Tag::of(tag).map(|tag| tag.key);
    let lacks = |item: &&Item| item.tags.iter().all(|own| Tag::of(own).map(|own| own.key) != key);
    UndoStep::new(UNTAG, items.iter().filter(lacks).map(|item| item.id)).with_argument(tag)
}

/// Returns the steps that restore the progress of the items that are not read yet.
fn unread_steps(items: &[Item]) -> Vec<UndoStep> {
    let mut by_progress: BTreeMap<Option<i16>, Vec<ItemId>> = BTreeMap::new();
    for item in items.iter().filter(|item| item.finished_at.is_none()) {
        by_progress.entry(item.read_progress).or_default().push(item.id);
    }
    let step = |(progress, ids): (Option<i16>, Vec<ItemId>)| match progress {
        Some(percent) => UndoStep::new(PROGRESS, ids).with_argument(&percent.to_string()),
        None => UndoStep::new(UNREAD, ids),
    };
    by_progress.into_iter().map(step).collect()
}

/// Returns the step that marks the currently read items as read again.
fn read_step(items: &[Item]) -> UndoStep {
    UndoStep::new(READ, items.iter().filter(|item| item.finished_at.is_some()).map(|item| item.id))
}

/// Returns the steps that move the items back to their current statuses.
fn status_steps(items: &[Item], new: Option<ItemStatus>) -> Vec<UndoStep> {
    let old = STATUSES.iter().map(|(status, _)| *status).filter(|status| Some(*status) != new);
    let of = |status: ItemStatus| items.iter().filter(move |item| item.status == status).map(|item| item.id);
    old.map(|status| UndoStep::new(status.as_str(), of(status))).collect()
}

/// Returns the changes of a step. `None` if the step is unknown.
fn changes_of(step: &UndoStep) -> Option<ItemChanges> {
    let none = ItemChanges::default();
    Some(match step.act.as_str() {
        UNTAG => ItemChanges { remove_tags: vec![step.argument.clone()], ..none },
        UNREAD => ItemChanges { mark_read: Some(ReadMark::Unread), ..none },
        READ => ItemChanges { mark_read: Some(ReadMark::Read), ..none },
        PROGRESS => {
            let percent = step.argument.parse::<i16>().ok()?.clamp(0, 100);
            ItemChanges { read_progress: Some(ReadProgress::At(percent)), ..none }
        }
        status => ItemChanges { status: Some(ItemStatus::parse(status)?), ..none },
    })
}

/// Undoes the last action on the list.
#[handler]
pub(in crate::desk) async fn undo(request: PageRequest, user: User, form: Form) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let mut done = "undone";
    for step in parse_steps(form.get("undo")) {
        let ids = step.ids.iter().filter_map(|id| id.parse().ok()).take(kernel::bounds::CHANGED_ITEMS);
        let ids: Vec<ItemId> = ids.collect();
        if step.act == RESTORE {
            if library::cancel_deletion(domain, account_id, &ids).await? < ids.len() as u64 {
                done = "late";
            }
        } else if step.act == UNCOPY {
            bulk_copies::withdraw_copies(domain, account_id, &step, &ids).await?;
        } else if let Some(changes) = changes_of(&step) {
            library::change_all(domain, account_id, &ids, &changes).await?;
        }
    }
    Ok(redirect_done(&back(&form, "/library"), done))
}

/// Asks for confirmation before items are deleted.
async fn ask(request: &PageRequest, user: &User, ids: &[ItemId], target: &str) -> PageResult {
    let items = library::find(&request.app.domain, user.account.id, ids).await?;
    let token = FormToken::of(request);
    let content = html! {
        h1 { (Text("delete-items-question").with("count", items.len())) }
        p.notice.bad { (Text("delete-items-words")) }
        ul { @for item in &items { li { bdi { (title(item)) } } } }
        form.stack method="post" action="/library/delete" {
            (token.field())
            input type="hidden" name="back" value=(target);
            @for item in &items { input type="hidden" name="item" value=(item.id); }
            label.choice {
                input type="checkbox" name="annotations" value="delete";
                span { (Text("delete-items-annotations")) }
            }
            div.row { button.danger type="submit" { (Text("form-delete")) } a.button.secondary href=(target) { (Text("feed-cancel")) } }
        }
    };
    let page_title = format!("{} · {}", Text("delete-items-title").get(), Text("nav-library").get());
    Ok(respond_with(request, StatusCode::OK, Section::Library, &page_title, &content))
}

/// Asks for confirmation before one item is deleted.
#[handler]
pub(in crate::desk) async fn show_delete(
    request: PageRequest,
    user: User,
    poem::web::Path(id): poem::web::Path<ItemId>,
) -> PageResult {
    library::get(&request.app.domain, user.account.id, id).await?;
    ask(&request, &user, &[id], "/library").await
}

/// Deletes the items after confirmation. For a short time, the deletion can be undone.
#[handler]
pub(in crate::desk) async fn delete(request: PageRequest, user: User, form: Form) -> PageResult {
    let annotations =
        if form.get("annotations") == "delete" { Annotations::Delete } else { Annotations::Keep };
    let ids = chosen(&form);
    library::schedule_deletion(&request.app.domain, user.account.id, &ids, annotations).await?;
    let step = UndoStep::new(RESTORE, &ids);
    Ok(redirect_undoable(&back(&form, "/library"), "deleted", &[step]))
}

/// Path of the page of tags.
const TAGS_PATH: &str = "/library/tags";
/// Parameter with the key after which a page of tags begins.
const AFTER: &str = "after";

/// Lists the tags by pages, each with buttons that rename it or remove it from all items.
#[handler]
pub(in crate::desk) async fn show_tags(request: PageRequest, user: User) -> PageResult {
    tags_page(&request, &user, (StatusCode::OK, None), &FormError::default()).await
}

/// Maximum number of tags on a page.
const TAGS: u32 = 500;

/// Renders a page of tags. `typed` is a tag whose change was refused, and its typed new name.
async fn tags_page(
    request: &PageRequest,
    user: &User,
    (status, typed): (StatusCode, Option<(&str, &str)>),
    form_error: &FormError,
) -> PageResult {
    let after = Some(request.parameter(AFTER)).filter(|after| !after.is_empty() && !after.contains('\0'));
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let mut tags = library::list_tags(domain, account_id, None, after.as_deref(), TAGS + 1).await?;
    let has_more = tags.len() as u64 > u64::from(TAGS);
    if has_more {
        tags.pop();
    }
    let next = tags.last().filter(|_| has_more).map(|tag| link(TAGS_PATH, &[(AFTER, &tag.key)]));
    sort_by_name(&mut tags, |tag| &tag.name);
    let action = link(TAGS_PATH, &[(AFTER, after.as_deref().unwrap_or_default())]);
    let token = FormToken::of(request);
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } }
        h1 { (Text("items-tags")) }
        (form_error.summary())
        @if tags.is_empty() && after.is_none() {
            p { (Text("tags-none")) }
        } @else {
            p { (Text("tags-words").linked(&["/library/public-tags"])) }
            h2.hidden { (Text("tags-yours")) }
            ul.rows { @for tag in &tags {
                @let typed = typed.filter(|(from, _)| *from == tag.name).map(|(_, to)| to);
                (tag_row(tag, typed, (&action, form_error), &token))
            } }
            (pager(next.as_deref(), &Text("tags-more")))
        }
    };
    let page_title = format!("{} · {}", Text("items-tags").get(), Text("nav-library").get());
    Ok(respond_with(request, status, Section::Library, &page_title, &content))
}

/// Renders a tag with its buttons. `typed` is its refused new name. `action` is the address of its page.
fn tag_row(
    tag: &TagCount,
    typed: Option<&str>,
    (action, form_error): (&str, &FormError),
    token: &FormToken,
) -> Markup {
    let named = |text: Text| text.with("name", tag.name.as_str()).get();
    let wrong = typed.and(form_error.at("to"));
    html! {
        li {
            h3 { a href=(link("/library", &[("shelf", "all"), ("tag", tag.name.as_str())])) { bdi { (tag.name) } } " " span.soft.small { (Text("tags-count").with("count", tag.count)) } }
            form.seek method="post" action=(action) {
                (token.field())
                input type="hidden" name="from" value=(tag.name);
                input id=[typed.map(|_| "to")] type="text" name="to" value=(typed.unwrap_or(&tag.name)) maxlength=(kernel::bounds::TAG_CHARS) required
                    aria-label=(named(Text("collections-new-name"))) aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "to-error")];
                button.secondary type="submit" name="act" value="rename" aria-label=(named(Text("collections-rename-named"))) { (Text("collections-rename")) }
                button.secondary type="submit" name="act" value="delete" aria-label=(named(Text("tags-remove-named"))) { (Text("shared-remove")) }
                @if typed.is_some() { (form_error.on_group("to")) }
            }
        }
    }
}

/// Renames a tag on all items, or removes it from them.
#[handler]
pub(in crate::desk) async fn change_tags(request: PageRequest, user: User, form: Form) -> PageResult {
    let (app, account_id) = (&request.app, user.account.id);
    let from = form.get("from");
    let (changed, done) = if form.get("act") == "delete" {
        (library::delete_tag(&app.domain, account_id, from).await, "untagged")
    } else if let Err(error) = require_length("to", form.get("to").trim(), kernel::bounds::TAG_CHARS) {
        (Err(error), "")
    } else {
        (library::rename_tag(&app.domain, account_id, from, form.get("to")).await, "renamed")
    };
    match changed {
        Ok(library::TagChanged::Done(_)) => Ok(redirect_done("/library?shelf=all", done)),
        Ok(library::TagChanged::Begun(count, job)) => {
            app.engine.dispatch((count, job)).await;
            Ok(redirect_done("/library?shelf=all", done))
        }
        Err(error) => {
            let form_error = FormError::of(error)?;
            let typed = Some((from, form.get("to")));
            tags_page(&request, &user, (StatusCode::UNPROCESSABLE_ENTITY, typed), &form_error).await
        }
    }
}
