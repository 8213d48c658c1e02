//! What agents call: the Model Context Protocol over the operations of the Developer API. A tool is an operation; the same
//! endpoint answers it, called within the process with the caller who was made at the door, so that scopes, limits,
//! checks and errors are the same by construction. Messages are spoken here, without sessions, in five revisions of the
//! protocol.

mod completion;
mod endpoint;
mod failure;
mod limits;
mod message;
mod methods;
mod origins;
pub mod pipe;
mod prompts;
mod resources;
mod revision;
mod session;
mod stream;
mod strict;
mod tools;

pub use endpoint::endpoint;
pub use http_kit::mcp_address::{Access, Address, Group};
pub use tools::{Exception, exception_of};
