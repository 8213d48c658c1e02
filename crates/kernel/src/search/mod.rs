//! Full-text search in libraries and in entries of feeds: splitting of texts into words, the query language,
//! ranking, and index expressions.

pub mod dates;
pub mod expression;
pub mod fault;
pub mod line_words;
pub mod property;
pub mod query;
pub mod rank;
pub mod words;
