//! `watch`: a monitor of a page, a text, or a price.

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::page::{TaskResult, clipped, counted, moment, title};
use super::reference::is_address;
use super::undo;
use crate::session::Refusal;
use http_kit::http::fault::Fault;

/// Default interval between two runs, in hours.
const HOURS: u32 = 24;
/// Maximum length of a monitor name that is derived from the address, in characters.
const NAME_CHARS: usize = 80;
/// Maximum number of blocks that a dry run lists.
const SAMPLE: usize = 10;

/// Creates a monitor, or previews it.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn run(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let mut body = body(arguments)?;
    if arguments.flag("dryRun") {
        calls.session().caller.require(kernel::Scope::Write)?;
        let answer = calls.post("/v1/monitors/preview", &body).await?;
        return Ok(preview(&answer));
    }
    if arguments.flag("notify") {
        body["notify"] = channels(calls).await?;
    }
    let (answer, is_new) = calls.create("/v1/monitors", &body).await?;
    let monitor = &answer["monitor"];
    let id = monitor["id"].as_str().unwrap_or_default();
    let mut page = TaskResult::new(
        format!(
            "Watching as monitor:{id}, every {} minutes; first run {}. The first run records the state to compare with.",
            monitor["intervalMinutes"],
            moment(&monitor["nextRunAt"])
        ),
        json!({}),
    );
    let notified = monitor["notify"].as_array().map(Vec::len).unwrap_or_default();
    page.say(if notified == 0 && arguments.flag("notify") {
        "The person has no active channel: changes appear in list_updates only.".to_owned()
    } else {
        format!("Changes appear in list_updates; {} also notified.", counted_channels(notified))
    });
    say_warnings(&mut page, &answer["warnings"]);
    page.data = json!({
        "id": format!("monitor:{id}"),
        "name": monitor["name"],
        "url": monitor["targetUrl"],
        "nextRunAt": monitor["nextRunAt"],
        "warnings": answer["warnings"],
    });
    if is_new {
        page.undo = undo::of_monitor(calls, id).await;
    }
    Ok(page)
}

/// Checks that the arguments are consistent.
///
/// # Errors
/// The first fault.
pub(super) fn check(arguments: &Arguments) -> Result<(), Fault> {
    body(arguments).map(drop)
}

/// Definition of the monitor. A price without a selector is read from the product data of the page.
fn body(arguments: &Arguments) -> Result<Value, Fault> {
    let url = arguments.required("url").trim();
    if !is_address(url) {
        return Err(Fault::new("must be an http(s) address").under("url"));
    }
    let when = arguments.text("when").unwrap_or("any");
    let value = arguments.text("value").map(str::trim);
    let is_number = matches!(when, "below" | "above");
    let value = match (when, value) {
        ("any", _) => Value::Null,
        (_, None) => return Err(Fault::new(format!("is missing; {when} needs it")).under("value")),
        (_, Some(text)) if is_number => {
            let number: f64 =
                text.parse().map_err(|_| Fault::new("must be a number, such as 90").under("value"))?;
            json!(number)
        }
        (_, Some(text)) => text.into(),
    };
    let name = arguments.text("name").map_or_else(|| clipped(url, NAME_CHARS - 1), str::to_owned);
    let minutes = arguments.number("hours").unwrap_or(HOURS) * 60;
    let mut body = json!({ "name": name, "targetUrl": url, "intervalMinutes": minutes });
    if arguments.flag("render") {
        body["render"] = true.into();
    }
    if let Some(selector) = arguments.text("selector") {
        body["selector"] = selector.into();
    } else if is_number {
        body["targetType"] = "product".into();
    }
    if when != "any" {
        body["trigger"] = json!({ "kind": when, "value": value });
        if body["targetType"] == "product" {
            body["trigger"]["field"] = "price".into();
        }
    }
    Ok(body)
}

