//! Calls of default tools.

use serde_json::{Map, Value};

use super::arguments::Arguments;
use super::charges::Calls;
use super::definition::{Task, TaskTool};
use super::page::TaskResult;
use super::toolsets::NamedTool;
use super::{account, annotate, document, following, mark, organize, save, search, toolsets, updates, watch};
use crate::selection::ToolOutput;
use crate::session::{AgentRequest, Refusal};
use crate::tools::result::{self, Completed};
use crate::tools::size::{self, Extent, MAX_ROUNDS, MAX_TOKENS};
use http_kit::http::fault::Fault;

/// Calls a default tool. `set` has the tools of the set that `more_tools` loads.
///
/// # Errors
/// A fault of the arguments, or the error response of an operation.
pub(in crate::tools) async fn call(
    session: &AgentRequest,
    tool: &TaskTool,
    sent: Map<String, Value>,
    set: &[NamedTool],
) -> Result<Completed, Refusal> {
    let mut calls = Calls::new(session);
    let page = match Arguments::of(&tool.input, sent) {
        Ok(arguments) => Box::pin(perform_within_limit(&mut calls, tool, arguments, set)).await,
        Err(fault) => Err(fault.into()),
    };
    let mut page = match page {
        Ok(page) => page,
        Err(refusal) => {
            // Charge a call that reached no operation, and check the scope before reporting details.
            calls.charge_alone(tool.scope).await?;
            return Err(refusal);
        }
    };
    let undo = page.undo.take();
    let result = match session.selection.output {
        ToolOutput::Structured => result::done(size::fit(page.data).await),
        ToolOutput::Markdown => result::text(page.text()),
    };
    Ok(Completed { result, undo })
}

/// Checks the arguments of a call of a default tool. Checks that need an operation are omitted.
///
/// # Errors
/// The first fault.
pub(in crate::tools) fn check(tool: &TaskTool, sent: Map<String, Value>) -> Result<(), Fault> {
    let arguments = Arguments::of(&tool.input, sent)?;
    match tool.task {
        Task::Save => save::check(&arguments).map(drop),
        Task::Annotate => annotate::check(&arguments).map(drop),
        Task::Organize => organize::check(&arguments).map(drop),
        Task::Mark => mark::check(&arguments),
        Task::Follow => following::check(&arguments).map(drop),
        Task::Watch => watch::check(&arguments),
        Task::Search
        | Task::Fetch
        | Task::Read
        | Task::Find
        | Task::ListUpdates
        | Task::ListFollowing
        | Task::Account
        | Task::MoreTools => Ok(()),
    }
}

/// Performs a task. A task with a page over the size limit is repeated with fewer rows or a smaller window, so that
/// nothing is skipped between the page and its cursor. Repetitions are not charged.
async fn perform_within_limit(
    calls: &mut Calls<'_>,
    tool: &TaskTool,
    mut arguments: Arguments,
    set: &[NamedTool],
) -> Result<TaskResult, Refusal> {
    let mut page = Box::pin(perform(calls, tool.task, &arguments, set)).await?;
    // Tasks that write are not repeated.
    let rounds = if tool.reads_only { MAX_ROUNDS } else { 0 };
    for round in 0..rounds {
        let tokens = tokens(&page, calls.session().selection.output).await;
        if tokens <= MAX_TOKENS {
            break;
        }
        let shortened = extent(&page).and_then(|extent| extent.shortened(tokens, round));
        let Some((name, number)) = shortened else { break };
        arguments.set(name, number);
        let charged = calls.session().charged();
        let mut repeated = Calls::new(&charged);
        page = Box::pin(perform(&mut repeated, tool.task, &arguments, set)).await?;
    }
    Ok(page)
}

/// Number of tokens of a page in an output format.
async fn tokens(page: &TaskResult, output: ToolOutput) -> u32 {
    match output {
        ToolOutput::Structured => size::tokens(&page.data).await,
        ToolOutput::Markdown => size::tokens_of(page.text()).await,
    }
}

/// Part of a page that a smaller argument shortens; `None` if there is none.
fn extent(page: &TaskResult) -> Option<Extent<'_>> {
    if let Some(window) = page.window {
        return Some(Extent::Window(window));
    }
    page.data.get("nextCursor")?;
    page.data["results"].as_array().map(|rows| Extent::Rows(rows.as_slice()))
}

async fn perform(
    calls: &mut Calls<'_>,
    task: Task,
    arguments: &Arguments,
    set: &[NamedTool],
) -> Result<TaskResult, Refusal> {
    match task {
        Task::Search => search::run(calls, arguments).await,
        Task::Fetch => document::fetch(calls, arguments).await,
        Task::Read => document::read(calls, arguments).await,
        Task::Find => document::find(calls, arguments).await,
        Task::Save => save::run(calls, arguments).await,
        Task::Annotate => annotate::run(calls, arguments).await,
        Task::Organize => organize::run(calls, arguments).await,
        Task::ListUpdates => updates::list(calls, arguments).await,
        Task::Mark => mark::run(calls, arguments).await,
        Task::Follow => following::follow(calls, arguments).await,
        Task::Watch => watch::run(calls, arguments).await,
        Task::ListFollowing => following::list(calls, arguments).await,
        Task::Account => account::run(calls, arguments).await,
        Task::MoreTools => toolsets::run(calls, arguments, set).await,
    }
}
