//! Formats whose rows are named values: a table of names and fields per format, for cells and JSON members
//! alike. Names are compared without regard to case, blanks, and underscores.

use serde_json::{Map, Value};

use super::highlight_lines::{HIGHLIGHT, highlights_of};
use super::row::{ImportRow, ImportStatus, ImportedHighlight, InvalidRow, RowContent, RowResult};
use super::values;

/// Meaning of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Id,
    Url,
    Title,
    Author,
    PublishedAt,
    SavedAt,
    /// [`Field::SavedAt`] with the day before the month.
    SavedDayFirst,
    Status,
    /// Tags with their separator, if all tags are in one text.
    Tags(char),
    /// Tags whose separator is guessed: a comma, or else a vertical bar or a semicolon.
    AnyTags,
    Folder,
    /// Flag that marks an item as starred.
    Star,
    /// Flag that marks an item as still to be read.
    Unread,
    /// Flag that marks an item as archived, or the time at which it was archived.
    Archived,
    /// Reading progress as a percentage or a fraction.
    Progress,
    /// Reading progress as a percentage.
    Percent,
    /// Time at which reading was completed.
    FinishedAt,
    Note,
    Quote,
    Html,
    Text,
    /// DOI, which becomes the URL of a row without a URL.
    Doi,
}

/// Names with their fields. If several names of a field have a value, the first name is used.
pub(super) type Mapping = &'static [(&'static str, Field)];

pub(super) const PINBOARD: Mapping = &[
    ("href", Field::Url),
    ("description", Field::Title),
    ("extended", Field::Note),
    ("time", Field::SavedAt),
    ("toread", Field::Unread),
    ("tags", Field::Tags(' ')),
];

pub(super) const DELICIOUS: Mapping = &[
    ("url", Field::Url),
    ("title", Field::Title),
    ("description", Field::Note),
    ("created", Field::SavedAt),
    ("tags", Field::Tags(',')),
];

pub(super) const MATTER: Mapping = &[
    ("url", Field::Url),
    ("title", Field::Title),
    ("author", Field::Author),
    ("tags", Field::Tags(';')),
    ("read", Field::Archived),
    ("inqueue", Field::Unread),
    ("favorited", Field::Star),
    ("lastinteractiondate", Field::SavedAt),
];

pub(super) const MYMIND: Mapping = &[
    ("id", Field::Id),
    ("url", Field::Url),
    ("title", Field::Title),
    ("content", Field::Text),
    ("note", Field::Note),
    ("tags", Field::Tags(',')),
    ("created", Field::SavedAt),
];

pub(super) const GOODLINKS: Mapping = &[
    ("url", Field::Url),
    ("title", Field::Title),
    ("author", Field::Author),
    ("tags", Field::Tags(',')),
    ("starred", Field::Star),
    ("readat", Field::Archived),
    ("addedat", Field::SavedAt),
    ("note", Field::Note),
];

pub(super) const WALLABAG_CSV: Mapping = &[
    ("url", Field::Url),
    ("title", Field::Title),
    ("content", Field::Html),
    ("tags", Field::Tags(',')),
    ("creationdate", Field::SavedDayFirst),
];

pub(super) const READER: Mapping = &[
    ("id", Field::Id),
    ("sourceurl", Field::Url),
    ("url", Field::Url),
    ("title", Field::Title),
    ("author", Field::Author),
    ("publisheddate", Field::PublishedAt),
    ("savedat", Field::SavedAt),
    ("createdat", Field::SavedAt),
    ("location", Field::Status),
    ("tags", Field::Tags(',')),
    ("readingprogress", Field::Progress),
    ("notes", Field::Note),
    ("htmlcontent", Field::Html),
];

pub(super) const ZOTERO_CSV: Mapping = &[
    ("key", Field::Id),
    ("url", Field::Url),
    ("doi", Field::Doi),
    ("title", Field::Title),
    ("author", Field::Author),
    ("date", Field::PublishedAt),
    ("publicationyear", Field::PublishedAt),
    ("dateadded", Field::SavedAt),
    ("manualtags", Field::Tags(';')),
    ("automatictags", Field::Tags(';')),
    ("notes", Field::Note),
];

