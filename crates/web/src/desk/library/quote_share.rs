//! Page that shares a highlight as text: the quote with its source, ready to copy, and links to its position.
//! A script also renders it as a picture. The page creates and removes the public link of the quote.

use kernel::HighlightId;
use library::{Highlight, PublicHighlight, PublicNote, Publication};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{Section, host, notice, redirect_done, respond_with};
use crate::assets::Asset;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::request::{PageRequest, PageResult, User};
use crate::scripts::reading_script;
use crate::text_fragment::fragment_url;

const DONE: [(&str, &str); 2] = [
    ("public", "The quote is public. Share its link."),
    ("private", "The quote is private again. Its old link no longer works."),
];

/// Renders the page. Without scripts, the text is copied from its field.
#[handler]
pub(in crate::desk) async fn show(
    request: PageRequest,
    user: User,
    Path(id): Path<HighlightId>,
) -> PageResult {
    page(&request, &user, id, StatusCode::OK, &FormError::default()).await
}

/// Creates the public link of a quote, or changes whether its page has the note.
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
    let content = html! {
        p.soft { a href={ "/library/highlights/" (id) } { "Back to the highlight" } }
        h1 { "Share this quote" }
        (notice(request, &DONE))
        (form_error.summary())
        div.stack #share data-quote=(highlight.row.quote) data-title=[title] data-author=[highlight.item_author.as_deref()] data-host=[address.and_then(host)] {
            label for="share-text" { "Quote with its source" }
            textarea.words #share-text readonly rows="8" dir="auto" { (text_of(&highlight, original.as_deref())) }
        }
        @if let Some(original) = &original { p { a href=(original) rel="noopener nofollow external" { "The quote in the original page" } ". The link marks the quote in most browsers." } }
        @if let Some(own) = &own { p { a href=(own) { "The highlight in your library" } ". Only you can open this link." } }
        h2 { "Public link" }
        (public_link(&publication, &highlight, &domain.policy().base_url, &FormToken::of(request)))
        (reading_script())
        script src=(Asset::QuotePicture.path()) defer {}
    };
    Ok(respond_with(request, status, Section::Library, "Share a quote · Library", &content))
}

/// Renders the public link of a quote with its forms, or the reason why it can have none.
fn public_link(
    publication: &Publication,
    highlight: &Highlight,
    base_url: &str,
    token: &FormToken,
) -> Markup {
    let note = |is_included: bool| {
        html! { @if highlight.row.note.is_some() {
            div { label { input type="checkbox" name="note" value="include" checked[is_included]; " Include my note" } }
        } }
    };
    let action = format!("/library/highlights/{}/publish", highlight.row.id);
    html! {
        @match publication {
            Publication::Unavailable => { p { "This quote can have no public link: its text was not fetched from a public address, or does not have the quote. It may be from behind a login." } },
            Publication::Private => {
                p { "Anyone with the link can read the quote, and the title and address of its page, without an account." }
                form.stack method="post" action=(action) {
                    (token.field())
                    (note(false))
                    div { button type="submit" { "Create link" } }
                }
            },
            Publication::Public(public) => {
                (link_of(public, base_url))
                @if highlight.row.note.is_some() {
                    form.stack method="post" action=(action) {
                        (token.field())
                        (note(public.note == PublicNote::Included))
                        div { button.secondary type="submit" { "Save" } }
                    }
                }
                form method="post" action={ "/library/highlights/" (highlight.row.id) "/unpublish" } {
                    (token.field())
                    button.secondary type="submit" { "Make private" }
                }
                p.small { a href="/library/public-tags" { "All public tags and quotes" } }
            },
        }
    }
}

/// Renders the public link of a quote.
pub(super) fn link_of(public: &PublicHighlight, base_url: &str) -> Markup {
    let page = public.page_url(base_url);
    html! {
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label="Link of the quote" { (page) }
        @if public.is_available { p.small { a href=(page) { "Open the page" } "." } }
        @else { p.small { "The page is not available now: the text was not fetched from a public address, or no longer has the quote." } }
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
