//! The outside test-suite: every surface through real HTTP and the real executable, on both ways in which
//! Carrel is deployed. Nothing leaves the machine. Run it by `bin/test`.

#![cfg(test)]

mod support;

mod circles;
mod command_line;
mod crowds;
mod developer_access;
mod developer_articles;
mod developer_contract;
mod developer_limits;
mod documents;
mod import_command;
mod foreign;
mod library_bodies;
mod library_devices;
mod library_exports;
mod library_files;
mod library_imports;
mod library_items;
mod library_killed;
mod library_notes;
mod library_roundtrip;
mod library_storage;
mod library_texts;
mod monitors;
mod monitors_feeds;
mod monitors_form;
mod monitors_killed;
mod monitors_kinds;
mod monitors_looks;
mod monitors_month;
mod monitors_pages;
mod monitors_sharing;
mod monitors_states;
mod monitors_told;
mod openapi;
mod operators;
mod pages;
mod people;
mod people_limits;
mod people_mail;
mod processes;
mod reader_batch;
mod reader_contract;
mod reader_http;
mod reader_idempotency;
mod reader_jobs;
mod reader_limits;
mod reader_paging;
mod reader_parameters;
mod reader_parts;
mod reader_post;
mod reader_prefix;
mod reader_problems;
mod reader_read;
mod reader_sandbox;
mod reader_verify;
mod rss;
mod rss_arrivals;
mod rss_command;
mod rss_lists;
mod rss_pushed;
mod tidy;
