//! Pages for operators, under `/admin`: job kinds, jobs, schedules, accounts, and paused servers.
//!
//! They are for administrator accounts and for requests with the operator's token. For everyone else, these
//! addresses have no page.

mod accounts;
mod bulk_actions;
mod chart;
mod hosts;
mod job_detail;
mod jobs;
mod kinds;
mod limits;
mod operator;
mod routes;
mod schedules;
mod words;

pub(crate) use routes::routes;
