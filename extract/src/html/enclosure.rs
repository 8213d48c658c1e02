//! Quotes and list items that enclose the current block.

use crate::document::{Block, BlockKind, Container, MAX_CONTAINERS};

#[derive(Debug, Default)]
pub(super) struct BlockEnclosure {
    /// Containers of the items of the current list. Outside lists, containers of the current text.
    path: Vec<Container>,
    /// True inside an item of the current list.
    is_in_item: bool,
    /// Number of open lists inside the innermost quote.
    lists: usize,
    /// Containers of the list item whose first line follows.
    item_path: Vec<Container>,
}

/// State to restore at the end of the current element.
#[derive(Clone, Copy)]
pub(super) struct Outer {
    depth: usize,
    is_in_item: bool,
    lists: usize,
}

impl BlockEnclosure {
    pub(super) fn enter_quote(&mut self) -> Outer {
        let outer = self.outer();
        if self.is_in_item {
            self.path.push(Container::Item);
        }
        self.path.push(Container::Quote);
        (self.is_in_item, self.lists) = (false, 0);
        outer
    }

    pub(super) fn enter_list(&mut self) -> Outer {
        let outer = self.outer();
        if self.lists > 0 || self.is_in_item {
            self.path.push(Container::Item);
        }
        self.is_in_item = false;
        self.lists += 1;
        outer
    }

    pub(super) fn enter_item(&mut self) -> Outer {
        let outer = self.outer();
        self.is_in_item = true;
        self.item_path.clone_from(&self.path);
        outer
    }

    /// Enters a term or a definition. `depth` is the number of enclosing lists and terms.
    pub(super) fn enter_definition(&mut self, depth: usize) -> Outer {
        let outer = self.outer();
        let items = self.path.iter().rev().take_while(|container| **container == Container::Item).count();
        self.path.extend((items..depth).map(|_| Container::Item));
        self.is_in_item = true;
        self.item_path.clone_from(&self.path);
        outer
    }

    pub(super) fn leave(&mut self, outer: Outer) {
        self.path.truncate(outer.depth);
        (self.is_in_item, self.lists) = (outer.is_in_item, outer.lists);
    }

    /// Sets the containers of a block, unless its kind and its list position imply them.
    pub(super) fn assign(&self, block: &mut Block) {
        let path: Vec<Container> = match block.kind {
            BlockKind::ListItem => self.item_path.iter().copied().take(MAX_CONTAINERS).collect(),
            // A heading is never part of a list item.
            BlockKind::Heading => {
                let quotes = self.path.iter().take_while(|container| **container == Container::Quote);
                quotes.copied().take(MAX_CONTAINERS).collect()
            }
            _ => {
                let item = self.is_in_item.then_some(Container::Item);
                self.path.iter().copied().chain(item).take(MAX_CONTAINERS).collect()
            }
        };
        if path != block.containers() {
            block.within = path;
        }
    }

    fn outer(&self) -> Outer {
        Outer { depth: self.path.len(), is_in_item: self.is_in_item, lists: self.lists }
    }
}