pub(super) const REFERENCE: Mapping = &[
    ("id", Field::Id),
    ("url", Field::Url),
    ("ur", Field::Url),
    ("l1", Field::Url),
    ("doi", Field::Doi),
    ("do", Field::Doi),
    ("title", Field::Title),
    ("ti", Field::Title),
    ("t1", Field::Title),
    ("author", Field::Author),
    ("au", Field::Author),
    ("a1", Field::Author),
    ("date", Field::PublishedAt),
    ("da", Field::PublishedAt),
    ("year", Field::PublishedAt),
    ("py", Field::PublishedAt),
    ("y1", Field::PublishedAt),
    ("keywords", Field::Tags(',')),
    ("keyword", Field::Tags(',')),
    ("kw", Field::Tags('\n')),
    ("note", Field::Note),
    ("n1", Field::Note),
];

/// Names that any program may give to the columns of a table or the members of an object. They include the
/// column names of the table that Carrel exports.
pub(super) const ANY: Mapping = &[
    ("url", Field::Url),
    ("href", Field::Url),
    ("link", Field::Url),
    ("uri", Field::Url),
    ("address", Field::Url),
    ("pageurl", Field::Url),
    ("sourceurl", Field::Url),
    ("website", Field::Url),
    ("articleurl", Field::Url),
    ("bookmarkurl", Field::Url),
    ("title", Field::Title),
    ("name", Field::Title),
    ("headline", Field::Title),
    ("pagetitle", Field::Title),
    ("articletitle", Field::Title),
    ("author", Field::Author),
    ("authors", Field::Author),
    ("creator", Field::Author),
    ("byline", Field::Author),
    ("publishedat", Field::PublishedAt),
    ("published", Field::PublishedAt),
    ("publicationdate", Field::PublishedAt),
    ("savedat", Field::SavedAt),
    ("saved", Field::SavedAt),
    ("created", Field::SavedAt),
    ("createdat", Field::SavedAt),
    ("datecreated", Field::SavedAt),
    ("added", Field::SavedAt),
    ("addedat", Field::SavedAt),
    ("dateadded", Field::SavedAt),
    ("adddate", Field::SavedAt),
    ("timeadded", Field::SavedAt),
    ("timestamp", Field::SavedAt),
    ("time", Field::SavedAt),
    ("date", Field::SavedAt),
    ("status", Field::Status),
    ("state", Field::Status),
    ("archived", Field::Archived),
    ("isarchived", Field::Archived),
    ("archive", Field::Archived),
    ("read", Field::Archived),
    ("isread", Field::Archived),
    ("unread", Field::Unread),
    ("isunread", Field::Unread),
    ("toread", Field::Unread),
    ("readlater", Field::Unread),
    ("tags", Field::AnyTags),
    ("tagnames", Field::AnyTags),
    ("labels", Field::AnyTags),
    ("keywords", Field::AnyTags),
    ("categories", Field::AnyTags),
    ("folder", Field::Folder),
    ("collection", Field::Folder),
    ("list", Field::Folder),
    ("category", Field::Folder),
    ("starred", Field::Star),
    ("isstarred", Field::Star),
    ("favorite", Field::Star),
    ("favourite", Field::Star),
    ("favorited", Field::Star),
    ("isfavorite", Field::Star),
    ("isfavourite", Field::Star),
    ("ismarked", Field::Star),
    ("important", Field::Star),
    ("readprogress", Field::Percent),
    ("finishedat", Field::FinishedAt),
    ("readingprogress", Field::Progress),
    ("progress", Field::Progress),
    ("note", Field::Note),
    ("notes", Field::Note),
    ("comment", Field::Note),
    ("comments", Field::Note),
    ("description", Field::Note),
    ("highlight", Field::Quote),
    ("quote", Field::Quote),
    ("selection", Field::Quote),
    // Names in other languages.
    ("titel", Field::Title),
    ("bezeichnung", Field::Title),
    ("überschrift", Field::Title),
    ("titre", Field::Title),
    ("título", Field::Title),
    ("titulo", Field::Title),
    ("titolo", Field::Title),
    ("tytuł", Field::Title),
    ("название", Field::Title),
    ("заголовок", Field::Title),
    ("タイトル", Field::Title),
    ("标题", Field::Title),
    ("標題", Field::Title),
    ("autor", Field::Author),
    ("auteur", Field::Author),
    ("autore", Field::Author),
    ("автор", Field::Author),
    ("作者", Field::Author),
    ("datum", Field::SavedAt),
    ("erstellt", Field::SavedAt),
    ("angelegt", Field::SavedAt),
    ("hinzugefügt", Field::SavedAt),
    ("fecha", Field::SavedAt),
    ("дата", Field::SavedAt),
    ("日付", Field::SavedAt),
    ("schlagwörter", Field::AnyTags),
    ("schlagworte", Field::AnyTags),
    ("étiquettes", Field::AnyTags),
    ("etiquetas", Field::AnyTags),
    ("etichette", Field::AnyTags),
    ("tagi", Field::AnyTags),
    ("теги", Field::AnyTags),
    ("ordner", Field::Folder),
    ("rubrik", Field::Folder),
    ("kategorie", Field::Folder),
    ("dossier", Field::Folder),
    ("catégorie", Field::Folder),
    ("carpeta", Field::Folder),
    ("categoría", Field::Folder),
    ("cartella", Field::Folder),
    ("categoria", Field::Folder),
    ("папка", Field::Folder),
    ("favorit", Field::Star),
    ("wichtig", Field::Star),
    ("favori", Field::Star),
    ("favorito", Field::Star),
    ("preferito", Field::Star),
    ("notiz", Field::Note),
    ("notizen", Field::Note),
    ("bemerkung", Field::Note),
    ("kommentar", Field::Note),
    ("beschreibung", Field::Note),
    ("commentaire", Field::Note),
    ("remarque", Field::Note),
    ("comentario", Field::Note),
    ("nota", Field::Note),
    ("komentarz", Field::Note),
    ("заметка", Field::Note),
    ("highlights", Field::Quote),
    ("annotations", Field::Quote),
    ("permalink", Field::Url),
    ("datepublished", Field::PublishedAt),
    ("publisheddate", Field::PublishedAt),
    ("createddate", Field::SavedAt),
    ("saveddate", Field::SavedAt),
    ("board", Field::Folder),
    ("boardname", Field::Folder),
    ("notebook", Field::Folder),
    ("contenthtml", Field::Html),
    ("contenttext", Field::Text),
    ("adresse", Field::Url),
    ("erstelltam", Field::SavedAt),
    ("hinzugefügtam", Field::SavedAt),
    ("gespeichert", Field::SavedAt),
    ("stichwörter", Field::AnyTags),
    ("lien", Field::Url),
    ("ajouté", Field::SavedAt),
    ("ajoutéle", Field::SavedAt),
    ("crééle", Field::SavedAt),
    ("motsclés", Field::AnyTags),
    ("enlace", Field::Url),
    ("indirizzo", Field::Url),
    ("añadido", Field::SavedAt),
    ("creado", Field::SavedAt),
    ("pasta", Field::Folder),
    ("notas", Field::Note),
    ("descripción", Field::Note),
    ("链接", Field::Url),
    ("网址", Field::Url),
    ("标签", Field::AnyTags),
    ("タグ", Field::AnyTags),
];

