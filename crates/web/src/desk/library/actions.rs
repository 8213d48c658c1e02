//! Actions on one item: changing its status, fetching its text again, and downloading its text and file.

use articles::Render;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use kernel::{Code, Error, ItemId};
use library::{ItemChanges, ItemStatus, ItemUpdate, ReadMark, ReadProgress, RefreshFrom, files};
use poem::http::{HeaderValue, header};
use poem::web::Path;
use poem::{IntoResponse, Request, Response, handler};

use super::super::frame::{payer, redirect_done};
use super::highlight_list;
use super::item_rows::title;
use crate::page::form::Form;
use crate::page::request::{PageError, PageRequest, PageResult, User};
use crate::page::response::keep_private;
use api::FileHeaders;
use http_kit::content_disposition::disposition;

/// Changes the status or the reading progress of an item.
#[handler]
pub(in crate::desk) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let mut changes = ItemChanges { status: ItemStatus::parse(form.get("status")), ..ItemChanges::default() };
    match form.get("mark") {
        "read" => changes.mark_read = Some(ReadMark::Read),
        "unread" => changes.mark_read = Some(ReadMark::Unread),
        _ => {}
    }
    if let Ok(percent) = form.get("progress").parse::<i16>() {
        changes.read_progress = Some(ReadProgress::At(percent.clamp(0, 100)));
    }
    let done = if changes.status.is_some() { "moved" } else { "marked" };
    let update = ItemUpdate { changes, ..ItemUpdate::default() };
    library::update(&request.app.domain, user.account.id, id, update).await?;
    Ok(redirect_done(&format!("/library/{id}"), done))
}

/// Requests that an item's text is fetched again.
#[handler]
pub(in crate::desk) async fn refresh(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let (app, render) = (&request.app, Render::parse(form.get("render")));
    let (item, job) = library::refresh(&app.domain, payer(&user), id, RefreshFrom::Own, render).await?;
    if let Some(job) = job {
        app.engine.dispatch((item, job)).await;
    }
    Ok(redirect_done(&format!("/library/{id}"), "asked"))
}

/// Downloads the text of an item with its highlights as a Markdown file.
#[handler]
pub(in crate::desk) async fn markdown(
    request: PageRequest,
    user: User,
    Path(id): Path<ItemId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let (item, text) = library::text_of(domain, account_id, id).await?;
    let highlights = highlight_list::of_item(domain, account_id, id).await?;
    let source = if item.url.starts_with("http") { format!("\n\n<{}>\n", item.url) } else { String::new() };
    let title = title(&item);
    let text = extract::render::markdown(&text.document.blocks);
    let body = format!("# {title}\n\n{text}{source}{highlights}");
    let mut response = keep_private(body.with_content_type("text/markdown; charset=utf-8").into_response());
    if let Ok(value) = HeaderValue::from_str(&disposition(&format!("{title}.md"))) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// Downloads the file of an item, or a range of it.
#[handler]
pub(in crate::desk) async fn download(
    request: PageRequest,
    user: User,
    Path(id): Path<ItemId>,
    sent: &Request,
) -> PageResult {
    let file = files::open_file(&request.app.domain, user.account.id, id).await?;
    let range = sent.header(header::RANGE);
    send(&request, &file, range, sent.header(header::IF_RANGE)).await
}

/// Downloads a file of a saved message.
#[handler]
pub(in crate::desk) async fn download_message_file(
    request: PageRequest,
    user: User,
    Path((id, number)): Path<(ItemId, u32)>,
) -> PageResult {
    let app = &request.app;
    // The whole message is in memory while its file is read, and a page may have many pictures.
    let _permit = app.limit_long_answers(user.account.id).await;
    let file = library::read_message_file(&app.domain, &app.sandbox, user.account.id, id, number).await?;
    let headers = FileHeaders {
        name: &file.name,
        media_type: &file.media_type,
        size: u64::try_from(file.bytes.len()).map_err(Error::internal)?,
        checksum: &file.checksum,
    };
    let bytes = Bytes::from(file.bytes);
    let bytes = stream::once(async move { Ok(bytes) }).boxed();
    Ok(headers.response(None, bytes).into_response())
}

/// Sends a file.
pub(super) async fn send(
    request: &PageRequest,
    file: &files::File,
    range: Option<&str>,
    if_range: Option<&str>,
) -> Result<Response, PageError> {
    let headers = FileHeaders::of_file(file);
    let range = headers
        .range(range, if_range)
        .map_err(|_| Error::new(Code::RangeNotSatisfiable, "The file does not have this range."))?;
    let bytes = file.read(&request.app.domain, range.clone().unwrap_or(0..file.size)).await?;
    Ok(headers.response(range, bytes).into_response())
}
