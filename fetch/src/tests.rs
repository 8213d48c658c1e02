//! Tests of the fetcher against a small local server on loopback and a table of names.

mod addresses;
mod answers;
mod bodies;
mod budget;
mod deliver;
mod names;
mod redirects;
mod robots;
mod rules;
mod settings;
mod site;
mod spellings;
mod tls;
mod wire;
