//! Names of the lists of a file, to which its rows refer by id.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::values;

/// Maximum number of lists whose names are stored.
const MAX_LISTS: usize = 10_000;
/// Maximum number of parents of a list.
const MAX_DEPTH: usize = 16;
/// Maximum number of lists of a row whose icons are stored.
const MAX_ICONS: usize = 20;

/// Names of lists with their parents, by id.
#[derive(Default)]
pub(super) struct ListNames(HashMap<String, ListName>);

struct ListName {
    name: String,
    parent: Option<String>,
    icon: Option<String>,
}

impl ListNames {
    /// Adds a list with the members `id, name, parentId, icon`.
    pub(super) fn add(&mut self, list: &Value) {
        let text = |name: &str| values::json_text(list.get(name));
        if let (Some(id), Some(name)) = (text("id"), text("name"))
            && self.0.len() < MAX_LISTS
        {
            let (parent, icon) = (text("parentId"), text("icon").map(values::folder_name));
            self.0.insert(id, ListName { name: values::folder_name(name), parent, icon });
        }
    }

    /// Names of a list and its parents, outermost first.
    pub(super) fn path(&self, id: &str) -> Option<Vec<String>> {
        let mut list = self.0.get(id)?;
        let mut names = vec![list.name.clone()];
        while let Some(parent) = list.parent.as_ref().and_then(|id| self.0.get(id)) {
            if names.len() == MAX_DEPTH {
                break;
            }
            names.push(parent.name.clone());
            list = parent;
        }
        names.reverse();
        values::folders(&names).pop()
    }

    /// Adds the icons of lists to the values of a row, by the names of the lists.
    pub(super) fn add_icons(&self, ids: &[String], extra: &mut Map<String, Value>) {
        let lists = ids.iter().take(MAX_ICONS).filter_map(|id| self.0.get(id));
        let icons = lists.filter_map(|list| Some((list.name.clone(), Value::from(list.icon.as_deref()?))));
        let icons: Map<String, Value> = icons.collect();
        if !icons.is_empty() {
            extra.insert("list_icons".to_owned(), icons.into());
        }
    }
}
