//! Conversion of the folders of an imported item to tags.

use kernel::bounds::TAG_CHARS;

/// Conversion of folders and lists to tags by an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FolderTags {
    /// A tag for each folder with its parents, such as `Work/Design`.
    #[default]
    PathTags,
    /// A tag for each folder and each of its parents.
    Tags,
    /// No tags. The metadata of the item contains the folders.
    Ignore,
}

impl FolderTags {
    pub const ALL: &'static [Self] = &[Self::PathTags, Self::Tags, Self::Ignore];

    /// Returns the value on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PathTags => "path-tags",
            Self::Tags => "tags",
            Self::Ignore => "ignore",
        }
    }

    /// Parses a value from the wire.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.as_str() == word)
    }

    /// Returns the names of the tags for folders. Each folder is a path, outermost folder first.
    pub(super) fn names(self, folders: &[Vec<String>]) -> Vec<String> {
        match self {
            Self::PathTags => folders.iter().filter_map(|path| path_tag(path)).collect(),
            Self::Tags => folders.concat(),
            Self::Ignore => Vec::new(),
        }
    }
}

/// Converts a path to one tag. If the path is too long for a tag, omits the outermost folders.
fn path_tag(path: &[String]) -> Option<String> {
    let fits = |names: &&[String]| names.join("/").chars().count() <= TAG_CHARS;
    let mut suffixes = (0..path.len()).map(|start| &path[start..]);
    suffixes.clone().find(fits).or_else(|| suffixes.next_back()).map(|names| names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_converted_to_tags_as_chosen() {
        let folders = vec![
            vec!["Work".to_owned(), "Design".to_owned()],
            vec!["A folder with a very long name".to_owned(), "Bread".to_owned()],
        ];
        assert_eq!(FolderTags::PathTags.names(&folders), ["Work/Design", "Bread"]);
        assert_eq!(
            FolderTags::Tags.names(&folders),
            ["Work", "Design", "A folder with a very long name", "Bread"]
        );
        assert!(FolderTags::Ignore.names(&folders).is_empty());
        for choice in FolderTags::ALL {
            assert_eq!(FolderTags::parse(choice.as_str()), Some(*choice));
        }
    }
}
