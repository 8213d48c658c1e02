//! Pages for operators, under `/admin`: job kinds, jobs, schedules, accounts, and paused servers.
//!
//! Only administrators and requests with the operator's token have access. For everyone else, these addresses
//! do not exist.

mod accounts;
mod bulk_actions;
mod chart;
mod cleanup_words;
mod hosts;
mod job_detail;
mod jobs;
mod kinds;
mod limits;
mod operator;
mod quotas;
mod routes;
mod schedules;
mod words;

pub(crate) use routes::routes;
