//! The kit of every HTTP surface: request ids, callers' networks, limit fields, parameters, bodies,
//! conditional requests, and the conversion of API descriptions to OpenAPI 3.1. It knows no operation.

pub mod conditional;
pub mod fields;
pub mod limits;
pub mod network;
pub mod openapi31;
pub mod params;
pub mod query;
pub mod request_id;
