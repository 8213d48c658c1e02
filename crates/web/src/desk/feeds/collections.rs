//! Collections of feeds: creation, renaming, and deletion.

use feeds::{Collection, CollectionKind, CollectionSettings, NewCollection, UpdateCollection};
use kernel::{AccountId, CollectionId, Domain, Error};
use maud::{Markup, html};
use notices::Channel;
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{Section, link, notice, redirect_done, respond_with};
use super::subscription::days_of;
use crate::channel_choice::{channel_choices, channel_ids};
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{RequiredField, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};

/// Name of the parameter with the id of the collection whose channels are displayed.
const CHANNELS: &str = "channels";
/// Id of the field for the refused new name of a collection.
const NEW_NAME: &str = "new-name";

const DONE: [(&str, Text); 4] = [
    ("made", Text("collections-made")),
    ("renamed", Text("collections-renamed")),
    ("edited", Text("feed-edited")),
    ("deleted", Text("collections-deleted")),
];

/// Typed value of a refused form, which is displayed again in its field.
enum TypedValue<'a> {
    None,
    /// Name of a new collection.
    New(&'a str),
    /// New name of an existing collection.
    Name(CollectionId, &'a str),
    /// Days after which the entries of a collection count as read.
    Days(CollectionId, &'a str),
}

impl<'a> TypedValue<'a> {
    fn new_name(&self) -> Option<&'a str> {
        if let Self::New(name) = self { Some(*name) } else { None }
    }

    fn name_of(&self, collection: CollectionId) -> Option<&'a str> {
        match self {
            Self::Name(id, name) if *id == collection => Some(*name),
            _ => None,
        }
    }

    fn days_of(&self, collection: CollectionId) -> Option<&'a str> {
        match self {
            Self::Days(id, days) if *id == collection => Some(*days),
            _ => None,
        }
    }
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, (StatusCode::OK, &TypedValue::None), &FormError::default()).await
}

#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let name = form.get("name");
    let new = NewCollection { name: name.to_owned(), feed_ids: Vec::new() };
    match feeds::create_collection(&request.app.domain, user.account.id, new).await {
        Ok(_) => Ok(redirect_done("/collections", "made")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            let refused = (StatusCode::UNPROCESSABLE_ENTITY, &TypedValue::New(name));
            page(&request, &user, refused, &form_error).await
        }
    }
}

/// Renames or deletes a collection, or sets after how many days its entries count as read or which channels get them.
#[handler]
pub(in crate::desk) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let id = CollectionId::new(id);
    let mut typed = TypedValue::None;
    let (changed, done) = match form.get("act") {
        "delete" => (feeds::delete_collection(domain, account_id, id).await, "deleted"),
        "age" => {
            typed = TypedValue::Days(id, form.get("readAfterDays"));
            let changed = match days_of(form.get("readAfterDays").trim()) {
                Ok(days) => {
                    let settings =
                        CollectionSettings { read_after_days: Some(days), ..CollectionSettings::default() };
                    feeds::update_collection_settings(domain, account_id, id, settings).await.map(drop)
                }
                Err(error) => Err(error),
            };
            (changed, "edited")
        }
        "notify" => (set_channels(domain, account_id, id, &form).await, "edited"),
        _ => {
            typed = TypedValue::Name(id, form.get("name"));
            let update = UpdateCollection { name: Some(form.get("name").to_owned()), feed_ids: None };
            (feeds::update_collection(domain, account_id, id, update).await.map(drop), "renamed")
        }
    };
    match changed {
        Ok(()) => Ok(redirect_done("/collections", done)),
        Err(error) => {
            let form_error = FormError::of(error)?.renamed("name", NEW_NAME);
            page(&request, &user, (StatusCode::UNPROCESSABLE_ENTITY, &typed), &form_error).await
        }
    }
}

/// Sets the channels that get the new entries of a collection's feeds.
async fn set_channels(
    domain: &Domain,
    account_id: AccountId,
    id: CollectionId,
    form: &Form,
) -> Result<(), Error> {
    let selected: Vec<String> = form.all("notify").map(str::to_owned).collect();
    let settings =
        CollectionSettings { notify: Some(channel_ids(&selected)?), ..CollectionSettings::default() };
    feeds::update_collection_settings(domain, account_id, id, settings).await.map(drop)
}

