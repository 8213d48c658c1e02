//! Names of the lists of a file, to which its rows refer by id.

use std::collections::HashMap;

use serde_json::Value;

use super::values;

/// Maximum number of lists whose names are stored.
const MAX_LISTS: usize = 10_000;
/// Maximum number of parents of a list.
const MAX_DEPTH: usize = 16;

/// Names of lists with their parents, by id.
#[derive(Default)]
pub(super) struct ListNames(HashMap<String, (String, Option<String>)>);

impl ListNames {
    /// Adds a list: `id, name, parentId`.
    pub(super) fn add(&mut self, list: &Value) {
        let text = |name: &str| values::json_text(list.get(name));
        if let (Some(id), Some(name)) = (text("id"), text("name"))
            && self.0.len() < MAX_LISTS
        {
            self.0.insert(id, (values::folder_name(name), text("parentId")));
        }
    }

    /// Names of a list and its parents, outermost first.
    pub(super) fn path(&self, id: &str) -> Option<Vec<String>> {
        let (name, mut parent) = self.0.get(id).map(|(name, parent)| (name, parent))?;
        let mut names = vec![name.clone()];
        while let Some((name, next)) = parent.as_ref().and_then(|id| self.0.get(id)) {
            if names.len() == MAX_DEPTH {
                break;
            }
            names.push(name.clone());
            parent = next;
        }
        names.reverse();
        Some(names)
    }
}
