//! Following a site: a field for an address, then the feeds of the site, each with a Follow button. If the address
//! has no feed, the page offers a monitor that reports new items of a list at that address.

use articles::{Address, typed_address};
use extract::feed::bridges::{SERVICES, Service};
use extract::watch::PageList;
use feeds::{Discovered, DiscoveredFeed, Follow, Login};
use kernel::{Class, CollectionId, Error, looks_like_a_secret};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Response, handler};
use tokio::time::Instant;

use super::super::frame::{Section, back, link, payer, respond_with, with_done};
use super::request_input::FeedRequestInput;
use crate::language::choice::tag_of_english;
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::monitor_link::{list_fields, new_monitor_link};
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::RequiredField;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use http_kit::app::ANSWER_TIMEOUT;

/// Values of the form for following a site.
#[derive(Default)]
struct FollowInput {
    url: String,
    collection: String,
    request: FeedRequestInput,
    /// Page to return to. Empty for the entries of the followed feed.
    back: String,
}

/// Renders the form. A link can fill in the address.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    let input = FollowInput {
        url: request.parameter("url"),
        collection: request.parameter("collection"),
        ..FollowInput::default()
    };
    page(&request, &user, StatusCode::OK, &input, &FormError::default(), None).await
}

/// Finds the feeds of a site, or follows the selected one.
#[handler]
pub(in crate::desk) async fn follow(request: PageRequest, user: User, form: Form) -> PageResult {
    let input = FollowInput {
        url: form.get("url").trim().to_owned(),
        collection: form.get("collection").to_owned(),
        request: FeedRequestInput::of_form(&form, None),
        back: back(&form, ""),
    };
    // An address with a login, or with headers, is treated as the address of a feed, not of a site to search.
    let has_login = Login::split(&typed_address(&input.url)).1.is_some();
    let is_feed = has_login || (input.request.is_set() && form.get("feed").is_empty());
    let chosen = if is_feed { input.url.as_str() } else { form.get("feed") };
    let done = if chosen.is_empty() {
        search(&request, &user, &input).await.map(FollowResult::Discovered)
    } else {
        follow_feed(&request, &user, &input, chosen).await.map(FollowResult::Followed)
    };
    match done {
        Ok(FollowResult::Followed(target)) => Ok(redirect(&target)),
        Ok(FollowResult::Discovered(discovered)) => {
            page(&request, &user, StatusCode::OK, &input, &FormError::default(), Some(&discovered)).await
        }
        Err(error) => {
            let form_error = wrong(error)?;
            page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &input, &form_error, None).await
        }
    }
}

enum FollowResult {
    Discovered(Discovered),
    Followed(String),
}

/// Maps an error to the address field. Errors of the site are also displayed at the address.
fn wrong(error: Error) -> Result<FormError, Error> {
    match error.class() {
        Class::Unreadable | Class::Upstream | Class::Unavailable => Ok(FormError::at_field_of("url", &error)),
        Class::Invalid
        | Class::Unauthenticated
        | Class::Conflict
        | Class::Limited
        | Class::Forbidden
        | Class::NotFound
        | Class::Gone
        | Class::Internal => FormError::of(error).map(|form_error| form_error.renamed("feedUrl", "url")),
    }
}

fn address(request: &PageRequest, typed: &str) -> Result<Address, Error> {
    let url = typed_address(typed);
    if looks_like_a_secret(&url) {
        let message = "The address contains an API key or token. Revoke it.";
        return Err(Error::new(kernel::Code::InvalidUrl, message).at("url", message));
    }
    Address::parse(&request.app.domain, &url).map_err(|error| {
        let reason = error.message.clone();
        error.at("url", reason)
    })
}

async fn search(request: &PageRequest, user: &User, input: &FollowInput) -> Result<Discovered, Error> {
    let address = address(request, &input.url)?;
    let progress = feeds::request_discovery(&request.app.domain, payer(user), &address).await?;
    request.app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await
}

/// Follows the selected feed. Returns the path of its entries, or of the page to return to.
async fn follow_feed(
    request: &PageRequest,
    user: &User,
    input: &FollowInput,
    chosen: &str,
) -> Result<String, Error> {
    let app = &request.app;
    let (url, login) = Login::split(&typed_address(chosen));
    let address = address(request, &url)?;
    let collection_id = input.collection.parse::<i64>().ok().map(CollectionId::new);
    let own = input.request.update()?;
    let login = feeds::seal_request(&app.domain, user.account.id, address.url.as_str(), login, &own).await?;
    let new = Follow { collection_id, login, ..Follow::default() };
    let progress = feeds::request_follow(&app.domain, payer(user), &address, new).await?;
    let followed = app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await?.followed;
    if !input.back.is_empty() {
        let done = if followed.already_followed { "already" } else { "feed" };
        return Ok(with_done(&input.back, done));
    }
    let feed = followed.subscription.feed_id.to_string();
    let done = if followed.already_followed { "already" } else { "followed" };
    Ok(link("/entries", &[("feed", &feed), ("show", "all"), ("done", done)]))
}

