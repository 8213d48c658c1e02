//! Tools: the operations of the Developer API, and the two tools `search` and `fetch` that research clients
//! expect. A tool of an operation has the operation's description, and a call runs the operation.

mod arguments;
mod builtin;
mod call;
mod catalogue;
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

pub(super) use call::call;
pub(super) use catalogue::Catalogue;
pub use exceptions::{Exception, exception_of};
pub(super) use paths::segment;
pub(super) use result::failed;
