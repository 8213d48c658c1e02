//! Fields that a person chooses for the columns of a table, or for the members of JSON objects. The text form
//! is `url=Link,title=Name`.

use std::fmt;

use super::mapping::{self, Field};

/// Maximum number of columns.
const MAX_COLUMNS: usize = 64;
/// Maximum length of a name, in code points.
const MAX_NAME_CHARS: usize = 200;
/// Maximum length of the text form, in bytes.
const MAX_TEXT_BYTES: usize = 64 * 1024;

/// Declares the fields with their names and meanings.
macro_rules! fields {
    ($($(#[doc = $about:literal])* $name:ident = $word:literal, $field:expr;)+) => {
        /// Field to which a column can be assigned.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ColumnField {
            $($(#[doc = $about])* $name,)+
        }

        impl ColumnField {
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Name of the field in the text form of a map.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)+
                }
            }

            /// Meaning of the value. `None` if it is stored under its name only.
            pub(super) const fn meaning(self) -> Option<Field> {
                match self {
                    $(Self::$name => $field,)+
                }
            }
        }
    };
}

fields! {
    Url = "url", Some(Field::Url);
    Title = "title", Some(Field::Title);
    Author = "author", Some(Field::Author);
    Published = "published", Some(Field::PublishedAt);
    Saved = "saved", Some(Field::SavedAt);
    Status = "status", Some(Field::Status);
    Tags = "tags", Some(Field::AnyTags);
    Folder = "folder", Some(Field::Folder);
    Star = "star", Some(Field::Star);
    Unread = "unread", Some(Field::Unread);
    Archived = "archived", Some(Field::Archived);
    Progress = "progress", Some(Field::Progress);
    Percent = "percent", Some(Field::Percent);
    Finished = "finished", Some(Field::FinishedAt);
    Note = "note", Some(Field::Note);
    Highlight = "highlight", Some(Field::Quote);
    Html = "html", Some(Field::Html);
    Text = "text", Some(Field::Text);
    Doi = "doi", Some(Field::Doi);
    Id = "id", Some(Field::Id);
    /// Stored under its name in the metadata of the item.
    Metadata = "metadata", None;
}

impl ColumnField {
    /// Parses the name of a field in the text form.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.as_str() == word)
    }

    /// Field with this meaning.
    pub(super) fn of(meaning: Field) -> Self {
        let meaning = if matches!(meaning, Field::Tags(_)) { Field::AnyTags } else { meaning };
        let field = Self::ALL.iter().copied().find(|field| field.meaning() == Some(meaning));
        field.unwrap_or(Self::Metadata)
    }
}

/// Reason why a text is not a valid column map.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidColumns {
    /// A part has no equals sign or no name.
    #[error("each part must be field=column")]
    Part,
    #[error(
        "{0} is not a field; fields are url, title, author, published, saved, status, tags, folder, star, unread, archived, progress, percent, finished, note, highlight, html, text, doi, id and metadata"
    )]
    Field(String),
    #[error("there are too many columns, or their names are too long")]
    TooLong,
    #[error("a quotation mark is not closed")]
    Quote,
    /// The character U+0000, which databases cannot store in texts.
    #[error("the name of a column contains the character NUL")]
    Nul,
}

/// Columns with their fields. Columns that are not listed are read by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMap(Vec<MappedColumn>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct MappedColumn {
    field: ColumnField,
    name: String,
    /// Normalised name, for comparison with the names in a file.
    key: String,
}

impl MappedColumn {
    fn new(field: ColumnField, name: String) -> Self {
        Self { field, key: mapping::plain(&name), name }
    }
}

impl ColumnMap {
    /// Map of these columns. Columns beyond the limits or with a character that cannot be stored are left out,
    /// and are read by their names.
    pub fn of(columns: impl IntoIterator<Item = (ColumnField, String)>) -> Self {
        let fits = |name: &str| {
            !name.trim().is_empty() && !name.contains('\0') && name.chars().count() <= MAX_NAME_CHARS
        };
        let columns = columns.into_iter().filter(|(_, name)| fits(name)).take(MAX_COLUMNS);
        Self(columns.map(|(field, name)| MappedColumn::new(field, name)).collect())
    }

