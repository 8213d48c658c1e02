//! Omnivore archives: the text and the highlights of an article are separate entries, named after the slug of
//! the article.

use std::collections::HashSet;
use std::io::Read;

use extract::imports::{ImportRow, MAX_ROW_BYTES, RowContent, omnivore_marks};
use zip::ZipArchive;

use super::shared_file::{FileError, ItemFileMode, SharedFileReader};

/// Texts and highlights of an archive. Each entry is used for only one row. Otherwise, an archive could cause
/// the same entry to be unpacked for every row.
pub(super) struct OmnivoreTexts {
    archive: ZipArchive<SharedFileReader>,
    /// Folder that contains all entries.
    folder: String,
    files: ItemFileMode,
    taken: HashSet<usize>,
    /// Entries that belong to rows.
    known: HashSet<usize>,
}

impl OmnivoreTexts {
    /// Creates a reader for the texts of an archive with these entries. `None` if the archive is not from
    /// Omnivore.
    pub(super) fn of(
        names: &[String],
        files: ItemFileMode,
        archive: &ZipArchive<SharedFileReader>,
    ) -> Option<Self> {
        let folder = names.iter().find_map(|name| Some(rows_of(name)?.to_owned()))?;
        Some(Self { archive: archive.clone(), folder, files, taken: HashSet::new(), known: HashSet::new() })
    }

    /// Returns true if the entry with this name contains rows.
    pub(super) fn has_rows(&self, name: &str) -> bool {
        rows_of(name).is_some_and(|folder| folder == self.folder)
    }

    /// Adds the text and the highlights to a row, unless the row already has them.
    pub(super) fn add(&mut self, row: &mut ImportRow) -> Result<(), FileError> {
        let Some(slug) = row.extra.get("slug").and_then(|slug| slug.as_str()).map(str::to_owned) else {
            return Ok(());
        };
        for part in
            [format!("highlights/{slug}.md"), format!("content/{slug}.html"), format!("content/{slug}.pdf")]
        {
            self.known.extend(self.archive.index_for_name(&format!("{}{part}", self.folder)));
        }
        if row.highlights.is_empty()
            && let Some(text) = self.text(&format!("highlights/{slug}.md"), row)?
        {
            let (marked, note) = omnivore_marks(&text);
            row.highlights = marked;
            row.note = row.note.take().or(note);
        }
        if row.content.is_none()
            && self.files == ItemFileMode::Unpacked
            && let Some(text) = self.text(&format!("content/{slug}.html"), row)?
        {
            row.content = Some(RowContent { text, media_type: "text/html".to_owned() });
        }
        Ok(())
    }

    /// Returns the path of a row's PDF. `None` if the archive does not contain it. Omnivore exports the file
    /// of an article that is a PDF.
    pub(super) fn file_of(&self, row: &ImportRow) -> Option<String> {
        let slug = row.extra.get("slug")?.as_str()?;
        let path = format!("{}content/{slug}.pdf", self.folder);
        self.archive.index_for_name(&path).map(|_| path)
    }

    /// Returns the positions of the entries that belong to no row.
    pub(super) fn unread(&self, names: &[String]) -> Vec<usize> {
        let is_unread = |(index, name): &(usize, &String)| {
            let is_folder = name.ends_with('/') || name.contains("__MACOSX");
            !is_folder && !self.has_rows(name) && !self.known.contains(index)
        };
        names.iter().enumerate().filter(is_unread).map(|(index, _)| index).collect()
    }

    /// Reads the text of an entry. `None` if the entry does not exist, was already read, or cannot be read. The name of
    /// an entry that cannot be read is added to `row.left_out`.
    fn text(&mut self, name: &str, row: &mut ImportRow) -> Result<Option<String>, FileError> {
        let path = format!("{}{name}", self.folder);
        let Some(index) = self.archive.index_for_name(&path) else { return Ok(None) };
        if !self.taken.insert(index) {
            return Ok(None);
        }
        let mut leave_out = || {
            row.left_out.push(name.to_owned());
            Ok(None)
        };
        let Ok(entry) = self.archive.by_index(index) else { return leave_out() };
        let mut bytes = Vec::new();
        // Reads at most the declared size, which was checked against the limits.
        let most = entry.size().min(MAX_ROW_BYTES as u64 + 1);
        match entry.take(most).read_to_end(&mut bytes) {
            Ok(count) if count <= MAX_ROW_BYTES => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            // If the text is corrupt or too large, the row is imported without it.
            Ok(_) => leave_out(),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => leave_out(),
            Err(_) => Err(FileError::Malformed),
        }
    }
}

/// Returns the folder of an entry with rows, such as `metadata_0_to_20.json`. `None` if the entry has another
/// name. The entries with rows are in the outermost folder.
fn rows_of(name: &str) -> Option<&str> {
    let (folder, file) = name.split_at(name.rfind('/').map_or(0, |at| at + 1));
    let (from, to) = file.strip_prefix("metadata_")?.strip_suffix(".json")?.split_once("_to_")?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(from) && is_number(to) && !folder.contains("__MACOSX")).then_some(folder)
}
