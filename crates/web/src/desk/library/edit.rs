//! Editing the details of an item: title, author, kind, and tags.

use kernel::bounds::ITEM_NAME_CHARS;
use kernel::{Error, ItemId};
use library::{Changes, ContentKind, Item, Update};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::super::frame::{Place, led_on, respond_with};
use super::fields::{require_length, tags_of};
use super::rows::{kind_name, path, title};
use crate::account::form::{Field, Form, FormError, FormToken};
use crate::account::request::{Answer, PageRequest, User};

/// Form values.
struct Input {
    title: String,
    author: String,
    tags: String,
    kind: String,
}

/// Form with the item's current values.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<ItemId>) -> Answer {
    let item = library::get(&request.app.domain, user.account.id, id).await?;
    let input = Input {
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
) -> Answer {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let item = library::get(domain, account_id, id).await?;
    let field = |name: &str| form.get(name).trim().to_owned();
    let input =
        Input { title: field("title"), author: field("author"), tags: field("tags"), kind: field("kind") };
    let changed = match update_of(&item, &input) {
        Ok(update) => library::update(domain, account_id, id, update).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(item) => Ok(led_on(&path(&item), "edited")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            Ok(page(&request, StatusCode::UNPROCESSABLE_ENTITY, &item, &input, &form_error))
        }
    }
}

/// Update that the form requests. Unchanged tags stay, including those that contain a comma.
fn update_of(item: &Item, input: &Input) -> Result<Update, Error> {
    let kind = ContentKind::parse(&input.kind).filter(|kind| *kind != item.content_kind);
    let author = Some(input.author.clone()).filter(|author| !author.is_empty());
    let author = (author != item.author).then_some(author);
    if author.is_some() {
        require_length("author", &input.author, ITEM_NAME_CHARS)?;
    }
    let is_retagged = input.tags != item.tags.join(", ");
    let tags = is_retagged.then(|| tags_of("tags", &input.tags)).transpose()?;
    Ok(Update {
        changes: Changes { tags, content_kind: kind, ..Changes::default() },
        title: Some(input.title.clone()).filter(|title| *title != item.title),
        author,
        ..Update::default()
    })
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    item: &Item,
    input: &Input,
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let field = |name: &'static str, label: &'static str, rule: &'static str, value: &str| {
        let required = name == "title";
        Field { name, label, rule, kind: "text", value, autocomplete: "off", required }.show(form_error)
    };
    let content = html! {
        p.soft { a href="/library" { "Library" } " › " a href=(path(item)) { bdi { (title(item)) } } }
        h1 { "Edit details" }
        (form_error.summary())
        form.stack method="post" action={ (path(item)) "/edit" } {
            (token.field())
            (field("title", "Title", "", &input.title))
            (field("author", "Author", "", &input.author))
            (field("tags", "Tags", "Separated by commas; at most 12.", &input.tags))
            (kinds(&input.kind))
            div.row { button type="submit" { "Save changes" } a.button.quiet href=(path(item)) { "Cancel" } }
        }
    };
    respond_with(request, status, Place::Library, "Edit details · Library", &content)
}

fn kinds(chosen: &str) -> Markup {
    html! {
        div {
            label for="kind" { "Kind" }
            select #kind name="kind" {
                @for kind in ContentKind::ALL {
                    option value=(kind) selected[kind.as_str() == chosen] { (kind_name(*kind).0) }
                }
            }
        }
    }
}
