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
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::RequiredField;
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, Text); 3] = [
    ("published", Text("public-tag-published")),
    ("private", Text("public-tag-private")),
    ("quote-private", Text("public-quote-private")),
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
            let form_error = FormError::at_field("name", "None of your items have this tag.");
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
    let mut tags = library::list_public_tags(domain, user.account.id).await?;
    sort_by_name(&mut tags, |tag| &tag.name);
    let quotes = library::list_public_highlights(domain, user.account.id).await?;
    let token = FormToken::of(request);
    let name = RequiredField {
        name: "name",
        label: Text("public-tag-name"),
        hint: Some(Text("public-tag-hint")),
        kind: "text",
        value: typed,
        autocomplete: "off",
    };
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " / " a href="/library/tags" { (Text("items-tags")) } }
        h1 { (Text("public-tags")) }
        (notice(request, &DONE))
        p { (Text("public-tags-words")) }
        (form_error.summary())
        @if !tags.is_empty() {
            h2 { (Text("public-tags-yours")) }
            ul.rows { @for tag in &tags { (row(tag, &domain.policy().base_url, &token)) } }
        }
        h2 { (Text("public-tags-publish-heading")) }
        form.stack method="post" action="/library/public-tags" {
            (token.field())
            (name.show(form_error))
            div { button type="submit" { (Text("public-tags-publish")) } }
        }
        @if !quotes.is_empty() {
            h2 #quotes { (Text("public-quotes-yours")) }
            p { (Text("public-quotes-words")) }
            ul.rows { @for quote in &quotes { (quote_row(quote, &domain.policy().base_url, &token)) } }
        }
    };
    let title = format!("{} · {}", Text("public-tags").get(), Text("nav-library").get());
    Ok(respond_with(request, status, Section::Library, &title, &content))
}

fn row(tag: &PublicTag, base_url: &str, token: &FormToken) -> Markup {
    let page = tag.page_url(base_url);
    let feed = |form: FeedFormat| tag.feed_url(base_url, form);
    let (rss, atom, json) = (feed(FeedFormat::Rss), feed(FeedFormat::Atom), feed(FeedFormat::Json));
    let named = |text: Text| text.with("tag", tag.name.as_str()).get();
    html! {
        li {
            h3 { a href=(link("/library", &[("shelf", "all"), ("tag", tag.name.as_str())])) { bdi { (tag.name) } } }
            p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(named(Text("public-tag-link"))) { (page) }
            p.small { (Text("public-tag-feeds").linked(&[page.as_str(), rss.as_str(), atom.as_str(), json.as_str()])) }
            form method="post" action={ "/library/public-tags/" (tag.id) "/delete" } {
                (token.field())
                button.secondary type="submit" aria-label=(named(Text("public-tag-hide-named"))) { (Text("public-tag-hide")) }
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
                button.secondary type="submit" aria-label=(Text("public-quote-hide-named").with("quote", text.as_str())) { (Text("public-quote-hide")) }
            }
        }
    }
}
