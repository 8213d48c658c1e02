//! A call of a tool.

use std::sync::Arc;

use serde_json::{Map, Value};
use tracing::Instrument;

use super::catalogue::{Kind, Tool};
use super::operation::{Answer, Operation};
use super::own::Own;
use super::size::MOST_TOKENS;
use super::{arguments, fetch, file, result, search, size};
use crate::session::{Refusal, Session, broken, json_of};
use http_kit::auth::Charge;
use kernel::Scope;

/// How often a page is asked for again that was too large.
const MOST_ROUNDS: usize = 4;
/// The smallest window of a text.
const LEAST_TOKENS: u64 = 100;

/// Calls a tool. What changes something goes on to its end in a task of its own, should nobody wait for it any longer.
///
/// # Errors
/// What the operation answers when it is not done.
pub(crate) async fn call(
    session: &Session,
    tool: &Tool,
    arguments: Map<String, Value>,
) -> Result<Value, Refusal> {
    let operation = match &tool.kind {
        Kind::Own(Own::Search) => return search::run(session, &arguments).await.map(result::done),
        Kind::Own(Own::Fetch) => return fetch::run(session, &arguments).await.map(result::done),
        Kind::Operation(operation) => Arc::clone(operation),
    };
    let (session, scope, reads_only) = (session.clone(), tool.scope, operation.reads_only);
    let work = async move { run(&session, &operation, scope, arguments).await }.in_current_span();
    if reads_only {
        return work.await;
    }
    tokio::spawn(work).await.unwrap_or_else(|error| Err(broken(&error)))
}

async fn run(
    session: &Session,
    operation: &Operation,
    scope: Scope,
    arguments: Map<String, Value>,
) -> Result<Value, Refusal> {
    let base_url = session.app.settings.origins.base.as_str();
    let (request, path) = match arguments::request(operation, arguments.clone(), base_url) {
        Ok(request) => request,
        Err(refusal) => {
            // It costs what it would cost if the operation had said so, and strangers to the scope learn no more.
            session.charge(scope).await?;
            return Err(refusal);
        }
    };
    let response = session.send(request, Charge::Due).await?;
    match operation.answer {
        Answer::Json => {
            let value = json_of(response).await?;
            let value = shrunk(session, operation, arguments, value).await?;
            Ok(result::done(value))
        }
        Answer::Nothing => Ok(result::done(result::done_value())),
        Answer::Text => {
            let media_type = response.content_type().unwrap_or_default().to_owned();
            let text = response.into_body().into_string().await.map_err(|error| broken(&error))?;
            Ok(result::done(size::fit(result::text_value(text, &media_type)).await))
        }
        Answer::File => file::shown(session, operation, &path, response).await,
    }
}

/// A value that fits into an answer. A list ends early and a window is smaller, each with the cursor that goes on there;
/// of anything else the longest text is cut.
async fn shrunk(
    session: &Session,
    operation: &Operation,
    mut arguments: Map<String, Value>,
    mut value: Value,
) -> Result<Value, Refusal> {
    if value.is_null() {
        return Ok(result::done_value());
    }
    let base_url = session.app.settings.origins.base.as_str();
    // What writes is not done twice.
    let rounds = if operation.reads_only { MOST_ROUNDS } else { 0 };
    for _ in 0..rounds {
        let tokens = size::tokens(&value).await;
        if tokens <= MOST_TOKENS {
            return Ok(value);
        }
        let Some((name, number)) = smaller(operation, &value, tokens.into()) else { break };
        arguments.insert(name.into(), number.into());
        let (request, _) = arguments::request(operation, arguments.clone(), base_url)?;
        value = json_of(session.send(request, Charge::Paid).await?).await?;
    }
    Ok(size::fit(value).await)
}

/// The argument by which less is answered, and its value.
fn smaller(operation: &Operation, value: &Value, tokens: u64) -> Option<(&'static str, u64)> {
    let scaled = |number: u64| number * u64::from(MOST_TOKENS) * 9 / (10 * tokens);
    if operation.takes("limit") {
        let lists = value.as_object()?.values().filter_map(Value::as_array);
        let rows = lists.map(Vec::len).max().and_then(|rows| u64::try_from(rows).ok())?;
        return (rows > 1).then(|| ("limit", scaled(rows).clamp(1, rows - 1)));
    }
    let returned = value["tokensReturned"].as_u64().filter(|_| operation.takes("maxTokens"))?;
    let window = scaled(returned);
    (window >= LEAST_TOKENS).then_some(("maxTokens", window))
}