/// Ids of the active channels.
async fn channels(calls: &mut Calls<'_>) -> Result<Value, Refusal> {
    let answer = calls.get("/v1/channels").await?;
    let channels = answer["channels"].as_array().into_iter().flatten();
    let active = channels.filter(|channel| channel["status"] == "active");
    Ok(active.map(|channel| channel["id"].clone()).collect())
}

fn counted_channels(count: usize) -> String {
    if count == 1 { "1 channel is".to_owned() } else { format!("{count} channels are") }
}

fn say_warnings(page: &mut TaskResult, warnings: &Value) {
    let warnings: Vec<&str> = warnings.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !warnings.is_empty() {
        page.say(format!("Warnings: {}.", warnings.join(", ")));
    }
}

/// Result of a dry run.
fn preview(answer: &Value) -> TaskResult {
    let first = format!("Dry run: {} would be watched. Nothing was changed.", counted_parts(answer));
    let mut page = TaskResult::new(first, json!({}));
    if let Some(is_triggered) = answer["triggered"].as_bool() {
        page.say(if is_triggered {
            "The condition is met already: it is not reported until it stops being met and is met again."
        } else {
            "The condition is not met now."
        });
    }
    say_warnings(&mut page, &answer["warnings"]);
    page.quote(format!("# {}", title(&answer["title"])));
    for reading in answer["readings"].as_array().into_iter().flatten().take(SAMPLE) {
        let text = |name: &str| reading[name].as_str().unwrap_or_default();
        page.quote(format!("- {} {} {}", clipped(text("item"), 80), text("number"), text("currency")));
    }
    for block in answer["blocks"].as_array().into_iter().flatten().take(SAMPLE) {
        page.quote(format!("- {}", clipped(block["text"].as_str().unwrap_or_default(), 200)));
    }
    page.then("Call again without dryRun to watch it.");
    page.data = json!({ "dryRun": true, "preview": answer });
    page
}

fn counted_parts(answer: &Value) -> String {
    let total = answer["total"].as_u64().and_then(|total| usize::try_from(total).ok());
    counted(total.unwrap_or_default(), "part")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sent: Value) -> Result<Value, String> {
        let schema = json!({"properties": {
            "url": {"type": "string"}, "when": {"type": "string"}, "value": {"type": "string"},
            "selector": {"type": "string"}, "hours": {"type": "integer"}, "name": {"type": "string"},
            "render": {"type": "boolean"},
        }});
        let Value::Object(sent) = sent else { panic!("{sent}") };
        body(&Arguments::of(&schema, sent).unwrap()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn price_is_read_from_the_product_data_unless_a_selector_is_sent() {
        let url = "https://shop.example/x";
        let product = of(json!({"url": url, "when": "below", "value": 90, "hours": 6})).unwrap();
        assert_eq!(
            product,
            json!({"name": url, "targetUrl": url, "intervalMinutes": 360, "targetType": "product",
                "trigger": {"kind": "below", "value": 90.0, "field": "price"}})
        );
        let part = of(json!({"url": url, "when": "above", "value": "1.5", "selector": ".n"})).unwrap();
        assert_eq!(
            (&part["trigger"], &part["selector"]),
            (&json!({"kind": "above", "value": 1.5}), &json!(".n"))
        );
        let plain = of(json!({"url": url})).unwrap();
        assert_eq!((plain.get("trigger"), plain.get("render")), (None, None));
        assert_eq!(of(json!({"url": url, "render": true})).unwrap()["render"], true);
        assert_eq!(
            of(json!({"url": url, "when": "below"})).unwrap_err(),
            "/value: is missing; below needs it"
        );
        assert_eq!(
            of(json!({"url": url, "when": "below", "value": "cheap"})).unwrap_err(),
            "/value: must be a number, such as 90"
        );
        assert_eq!(of(json!({"url": "entry:5"})).unwrap_err(), "/url: must be an http(s) address");
    }
}
