//! Pages of Notion in HTML: a title, a table of properties, and a text.

use serde_json::Value;

use super::mapping::checked;
use super::markdown_notes::notion_row;
use super::markup::{attribute, element, element_text, elements, plain_text};
use super::row::{InvalidRow, MAX_ROW_BYTES, RowContent, RowResult};
use super::values;

/// Class of the text of a page.
const BODY: &str = "<div class=\"page-body\">";

/// True for a page that Notion exported.
pub(super) fn is_notion(text: &str) -> bool {
    text.starts_with('<') && text.contains("class=\"page-title\"") && text.contains("<article id=\"")
}

/// Reads a page.
pub(super) fn page(text: &str, visit: &mut dyn FnMut(RowResult)) {
    if text.len() > MAX_ROW_BYTES {
        return visit(Err(InvalidRow::TooLong));
    }
    let (head, body) = text.split_once(BODY).unwrap_or((text, ""));
    let table = element(head, "table").map_or("", |(table, _)| table);
    let mut row = notion_row(elements(table, "tr").into_iter().filter_map(property));
    let title =
        element(head, "h1").map(|(title, _)| plain_text(title)).and_then(|title| values::text(&title));
    row.title = title.or_else(|| element_text(head, "title")).or(row.title);
    let body = body.rsplit_once("</article>").map_or(body, |(body, _)| body);
    if !plain_text(body).is_empty() {
        let media_type = "text/html".to_owned();
        row.content = Some(RowContent { text: format!("<article>{body}</article>"), media_type });
    }
    visit(checked(row));
}

/// Name and value of a row of the properties.
fn property(row: &str) -> Option<(String, Value)> {
    let (name, _) = element(row, "th")?;
    let (cell, _) = element(row, "td")?;
    let choices = elements(cell, "span");
    let value = if cell.contains("selected-value") {
        choices.into_iter().map(plain_text).filter(|name| !name.is_empty()).collect::<Vec<_>>().into()
    } else if cell.contains("url-value") {
        Value::from(attribute(cell, "href").unwrap_or_else(|| plain_text(cell)))
    } else {
        Value::from(plain_text(cell).trim_start_matches('@'))
    };
    Some((plain_text(name), value))
}
