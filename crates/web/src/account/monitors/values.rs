//! Numbers that a monitor watches over time: a chart and a table of each, and all values as CSV.

use kernel::{Millis, MonitorId, rfc3339};
use maud::{Markup, html};
use monitors::TimedValue;
use poem::http::{HeaderValue, header};
use poem::web::Path;
use poem::{Response, handler};

use super::frame::path;
use crate::language::text::Text;
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::keep_private;

/// Maximum number of charts on the page.
const MAX_LINES: usize = 6;
/// Size of a chart, in SVG user units.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 80.0;
/// Maximum number of values in the table of a chart.
const TABLE_ROWS: usize = 100;
/// Margin that leaves space for the stroke width of the line, in SVG user units.
const MARGIN: f64 = 4.0;

/// Values of one number over time.
struct NumberSeries<'a> {
    name: String,
    currency: &'a str,
    points: Vec<(Millis, f64, &'a str)>,
}

/// Renders the charts on a monitor's page. Empty unless a number was read at least twice.
pub(super) fn charts(values: &[TimedValue], id: MonitorId, now: Millis) -> Markup {
    let lines = lines(values);
    html! {
        @if !lines.is_empty() {
            h2 { (Text("monitor-values")) }
            @for line in lines.iter().take(MAX_LINES) { (chart(line, now)) }
            @if lines.len() > MAX_LINES { p.soft.small { (Text("values-first").with("shown", MAX_LINES).with("count", lines.len())) } }
            p { a.button.secondary href={ (path(id)) "/values.csv" } { (Text("values-csv")) } }
        }
    }
}

/// Returns one series per item and field that was read at least twice, in order of appearance.
fn lines(values: &[TimedValue]) -> Vec<NumberSeries<'_>> {
    let mut lines: Vec<NumberSeries<'_>> = Vec::new();
    for value in values {
        let Some((text, number)) = value.number.as_deref().and_then(|text| Some((text, text.parse().ok()?)))
        else {
            continue;
        };
        let name = match &value.item {
            Some(item) => format!("{}, {item}", value.field),
            None => value.field.clone(),
        };
        let point = (value.at, number, text);
        if let Some(line) = lines.iter_mut().find(|line| line.name == name) {
            line.points.push(point);
        } else {
            let currency = value.currency.as_deref().unwrap_or_default();
            lines.push(NumberSeries { name, currency, points: vec![point] });
        }
    }
    lines.retain(|line| line.points.len() > 1);
    lines
}

fn chart(line: &NumberSeries<'_>, now: Millis) -> Markup {
    let (Some(first), Some(last)) = (line.points.first(), line.points.last()) else { return html! {} };
    let by_value = |a: &&(Millis, f64, &str), b: &&(Millis, f64, &str)| a.1.total_cmp(&b.1);
    let (Some(least), Some(most)) =
        (line.points.iter().min_by(by_value), line.points.iter().max_by(by_value))
    else {
        return html! {};
    };
    let unit = if line.currency.is_empty() { String::new() } else { format!(" {}", line.currency) };
    let words = Text("values-words")
        .with("name", line.name.as_str())
        .with("last", format!("{}{unit}", last.2))
        .with("least", format!("{}{unit}", least.2))
        .with("most", format!("{}{unit}", most.2))
        .with("count", line.points.len())
        .get();
    html! {
        figure.chart {
            figcaption { (words) }
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(words) preserveAspectRatio="none" {
                polyline points=(points(line, (first.0, last.0), (least.1, most.1))) {}
            }
            p.dates.small.soft aria-hidden="true" { span { (time(first.0, now)) } span { (time(last.0, now)) } }
            (table(line, &unit, now))
        }
    }
}

