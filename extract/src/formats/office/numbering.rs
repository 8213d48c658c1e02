//! Numbers of the list items in a DOCX file.

use std::collections::HashMap;

use crate::{
    document::MAX_ITEM_NUMBER,
    formats::xml::{self, XmlEvent, value},
};

/// Maximum number of list definitions of a file that are stored.
const MAX_LISTS: usize = 10_000;
/// Number of levels of a list.
const LEVELS: usize = 9;

/// Level of a list.
#[derive(Debug, Clone, Copy)]
struct ListLevel {
    is_numbered: bool,
    start: u32,
}

impl Default for ListLevel {
    fn default() -> Self {
        Self { is_numbered: false, start: 1 }
    }
}

/// List to which paragraphs refer.
#[derive(Debug, Default)]
struct NumberedList {
    /// Id of the definition, which several lists may share.
    definition: String,
    /// For each level, the number at which this list restarts.
    restarts: [Option<u32>; LEVELS],
}

/// Lists of a file, and the numbers of their previous items.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    definitions: HashMap<String, [ListLevel; LEVELS]>,
    lists: HashMap<String, NumberedList>,
    /// For each definition, the numbers of the previous items.
    previous: HashMap<String, [Option<u32>; LEVELS]>,
}

impl Numbering {
    pub(super) fn read(text: &str) -> Self {
        let mut numbering = Self::default();
        let mut definition: Option<(String, [ListLevel; LEVELS])> = None;
        let mut list: Option<(String, NumberedList)> = None;
        let mut level = 0;
        xml::walk(text, |step| match step {
            XmlEvent::Open(name, attributes) => {
                let own = |name: &str| value(attributes, name).unwrap_or_default();
                match name {
                    "abstractNum" => {
                        let levels = [ListLevel::default(); LEVELS];
                        definition = Some((own("abstractNumId").to_owned(), levels));
                    }
                    "num" => list = Some((own("numId").to_owned(), NumberedList::default())),
                    "lvl" | "lvlOverride" => {
                        level = own("ilvl").parse::<usize>().unwrap_or(0).min(LEVELS - 1);
                    }
                    "numFmt" | "start" => {
                        if let Some((_, levels)) = &mut definition {
                            levels[level].set(name, own("val"));
                        }
                    }
                    "abstractNumId" => {
                        if let Some((_, list)) = &mut list {
                            own("val").clone_into(&mut list.definition);
                        }
                    }
                    "startOverride" => {
                        if let Some((_, list)) = &mut list {
                            list.restarts[level] = own("val").parse().ok();
                        }
                    }
                    _ => {}
                }
            }
            XmlEvent::Close("abstractNum") => {
                if let Some((id, levels)) = definition.take()
                    && numbering.definitions.len() < MAX_LISTS
                {
                    numbering.definitions.insert(id, levels);
                }
            }
            XmlEvent::Close("num") => {
                if let Some((id, list)) = list.take()
                    && numbering.lists.len() < MAX_LISTS
                {
                    numbering.lists.insert(id, list);
                }
            }
            XmlEvent::Text(_) | XmlEvent::Close(_) => {}
        });
        numbering
    }

    /// Number of the next item of a list at this depth, or `None` if the list has bullets.
    pub(super) fn next(&mut self, list: &str, depth: u8) -> Option<u32> {
        let level = usize::from(depth).min(LEVELS - 1);
        let list = self.lists.get_mut(list)?;
        let declared = self.definitions.get(&list.definition)?[level];
        let previous = self.previous.entry(list.definition.clone()).or_default();
        let number = match (list.restarts[level].take(), previous[level]) {
            (Some(restart), _) => restart,
            (None, Some(previous)) => previous.saturating_add(1),
            (None, None) => declared.start,
        }
        .min(MAX_ITEM_NUMBER);
        previous[level] = Some(number);
        previous[level + 1..].fill(None);
        declared.is_numbered.then_some(number)
    }
}

impl ListLevel {
    fn set(&mut self, property: &str, value: &str) {
        match property {
            "numFmt" => self.is_numbered = !matches!(value, "bullet" | "none"),
            _ => self.start = value.parse().unwrap_or(1),
        }
    }
}
