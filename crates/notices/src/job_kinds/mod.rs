//! Job kinds of this crate, one file each.

mod notice;

pub use notice::NoticeJob;
