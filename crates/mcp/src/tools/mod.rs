//! The tools: the operations of the Developer API, and two of our own that research clients look for. A tool that is an
//! operation says what the API description says of it, and a call runs the operation itself.

mod arguments;
mod call;
mod catalogue;
mod exceptions;
mod fetch;
mod file;
mod hints;
mod operation;
mod own;
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
