//! Collections of feeds: creation, renaming, and deletion.

use feeds::{Collection, CollectionKind, NewCollection, UpdateCollection};
use kernel::CollectionId;
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{Section, link, notice, redirect_done, respond_with};
use super::subscription::days_of;
use crate::page::form::{Field, Form, FormError, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, &str); 4] = [
    ("made", "Collection created. Add feeds to it on their pages."),
    ("renamed", "Collection renamed."),
    ("edited", "Changes saved."),
    ("deleted", "Collection deleted. Its feeds are now unsorted."),
];

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, StatusCode::OK, "", &FormError::default()).await
}

#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let name = form.get("name");
    let new = NewCollection { name: name.to_owned(), feed_ids: Vec::new() };
    match feeds::create_collection(&request.app.domain, user.account.id, new).await {
        Ok(_) => Ok(redirect_done("/collections", "made")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, name, &form_error).await
        }
    }
}

/// Renames or deletes a collection, or sets after how many days its entries count as read.
#[handler]
pub(in crate::desk) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let id = CollectionId::new(id);
    let (changed, done) = match form.get("act") {
        "delete" => (feeds::delete_collection(domain, account_id, id).await, "deleted"),
        "age" => {
            let changed = match days_of(form.get("readAfterDays").trim()) {
                Ok(days) => feeds::set_read_after(domain, account_id, id, days).await.map(drop),
                Err(error) => Err(error),
            };
            (changed, "edited")
        }
        _ => {
            let update = UpdateCollection { name: Some(form.get("name").to_owned()), feed_ids: None };
            (feeds::update_collection(domain, account_id, id, update).await.map(drop), "renamed")
        }
    };
    match changed {
        Ok(()) => Ok(redirect_done("/collections", done)),
        Err(error) => {
            let form_error = FormError::of(error)?;
            page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, "", &form_error).await
        }
    }
}

async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    typed: &str,
    form_error: &FormError,
) -> PageResult {
    let all = feeds::list_collections(&request.app.domain, user.account.id).await?;
    let token = FormToken::of(request);
    let name = Field {
        name: "name",
        label: "New collection",
        hint: "",
        kind: "text",
        value: typed,
        autocomplete: "off",
        required: true,
    };
    let content = html! {
        p.soft { a href="/entries" { "Feeds" } }
        h1 { "Collections" }
        (notice(request, &DONE))
        p { "A collection is a folder for feeds. Each feed is in one collection, which you choose on the page of the feed." }
        (form_error.summary())
        h2.hidden { "Your collections" }
        ul.rows { @for collection in &all { (row(collection, &token)) } }
        form.stack method="post" action="/collections" {
            (token.field())
            (name.show(form_error))
            div { button type="submit" { "Create" } }
        }
    };
    Ok(respond_with(request, status, Section::Feeds, "Collections · Feeds", &content))
}

fn row(collection: &Collection, token: &FormToken) -> Markup {
    let id = collection.id.to_string();
    let count = collection.feed_ids.len();
    html! {
        li {
            h3 { a href=(link("/entries", &[("collection", &id)])) { bdi { (collection.name) } } }
            p.meta { a href=(link("/subscriptions", &[("collection", &id)])) { (count) @if count == 1 { " feed" } @else { " feeds" } } }
            @if collection.kind == CollectionKind::Custom {
                form.seek method="post" action={ "/collections/" (id) } {
                    (token.field())
                    input type="text" name="name" value=(collection.name) required aria-label={ "New name of “" (collection.name) "”" };
                    button.secondary type="submit" aria-label={ "Rename “" (collection.name) "”" } { "Rename" }
                    button.secondary type="submit" name="act" value="delete" aria-label={ "Delete “" (collection.name) "”" } { "Delete" }
                }
            }
            form.seek method="post" action={ "/collections/" (id) } {
                (token.field())
                @let days = collection.read_after_days.map(|days| days.to_string()).unwrap_or_default();
                input type="number" name="readAfterDays" min="1" max="365" value=(days) placeholder="Never" aria-label={ "Mark entries of “" (collection.name) "” as read after days" };
                button.secondary type="submit" name="act" value="age" { "Mark read after days" }
            }
        }
    }
}
