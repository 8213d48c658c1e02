//! Search in a library: index, ranking, phrases, spelling correction, and snippets.

pub(crate) mod hits;
mod id_ranges;
pub(crate) mod index;
pub(crate) mod matches;
mod phrases;
pub(crate) mod snippet;
pub(crate) mod spelling;

#[cfg(test)]
mod id_range_tests;
#[cfg(test)]
mod phrase_tests;
#[cfg(test)]
mod tests;
