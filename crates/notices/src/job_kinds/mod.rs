//! The job kinds of this capability, one file each.

mod notice;

pub use notice::NoticeJob;