/// Normalises a name.
pub(super) fn plain(name: &str) -> String {
    let is_dropped =
        |character: char| character.is_whitespace() || matches!(character, '_' | '-' | '\u{feff}');
    name.chars().filter(|character| !is_dropped(*character)).flat_map(char::to_lowercase).collect()
}

/// Field that a name usually has, and its position in [`ANY`].
pub(super) fn known(name: &str) -> Option<(usize, Field)> {
    let name = plain(name);
    let at = ANY.iter().position(|(known, _)| *known == name)?;
    ANY.get(at).map(|(_, field)| (at, *field))
}

/// True if the values of a field are times.
pub(super) const fn is_time(field: Field) -> bool {
    matches!(field, Field::SavedAt | Field::PublishedAt | Field::FinishedAt | Field::Archived)
}

/// True if one of the names stands for a URL.
pub(super) fn has_url<'n>(names: impl IntoIterator<Item = &'n str>) -> bool {
    names.into_iter().any(|name| known(name).is_some_and(|(_, field)| field == Field::Url))
}

/// Members, including the members of inner objects, whose names are joined with a full stop.
pub(super) fn flattened(members: Map<String, Value>) -> Vec<(String, Value)> {
    let mut flat = Vec::new();
    for (name, value) in members {
        match value {
            Value::Object(inner) if known(&name).is_none() => {
                flat.extend(inner.into_iter().map(|(inner, value)| (format!("{name}.{inner}"), value)));
            }
            value => flat.push((name, value)),
        }
    }
    flat
}

