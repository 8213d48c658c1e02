//! Parsed page that all readers of HTML use: parsing, the flat list of nodes, probable page types, and URLs
//! of links.

pub(crate) mod controls;
mod inline_elements;
pub(crate) mod links;
mod page_type;
pub(crate) mod parse;
mod tags;
mod tree;
pub(crate) mod xhtml;

pub(crate) use self::{
    page_type::{PageType, Types},
    tags::is_inline,
    tree::{Id, Page},
};
