//! Default tools: one for each task of an agent. Each is composed of operations of the Developer API, so
//! scopes, limits, checks, and errors are those of the operations.

mod account;
mod annotate;
mod arguments;
mod charges;
mod consumer;
mod definition;
mod document;
mod failure;
mod following;
mod mark;
mod organize;
mod page;
mod reference;
mod run;
mod save;
mod search;
mod toolsets;
mod undo;
mod updates;
mod watch;

pub(crate) use arguments::asks_dry_run;
pub(super) use definition::{Task, TaskTool, output_schema};
pub(super) use failure::failed;
pub(super) use run::{call, check};
pub(super) use toolsets::NamedTool;
pub(crate) use toolsets::{LOADING_TOOL, loaded};
