//! Tests of the fetcher against a small local server on loopback and a table of names.

mod addresses;
mod bodies;
mod budget;
mod deliver;
mod mqtt;
mod names;
mod page_proxy;
mod proxy;
mod redirects;
mod responses;
mod robots;
mod rules;
mod settings;
mod site;
mod tls;
mod url_syntax;
mod wire;
