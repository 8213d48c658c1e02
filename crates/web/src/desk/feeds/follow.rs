//! Following a site: an address, then the feeds that were found there, each with a button.

use articles::Address;
use feeds::{Follow, FoundFeed};
use kernel::{Class, CollectionId, Error, looks_like_a_secret};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Response, handler};
use tokio::time::Instant;

use super::super::frame::{Place, link, payer, respond_with};
use crate::account::form::{Field, Form, FormError, FormToken};
use crate::account::request::{Answer, PageRequest, User};
use crate::account::respond::redirect;
use crate::typed::typed_address;
use http_kit::app::ANSWER_TIMEOUT;

/// What the form holds.
#[derive(Default)]
struct Input {
    url: String,
    collection: String,
}

/// The form, with the address of a page that somebody comes from.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> Answer {
    let input = Input { url: request.parameter("url"), collection: request.parameter("collection") };
    page(&request, &user, StatusCode::OK, &input, &FormError::default(), None).await
}

/// Looks for the feeds of a site, or follows the one that was chosen.
#[handler]
pub(in crate::desk) async fn follow(request: PageRequest, user: User, form: Form) -> Answer {
    let input =
        Input { url: form.get("url").trim().to_owned(), collection: form.get("collection").to_owned() };
    let chosen = form.get("feed");
    let done = if chosen.is_empty() {
        search(&request, &user, &input).await.map(Outcome::Found)
    } else {
        take_up(&request, &user, &input, chosen).await.map(Outcome::Followed)
    };
    match done {
        Ok(Outcome::Followed(target)) => Ok(redirect(&target)),
        Ok(Outcome::Found(found)) => {
            page(&request, &user, StatusCode::OK, &input, &FormError::default(), Some(&found)).await
        }
        Err(error) => {
            let form_error = wrong(error)?;
            page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &input, &form_error, None).await
        }
    }
}

enum Outcome {
    Found(Vec<FoundFeed>),
    Followed(String),
}

/// What is wrong with the address; a site that fails is an error of its address.
fn wrong(error: Error) -> Result<FormError, Error> {
    match error.class() {
        Class::Unreadable | Class::Upstream | Class::Unavailable => {
            Ok(FormError::at_field("url", error.message))
        }
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
        let message = "The address holds an API key or token. Revoke it.";
        return Err(Error::new(kernel::Code::InvalidUrl, message).at("url", message));
    }
    Address::parse(&request.app.domain, &url).map_err(|error| {
        let reason = error.message.clone();
        error.at("url", reason)
    })
}

async fn search(request: &PageRequest, user: &User, input: &Input) -> Result<Vec<FoundFeed>, Error> {
    let address = address(request, &input.url)?;
    let progress = feeds::request_discovery(&request.app.domain, payer(user), &address).await?;
    request.app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await
}

/// Follows the feed that was chosen; where its entries are.
async fn take_up(request: &PageRequest, user: &User, input: &Input, chosen: &str) -> Result<String, Error> {
    let app = &request.app;
    let address = address(request, chosen)?;
    let collection_id = input.collection.parse::<i64>().ok().map(CollectionId::new);
    let new = Follow { collection_id, ..Follow::default() };
    let progress = feeds::request_follow(&app.domain, payer(user), &address, new).await?;
    let followed = app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await?.followed;
    let feed = followed.subscription.feed_id.to_string();
    let done = if followed.already { "already" } else { "followed" };
    Ok(link("/entries", &[("feed", &feed), ("show", "all"), ("done", done)]))
}

async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    input: &Input,
    form_error: &FormError,
    found: Option<&[FoundFeed]>,
) -> Result<Response, crate::account::request::PageError> {
    let collections = feeds::shelf(&request.app.domain, user.account.id).await?;
    let token = FormToken::of(request);
    let url = Field {
        name: "url",
        label: "Address of the site or of its feed",
        rule: "",
        kind: "text",
        value: &input.url,
        autocomplete: "url",
        required: true,
    };
    let content = html! {
        p.soft { a href="/entries" { "Feeds" } }
        h1 { "Follow a site" }
        p { "Give the address of any of its pages. What is new there then stands among your feeds." }
        (form_error.summary())
        form.stack method="post" action="/subscriptions/new" {
            (token.field())
            (url.show(form_error))
            @if collections.len() > 1 {
                div {
                    label for="collection" { "Collection" }
                    select #collection name="collection" {
                        @for collection in &collections {
                            option value=(collection.id) selected[collection.id.to_string() == input.collection] { (collection.name) }
                        }
                    }
                }
            }
            // The first button is pressed by Enter in the address: never one that follows what was found before.
            div { button.quiet[found.is_some_and(|found| !found.is_empty())] type="submit" { @if found.is_some() { "Look again" } @else { "Find its feeds" } } }
            @if let Some(found) = found { (choices(found)) }
        }
        p.soft { "Many at once: " a href="/subscriptions/opml" { "bring a list as OPML" } "." }
    };
    Ok(respond_with(request, status, Place::Feeds, "Follow a site · Feeds", &content))
}

fn choices(found: &[FoundFeed]) -> Markup {
    html! {
        section aria-labelledby="found" {
            h2 #found { "Found there" }
            @if found.is_empty() {
                p.notice { "There is no feed at this address, and the page names none. You can "
                    a href="/monitors/new" { "watch the page" } " instead: you are told when it changes." }
            } @else {
                ul.rows { @for feed in found {
                    li {
                        h3 { bdi { (feed.title.as_deref().unwrap_or(&feed.feed_url)) } }
                        p.meta.dots { span { bdi { (feed.feed_url) } } @if !feed.checked { span { "named by the page, not looked at yet" } } }
                        div.acts { button type="submit" name="feed" value=(feed.feed_url) aria-label={ "Follow “" (feed.title.as_deref().unwrap_or(&feed.feed_url)) "”" } { "Follow" } }
                    }
                } }
            }
        }
    }
}
