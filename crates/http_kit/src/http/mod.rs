//! Shared building blocks of the HTTP surfaces: request ids, compression, client addresses, rate limit
//! headers, parameters, bodies, conditional requests, and conversion of API descriptions to OpenAPI 3.1. This
//! module does not depend on any operation.

pub mod answer_memory;
pub mod body;
pub mod body_fault;
pub mod body_memory;
pub mod compress;
pub mod conditional;
pub mod cors;
pub mod deprecation;
pub mod enum_param;
pub mod fault;
pub mod file_body;
pub mod file_name;
pub mod free_object;
pub mod json;
pub mod limits;
pub mod network;
pub mod number;
pub mod openapi31;
pub mod openapi_type;
pub mod opml_body;
pub mod params;
pub mod query;
pub mod request;
pub mod request_id;
pub mod unrouted;
pub mod value;
