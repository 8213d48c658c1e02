//! Helpers for monitor tests: changing pages, running due monitors, and reading results.

use kernel::Domain;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use super::clock::{DAY, SECOND};
use super::person::Person;
use super::{HttpAnswer, Reply, TestApp};

/// Creates a page with several paragraphs, the last of which is `words`.
pub(crate) fn page(words: &str) -> Reply {
    let paragraph = |n: u32| {
        format!(
            "<p>Paragraph {n} tells of boats and tide, and of the people who come to the harbour every morning.</p>"
        )
    };
    let body: String = (1..=6).map(paragraph).collect();
    Reply::html(format!(
        "<!doctype html><html lang=en><head><title>Harbour</title></head><body><main><h1>Harbour</h1>{body}\
         <h2>News</h2><p>{words}</p></main></body></html>"
    ))
}

/// Creates a monitor of a page and returns it.
pub(crate) async fn watch_page(app: &TestApp, who: &Person, url: &str) -> Value {
    create_monitor(app, who, &json!({"name": "Harbour", "targetUrl": url})).await
}

pub(crate) async fn create_monitor(app: &TestApp, who: &Person, body: &Value) -> Value {
    who.post(app, "/v1/monitors", body).await.expect(201).json()["monitor"].clone()
}

/// Sends JSON with the person's API key.
pub(crate) async fn send(
    app: &TestApp,
    who: &Person,
    method: Method,
    path: &str,
    body: &Value,
) -> HttpAnswer {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
    app.send(method, path, &headers, Some(body.to_string())).await
}

/// Advances the clock by a minute in four steps, and runs all due jobs after each step, because monitors of
/// one host run one after the other.
pub(crate) async fn advance_minute(app: &TestApp) {
    for _ in 0..4 {
        app.clock.advance(15 * SECOND);
        app.tick().await;
        app.run_jobs().await;
    }
}

/// Advances the clock by a day and runs all due jobs.
pub(crate) async fn advance_day(app: &TestApp) {
    app.clock.advance(DAY);
    advance_minute(app).await;
}

/// Runs a monitor manually and returns the finished run.
pub(crate) async fn run_now(app: &TestApp, who: &Person, monitor: &Value) -> Value {
    app.clock.advance(15 * SECOND);
    let run = who.send(app, Method::POST, &format!("{}/run", path(monitor))).await.expect(202).json();
    app.run_jobs().await;
    let id = &run["run"]["id"];
    let runs = runs(app, who, monitor).await;
    runs.iter().find(|run| run["id"] == *id).cloned().unwrap_or_else(|| panic!("{run} is not among {runs:?}"))
}

pub(crate) fn path(monitor: &Value) -> String {
    format!("/v1/monitors/{}", monitor["id"].as_str().expect("the monitor has an id"))
}

/// Returns the current state of a monitor.
pub(crate) async fn get_monitor(app: &TestApp, who: &Person, monitor: &Value) -> Value {
    who.get(app, &path(monitor)).await.expect(200).json()["monitor"].clone()
}

/// Returns the runs of a monitor, newest first.
pub(crate) async fn runs(app: &TestApp, who: &Person, monitor: &Value) -> Vec<Value> {
    let list = who.get(app, &format!("{}/runs?limit=100", path(monitor))).await.expect(200).json();
    list["runs"].as_array().expect("the response lists runs").clone()
}

/// Returns the outcomes of a monitor's runs, oldest first.
pub(crate) async fn outcomes(app: &TestApp, who: &Person, monitor: &Value) -> Vec<String> {
    let runs = runs(app, who, monitor).await;
    runs.iter().rev().map(|run| run["outcome"].as_str().unwrap_or("running").to_owned()).collect()
}

/// Returns the changes of a monitor, newest first.
pub(crate) async fn changes(app: &TestApp, who: &Person, monitor: &Value) -> Vec<Value> {
    let list = who.get(app, &format!("{}/changes", path(monitor))).await.expect(200).json();
    list["changes"].as_array().expect("the response lists changes").clone()
}

/// Returns the used and the remaining monitor credits.
pub(crate) async fn credits(app: &TestApp, who: &Person) -> (i64, i64) {
    let limits = who.get(app, "/v1/me").await.expect(200).json()["limits"].clone();
    let query_number = |name: &str| limits[name].as_i64().expect("the credits are a number");
    (query_number("webMonitorMonthlyCreditsUsed"), query_number("webMonitorMonthlyCreditsRemaining"))
}

/// Returns the single number that a statement selects.
pub(crate) async fn query_number(domain: &Domain, sql: &str) -> i64 {
    let connection = domain.db().write();
    let statement = sea_orm::Statement::from_string(connection.get_database_backend(), sql.to_owned());
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

/// Returns the remaining fresh extractions of the day. This costs one extraction.
pub(crate) async fn remaining_extractions(app: &TestApp, who: &Person) -> i64 {
    let body = json!({"targetUrl": app.site.put("/tried", page("x"))});
    let answer = who.post(app, "/v1/monitors/preview", &body).await.expect(200);
    let (_, rest) =
        answer.header("ratelimit").split_once("\"fresh-day\";r=").expect("the response has the day's quota");
    rest.split(';').next().and_then(|left| left.parse().ok()).expect("the quota is a number")
}
