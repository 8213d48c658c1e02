//! Check whether this service can be reached at its public address from outside, as hosted agents need. A
//! worker requests the address as an external server would. The result is stored for the whole deployment.

mod check;
mod fault;

pub use check::{CheckedAddress, METADATA, PendingCheck, examine, last_check, request_check, run_check};
pub use fault::AddressFault;
