//! Saved searches: their links next to the lists of items and entries, the form that saves the search of a
//! list, and the page that renames and deletes them.

use kernel::SavedSearchId;
use kernel::bounds::SEARCH_NAME_CHARS;
use library::{NewSearch, SavedSearch, SearchTarget};
use maud::{Markup, html};
use monitors::FeedFormat;
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::frame::{Section, back, back_field, link, notice, redirect_done, respond_with};
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

const PATH: &str = "/library/searches";

/// Message above a list after its search was saved: the value of the URL parameter `done`, and the text.
pub(super) const SAVED: (&str, Text) = ("search-saved", Text("done-search-saved"));

const DONE: [(&str, Text); 5] = [
    SAVED,
    ("renamed", Text("search-renamed")),
    ("deleted", Text("search-deleted")),
    ("feed-created", Text("search-feed-created")),
    ("feed-deleted", Text("search-feed-deleted")),
];

/// Renders the links to the saved searches of a list. `current` is the query of the page.
pub(super) fn links(searches: &[SavedSearch], target: SearchTarget, current: &str) -> Markup {
    let own: Vec<&SavedSearch> = searches.iter().filter(|search| search.target == target).collect();
    html! {
        @if !own.is_empty() {
            h2 { (Text("searches-saved")) }
            ul.sections { @for search in own {
                li { a href=(address(search)) aria-current=[(search.query == current).then_some("true")] { bdi { (search.name) } } }
            } }
            p.small { a href=(PATH) { (Text("searches-manage")) } }
        }
    }
}

/// Renders the form that saves a query under a name.
pub(super) fn save_form(
    request: &PageRequest,
    token: &FormToken,
    target: SearchTarget,
    query: &str,
) -> Markup {
    html! {
        details.drawer {
            summary { (Text("searches-save")) }
            form.seek method="post" action=(PATH) {
                (token.field()) (back_field(request))
                input type="hidden" name="target" value=(target.as_str());
                input type="hidden" name="query" value=(query);
                input type="text" name="name" required maxlength=(SEARCH_NAME_CHARS) autocomplete="off" aria-label=(Text("searches-name")) placeholder=(Text("searches-name"));
                button.secondary type="submit" { (Text("items-save")) }
            }
        }
    }
}

/// Returns the address of the results of a search.
fn address(search: &SavedSearch) -> String {
    match search.target {
        SearchTarget::Library => link("/library", &[("shelf", "all"), ("q", &search.query)]),
        SearchTarget::Entries => link("/entries", &[("show", "all"), ("q", &search.query)]),
    }
}

/// Refused form, which is displayed again with its typed values. The default is no form.
#[derive(Default)]
struct RefusedForm<'a> {
    form_error: FormError,
    new: Option<NewSearchInput<'a>>,
    /// Search that was renamed, and the typed name.
    renamed: Option<(SavedSearchId, &'a str)>,
}

/// Values of the form that saves a search.
struct NewSearchInput<'a> {
    target: SearchTarget,
    name: &'a str,
    query: &'a str,
    /// Address of the list.
    back: String,
}

impl NewSearchInput<'_> {
    fn show(&self, token: &FormToken, form_error: &FormError) -> Markup {
        let field = |name: &str, label: Text, value: &str| {
            let (label, autocomplete) = (label.get(), "off");
            let field = FormField {
                name,
                label: &label,
                hint: "",
                kind: "text",
                value,
                autocomplete,
                required: true,
            };
            field.show(form_error)
        };
        html! {
            h2 { (Text("searches-save")) }
            form.stack method="post" action=(PATH) {
                (token.field())
                input type="hidden" name="back" value=(self.back);
                input type="hidden" name="target" value=(self.target.as_str());
                (field("name", Text("searches-name"), self.name))
                (field("query", Text("searches-query"), self.query))
                div.row { button type="submit" { (Text("items-save")) } a.button.secondary href=(self.back) { (Text("feed-cancel")) } }
            }
        }
    }
}

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, StatusCode::OK, &RefusedForm::default()).await
}

/// Saves the search of a list, and returns to the list.
#[handler]
pub(super) async fn save(request: PageRequest, user: User, form: Form) -> PageResult {
    let target = SearchTarget::parse(form.get("target")).unwrap_or(SearchTarget::Library);
    let (name, query, back) = (form.get("name"), form.get("query"), back(&form, PATH));
    let new = NewSearch { target, name: name.to_owned(), query: query.to_owned() };
    match library::save_search(&request.app.domain, user.account.id, new).await {
        Ok(_) => Ok(redirect_done(&back, SAVED.0)),
        Err(error) => {
            let new = Some(NewSearchInput { target, name, query, back });
            let refused = RefusedForm { form_error: FormError::of(error)?, new, renamed: None };
            page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &refused).await
        }
    }
}

