//! Web monitors: pages, sitemaps and named values that are checked regularly, the changes found in them, and
//! the feeds that publish the changes.
//!
//! A monitor belongs to one account. Its target is shared with all monitors of the same address, so that one
//! download serves them all. A run is executed by a job, recorded when it ends, and charged in the same
//! transaction. `extract::watch` defines what is compared, and how.

mod account_rows;
mod asked;
mod batch;
mod change;
mod changes;
mod commit;
mod dead_run;
mod definition;
mod due;
mod edit;
mod evaluate;
mod feed;
mod feed_form;
mod fetch;
mod follow;
mod gathered;
mod held;
pub mod job_kinds;
mod look;
mod manage;
mod memory;
mod monitor;
mod neighbours;
mod next;
mod notice;
mod observe;
mod one;
mod outcome;
mod plan;
mod preview;
mod previous;
mod render;
mod replay;
mod request_preview;
mod result;
mod retention;
mod rows;
mod rules;
mod run;
mod run_rows;
mod sql;
mod stored;
mod tags;
mod takeout;
#[cfg(test)]
mod testing;
mod together;
mod unchanged;
mod values;
mod warnings;

pub use account_rows::MonitorRows;
pub use batch::split_batch;
pub use change::Change;
pub use changes::{
    ChangeLine, ChangePage, ChangeView, Run, RunPage, list_change_lines, list_changes, list_runs, view_change,
};
pub use dead_run::give_up_run;
pub use due::claim_due;
pub use edit::{Edit, Updated, update};
pub use feed::{Feed, find_feed};
pub use feed_form::FeedForm;
pub use follow::forget_feeds;
pub use manage::{Created, MonitorPage, NewMonitor, create, delete, get, list, rotate_feed, run_now};
pub use monitor::{Definition, Monitor, Page, PauseReason, Status, TargetType};
pub use neighbours::{Neighbours, NewestChange, neighbours, newest_changes};
pub use plan::{apply_plan, credits_changed};
pub use preview::{Preview, run_preview};
pub use replay::{NewlyReported, Replay, ReplayedChange, replay_changes};
pub use request_preview::{PendingPreview, PreviewRequest, request_preview};
pub use retention::{delete_old_contents, delete_old_runs};
pub use rules::count;
pub use run::run;
pub use tags::{has_tag, tags_of};
pub use takeout::{export_definitions, import_definitions};
pub use values::{TimedValue, values};

#[cfg(test)]
mod tests;
