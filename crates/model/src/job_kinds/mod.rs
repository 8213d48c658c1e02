//! Job kinds of this crate, one file each.

mod summary;

pub use summary::Summary;