    /// Parses the text form. A name that contains a comma, an equals sign, or a quotation mark is quoted.
    /// Quotation marks in a quoted name are doubled.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid map.
    pub fn parse(text: &str) -> Result<Self, InvalidColumns> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(InvalidColumns::TooLong);
        }
        let (mut columns, mut rest) = (Vec::new(), text.trim());
        while !rest.is_empty() {
            let (field, after) = rest.split_once('=').ok_or(InvalidColumns::Part)?;
            let word = field.trim();
            let field = ColumnField::parse(word).ok_or_else(|| InvalidColumns::Field(word.to_owned()))?;
            let (name, next) = name_of(after.trim_start())?;
            if name.trim().is_empty() {
                return Err(InvalidColumns::Part);
            }
            if name.contains('\0') {
                return Err(InvalidColumns::Nul);
            }
            if columns.len() == MAX_COLUMNS || name.chars().count() > MAX_NAME_CHARS {
                return Err(InvalidColumns::TooLong);
            }
            columns.push(MappedColumn::new(field, name));
            rest = next.trim_start();
        }
        Ok(Self(columns))
    }

    /// Adds the columns of a proposal that this map does not contain.
    #[must_use]
    pub fn with_rest(mut self, proposal: &Self) -> Self {
        for column in &proposal.0 {
            if self.0.len() < MAX_COLUMNS && self.0.iter().all(|known| known.key != column.key) {
                self.0.push(column.clone());
            }
        }
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Columns with their fields.
    pub fn columns(&self) -> impl Iterator<Item = (ColumnField, &str)> {
        self.0.iter().map(|column| (column.field, column.name.as_str()))
    }

    /// Field of the column with this name, and its position in the map.
    pub(super) fn position(&self, name: &str) -> Option<(usize, ColumnField)> {
        let key = mapping::plain(name);
        let at = self.0.iter().position(|column| column.key == key)?;
        self.0.get(at).map(|column| (at, column.field))
    }
}

/// Name at the start of a text, and the text after the comma.
fn name_of(text: &str) -> Result<(String, &str), InvalidColumns> {
    let Some(mut rest) = text.strip_prefix('"') else {
        let (name, next) = text.split_once(',').unwrap_or((text, ""));
        return Ok((name.trim().to_owned(), next));
    };
    let mut name = String::new();
    loop {
        let (part, after) = rest.split_once('"').ok_or(InvalidColumns::Quote)?;
        name.push_str(part);
        let Some(more) = after.strip_prefix('"') else {
            let after = after.trim_start();
            let next = if after.is_empty() { Some("") } else { after.strip_prefix(',') };
            return next.map(|next| (name, next)).ok_or(InvalidColumns::Part);
        };
        name.push('"');
        rest = more;
    }
}

impl fmt::Display for ColumnMap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (field, name)) in self.columns().enumerate() {
            let separator = if at > 0 { "," } else { "" };
            let is_plain = !name.contains(['"', ',', '=']) && name.trim() == name;
            if is_plain {
                write!(formatter, "{separator}{}={name}", field.as_str())?;
            } else {
                write!(formatter, "{separator}{}=\"{}\"", field.as_str(), name.replace('"', "\"\""))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_map_is_parsed_from_text_and_written_as_text() {
        let text = "url=Link,title=\"Name, \"\"short\"\"\", tags = Topics ,metadata=\" x\"";
        let map = ColumnMap::parse(text).unwrap();
        let columns: Vec<_> = map.columns().collect();
        assert_eq!(
            columns,
            [
                (ColumnField::Url, "Link"),
                (ColumnField::Title, "Name, \"short\""),
                (ColumnField::Tags, "Topics"),
                (ColumnField::Metadata, " x"),
            ]
        );
        assert_eq!(ColumnMap::parse(&map.to_string()).unwrap(), map);
        assert_eq!(map.position("L I N K"), Some((0, ColumnField::Url)));
        assert!(ColumnMap::parse(" ").unwrap().is_empty());
        let proposal = ColumnMap::parse("metadata=link,note=Words").unwrap();
        assert_eq!(map.with_rest(&proposal).columns().last(), Some((ColumnField::Note, "Words")));
    }

    #[test]
    fn invalid_column_map_text_is_refused() {
        for (text, reason) in [
            ("url", InvalidColumns::Part),
            ("url=", InvalidColumns::Part),
            ("url=\"a\" b", InvalidColumns::Part),
            ("url=\"a", InvalidColumns::Quote),
            ("url=a\0b", InvalidColumns::Nul),
            ("link=a", InvalidColumns::Field("link".to_owned())),
        ] {
            assert_eq!(ColumnMap::parse(text).unwrap_err(), reason, "{text}");
        }
        let long = format!("url={}", "a".repeat(201));
        assert_eq!(ColumnMap::parse(&long).unwrap_err(), InvalidColumns::TooLong);
        let words = ColumnField::ALL.iter().map(|field| field.as_str());
        let listed = InvalidColumns::Field(String::new()).to_string();
        assert!(words.clone().all(|word| listed.contains(word)), "{listed}");
    }

    #[test]
    fn every_field_round_trips_through_its_name_and_meaning() {
        for field in ColumnField::ALL {
            assert_eq!(ColumnField::parse(field.as_str()), Some(*field));
            assert_eq!(field.meaning().map_or(ColumnField::Metadata, ColumnField::of), *field);
        }
    }
}
