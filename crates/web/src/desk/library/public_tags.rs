//! Tags and quotes with a public page: the lists with their links, publishing, and making a tag private.

use kernel::{Code, PublicTagId};
use library::{PublicHighlight, PublicTag};
use maud::{Markup, html};
use monitors::FeedFormat;
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{Section, cut, link, notice, redirect_done, respond_with};
use super::quote_share::link_of;
use crate::page::form::{Field, Form, FormError, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, &str); 3] = [
    ("published", "The tag is public. Share its link."),
    ("private", "The tag is private again. Its old link no longer works."),
    ("quote-private", "The quote is private again. Its old link no longer works."),
];

/// Maximum length of a quote in the list, in characters.
const MAX_QUOTE_CHARS: usize = 200;

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    let typed = request.parameter("tag");
    page(&request, &user, (StatusCode::OK, typed.as_str()), &FormError::default()).await
}

/// Publishes a tag.
#[handler]
pub(in crate::desk) async fn publish(request: PageRequest, user: User, form: Form) -> PageResult {
    let name = form.get("name");
    match library::publish_tag(&request.app.domain, user.account.id, name).await {
        Ok(_) => Ok(redirect_done("/library/public-tags", "published")),
        Err(error) if error.code == Code::NotFound => {
            let form_error = FormError::at_field("name", "None of your items has this tag.");
            page(&request, &user, (StatusCode::UNPROCESSABLE_ENTITY, name), &form_error).await
        }
        Err(error) => {
            let form_error = FormError::of(error)?;
            page(&request, &user, (StatusCode::UNPROCESSABLE_ENTITY, name), &form_error).await
        }
    }
}

/// Makes a tag private.
#[handler]
pub(in crate::desk) async fn unpublish(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<PublicTagId>,
) -> PageResult {
    library::unpublish_tag(&request.app.domain, user.account.id, id).await?;
    Ok(redirect_done("/library/public-tags", "private"))
}

async fn page(
    request: &PageRequest,
    user: &User,
    (status, typed): (StatusCode, &str),
    form_error: &FormError,
) -> PageResult {
    let domain = &request.app.domain;
    let tags = library::list_public_tags(domain, user.account.id).await?;
    let quotes = library::list_public_highlights(domain, user.account.id).await?;
    let token = FormToken::of(request);
    let name = Field {
        name: "name",
        label: "Tag",
        hint: "Its items with a public web address appear on the page: title, address, when you saved them, and the beginning of the text if it was fetched from the address. Your notes, highlights, other tags and files never do.",
        kind: "text",
        value: typed,
        autocomplete: "off",
        required: true,
    };
    let content = html! {
        p.soft { a href="/library" { "Library" } " / " a href="/library/tags" { "Tags" } }
        h1 { "Public tags" }
        (notice(request, &DONE))
        p { "A public tag has a page and a feed that anyone with the link can read, without an account." }
        (form_error.summary())
        @if !tags.is_empty() {
            h2 { "Your public tags" }
            ul.rows { @for tag in &tags { (row(tag, &domain.policy().base_url, &token)) } }
        }
        h2 { "Publish a tag" }
        form.stack method="post" action="/library/public-tags" {
            (token.field())
            (name.show(form_error))
            div { button type="submit" { "Publish" } }
        }
        @if !quotes.is_empty() {
            h2 #quotes { "Your public quotes" }
            p { "Anyone with its link can read a quote, and the title and address of its page." }
            ul.rows { @for quote in &quotes { (quote_row(quote, &domain.policy().base_url, &token)) } }
        }
    };
    Ok(respond_with(request, status, Section::Library, "Public tags · Library", &content))
}

fn row(tag: &PublicTag, base_url: &str, token: &FormToken) -> Markup {
    let page = tag.page_url(base_url);
    let feed = |form: FeedFormat| tag.feed_url(base_url, form);
    html! {
        li {
            h3 { a href=(link("/library", &[("shelf", "all"), ("tag", tag.name.as_str())])) { bdi { (tag.name) } } }
            p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label={ "Link of “" (tag.name) "”" } { (page) }
            p.small { a href=(page) { "Open the page" } ". Its feed is available as " a href=(feed(FeedFormat::Rss)) { "RSS" } ", " a href=(feed(FeedFormat::Atom)) { "Atom" } " and " a href=(feed(FeedFormat::Json)) { "JSON Feed" } "." }
            form method="post" action={ "/library/public-tags/" (tag.id) "/delete" } {
                (token.field())
                button.secondary type="submit" aria-label={ "Make “" (tag.name) "” private" } { "Make private" }
            }
        }
    }
}

fn quote_row(quote: &PublicHighlight, base_url: &str, token: &FormToken) -> Markup {
    let text = cut(&quote.quote, MAX_QUOTE_CHARS);
    html! {
        li {
            h3 { a href={ "/library/highlights/" (quote.highlight_id) "/quote" } { bdi { (text) } } }
            (link_of(quote, base_url))
            form method="post" action={ "/library/highlights/" (quote.highlight_id) "/unpublish" } {
                (token.field())
                input type="hidden" name="from" value="list";
                button.secondary type="submit" aria-label={ "Make “" (text) "” private" } { "Make private" }
            }
        }
    }
}
