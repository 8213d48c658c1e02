//! Search in a library: index, ranking, phrases, spelling correction, and snippets.

pub(crate) mod found;
pub(crate) mod index;
pub(crate) mod matches;
mod phrases;
pub(crate) mod snippet;
pub(crate) mod spelling;
mod stretches;

#[cfg(test)]
mod phrase_tests;
#[cfg(test)]
mod stretch_tests;
#[cfg(test)]
mod tests;
