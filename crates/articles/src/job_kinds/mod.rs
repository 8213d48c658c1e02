//! Job kinds of this crate, one file each.

mod extraction;
mod picture;
mod read_job;
mod render;
mod smaller_picture;

pub use extraction::Extraction;
pub use picture::PictureJob;
pub use read_job::ReadJobRunner;
pub use render::Render;
pub use smaller_picture::SmallerPictureJob;
