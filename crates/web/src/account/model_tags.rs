//! Tags that the language model attached to items: a list of the items with the latest such tags, and a button that
//! removes them all.

use library::TaggedByModel;
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;

use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::{settings_tabs, settings_title, success, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Path of the page.
const PATH: &str = "/settings/model/tags";
/// Maximum number of items on the page.
const MAX_LISTED: u32 = 100;

/// Renders the number of tags with a link to the page. Empty if the model has attached none.
pub(super) async fn section(request: &PageRequest, user: &User) -> kernel::Result<Markup> {
    let counts = library::count_model_tags(&request.app.domain, user.account.id).await?;
    let amount = with_thousands_separators;
    Ok(html! { @if counts.tags > 0 {
        h2 { (Text("model-tags")) }
        p { (Text("model-tags-count").with("tags", amount(counts.tags)).with("items", amount(counts.items))) }
        p { a.button.secondary href=(PATH) { (Text("model-tags-show")) } }
    } })
}

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let counts = library::count_model_tags(domain, account_id).await?;
    let tagged = library::list_tagged_by_model(domain, account_id, MAX_LISTED).await?;
    let token = FormToken::of(&request);
    let amount = with_thousands_separators;
    let content = html! {
        (settings_tabs("/settings", &token))
        p.soft { a href="/settings/model" { (Text("model")) } }
        h1 { (Text("model-tags")) }
        @if request.uri.query() == Some("removing") { (success(&Text("model-tags-removing"))) }
        @if counts.tags == 0 { p { (Text("model-tags-empty")) } }
        @else {
            p { (Text("model-tags-count").with("tags", amount(counts.tags)).with("items", amount(counts.items))) }
            p.soft { (Text("model-tags-words")) }
            form method="post" action=(PATH) {
                (token.field())
                button.secondary type="submit" { (Text("model-tags-remove-all")) }
            }
            ul.rows { @for one in &tagged { (row(one)) } }
            @if counts.items > u64::from(MAX_LISTED) { p.soft { (Text("model-tags-newest").with("count", MAX_LISTED)) } }
        }
    };
    Ok(request.respond(StatusCode::OK, &settings_title(&[Text("model"), Text("model-tags")]), &content))
}

fn row(tagged: &TaggedByModel) -> Markup {
    let item = &tagged.item;
    let title = if item.title.trim().is_empty() { &item.url } else { &item.title };
    html! {
        li {
            p { a href={ "/library/" (item.id) } { bdi { (title) } } }
            p.tags { @for tag in &tagged.tags { span.tag { bdi { (tag) } } " " } }
        }
    }
}

/// Starts the removal of all tags that the model attached.
#[handler]
pub(super) async fn remove_all(request: PageRequest, user: User, _form: Form) -> PageResult {
    let app = &request.app;
    let job = library::request_removal_of_model_tags(&app.domain, user.account.id).await?;
    app.engine.push_all(std::slice::from_ref(&job)).await;
    Ok(redirect(&format!("{PATH}?removing")))
}
