//! Copies of the page of an item: requests, list, deletion, and the copies themselves.

use articles::{Render, require_browser};
use extract::page_copy::POLICY;
use kernel::{Code, Error, ItemId, Millis};
use library::{Item, PageCopy, PageCopyFormat, PageCopyState};
use maud::{Markup, html};
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::web::Path;
use poem::{Request, handler};

use super::super::frame::{Section, notice, payer, redirect_done, respond_with, with_reload};
use super::actions::send;
use super::item_rows::{path, title};
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, &str); 2] = [
    ("requested", "The page is being copied. This page reloads until the copy is ready."),
    ("deleted", "Copy deleted."),
];
const FORMATS: [(PageCopyFormat, &str, &str); 3] = [
    (
        PageCopyFormat::Html,
        "Page",
        "One file with text, styles, and pictures, without scripts. Opens in any browser.",
    ),
    (PageCopyFormat::Screenshot, "Picture", "The whole page as PNG."),
    (PageCopyFormat::Pdf, "PDF", "The page as it is printed."),
];
/// Start of the policy of a displayed copy. The copy gets an origin of its own, so it cannot read sessions or other pages.
const SANDBOX: &str = "sandbox; ";

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<ItemId>) -> PageResult {
    page(&request, &user, id, StatusCode::OK, &FormError::default()).await
}

async fn page(
    request: &PageRequest,
    user: &User,
    id: ItemId,
    status: StatusCode,
    form_error: &FormError,
) -> PageResult {
    let domain = &request.app.domain;
    let item = library::get(domain, user.account.id, id).await?;
    let copies = library::list_page_copies(domain, user.account.id, id).await?;
    let missing = require_browser(domain, Render::Always).err().map(|error| error.message);
    let token = FormToken::of(request);
    let content = html! {
        p.soft { a href="/library" { "Library" } " › " a href=(path(&item)) { bdi { (title(&item)) } } }
        h1 { "Copies of the page" }
        (notice(request, &DONE))
        (form_error.summary())
        @if let Some(missing) = &missing { p.notice { (missing) } }
        ul.rows { @for (format, name, about) in FORMATS {
            @let copy = copies.iter().find(|copy| copy.format == format);
            li {
                h3 { (name) }
                p.meta { (about) }
                (state(&item, copy, domain.now()))
                (buttons(&item, format, copy, (&token, missing.is_none())))
            }
        } }
        p.soft { "A copy counts towards your storage and costs five fresh extractions. It is part of your export." }
    };
    let is_waiting = copies.iter().any(|copy| copy.state == PageCopyState::Waiting);
    let response = respond_with(request, status, Section::Library, "Copies of the page · Library", &content);
    let target = format!("{}/copies", path(&item));
    Ok(if is_waiting && status == StatusCode::OK { with_reload(response, &target) } else { response })
}

/// Renders the stored copy, and the state of its latest request.
fn state(item: &Item, copy: Option<&PageCopy>, now: Millis) -> Markup {
    let Some(copy) = copy else { return html! {} };
    html! {
        @if let Some(stored) = &copy.stored {
            p { a href={ (path(item)) "/copies/" (copy.format) } { "Open the copy" } " "
                span.soft.small { "from " (time(stored.created_at, now)) ", " (with_thousands_separators(stored.size.div_ceil(1024))) " KB" } }
            @if let Some(statement) = &stored.statement { p.soft.small { (statement) } }
        }
        @match copy.state {
            PageCopyState::Waiting => { p role="status" { "Being copied." } },
            PageCopyState::Failed => { p.notice.bad { "The page could not be copied: " (fault(copy)) } },
            PageCopyState::Ready => {},
        }
    }
}

/// Reason why a copy could not be created.
fn fault(copy: &PageCopy) -> &'static str {
    let code = copy.error_code.as_deref().and_then(|code| code.parse::<Code>().ok());
    match code {
        Some(Code::StorageLimitReached) => "your storage is used up. Delete files or items.",
        Some(Code::RobotsDisallowed) => "its site does not allow programs to read it.",
        Some(Code::UnsupportedContent) => "it is too large or too complex for a browser.",
        Some(Code::CapacityExhausted | Code::ServiceUnavailable) => "the browser did not respond. Try again.",
        _ => "it could not be opened. Check the address and try again.",
    }
}

fn buttons(
    item: &Item,
    format: PageCopyFormat,
    copy: Option<&PageCopy>,
    (token, is_possible): (&FormToken, bool),
) -> Markup {
    let is_waiting = copy.is_some_and(|copy| copy.state == PageCopyState::Waiting);
    html! {
        form.tools method="post" action={ (path(item)) "/copies" } {
            (token.field())
            input type="hidden" name="format" value=(format);
            @if is_possible && !is_waiting && item.url.starts_with("http") {
                button.secondary type="submit" { @if copy.is_some() { "Replace" } @else { "Copy" } }
            }
            @if copy.is_some() {
                button.secondary type="submit" name="act" value="delete" { @if is_waiting { "Cancel" } @else { "Delete" } }
            }
        }
    }
}

/// Requests or deletes a copy.
#[handler]
pub(in crate::desk) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let app = &request.app;
    let format = PageCopyFormat::parse(form.get("format"));
    let format = format.ok_or_else(|| Error::new(Code::InvalidRequest, "There is no such format."))?;
    let target = format!("/library/{id}/copies");
    if form.get("act") == "delete" {
        library::delete_page_copy(&app.domain, user.account.id, id, format).await?;
        return Ok(redirect_done(&target, "deleted"));
    }
    match library::request_page_copy(&app.domain, payer(&user), id, format).await {
        Ok((requested, job)) => {
            if let Some(job) = job {
                app.engine.dispatch((requested, job)).await;
            }
            Ok(redirect_done(&target, "requested"))
        }
        Err(error) => {
            let form_error = FormError::of(error)?;
            page(&request, &user, id, StatusCode::UNPROCESSABLE_ENTITY, &form_error).await
        }
    }
}

/// Displays a self-contained copy in a sandbox, or downloads another one.
#[handler]
pub(in crate::desk) async fn open(
    request: PageRequest,
    user: User,
    Path((id, format)): Path<(ItemId, String)>,
    sent: &Request,
) -> PageResult {
    let format = PageCopyFormat::parse(&format);
    let format = format.ok_or_else(|| Error::new(Code::NotFound, "There is no such copy."))?;
    let file = library::open_page_copy(&request.app.domain, user.account.id, id, format).await?;
    let (range, if_range) = (sent.header(header::RANGE), sent.header(header::IF_RANGE));
    let mut response = send(&request, &file, range, if_range).await?;
    if format == PageCopyFormat::Html {
        let policy = format!("{SANDBOX}{POLICY}");
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_DISPOSITION);
        for (name, value) in [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CONTENT_SECURITY_POLICY, policy.as_str()),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
            (header::X_DNS_PREFETCH_CONTROL, "off"),
        ] {
            headers.insert(name, HeaderValue::from_str(value).map_err(Error::internal)?);
        }
    }
    Ok(response)
}
