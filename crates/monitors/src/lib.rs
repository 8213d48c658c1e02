//! Web monitors: pages, sitemaps and named values that are checked regularly, their changes, and the feeds
//! that publish the changes.
//!
//! A monitor belongs to one account. Its target is shared by all monitors of the same URL, so that they need
//! a single download. Monitors of a group share settings and a public page. A run is executed by a job, is
//! recorded when it finishes, and is charged in the same transaction. `extract::watch` implements the
//! comparison of content.

mod account_rows;
mod args;
mod batch;
mod bulk;
mod calendar;
mod change;
mod change_explanation;
mod change_export;
mod change_notice;
mod change_search;
mod change_side;
mod changes;
mod commit;
mod commit_batch;
mod commit_buffer;
mod cookie_jar;
mod dead_run;
mod decision;
mod definition;
mod due;
mod edit;
mod evaluate;
mod explanations;
mod feed;
mod feed_format;
mod fetch;
mod follow;
mod group_settings;
mod groups;
pub mod job_kinds;
mod latest_changes;
mod list_import;
mod listed_browser;
mod locks;
mod manage;
mod memory;
mod message_text;
mod monitor;
mod next_run;
mod notice;
mod observation;
mod observer;
mod outcome;
mod page_parts;
mod plan;
mod preview;
mod render;
mod rendered_source;
mod rendering;
mod rendering_rules;
mod replay;
mod request;
mod request_preview;
mod result;
mod retention;
mod rows;
mod rules;
mod run;
mod run_rows;
mod run_single;
mod schedule;
mod screenshots;
mod sealed;
mod settings_mark;
mod shared_monitors;
mod sql;
mod step_secrets;
mod stored_snapshots;
mod stored_text;
mod tags;
#[cfg(test)]
mod testing;
mod transfer;
mod unchanged_runs;
mod values;
mod warnings;

pub use account_rows::MonitorRows;
pub use articles::worker_tools::{PageStep, StepKey, StepKind};
pub use batch::split_batch;
pub use bulk::{BulkUpdate, MAX_BULK, duplicate, update_many};
pub use calendar::{Day, Hours, Schedule, Week};
pub use change::Change;
pub use change_explanation::ChangeExplanation;
pub use change_export::{ExportedChange, ExportedChanges, export_changes, monitor_names};
pub use change_search::{MAX_SEARCH_CHARS, MatchedChange, MatchedPage, search_changes};
pub use change_side::ChangeSide;
pub use changes::{
    ChangePage, ChangeSummary, ChangeView, Run, RunPage, list_change_summaries, list_changes, list_runs,
    read_screenshot, view_change,
};
pub use dead_run::give_up_run;
pub use decision::Decision;
pub use due::claim_due;
pub use edit::{Edit, Updated, update};
pub use explanations::{
    ExplanationSource, MAX_EXPLAINED_CHARS, NewExplanation, explanation_source, finish_explanation,
};
pub use feed::{
    FeedContent, PublishedChange, PublishedGroup, RenderedFeed, find_feed, find_group_feed,
    is_token as is_feed_token, new_token as new_feed_token, view_group, write as write_feed,
};
pub use feed_format::FeedFormat;
pub use follow::{delete_feeds, feeds_of};
pub use group_settings::GroupSetting;
pub use groups::{GroupEdit, MonitorGroup, create_group, delete_group, get_group, list_groups, update_group};
pub use latest_changes::{AdjacentChanges, NewestChange, adjacent_changes, newest_changes};
pub use list_import::{
    ImportFormat, ImportOutcome, ImportReport, ImportedMonitor, MAX_LIST_BYTES, import_list,
};
pub use manage::{
    CreatedMonitor, ListFilter, MonitorOptions, MonitorPage, NewMonitor, create, delete, get, list,
    rotate_feed, run_now,
};
pub use message_text::MessageText;
pub use monitor::{Definition, ExplanationSettings, ListRange, Monitor, PauseReason, Status, TargetType};
pub use page_parts::{PageParts, PositionedPart, page_picture};
pub use plan::{apply_plan, credits_changed};
pub use preview::{Preview, PreviewRequest, find_page_parts, run_preview};
pub use render::{FeedItem, FeedScreenshot};
pub use rendering::Rendering;
pub use replay::{NewlyReported, Replay, ReplayedChange, replay_changes};
pub use request::{CredentialKind, Credentials, CustomHeader, Post, PostMethod, RequestSettings};
pub use request_preview::{PendingPageParts, PendingPreview, request_page_parts, request_preview};
pub use retention::{delete_old_contents, delete_old_runs};
pub use rules::count;
pub use run::run;
pub use screenshots::delete_lost_screenshots;
pub use sealed::{SealedStepText, SealedValue};
pub use settings_mark::{delete_unchanged, settings_mark};
pub use shared_monitors::{
    SharedChange, SharedMonitor, SharedMonitorPage, TeamMonitor, list_shared_monitors, list_team_monitors,
    share_monitor, unshare_monitor, view_shared_monitor,
};
pub use step_secrets::seal_step_text;
pub use stored_text::change_text;
pub use tags::{has_tag, tags_of};
pub use transfer::{export_definitions, import_definitions};
pub use values::{TimedValue, values};

#[cfg(test)]
mod tests;
