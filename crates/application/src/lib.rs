//! The application: operations that span several capabilities, such as deleting an account, changing a plan,
//! counting usage, the account export, the doctor, and what operators see.

pub mod capabilities;
pub mod cleanups;
mod composition;
pub mod credit_grants;
pub mod delivery;
pub mod doctor;
pub mod job_kinds;
pub mod operators;
pub mod usage;

pub use composition::compose;
