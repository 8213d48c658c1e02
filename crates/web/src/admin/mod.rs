//! Pages for operators, under `/admin`: kinds of jobs, jobs, schedules, accounts, servers that are left alone.
//!
//! They are for accounts that are administrators and for whoever shows the operator's token; for everybody else there is
//! no page at these addresses.

mod accounts;
mod bulk;
mod chart;
mod hosts;
mod jobs;
mod kinds;
mod limits;
mod one_job;
mod operator;
mod routes;
mod schedules;
mod words;

pub(crate) use routes::routes;
