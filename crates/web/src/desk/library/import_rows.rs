//! Rows of an import on its page: the result of each row, filtered and paged, and all results as a table. Also the
//! form that assigns a field to each column.

use bytes::Bytes;
use extract::imports::{ColumnField, ColumnMap};
use futures_util::stream::BoxStream;
use kernel::{Error, ImportId};
use library::RowOutcome;
use library::transfer::{self, Import, ImportUndoState, RowQuery, RowReport, RowSelection};
use maud::{Markup, html};
use poem::http::{HeaderValue, header};
use poem::web::Path;
use poem::{Body, Response, handler};

use super::super::frame::{ROWS, link, pager};
use super::import_fields::column_name;
use crate::language::text::Text;
use crate::page::error_text::message_text;
use crate::page::form::{Form, FormToken};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::keep_private;

/// Renders the list of the import's rows.
pub(super) async fn section(request: &PageRequest, user: &User, import: &Import) -> Result<Markup, Error> {
    let word = request.parameter("outcome");
    let selection = RowSelection::parse(&word);
    let after: u64 = request.parameter("after").parse().unwrap_or(0);
    let query = RowQuery { selection, after, limit: ROWS };
    let page = transfer::list_import_rows(&request.app.domain, user.account.id, import.id, query).await?;
    let path = format!("/library/import/{}", import.id);
    let next =
        page.next.map(|row| link(&path, &[("outcome", word.as_str()), ("after", row.to_string().as_str())]));
    let is_deleted = page.rows.is_empty() && selection.is_none() && after == 0;
    Ok(html! {
        @if import.total.is_some_and(|total| total > 0) {
            h2 #rows { (Text("import-rows")) }
            @if is_deleted {
                p.soft { (Text("import-rows-gone")) }
            } @else {
                (selections(&path, selection, import.is_dry))
                @if page.rows.is_empty() { p.soft { (Text("import-no-match")) } }
                ul.rows { @for row in &page.rows { (list_entry(row, import)) } }
                (pager(next.as_deref(), &Text("import-more-rows")))
                p { a href={ (path) "/report" } download { (Text("import-download-rows")) } }
            }
        }
    })
}

fn selections(path: &str, current: Option<RowSelection>, is_dry: bool) -> Markup {
    html! {
        nav.tabs aria-label=(Text("import-rows")) {
            (tab(path, Text("items-all"), None, current))
            @for selection in RowSelection::ALL { (tab(path, words(*selection, is_dry), Some(*selection), current)) }
        }
    }
}

fn tab(path: &str, label: Text, selection: Option<RowSelection>, current: Option<RowSelection>) -> Markup {
    let target = link(path, &[("outcome", selection.map_or("", RowSelection::as_str))]);
    html! { a href={ (target) "#rows" } aria-current=[(selection == current).then_some("page")] { (label) } }
}

fn words(selection: RowSelection, is_dry: bool) -> Text {
    match selection {
        RowSelection::Created if is_dry => Text("import-would-be-new"),
        RowSelection::Created => Text("import-new"),
        RowSelection::Existing => Text("import-existing"),
        RowSelection::Skipped => Text("import-skipped"),
        RowSelection::Failed => Text("import-failed"),
        RowSelection::Problems => Text("import-with-problems"),
    }
}

fn list_entry(row: &RowReport, import: &Import) -> Markup {
    let outcome = match row.outcome {
        RowOutcome::Created => words(RowSelection::Created, import.is_dry),
        RowOutcome::Existing => words(RowSelection::Existing, import.is_dry),
        RowOutcome::Annotation => Text("import-annotation"),
        RowOutcome::Skipped => words(RowSelection::Skipped, import.is_dry),
        RowOutcome::Failed => words(RowSelection::Failed, import.is_dry),
    };
    let title = row.title.clone().or_else(|| row.url.clone());
    let title = title.unwrap_or_else(|| Text("import-untitled").get());
    let item = row.item_id.filter(|_| import.undo == ImportUndoState::None);
    html! {
        li {
            h3 {
                @if let Some(id) = item { a href={ "/library/" (id) } { bdi { (title) } } }
                @else { bdi { (title) } }
            }
            p.meta { (Text("import-row").with("row", row.row)) " · " (outcome) @if let Some(url) = &row.url { " · " bdi { (url) } } }
            @if !row.problems.is_empty() { ul.small { @for problem in &row.problems { li { (message_text(&problem.reason)) } } } }
        }
    }
}

/// Exports all rows of an import as CSV.
#[handler]
pub(in crate::desk) async fn download(
    request: PageRequest,
    user: User,
    Path(id): Path<ImportId>,
) -> PageResult {
    let table = transfer::import_report_table(&request.app.domain, user.account.id, id).await?;
    Ok(file_of(table))
}

fn file_of(table: BoxStream<'static, std::io::Result<Bytes>>) -> Response {
    let mut response =
        Response::builder().content_type("text/csv; charset=utf-8").body(Body::from_bytes_stream(table));
    let name = HeaderValue::from_static("attachment; filename=\"import-report.csv\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    keep_private(response)
}

/// Renders the form in which a person confirms or changes the field of each column after a dry run.
pub(super) fn columns_form(import: &Import, token: &FormToken) -> Markup {
    html! {
        @if import.is_dry && !import.columns.is_empty() {
            h2 { (Text("import-columns")) }
            p { (Text("import-columns-words")) }
            form.stack method="post" action={ "/library/import/" (import.id) } {
                (token.field())
                @for (at, (field, name)) in import.columns.columns().enumerate() {
                    div {
                        label for={ "column-" (at) } { bdi { (name) } }
                        select id={ "column-" (at) } name={ "column-" (at) } {
                            @for choice in ColumnField::ALL {
                                option value=(choice.as_str()) selected[*choice == field] { (column_name(*choice)) }
                            }
                        }
                    }
                }
                div { button.secondary type="submit" name="act" value="columns" { (Text("import-check-again")) } }
            }
        }
    }
}

/// Returns the columns with the fields that the form selects.
pub(super) fn chosen_columns(import: &Import, form: &Form) -> ColumnMap {
    let columns = import.columns.columns().enumerate();
    ColumnMap::of(columns.map(|(at, (field, name))| {
        let chosen = ColumnField::parse(form.get(&format!("column-{at}")));
        (chosen.unwrap_or(field), name.to_owned())
    }))
}
