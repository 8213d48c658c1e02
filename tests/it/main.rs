//! The outside test-suite: every surface through real HTTP and the real executable, on both ways in which
//! Carrel is deployed. Nothing leaves the machine. Run it by `bin/test`.

#[cfg(test)]
mod support;

#[cfg(test)]
mod command_line;
#[cfg(test)]
mod crowds;
#[cfg(test)]
mod developer_access;
#[cfg(test)]
mod developer_articles;
#[cfg(test)]
mod developer_limits;
#[cfg(test)]
mod monitors;
#[cfg(test)]
mod monitors_feeds;
#[cfg(test)]
mod monitors_killed;
#[cfg(test)]
mod monitors_kinds;
#[cfg(test)]
mod monitors_month;
#[cfg(test)]
mod monitors_pages;
#[cfg(test)]
mod monitors_states;
#[cfg(test)]
mod openapi;
#[cfg(test)]
mod operators;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod people;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod reader_batch;
#[cfg(test)]
mod reader_http;
#[cfg(test)]
mod reader_idempotency;
#[cfg(test)]
mod reader_jobs;
#[cfg(test)]
mod reader_limits;
#[cfg(test)]
mod reader_paging;
#[cfg(test)]
mod reader_parameters;
#[cfg(test)]
mod reader_parts;
#[cfg(test)]
mod reader_post;
#[cfg(test)]
mod reader_prefix;
#[cfg(test)]
mod reader_problems;
#[cfg(test)]
mod reader_read;
#[cfg(test)]
mod reader_sandbox;
#[cfg(test)]
mod reader_verify;
#[cfg(test)]
mod rss;
#[cfg(test)]
mod rss_arrivals;
#[cfg(test)]
mod rss_command;
#[cfg(test)]
mod rss_lists;
#[cfg(test)]
mod rss_pushed;
#[cfg(test)]
mod tidy;
