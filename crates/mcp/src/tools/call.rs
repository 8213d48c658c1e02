//! Tool calls.

use serde_json::{Map, Value};
use tracing::Instrument;

use super::builtin::BuiltinTool;
use super::catalogue::{Tool, ToolCatalogue, ToolKind};
use super::operation::{ResponseKind, ToolOperation};
use super::result::Completed;
use super::size::{Extent, MAX_ROUNDS, MAX_TOKENS};
use super::tasks::{self, NamedTool, Task};
use super::{arguments, fetch, file, result, search, size};
use crate::activity::PendingCall;
use crate::selection::ToolOutput;
use crate::session::{AgentRequest, Refusal, json_of, unreadable_response};
use http_kit::auth::ChargePolicy;
use kernel::Scope;

/// Calls a tool, and records the outcome of the call. A call that writes runs in its own task, so it completes
/// and is recorded even if the client disconnects.
///
/// # Errors
/// The error response of the operation.
pub(crate) async fn call(
    session: &AgentRequest,
    catalogue: &ToolCatalogue,
    tool: &Tool,
    arguments: Map<String, Value>,
    pending: PendingCall,
) -> Result<Value, Refusal> {
    let set = match &tool.kind {
        ToolKind::Task(task) if task.task == Task::MoreTools => {
            catalogue.tools_of_set(arguments.get("set"), session)
        }
        ToolKind::Task(_) | ToolKind::Builtin(_) | ToolKind::Operation(_) => Vec::new(),
    };
    let (session, kind, scope) = (session.clone(), tool.kind.clone(), tool.scope);
    let work = async move {
        match run(&session, (&kind, scope), arguments, &set).await {
            Ok(completed) => {
                pending.record_done(completed.undo.as_ref());
                Ok(completed.result)
            }
            Err(refusal) => {
                pending.record(Some(refusal.code()));
                Err(refusal)
            }
        }
    }
    .in_current_span();
    if tool.reads_only {
        return work.await;
    }
    tokio::spawn(work).await.unwrap_or_else(|error| Err(unreadable_response(&error)))
}

async fn run(
    session: &AgentRequest,
    (kind, scope): (&ToolKind, Scope),
    arguments: Map<String, Value>,
    set: &[NamedTool],
) -> Result<Completed, Refusal> {
    let result = match kind {
        ToolKind::Task(task) => return tasks::call(session, task, arguments, set).await,
        ToolKind::Builtin(BuiltinTool::Search) => result::done(search::run(session, &arguments).await?),
        ToolKind::Builtin(BuiltinTool::Fetch) => result::done(fetch::run(session, &arguments).await?),
        ToolKind::Operation(operation) => run_operation(session, operation, scope, arguments).await?,
    };
    Ok(result.into())
}

/// Checks the arguments of a call before a person approves it. Checks that need the operation are omitted.
///
/// # Errors
/// The first fault.
pub(crate) fn check(
    session: &AgentRequest,
    tool: &Tool,
    arguments: &Map<String, Value>,
) -> Result<(), Refusal> {
    match &tool.kind {
        ToolKind::Task(task) => Ok(tasks::check(task, arguments.clone())?),
        ToolKind::Builtin(_) => Ok(()),
        ToolKind::Operation(operation) => {
            let base_url = session.app.settings.origins.base.as_str();
            arguments::request(operation, arguments.clone(), base_url)?;
            Ok(arguments::check_required(operation, arguments)?)
        }
    }
}

/// Result of a refused call.
pub(crate) fn failed(tool: &Tool, refusal: &Refusal, output: ToolOutput) -> Value {
    match &tool.kind {
        ToolKind::Task(task) if output == ToolOutput::Markdown => tasks::failed(task, refusal),
        ToolKind::Task(_) | ToolKind::Operation(_) | ToolKind::Builtin(_) => result::failed(refusal),
    }
}

async fn run_operation(
    session: &AgentRequest,
    operation: &ToolOperation,
    scope: Scope,
    arguments: Map<String, Value>,
) -> Result<Value, Refusal> {
    let base_url = session.app.settings.origins.base.as_str();
    let (request, path) = match arguments::request(operation, arguments.clone(), base_url) {
        Ok(request) => request,
        Err(refusal) => {
            // Charge the call as the operation would, and check the scope before reporting details.
            session.charge(scope).await?;
            return Err(refusal);
        }
    };
    let response = session.send(request, ChargePolicy::Due).await?;
    match operation.answer {
        ResponseKind::Json => {
            let value = json_of(response).await?;
            let value = shrink_to_limit(session, operation, arguments, value).await?;
            Ok(result::done(value))
        }
        ResponseKind::Nothing => Ok(result::done(result::done_value())),
        ResponseKind::Text => {
            let media_type = response.content_type().unwrap_or_default().to_owned();
            let text =
                response.into_body().into_string().await.map_err(|error| unreadable_response(&error))?;
            Ok(result::done(size::fit(result::text_value(text, &media_type)).await))
        }
        ResponseKind::File => file::file_result(session, operation, &path, response).await,
    }
}

/// Shrinks a value to the size limit: a list is requested again with fewer rows, and a window with a short outline
/// and fewer tokens, each with the cursor of the rest. In any other value, the longest text is cut.
async fn shrink_to_limit(
    session: &AgentRequest,
    operation: &ToolOperation,
    mut arguments: Map<String, Value>,
    mut value: Value,
) -> Result<Value, Refusal> {
    if value.is_null() {
        return Ok(result::done_value());
    }
    let base_url = session.app.settings.origins.base.as_str();
    // Operations that write are not repeated.
    let rounds = if operation.reads_only { MAX_ROUNDS } else { 0 };
    for round in 0..rounds {
        let tokens = size::tokens_with_short_outline(&mut value).await;
        if tokens <= MAX_TOKENS {
            return Ok(value);
        }
        let shortened = extent(operation, &value).and_then(|extent| extent.shortened(tokens, round));
        let Some((name, number)) = shortened else { break };
        arguments.insert(name.into(), number.into());
        let (request, _) = arguments::request(operation, arguments.clone(), base_url)?;
        value = json_of(session.send(request, ChargePolicy::Paid).await?).await?;
    }
    Ok(size::fit(value).await)
}

/// Part of a response that a smaller argument shortens; `None` if there is none.
fn extent<'a>(operation: &ToolOperation, value: &'a Value) -> Option<Extent<'a>> {
    if operation.takes("limit") {
        let lists = value.as_object()?.values().filter_map(Value::as_array);
        return lists.max_by_key(|list| list.len()).map(|rows| Extent::Rows(rows.as_slice()));
    }
    fetch::tokens_returned(value).filter(|_| operation.takes("maxTokens")).map(Extent::Window)
}
