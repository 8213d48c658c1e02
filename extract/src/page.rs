//! Page as all readers of markup see it: parsing, the flat list of nodes, probable types, and URLs of links.

pub(crate) mod controls;
pub(crate) mod links;
mod page_type;
pub(crate) mod parse;
mod tree;
pub(crate) mod xhtml;

pub(crate) use self::{
    page_type::{PageType, Types},
    tree::{Id, Page, is_inline},
};
