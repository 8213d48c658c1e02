//! Fields that a row of an import can have, for the table of formats.

use super::row::ImportRow;

/// Declares the fields with their display names, and the condition under which a row has them.
macro_rules! fields {
    ($($name:ident = $label:literal, $is_set:expr;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum RowField {
            $($name,)+
        }

        impl RowField {
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Display name.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$name => $label,)+
                }
            }

            /// True if the row has the field.
            pub fn is_in(self, row: &ImportRow) -> bool {
                match self {
                    $(Self::$name => {
                        let is_set: fn(&ImportRow) -> bool = $is_set;
                        is_set(row)
                    })+
                }
            }
        }
    };
}

fields! {
    Url = "URL", |row| row.url.is_some();
    Title = "title", |row| row.title.is_some();
    Author = "author", |row| row.author.is_some();
    Published = "publication", |row| row.published_at.is_some();
    Saved = "save time", |row| row.saved_at.is_some();
    Status = "status", |row| row.status.is_some();
    Progress = "reading progress", |row| row.progress.is_some();
    Tags = "tags", |row| !row.tags.is_empty();
    Star = "star", |row| row.is_starred;
    Folders = "folders", |row| !row.folders.is_empty();
    Content = "text", |row| row.content.is_some();
    Note = "note", |row| row.note.is_some();
    Highlights = "highlights", |row| !row.highlights.is_empty();
}
