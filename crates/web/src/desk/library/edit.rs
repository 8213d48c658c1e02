//! Editing the details of an item: title, author, kind, and tags.

use kernel::bounds::ITEM_NAME_CHARS;
use kernel::{Error, ItemId};
use library::{ContentKind, Item, ItemChanges, ItemUpdate};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::super::frame::{Section, redirect_done, respond_with};
use super::fields::{require_length, tags_of};
use super::item_rows::{kind_name, path, title};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

/// Values of the form for an item's details.
struct ItemInput {
    title: String,
    author: String,
    tags: String,
    kind: String,
}

/// Renders the form with the item's current values.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<ItemId>) -> PageResult {
    let item = library::get(&request.app.domain, user.account.id, id).await?;
    let input = ItemInput {
        title: item.title.clone(),
        author: item.author.clone().unwrap_or_default(),
        tags: item.tags.join(", "),
        kind: item.content_kind.as_str().to_owned(),
    };
    Ok(page(&request, StatusCode::OK, &item, &input, &FormError::default()))
}

#[handler]
pub(in crate::desk) async fn save(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let item = library::get(domain, account_id, id).await?;
    let field = |name: &str| form.get(name).trim().to_owned();
    let input = ItemInput {
        title: field("title"),
        author: field("author"),
        tags: field("tags"),
        kind: field("kind"),
    };
    let changed = match update_of(&item, &input) {
        Ok(update) => library::update(domain, account_id, id, update).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(item) => Ok(redirect_done(&path(&item), "edited")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            Ok(page(&request, StatusCode::UNPROCESSABLE_ENTITY, &item, &input, &form_error))
        }
    }
}

/// Returns the update that the form requests. Unchanged tags are not sent, because a tag may contain a comma.
fn update_of(item: &Item, input: &ItemInput) -> Result<ItemUpdate, Error> {
    let kind = ContentKind::parse(&input.kind).filter(|kind| *kind != item.content_kind);
    let author = Some(input.author.clone()).filter(|author| !author.is_empty());
    let author = (author != item.author).then_some(author);
    if author.is_some() {
        require_length("author", &input.author, ITEM_NAME_CHARS)?;
    }
    let is_retagged = input.tags != item.tags.join(", ");
    let tags = is_retagged.then(|| tags_of("tags", &input.tags)).transpose()?;
    Ok(ItemUpdate {
        changes: ItemChanges { tags, content_kind: kind, ..ItemChanges::default() },
        title: Some(input.title.clone()).filter(|title| *title != item.title),
        author,
        ..ItemUpdate::default()
    })
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    item: &Item,
    input: &ItemInput,
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let field = |name: &str, label: Text, hint: &str, value: &str| {
        let (label, required) = (label.get(), name == "title");
        let field =
            FormField { name, label: &label, hint, kind: "text", value, autocomplete: "off", required };
        field.show(form_error)
    };
    let tags_hint = Text("edit-tags-hint").get();
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " › " a href=(path(item)) { bdi { (title(item)) } } }
        h1 { (Text("item-edit")) }
        (form_error.summary())
        form.stack method="post" action={ (path(item)) "/edit" } {
            (token.field())
            (field("title", Text("save-title"), "", &input.title))
            (field("author", Text("edit-author"), "", &input.author))
            (field("tags", Text("items-tags"), &tags_hint, &input.tags))
            (kinds(&input.kind))
            div.row { button type="submit" { (Text("feed-save")) } a.button.secondary href=(path(item)) { (Text("feed-cancel")) } }
        }
    };
    let title = format!("{} · {}", Text("item-edit").get(), Text("nav-library").get());
    respond_with(request, status, Section::Library, &title, &content)
}

fn kinds(chosen: &str) -> Markup {
    html! {
        div {
            label for="kind" { (Text("edit-kind")) }
            select #kind name="kind" {
                @for kind in ContentKind::ALL {
                    option value=(kind) selected[kind.as_str() == chosen] { (kind_name(*kind).0) }
                }
            }
        }
    }
}
