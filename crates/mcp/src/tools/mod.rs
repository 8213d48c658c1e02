//! Tools: the default tools, one for each task of an agent; the operations of the Developer API; and the two
//! tools `search` and `fetch` that research clients expect. A call of an operation's tool runs the operation.

mod arguments;
mod builtin;
mod call;
mod catalogue;
mod descriptions;
mod exceptions;
mod fetch;
mod file;
mod hints;
mod operation;
mod paths;
mod result;
mod schema;
mod search;
mod size;
mod tasks;

pub(super) use call::{call, check, failed};
pub(super) use catalogue::{Tool, ToolCatalogue};
pub use exceptions::{Exception, exception_of};
pub(super) use paths::segment;
pub(super) use result::done;
pub(super) use tasks::{LOADING_TOOL, asks_dry_run, loaded as loaded_groups};
