//! Tests of searches in the list of all objects, on both databases.

mod excluded_words;
mod id_ranges;
mod phrases;
mod word_forms;
