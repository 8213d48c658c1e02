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
use crate::tools::size;
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
        Ok(arguments) => Box::pin(perform(&mut calls, tool.task, &arguments, set)).await,
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
        ToolOutput::Markdown => result::text(page.into_text()),
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
