//! The kit of every HTTP surface: request ids, compression, callers' networks, limit fields, parameters, bodies,
//! conditional requests, and the conversion of API descriptions to OpenAPI 3.1. It knows no operation.

pub mod answer_memory;
pub mod body;
pub mod body_memory;
pub mod compress;
pub mod conditional;
pub mod cors;
pub mod deprecation;
pub mod fault;
pub mod file_name;
pub mod free;
pub mod limits;
pub mod network;
pub mod number;
pub mod openapi31;
pub mod params;
pub mod query;
pub mod request;
pub mod request_id;
pub mod unrouted;
pub mod value;
pub mod word;
