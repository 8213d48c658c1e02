//! Page that shares a highlight as text: the quote with its source, ready to copy, and links to its position.
//! A script also renders it as a picture. The page creates and removes the public link of the quote.

use kernel::HighlightId;
use library::{Highlight, PublicHighlight, PublicNote, Publication};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{Section, host, notice, redirect_done, respond_with};
use super::{highlight_card, highlight_picture};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::request::{PageRequest, PageResult, User};
use crate::scripts::{quote_picture_script, reading_script};
use crate::text_fragment::fragment_url;

const DONE: [(&str, Text); 2] =
    [("public", Text("public-quote-published")), ("private", Text("public-quote-private"))];

/// Renders the page. Without scripts, the text is copied from its field.
#[handler]
pub(in crate::desk) async fn show(
    request: PageRequest,
    user: User,
    Path(id): Path<HighlightId>,
) -> PageResult {
    page(&request, &user, id, StatusCode::OK, &FormError::default()).await
}

/// Creates the public link of a quote, or changes whether its page displays the note.
#[handler]
pub(in crate::desk) async fn publish(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<HighlightId>,
) -> PageResult {
    let note = if form.get("note") == "include" { PublicNote::Included } else { PublicNote::LeftOut };
    match library::publish_highlight(&request.app.domain, user.account.id, id, note).await {
        Ok(_) => Ok(redirect_done(&path(id), "public")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            page(&request, &user, id, StatusCode::UNPROCESSABLE_ENTITY, &form_error).await
        }
    }
}

/// Removes the public link of a quote.
#[handler]
pub(in crate::desk) async fn unpublish(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<HighlightId>,
) -> PageResult {
    library::unpublish_highlight(&request.app.domain, user.account.id, id).await?;
    if form.get("from") == "list" {
        return Ok(redirect_done("/library/public-tags", "quote-private"));
    }
    Ok(redirect_done(&path(id), "private"))
}

fn path(id: HighlightId) -> String {
    format!("/library/highlights/{id}/quote")
}

async fn page(
    request: &PageRequest,
    user: &User,
    id: HighlightId,
    status: StatusCode,
    form_error: &FormError,
) -> PageResult {
    let domain = &request.app.domain;
    let highlight = library::get_highlight(domain, user.account.id, id).await?;
    let publication = library::highlight_publication(domain, user.account.id, id).await?;
    let auth = request.app.settings.origins.auth.as_str();
    let (title, address) = (title_of(&highlight), highlight.source_url.as_deref());
    let original = address.and_then(|url| fragment_url(url, &highlight.row.quote));
    let own = highlight.row.item_id.map(|item| format!("{auth}/library/{item}#mark-{id}"));
    let picture = highlight_picture::of_highlight(request, user.account.id, &highlight).await?;
    let content = html! {
        p.soft { a href={ "/library/highlights/" (id) } { (Text("quote-back")) } " · " (highlight_card::link(&highlight)) }
        h1 { (Text("quote-share")) }
        (notice(request, &DONE))
        (form_error.summary())
        (picture)
        div.stack #share data-quote=(highlight.row.quote) data-title=[title] data-author=[highlight.item_author.as_deref()] data-host=[address.and_then(host)] {
            label for="share-text" { (Text("quote-text")) }
            textarea.words #share-text readonly rows="8" dir="auto" { (text_of(&highlight, original.as_deref())) }
        }
        @if let Some(original) = &original { p { (Text("quote-original-words").markup(&[("link", original_link(original))])) } }
        @if let Some(own) = &own { p { (Text("quote-own").linked(&[own.as_str()])) } }
        h2 { (Text("public-quote")) }
        (public_link(&publication, &highlight, &domain.policy().base_url, &FormToken::of(request)))
        (reading_script())
        (quote_picture_script())
    };
    let title = format!("{} · {}", Text("quote-title").get(), Text("nav-library").get());
    Ok(respond_with(request, status, Section::Library, &title, &content))
}

fn original_link(url: &str) -> Markup {
    html! { a href=(url) rel="noopener nofollow external" { (Text("quote-original")) } }
}

/// Renders the public link of a quote with its forms, or the reason why the quote cannot be published.
fn public_link(
    publication: &Publication,
    highlight: &Highlight,
    base_url: &str,
    token: &FormToken,
) -> Markup {
    let note = |is_included: bool| {
        html! { @if highlight.row.note.is_some() {
            div { label { input type="checkbox" name="note" value="include" checked[is_included]; " " (Text("public-quote-note")) } }
        } }
    };
    let action = format!("/library/highlights/{}/publish", highlight.row.id);
    html! {
        @match publication {
            Publication::Unavailable => { p { (Text("public-quote-unavailable")) } },
            Publication::Private => {
                p { (Text("public-quote-words")) }
                form.stack method="post" action=(action) {
                    (token.field())
                    (note(false))
                    div { button type="submit" { (Text("public-quote-create")) } }
                }
            },
            Publication::Public(public) => {
                (link_of(public, base_url))
                @if highlight.row.note.is_some() {
                    form.stack method="post" action=(action) {
                        (token.field())
                        (note(public.note == PublicNote::Included))
                        div { button.secondary type="submit" { (Text("form-save")) } }
                    }
                }
                form method="post" action={ "/library/highlights/" (highlight.row.id) "/unpublish" } {
                    (token.field())
                    button.secondary type="submit" { (Text("public-quote-hide")) }
                }
                p.small { a href="/library/public-tags" { (Text("public-quote-all")) } }
            },
        }
    }
}

/// Renders the public link of a quote.
pub(super) fn link_of(public: &PublicHighlight, base_url: &str) -> Markup {
    let page = public.page_url(base_url);
    html! {
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(Text("public-quote-link")) { (page) }
        @if public.is_available { p.small { (Text("public-quote-open").linked(&[page.as_str()])) } }
        @else { p.small { (Text("public-quote-paused")) } }
    }
}

/// Returns the title of the item. `None` if it is empty.
fn title_of(highlight: &Highlight) -> Option<&str> {
    highlight.item_title.as_deref().filter(|title| !title.trim().is_empty())
}

/// Returns the quote in quotation marks, its source, and the address of the original page.
fn text_of(highlight: &Highlight, original: Option<&str>) -> String {
    let mut text = format!("“{}”", highlight.row.quote.trim());
    if let Some(title) = title_of(highlight) {
        text.push_str(&format!("\n— {title}"));
    }
    if let Some(original) = original {
        text.push_str(&format!("\n{original}"));
    }
    text
}
