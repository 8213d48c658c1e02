//! How texts are found by words: the words that they are cut into, the language of queries, and what an index is asked.
//! Libraries and entries of feeds are searched by the same.

pub mod expression;
pub mod query;
pub mod rank;
pub mod words;
