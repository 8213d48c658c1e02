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
use super::copy_statement::copy_statement;
use super::item_rows::{path, title};
use crate::language::text::Text;
use crate::page::error_text::ErrorSentences;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, Text); 2] = [("requested", Text("copy-requested")), ("deleted", Text("copy-deleted"))];
/// Formats with their names and descriptions.
pub(super) const FORMATS: [(PageCopyFormat, Text, Text); 3] = [
    (PageCopyFormat::Html, Text("copy-page"), Text("copy-page-words")),
    (PageCopyFormat::Screenshot, Text("copy-picture"), Text("copy-picture-words")),
    (PageCopyFormat::Pdf, Text("kind-pdf"), Text("copy-pdf-words")),
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
    let missing = require_browser(domain, Render::Always).err().map(|error| ErrorSentences::of(&error));
    let token = FormToken::of(request);
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " › " a href=(path(&item)) { bdi { (title(&item)) } } }
        h1 { (Text("item-copies")) }
        (notice(request, &DONE))
        (form_error.summary())
        @if let Some(missing) = &missing { p.notice { (missing) } }
        ul.rows { @for (format, name, about) in FORMATS {
            @let copy = copies.iter().find(|copy| copy.format == format);
            li {
                h2 { (name) }
                p.meta { (about) }
                (state(&item, copy, domain.now()))
                (buttons(&item, format, copy, (&token, missing.is_none())))
            }
        } }
        p.soft { (Text("copy-words")) }
        @if missing.is_none() { p { a href="/library/copies" { (Text("copies-automatic")) } } }
    };
    let is_waiting = copies.iter().any(|copy| copy.state == PageCopyState::Waiting);
    let page_title = format!("{} · {}", Text("item-copies").get(), Text("nav-library").get());
    let response = respond_with(request, status, Section::Library, &page_title, &content);
    let target = format!("{}/copies", path(&item));
    Ok(if is_waiting && status == StatusCode::OK { with_reload(response, &target) } else { response })
}

/// Renders the stored copy, and the state of its latest request.
fn state(item: &Item, copy: Option<&PageCopy>, now: Millis) -> Markup {
    let Some(copy) = copy else { return html! {} };
    html! {
        @if let Some(stored) = &copy.stored {
            p { a href={ (path(item)) "/copies/" (copy.format) } { (Text("copy-open")) } " "
                span.soft.small { (Text("copy-from").with("size", with_thousands_separators(stored.size.div_ceil(1024))).markup(&[("time", time(stored.created_at, now))])) } }
            @if let Some(statement) = &stored.statement { p.soft.small { (copy_statement(statement)) } }
        }
        @match copy.state {
            PageCopyState::Waiting => { p role="status" { (Text("copy-waiting")) } },
            PageCopyState::Failed => { p.notice.bad { (fault(copy)) } },
            PageCopyState::Ready => {},
        }
    }
}

/// Returns the reason why a copy could not be created.
fn fault(copy: &PageCopy) -> Text {
    let code = copy.error_code.as_deref().and_then(|code| code.parse::<Code>().ok());
    match code {
        Some(Code::StorageLimitReached) => Text("copy-fault-storage"),
        Some(Code::RobotsDisallowed) => Text("copy-fault-robots"),
        Some(Code::UnsupportedContent) => Text("copy-fault-content"),
        Some(Code::CapacityExhausted) => Text("copy-fault-queue"),
        Some(Code::FreshExtractionLimit | Code::PlanRequired) => Text("copy-fault-limit"),
        Some(Code::ServiceUnavailable) => Text("copy-fault-browser"),
        _ => Text("copy-fault-address"),
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
                button.secondary type="submit" { @if copy.is_some() { (Text("copy-replace")) } @else { (Text("copy-create")) } }
            }
            @if copy.is_some() {
                button.secondary type="submit" name="act" value="delete" { @if is_waiting { (Text("feed-cancel")) } @else { (Text("form-delete")) } }
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

/// Displays a self-contained copy in a sandbox, or downloads a copy in another format.
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