/// Renders the values of a chart as a table, newest first. Consecutive equal values share one row.
fn table(line: &NumberSeries<'_>, unit: &str, now: Millis) -> Markup {
    let mut rows: Vec<(Millis, &str)> = Vec::new();
    for (at, _, text) in &line.points {
        if rows.last().is_none_or(|(_, before)| before != text) {
            rows.push((*at, *text));
        }
    }
    let count = rows.len();
    html! {
        details {
            summary { (Text("values-table")) }
            div.scroll tabindex="0" role="region" aria-label=(Text("values-of").with("name", line.name.as_str())) { table {
                caption { @if count > TABLE_ROWS { (Text("values-newest").with("name", line.name.as_str()).with("shown", TABLE_ROWS).with("count", count)) } @else { (line.name) } }
                thead { tr { th scope="col" { (Text("values-since")) } th scope="col" { (Text("values-value")) } } }
                tbody { @for (at, text) in rows.iter().rev().take(TABLE_ROWS) { tr {
                    td { (time(*at, now)) } td { (text) (unit) }
                } } }
            } }
        }
    }
}

/// Returns the points of a step line: each value is valid until the next one.
fn points(line: &NumberSeries<'_>, (begin, end): (Millis, Millis), (least, most): (f64, f64)) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a pixel is hours wide")]
    let share = |at: Millis| (at - begin) as f64 / (end - begin).max(1) as f64;
    let x_of = |at: Millis| MARGIN + share(at) * (WIDTH - 2.0 * MARGIN);
    let span = if most > least { most - least } else { 1.0 };
    let height = |number: f64| HEIGHT - MARGIN - (number - least) / span * (HEIGHT - 2.0 * MARGIN);
    let mut output = String::new();
    let mut before: Option<f64> = None;
    for (at, number, _) in &line.points {
        let (x, y) = (x_of(*at), height(*number));
        if let Some(before) = before {
            output.push_str(&format!("{x:.1},{before:.1} "));
        }
        output.push_str(&format!("{x:.1},{y:.1} "));
        before = Some(y);
    }
    output.trim_end().to_owned()
}

/// Exports all values as CSV.
#[handler]
pub(crate) async fn csv(request: PageRequest, user: User, Path(id): Path<MonitorId>) -> PageResult {
    let values = monitors::values(&request.app.domain, user.account.id, id).await?;
    let mut text = "time,item,field,text,number,currency\r\n".to_owned();
    for value in &values {
        let cells = [
            rfc3339(value.at),
            cell(value.item.as_deref()),
            cell(Some(&value.field)),
            cell(value.text.as_deref()),
            value.number.clone().unwrap_or_default(),
            value.currency.clone().unwrap_or_default(),
        ];
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    let mut response = Response::builder().content_type("text/csv; charset=utf-8").body(text);
    let name = HeaderValue::from_static("attachment; filename=\"values.csv\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    Ok(keep_private(response))
}

/// Quotes a CSV cell. The text of a page is never interpreted as a spreadsheet formula.
fn cell(text: Option<&str>) -> String {
    let text = text.unwrap_or_default();
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(at: Millis, number: &str) -> TimedValue {
        let (field, number) = ("price".to_owned(), Some(number.to_owned()));
        TimedValue { at, item: None, field, text: None, number, currency: Some("EUR".to_owned()) }
    }

    #[test]
    fn number_series_is_displayed_as_a_step_line_with_caption() {
        let values = [value(0, "120"), value(50, "90"), value(100, "150.5")];
        let markup = charts(&values, MonitorId::from_u128(1), 100).into_string();
        assert!(
            markup.contains("price: 150.5 EUR now, between 90 EUR and 150.5 EUR in 3 readings."),
            "{markup}"
        );
        assert!(
            markup.contains("points=\"4.0,40.3 300.0,40.3 300.0,76.0 596.0,76.0 596.0,4.0\""),
            "{markup}"
        );
        let cells = markup.matches("<td>").count();
        assert_eq!(cells, 6, "three rows of a time and a value: {markup}");
        assert!(markup.contains("<td>90 EUR</td>"), "{markup}");
        let equal = [value(0, "120"), value(50, "120"), value(100, "90")];
        let markup = charts(&equal, MonitorId::from_u128(1), 100).into_string();
        assert_eq!(markup.matches("<td>120 EUR</td>").count(), 1, "{markup}");
        assert_eq!(charts(&values[..1], MonitorId::from_u128(1), 100).into_string(), "");
    }

    #[test]
    fn cell_with_page_text_is_not_a_spreadsheet_formula() {
        assert_eq!(cell(Some("=HYPERLINK(\"x\")")), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(cell(Some("120 €")), "\"120 €\"");
        assert_eq!(cell(None), "\"\"");
    }
}
