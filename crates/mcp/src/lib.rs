//! Model Context Protocol server over the operations of the Developer API. Each tool is an operation, or a
//! task that is composed of operations: the same endpoints handle the calls in-process with the authenticated
//! caller, so scopes, limits, checks and errors are identical. The server has no sessions and supports
//! five revisions of the protocol.

mod activity;
mod approval;
mod client_capabilities;
mod completion;
mod elicitation;
mod endpoint;
mod error;
mod limits;
mod listen;
mod message;
mod methods;
mod origins;
mod prompts;
mod resources;
mod revision;
mod secret_arguments;
mod selection;
mod session;
pub mod stdio;
mod stream;
mod strict;
mod tools;
mod transfer_tasks;

pub use endpoint::endpoint;
pub use http_kit::mcp_address::{Access, McpAddress, ToolGroup};
pub use tools::{Exception, exception_of};