async fn page(
    request: &PageRequest,
    user: &User,
    (status, typed): (StatusCode, &TypedValue<'_>),
    form_error: &FormError,
) -> PageResult {
    let mut all = feeds::list_collections(&request.app.domain, user.account.id).await?;
    // The collection of unsorted feeds stays first.
    let first = all.partition_point(|collection| collection.kind != CollectionKind::Custom);
    if let Some(custom) = all.get_mut(first..) {
        sort_by_name(custom, |collection| &collection.name);
    }
    // Listing all channels for all collections would make the page too long.
    let chosen = request.parameter(CHANNELS);
    let channels = notices::list(&request.app.domain, user.account.id).await?;
    let form_of = |collection: &Collection, token: &FormToken| {
        let is_chosen = collection.id.to_string() == chosen;
        is_chosen.then(|| notify_form(collection, &channels, (token, form_error)))
    };
    let token = FormToken::of(request);
    let name = RequiredField {
        name: "name",
        label: Text("collections-new"),
        hint: None,
        kind: "text",
        value: typed.new_name().unwrap_or_default(),
        autocomplete: "off",
    };
    let content = html! {
        p.soft { a href="/entries" { (Text("nav-feeds")) } }
        h1 { (Text("feeds-collections")) }
        (notice(request, &DONE))
        p { (Text("collections-words")) }
        (form_error.summary())
        h2.hidden { (Text("collections-yours")) }
        ul.rows { @for collection in &all { (row(collection, form_of(collection, &token), (typed, form_error), &token)) } }
        form.stack method="post" action="/collections" {
            (token.field())
            (name.show(form_error))
            div { button type="submit" { (Text("collections-create")) } }
        }
    };
    let title = format!("{} · {}", Text("feeds-collections").get(), Text("nav-feeds").get());
    Ok(respond_with(request, status, Section::Feeds, &title, &content))
}

/// Renders a collection. `channels` is the form that selects its channels. `None` renders a link to that form
/// instead.
fn row(
    collection: &Collection,
    channels: Option<Markup>,
    (typed, form_error): (&TypedValue<'_>, &FormError),
    token: &FormToken,
) -> Markup {
    let (name, typed_days) = (typed.name_of(collection.id), typed.days_of(collection.id));
    let wrong_name = name.and(form_error.at(NEW_NAME));
    let wrong_days = typed_days.and(form_error.at("readAfterDays"));
    let id = collection.id.to_string();
    let count = collection.feed_ids.len() as u64;
    let named = |text: Text| text.with("name", collection.name.as_str()).get();
    html! {
        li {
            h3 { a href=(link("/entries", &[("collection", &id)])) { bdi { (collection.name) } } }
            p.meta { a href=(link("/subscriptions", &[("collection", &id)])) { (Text("feeds-count").with("count", count).with("amount", with_thousands_separators(count))) } }
            @if collection.kind == CollectionKind::Custom {
                form.seek method="post" action={ "/collections/" (id) } {
                    (token.field())
                    input id=[name.map(|_| NEW_NAME)] type="text" name="name" value=(name.unwrap_or(&collection.name)) required
                        aria-label=(named(Text("collections-new-name"))) aria-invalid=[wrong_name.map(|_| "true")] aria-describedby=[wrong_name.map(|_| "new-name-error")];
                    button.secondary type="submit" aria-label=(named(Text("collections-rename-named"))) { (Text("collections-rename")) }
                    button.secondary type="submit" name="act" value="delete" aria-label=(named(Text("collections-delete-named"))) { (Text("form-delete")) }
                    @if name.is_some() { (form_error.on_group(NEW_NAME)) }
                }
            }
            form.seek method="post" action={ "/collections/" (id) } {
                (token.field())
                @let days = collection.read_after_days.map(|days| days.to_string()).unwrap_or_default();
                // The summary of the errors links to this name.
                @let field = typed_days.map_or_else(|| format!("age-{id}"), |_| "readAfterDays".to_owned());
                label for=(field) { (Text("collections-age")) }
                input id=(field) type="number" name="readAfterDays" min="1" max="365" value=(typed_days.unwrap_or(&days)) placeholder=(Text("collections-never"))
                    aria-label=(named(Text("collections-age-named"))) aria-invalid=[wrong_days.map(|_| "true")] aria-describedby=[wrong_days.map(|_| "readAfterDays-error")];
                button.secondary type="submit" name="act" value="age" { (Text("form-save")) }
                @if typed_days.is_some() { (form_error.on_group("readAfterDays")) }
            }
            @if let Some(channels) = channels { (channels) } @else {
                p.meta { a href={ (link("/collections", &[(CHANNELS, &id)])) "#notify" } { (Text("collections-notify").with("count", collection.notify.len())) span.hidden { " " (collection.name) } } }
            }
        }
    }
}

/// Renders the form that selects the channels for the new entries of a collection's feeds.
fn notify_form(
    collection: &Collection,
    channels: &[Channel],
    (token, form_error): (&FormToken, &FormError),
) -> Markup {
    let selected: Vec<String> = collection.notify.iter().map(ToString::to_string).collect();
    let id = collection.id.to_string();
    html! {
        form.stack method="post" action=(link(&format!("/collections/{id}"), &[(CHANNELS, &id)])) {
            (token.field())
            fieldset #notify tabindex="-1" {
                legend { (Text("feed-notify")) }
                p.rule { (Text("collections-notify-hint")) }
                (channel_choices(channels, &selected))
                (form_error.on_group("notify"))
            }
            @if !channels.is_empty() {
                div { button.secondary type="submit" name="act" value="notify" { (Text("feed-save")) } }
            }
        }
    }
}