/// Row of named values.
pub(super) fn row(mapping: Mapping, members: impl IntoIterator<Item = (String, Value)>) -> RowResult {
    checked(values_of(mapping, members))
}

/// Row of a reference. It may have a title only, because books have no URL.
pub(super) fn reference(mapping: Mapping, members: impl IntoIterator<Item = (String, Value)>) -> RowResult {
    let row = values_of(mapping, members);
    if row.title.is_some() { Ok(row) } else { checked(row) }
}

/// Row of named values, which may be empty. Values that belong to no field are stored under their names.
pub(super) fn values_of(mapping: Mapping, members: impl IntoIterator<Item = (String, Value)>) -> ImportRow {
    let mut row = ImportRow::default();
    // Values with the positions of their names in the mapping. Earlier names take precedence.
    let mut known: Vec<(usize, String, Value)> = Vec::new();
    for (name, value) in members {
        let plain = plain(&name);
        match mapping.iter().position(|(known, _)| *known == plain) {
            Some(at) => known.push((at, name, value)),
            None => store_extra(&mut row.extra, name, value),
        }
    }
    known.sort_by_key(|(at, ..)| *at);
    for (at, name, value) in known {
        let (_, field) = mapping[at];
        if !set(&mut row, field, &value) {
            store_extra(&mut row.extra, name, value);
        }
    }
    row
}

/// Stores a value that belongs to no field.
pub(super) fn store_extra(extra: &mut Map<String, Value>, name: String, value: Value) {
    if let Some(value) = values::extra(value)
        && !name.trim().is_empty()
    {
        extra.insert(name, value);
    }
}

/// Returns the row, or an error if it contains nothing to import.
pub(super) fn checked(row: ImportRow) -> RowResult {
    let is_empty =
        row.url.is_none() && row.content.is_none() && row.highlights.is_empty() && row.note.is_none();
    if is_empty { Err(InvalidRow::Empty) } else { Ok(row) }
}

/// Sets a field. Returns false if the row has a value of the field already, or if the value cannot be read.
pub(super) fn set(row: &mut ImportRow, field: Field, value: &Value) -> bool {
    let text = || values::json_text(Some(value));
    let content =
        |media_type: &str| text().map(|text| RowContent { text, media_type: media_type.to_owned() });
    match field {
        Field::Id => fill(&mut row.source_id, text()),
        Field::Url => fill(&mut row.url, text()),
        Field::Title => fill(&mut row.title, text()),
        Field::Author => {
            let names = values::json_names(Some(value)).join(", ");
            fill(&mut row.author, values::text(&names).or_else(text))
        }
        Field::PublishedAt => fill(&mut row.published_at, values::publication(value)),
        Field::SavedAt => fill(&mut row.saved_at, values::json_time(Some(value))),
        Field::SavedDayFirst => {
            fill(&mut row.saved_at, text().and_then(|text| values::day_first_time(&text)))
        }
        Field::Status => fill(&mut row.status, values::parse_status(text())),
        Field::Tags(separator) => add_tags(row, value, |_| separator),
        Field::AnyTags => add_tags(row, value, tag_separator),
        Field::Folder => match text() {
            Some(name) => {
                row.folders.push(values::path(&name));
                true
            }
            None => false,
        },
        Field::Star | Field::Unread | Field::Archived => set_state(row, field, value),
        Field::Progress => {
            let number = text().and_then(|text| text.trim_end_matches('%').parse::<f64>().ok());
            fill(&mut row.progress, number.and_then(values::progress))
        }
        Field::Percent => {
            let percent = text().and_then(|text| text.parse::<u8>().ok());
            fill(&mut row.progress, percent.filter(|percent| *percent <= 100))
        }
        Field::FinishedAt => fill(&mut row.progress, values::json_time(Some(value)).map(|_| 100)),
        Field::Note => fill(&mut row.note, text()),
        Field::Quote => match text() {
            Some(quotes) if quotes.starts_with(HIGHLIGHT) => {
                row.highlights.extend(highlights_of(&quotes));
                true
            }
            Some(quote) => {
                row.highlights.push(ImportedHighlight { quote, ..ImportedHighlight::default() });
                true
            }
            None => false,
        },
        Field::Html => fill(&mut row.content, content("text/html")),
        Field::Text => fill(&mut row.content, content("text/plain")),
        Field::Doi => {
            let url = text().map(|doi| doi_url(&doi));
            // The identifier is also stored as a separate value.
            if row.url.is_none() {
                row.url = url;
            }
            false
        }
    }
}

