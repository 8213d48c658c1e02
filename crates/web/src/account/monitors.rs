//! Pages of a person's monitors: the list, one monitor with its timeline, creation, editing, and actions.

mod actions;
mod creation;
mod detail;
mod duplicate;
mod edit;
mod explanation_input;
mod fields;
mod frame;
mod groups;
mod input;
mod listing;
mod lists;
mod new_step;
mod page_picture;
mod part_choice;
mod picture_form;
mod preview;
mod rendering_input;
mod request_input;
mod schedule_input;
mod search;
mod step_choice;
mod steps;
mod text_fields;
mod timeline;
mod values;
mod words;

pub(super) use actions::{
    change_selected, delete, pause, resume, rotate, run, show_delete, show_rotate, watch_all,
};
pub(super) use creation::{create, show_new};
pub(super) use detail::show;
pub(super) use duplicate::{create_duplicate, show_duplicate};
pub(super) use edit::{show_edit, update};
pub(super) use groups::{
    create as create_group, delete as delete_group, list as list_groups, save as save_group,
    show as show_group, show_delete as show_delete_group,
};
pub(super) use listing::list;
pub(super) use lists::{export, import, show_lists};
pub(super) use page_picture::{show_picture, show_picture_style};
pub(super) use search::show_search;
pub(super) use values::csv;
