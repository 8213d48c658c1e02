//! Operations that span several capabilities, such as account deletion, plan changes, usage counts, the
//! account export, undo of agents' calls, the doctor, and the views for operators.

pub mod agent_undo;
pub mod capabilities;
pub mod cleanups;
mod composition;
pub mod credit_grants;
pub mod delivery;
pub mod doctor;
pub mod first_steps;
pub mod highlight_review;
pub mod job_kinds;
pub mod listening;
pub mod offline;
pub mod offline_actions;
pub mod operators;
pub mod sample_account;
pub mod today;
mod today_digest;
pub mod usage;

pub use composition::compose;
