//! Editing the details of an item: title, author, kind, and tags.

use kernel::bounds::ITEM_NAME_CHARS;
use kernel::{Error, ItemId};
use library::{ContentKind, Item, ItemChanges, ItemUpdate, Tag};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::super::frame::{Section, redirect_done, respond_with};
use super::fields::{require_length, tags_of};
use super::item_rows::{kind_name, path, title};
use crate::form_input::comma_separated;
use crate::language::text::Text;
use crate::page::displayed::{displayed_field, displayed_value};
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

/// Values of the form for an item's details.
struct ItemInput {
    title: String,
    author: String,
    /// Tags, separated by commas.
    tags: String,
    kind: String,
    displayed: DisplayedDetails,
}

/// Details that the form displayed before they were edited.
struct DisplayedDetails {
    title: String,
    author: String,
    tags: Vec<String>,
    kind: String,
}

impl DisplayedDetails {
    fn of_item(item: &Item) -> Self {
        Self {
            title: item.title.clone(),
            author: item.author.clone().unwrap_or_default(),
            tags: item.tags.clone(),
            kind: item.content_kind.as_str().to_owned(),
        }
    }

    fn of_form(form: &Form, item: &Item) -> Self {
        let current = Self::of_item(item);
        let tags = displayed_value(form, "tags", &current.tag_lines());
        Self {
            title: displayed_value(form, "title", &current.title),
            author: displayed_value(form, "author", &current.author),
            tags: tags.lines().map(str::to_owned).collect(),
            kind: displayed_value(form, "kind", &current.kind),
        }
    }

    /// Returns the tags, one on each line, because a tag may contain a comma.
    fn tag_lines(&self) -> String {
        self.tags.join("\n")
    }

    /// Renders the hidden fields.
    fn fields(&self) -> Markup {
        html! {
            (displayed_field("title", &self.title))
            (displayed_field("author", &self.author))
            (displayed_field("tags", &self.tag_lines()))
            (displayed_field("kind", &self.kind))
        }
    }
}

/// Renders the form with the item's current values.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<ItemId>) -> PageResult {
    let item = library::get(&request.app.domain, user.account.id, id).await?;
    let displayed = DisplayedDetails::of_item(&item);
    let input = ItemInput {
        title: displayed.title.clone(),
        author: displayed.author.clone(),
        tags: displayed.tags.join(", "),
        kind: displayed.kind.clone(),
        displayed,
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
        displayed: DisplayedDetails::of_form(&form, &item),
    };
    let changed = match update_of(&item, &input) {
        Ok(update) => library::update(domain, account_id, id, update).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(item) => Ok(redirect_done(&path(&item), "edited")),
        Err(error) => {
            let form_error = FormError::of(error)?.renamed("addTags", "tags");
            Ok(page(&request, StatusCode::UNPROCESSABLE_ENTITY, &item, &input, &form_error))
        }
    }
}

/// Returns the update with the values that differ from the displayed ones.
fn update_of(item: &Item, input: &ItemInput) -> Result<ItemUpdate, Error> {
    let displayed = &input.displayed;
    let is_changed = input.author != displayed.author;
    if is_changed {
        require_length("author", &input.author, ITEM_NAME_CHARS)?;
    }
    let author = Some(input.author.clone()).filter(|author| !author.is_empty());
    let kind = ContentKind::parse(&input.kind).filter(|_| input.kind != displayed.kind);
    Ok(ItemUpdate {
        changes: ItemChanges { content_kind: kind, ..tag_changes(item, input)? },
        title: Some(input.title.clone()).filter(|title| *title != displayed.title),
        author: is_changed.then_some(author),
        ..ItemUpdate::default()
    })
}

/// Returns the tags to add and to remove. If the tags were not changed since they were displayed, or the typed tags are
/// the item's current tags, their order is written.
fn tag_changes(item: &Item, input: &ItemInput) -> Result<ItemChanges, Error> {
    let displayed = &input.displayed.tags;
    if input.tags == displayed.join(", ") {
        return Ok(ItemChanges::default());
    }
    let typed = tags_of("tags", &input.tags)?;
    let typed_keys = tag_keys(&input.tags);
    let current = item.tags.iter().filter_map(|tag| Tag::of(tag)).map(|tag| tag.key);
    let is_unchanged = item.tags == *displayed && !displayed.iter().any(|tag| tag.contains(','));
    if is_unchanged || sorted(current.collect()) == sorted(typed_keys.clone()) {
        return Ok(ItemChanges { tags: Some(typed), ..ItemChanges::default() });
    }
    // A displayed tag that contains a comma was typed as several parts.
    let is_typed = |tag: &str| tag_keys(tag).iter().all(|key| typed_keys.contains(key));
    let typed_again: Vec<String> =
        displayed.iter().filter(|tag| is_typed(tag)).flat_map(|tag| tag_keys(tag)).collect();
    let is_new = |tag: &String| tag_keys(tag).iter().any(|key| !typed_again.contains(key));
    Ok(ItemChanges {
        add_tags: typed.into_iter().filter(is_new).collect(),
        remove_tags: displayed.iter().filter(|tag| !is_typed(tag)).cloned().collect(),
        ..ItemChanges::default()
    })
}

/// Returns the keys of tags that are separated by commas.
fn tag_keys(typed: &str) -> Vec<String> {
    comma_separated(typed).filter_map(Tag::of).map(|tag| tag.key).collect()
}

fn sorted(mut keys: Vec<String>) -> Vec<String> {
    keys.sort_unstable();
    keys
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
            (input.displayed.fields())
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