async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    input: &FollowInput,
    form_error: &FormError,
    discovered: Option<&Discovered>,
) -> Result<Response, crate::page::request::PageError> {
    let mut collections = feeds::collection_summaries(&request.app.domain, user.account.id).await?;
    sort_by_name(&mut collections, |collection| &collection.name);
    let token = FormToken::of(request);
    let url = RequiredField {
        name: "url",
        label: Text("follow-address"),
        hint: None,
        kind: "text",
        value: &input.url,
        autocomplete: "url",
    };
    let content = html! {
        p.soft { a href="/entries" { (Text("nav-feeds")) } }
        h1 { (Text("entries-follow")) }
        p { (Text("follow-words")) }
        (form_error.summary())
        form.stack method="post" action="/subscriptions/new" {
            (token.field())
            @if !input.back.is_empty() { input type="hidden" name="back" value=(input.back); }
            (url.show(form_error))
            @if collections.len() > 1 {
                div {
                    label for="collection" { (Text("follow-collection")) }
                    select #collection name="collection" {
                        @for collection in &collections {
                            option value=(collection.id) selected[collection.id.to_string() == input.collection] { (collection.name) }
                        }
                    }
                }
            }
            (input.request.fields(&[], form_error))
            // Pressing Enter in the address field submits the form with its first button, which must never
            // follow a feed that was discovered before.
            div { button.secondary[discovered.is_some_and(|discovered| !discovered.feeds.is_empty())] type="submit" { @if discovered.is_some() { (Text("follow-search-again")) } @else { (Text("follow-search")) } } }
            @if let Some(discovered) = discovered { (choices(discovered, &input.url)) }
        }
        p.soft { (Text("follow-several").linked(&["/subscriptions/opml"])) }
        details { summary { (Text("follow-services")) }
            ul { @for service in SERVICES { li { (service.name) ": " span.soft { (forms(service)) } } } }
        }
    };
    let title = format!("{} · {}", Text("entries-follow").get(), Text("nav-feeds").get());
    Ok(respond_with(request, status, Section::Feeds, &title, &content))
}

/// Lists the kinds of pages of a service that have a feed. Pages in English display the names of the kinds, and pages
/// in other languages display example addresses.
fn forms(service: &Service) -> Markup {
    let is_english = tag_of_english().is_none();
    html! { @for (number, form) in service.forms.iter().enumerate() {
        @if number > 0 { ", " }
        @if is_english { (form.name) } @else { code dir="ltr" { (form.address.trim_start_matches("https://")) } }
    } }
}

fn choices(discovered: &Discovered, address: &str) -> Markup {
    html! {
        section aria-labelledby="discovered" {
            h2 #discovered { (Text("follow-found")) }
            @if discovered.feeds.is_empty() {
                p.notice { (Text("follow-none").linked(&[new_monitor_link(&typed_address(address), &[]).as_str()])) }
                @if let Some(list) = &discovered.page_list { (watchable_list(list)) }
            } @else {
                ul.rows { @for feed in &discovered.feeds { (choice(feed)) } }
            }
        }
    }
}

fn choice(feed: &DiscoveredFeed) -> Markup {
    let title = feed.title.as_deref().unwrap_or(&feed.feed_url);
    html! {
        li {
            h3 { bdi { (title) } }
            p.meta.dots { span { bdi { (feed.feed_url) } } @if !feed.checked { span { (Text("follow-unchecked")) } } }
            div.acts { button type="submit" name="feed" value=(feed.feed_url) aria-label=(Text("follow-titled").with("title", title)) { (Text("home-follow")) } }
        }
    }
}

/// Renders a preview of the list on a page, with a link to the form for a monitor that reports its new items.
fn watchable_list(list: &PageList) -> Markup {
    html! {
        h3 { (Text("follow-list")) }
        p { (Text("follow-list-words").with("count", list.total)) }
        ol.found { @for item in &list.items { li { bdi { (item.title) } } } }
        p { a.button href=(new_monitor_link(&list.url, &list_fields(&list.selector))) { (Text("follow-list-watch")) } }
    }
}