/// Adds the tags in a value: one text, a list, or an object whose names are the tags.
fn add_tags(row: &mut ImportRow, value: &Value, separator: impl Fn(&str) -> char) -> bool {
    match value {
        Value::String(cell) => {
            row.tags.extend(quoted_words(cell).unwrap_or_else(|| values::list(cell, separator(cell))));
        }
        Value::Object(named) => row.tags.extend(named.keys().cloned()),
        other => row.tags.extend(values::json_names(Some(other))),
    }
    true
}

/// Words of a text in which quotation marks enclose the words of a tag: `"two words" one`.
fn quoted_words(cell: &str) -> Option<Vec<String>> {
    let quotes = cell.matches('"').count();
    let is_quoted = quotes > 0 && quotes.is_multiple_of(2) && !cell.contains([',', '|', ';', '[']);
    let tags = cell.split('"').enumerate().flat_map(|(at, part)| {
        let in_quotes = at % 2 == 1;
        let words: Vec<&str> = if in_quotes { vec![part] } else { part.split_whitespace().collect() };
        words.into_iter().filter_map(values::text)
    });
    is_quoted.then(|| tags.collect())
}

fn tag_separator(cell: &str) -> char {
    [',', '|', ';'].into_iter().find(|separator| cell.contains(*separator)).unwrap_or(',')
}

/// Sets the star or the status if the value is true. Returns false if it is neither true nor false.
fn set_state(row: &mut ImportRow, field: Field, value: &Value) -> bool {
    let is_yes = values::json_flag(Some(value));
    match field {
        Field::Star if is_yes => row.is_starred = true,
        Field::Unread if is_yes => return fill(&mut row.status, Some(ImportStatus::Later)),
        Field::Archived if is_yes => return fill(&mut row.status, Some(ImportStatus::Archive)),
        Field::Archived if !is_no(value) && values::json_time(Some(value)).is_some() => {
            row.progress = row.progress.or(Some(100));
            fill(&mut row.status, Some(ImportStatus::Archive));
            // The time is stored as a separate value.
            return false;
        }
        _ => return is_no(value),
    }
    true
}

/// URL of a DOI, which may be written as a URL or with a label.
pub(super) fn doi_url(doi: &str) -> String {
    let doi = doi.trim();
    match doi.find("10.") {
        Some(at) if !doi.starts_with("http") => format!("https://doi.org/{}", &doi[at..]),
        _ => doi.to_owned(),
    }
}

/// True for the spellings of `false` in exports of other services. Null and empty texts count as false.
fn is_no(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => matches!(text.trim().to_lowercase().as_str(), "" | "0" | "false" | "no"),
        Value::Null => true,
        Value::Array(_) | Value::Object(_) => false,
    }
}

/// Fills an empty field. Returns true if the field now has this value.
fn fill<T: PartialEq>(field: &mut Option<T>, value: Option<T>) -> bool {
    let Some(value) = value else { return false };
    if let Some(known) = field {
        return *known == value;
    }
    *field = Some(value);
    true
}
