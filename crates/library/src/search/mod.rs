//! Search in a library: index, ranking, phrases, spelling correction, and snippets.

pub mod found;
pub mod index;
pub mod matches;
mod phrases;
pub mod snippet;
pub mod spelling;
mod stretches;

#[cfg(test)]
mod phrase_tests;
#[cfg(test)]
mod stretch_tests;
#[cfg(test)]
mod tests;