/// Renames or deletes a saved search, or changes its feed.
#[handler]
pub(super) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<SavedSearchId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let mut renamed = None;
    let (changed, done) = match form.get("act") {
        "delete" => (library::delete_search(domain, account_id, id).await, "deleted"),
        "feed" => (library::create_search_feed(domain, account_id, id).await, "feed-created"),
        "no-feed" => (library::delete_search_feed(domain, account_id, id).await, "feed-deleted"),
        _ => {
            let name = form.get("name");
            renamed = Some((id, name));
            (library::rename_search(domain, account_id, id, name).await, "renamed")
        }
    };
    match changed {
        Ok(()) => Ok(redirect_done(PATH, done)),
        Err(error) => {
            let refused = RefusedForm { form_error: FormError::of(error)?, new: None, renamed };
            page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &refused).await
        }
    }
}

async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    refused: &RefusedForm<'_>,
) -> PageResult {
    let mut searches = library::list_saved_searches(&request.app.domain, user.account.id).await?;
    sort_by_name(&mut searches, |search| &search.name);
    let (token, base_url) = (FormToken::of(request), &request.app.domain.policy().base_url);
    let list = |target: SearchTarget, title: Text| {
        html! {
            @if searches.iter().any(|search| search.target == target) {
                h2 { (title) }
                ul.rows { @for search in searches.iter().filter(|search| search.target == target) { (row(search, base_url, refused, &token)) } }
            }
        }
    };
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " / " a href="/entries" { (Text("nav-feeds")) } }
        h1 { (Text("searches-saved")) }
        (notice(request, &DONE))
        (refused.form_error.summary())
        @if let Some(new) = &refused.new { (new.show(&token, &refused.form_error)) }
        @if searches.is_empty() {
            p { (Text("searches-none")) }
        } @else {
            p { (Text("searches-feed-words")) }
        }
        (list(SearchTarget::Library, Text("searches-in-library")))
        (list(SearchTarget::Entries, Text("searches-in-entries")))
    };
    let title = format!("{} · {}", Text("searches-saved").get(), Text("nav-library").get());
    Ok(respond_with(request, status, Section::Library, &title, &content))
}

fn row(search: &SavedSearch, base_url: &str, refused: &RefusedForm<'_>, token: &FormToken) -> Markup {
    let typed = refused.renamed.filter(|(id, _)| *id == search.id).map(|(_, name)| name);
    let named = |text: Text| text.with("name", search.name.as_str()).get();
    let feed_url = search.feed_url(base_url, FeedFormat::Rss);
    let (create, created) = if feed_url.is_some() {
        (Text("searches-feed-new"), Text("searches-feed-new-named"))
    } else {
        (Text("searches-feed-create"), Text("searches-feed-create-named"))
    };
    html! {
        li {
            h3 { a href=(address(search)) { bdi { (search.name) } } }
            p.meta { code { bdi { (search.query) } } }
            @if let Some(url) = &feed_url {
                p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(named(Text("searches-feed-address"))) { (url) }
            }
            form.seek method="post" action={ (PATH) "/" (search.id) } {
                (token.field())
                input id=[typed.map(|_| "name")] type="text" name="name" value=(typed.unwrap_or(&search.name)) required maxlength=(SEARCH_NAME_CHARS) autocomplete="off"
                    aria-label=(named(Text("collections-new-name"))) aria-invalid=[typed.map(|_| "true")] aria-describedby=[typed.map(|_| "name-error")];
                button.secondary type="submit" aria-label=(named(Text("collections-rename-named"))) { (Text("collections-rename")) }
                button.secondary type="submit" name="act" value="delete" aria-label=(named(Text("collections-delete-named"))) { (Text("form-delete")) }
                @if typed.is_some() { (refused.form_error.on_group("name")) }
            }
            form method="post" action={ (PATH) "/" (search.id) } {
                (token.field())
                button.secondary type="submit" name="act" value="feed" aria-label=(named(created)) { (create) }
                @if feed_url.is_some() {
                    button.secondary type="submit" name="act" value="no-feed" aria-label=(named(Text("searches-feed-delete-named"))) { (Text("searches-feed-delete")) }
                }
            }
        }
    }
}
