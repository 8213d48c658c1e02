//! Reads the file of an import on a blocking thread: row by row from plain files and archives, within limits
//! of bytes, entries, and rows.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use extract::imports::{self, Container, Format, HEAD_BYTES, ImportRow, InvalidRow, Rows};
use zip::ZipArchive;

use super::line::NativeLine;
use super::omnivore::OmnivoreTexts;
use super::shared_file::{FileError, ItemFileMode, SharedFileReader, open_archive};

/// Maximum number of rows of a file.
pub(super) const MAX_ROWS: u64 = 1_000_000;
/// Maximum unpacked size of all entries of an archive.
const MAX_UNPACKED: u64 = 16 * 1024 * 1024 * 1024;
/// Maximum ratio of the unpacked to the packed size of an entry.
const MAX_RATIO: u64 = 200;
/// Maximum number of entries of an archive.
const MAX_ENTRIES: usize = 200_000;
/// Maximum length of a line of the native format.
const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;
/// Maximum size of an item's file. Uploads are limited to a quarter of this size.
const MAX_FILE: u64 = 1024 * 1024 * 1024;
/// Bytes on disk that weigh as much as one byte in memory.
const DISK_SHARE: u64 = 64;
/// Bytes per read.
const PIECE_BYTES: usize = 64 * 1024;

/// Row of an import.
pub(super) enum ImportEntry {
    /// Row of another service.
    Row(Result<Box<ImportRow>, InvalidRow>),
    /// Line of the native format.
    Line(Result<ParsedLine, InvalidRow>),
}

/// Parsed line of the native format.
pub(super) struct ParsedLine {
    pub(super) line: Box<NativeLine>,
    /// Length in bytes.
    pub(super) bytes: usize,
    /// File of the item, if it has one.
    pub(super) file: Option<ItemFile>,
}

/// Unnamed temporary file into which a file of the archive was unpacked.
pub(super) struct ItemFile {
    /// File, positioned at the start.
    pub(super) file: File,
    /// Size in bytes.
    pub(super) bytes: u64,
}

impl ImportEntry {
    /// Approximate share of a batch: the bytes in memory, and a fraction of the bytes on disk.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Row(Ok(row)) => row.weight(),
            Self::Line(Ok(line)) => {
                let file = line.file.as_ref().map_or(0, |file| file.bytes / DISK_SHARE);
                line.bytes.saturating_add(usize::try_from(file).unwrap_or(usize::MAX))
            }
            Self::Row(Err(_)) | Self::Line(Err(_)) => 0,
        }
    }
}

/// Receives rows and can stop the reading.
pub(super) type RowVisitor<'a> = dyn FnMut(Format, ImportEntry) -> ControlFlow<()> + 'a;

/// Passes every row of `file` to `visit`.
pub(super) fn read_rows(
    file: File,
    format: Option<Format>,
    files: ItemFileMode,
    visit: &mut RowVisitor<'_>,
) -> Result<(), FileError> {
    let mut file = file;
    let mut head = Vec::new();
    rewind(&mut file)?;
    (&mut file).take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(|_| FileError::Unreadable)?;
    rewind(&mut file)?;
    let (container, guessed) = imports::guess(&head);
    match container {
        Container::Plain => {
            let format = format.or(guessed).ok_or(FileError::UnknownFormat)?;
            let mut limited = with_row_limit(visit);
            match format {
                Format::SvcJsonl => lines(file, &mut |line| limited(format, ImportEntry::Line(line))),
                _ => rows(file, format, &mut limited),
            }
            .map(|_| ())
        }
        Container::Zip => archive(file, format, files, visit),
    }
}

fn rewind(file: &mut File) -> Result<(), FileError> {
    file.seek(SeekFrom::Start(0)).map(drop).map_err(|_| FileError::Unreadable)
}

type CountedVisitor<'a> = dyn FnMut(Format, ImportEntry) -> Result<ControlFlow<()>, FileError> + 'a;

/// Wraps a visitor with the limit of rows per file.
fn with_row_limit<'a>(
    visit: &'a mut RowVisitor<'_>,
) -> impl FnMut(Format, ImportEntry) -> Result<ControlFlow<()>, FileError> + 'a {
    let mut count = 0;
    move |format, entry| {
        count += 1;
        if count > MAX_ROWS { Err(FileError::TooLarge) } else { Ok(visit(format, entry)) }
    }
}

/// Reads rows of another service.
fn rows(
    mut file: impl Read,
    format: Format,
    visit: &mut CountedVisitor<'_>,
) -> Result<ControlFlow<()>, FileError> {
    let Some(mut rows) = Rows::new(format) else { return Err(FileError::UnknownFormat) };
    let mut piece = vec![0; PIECE_BYTES];
    let mut flow = Ok(ControlFlow::Continue(()));
    loop {
        let count = file.read(&mut piece).map_err(|_| FileError::Malformed)?;
        let mut take = |row: imports::RowResult| {
            if matches!(flow, Ok(ControlFlow::Continue(()))) {
                flow = visit(format, ImportEntry::Row(row.map(Box::new)));
            }
        };
        if count == 0 {
            rows.finish(&mut take);
            return flow;
        }
        rows.push(&piece[..count], &mut take);
        if !matches!(flow, Ok(ControlFlow::Continue(()))) {
            return flow;
        }
    }
}

/// Reads lines of the native format, without the manifest.
fn lines(
    file: impl Read,
    visit: &mut dyn FnMut(Result<ParsedLine, InvalidRow>) -> Result<ControlFlow<()>, FileError>,
) -> Result<ControlFlow<()>, FileError> {
    let mut reader = BufReader::with_capacity(PIECE_BYTES, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut reader).take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut line);
        let read = read.map_err(|_| FileError::Malformed)?;
        if read == 0 {
            return Ok(ControlFlow::Continue(()));
        }
        let is_cut = read == MAX_LINE_BYTES && !line.ends_with(b"\n");
        if is_cut {
            skip_line(&mut reader)?;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let entry = match NativeLine::parse(&line) {
            _ if is_cut => Err(InvalidRow::TooLong),
            Ok(NativeLine::Manifest(_)) => continue,
            Ok(read) => Ok(ParsedLine { line: Box::new(read), bytes: line.len(), file: None }),
            Err(reason) => Err(reason),
        };
        if let flow @ ControlFlow::Break(()) = visit(entry)? {
            return Ok(flow);
        }
    }
}

fn skip_line(reader: &mut impl BufRead) -> Result<(), FileError> {
    loop {
        let piece = reader.fill_buf().map_err(|_| FileError::Malformed)?;
        if piece.is_empty() {
            return Ok(());
        }
        let (count, is_over) = match piece.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (piece.len(), false),
        };
        reader.consume(count);
        if is_over {
            return Ok(());
        }
    }
}

/// Reads the rows in the entries of an archive.
fn archive(
    file: File,
    format: Option<Format>,
    files: ItemFileMode,
    visit: &mut RowVisitor<'_>,
) -> Result<(), FileError> {
    let mut archive = open_archive(file)?;
    let names = check_entries(&mut archive)?;
    let is_ours = names.iter().any(|name| name.as_str() == "manifest.json");
    let mut visit = with_row_limit(visit);
    if format == Some(Format::SvcJsonl) || (format.is_none() && is_ours) {
        // Second reader of the same archive: the file of an item is unpacked while the line of the item is
        // read.
        let item_files = (files == ItemFileMode::Unpacked).then(|| ItemFiles::of(archive.clone()));
        return native_entries(&mut archive, &names, item_files, &mut visit);
    }
    let mut is_recognized = false;
    let mut omnivore = OmnivoreTexts::of(&names, files, &archive);
    for (index, name) in names.iter().enumerate() {
        let is_table = match &omnivore {
            Some(texts) => texts.has_rows(name),
            None => [".csv", ".json", ".html"].iter().any(|ending| name.ends_with(ending)),
        };
        if !is_table || name.contains("__MACOSX") {
            continue;
        }
        let mut head = Vec::new();
        let entry = archive.by_index(index).map_err(|_| FileError::Malformed)?;
        entry.take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(|_| FileError::Malformed)?;
        let Some(entry_format) =
            imports::guess(&head).1.filter(|guess| format.is_none_or(|format| format == *guess))
        else {
            continue;
        };
        is_recognized = true;
        let entry = archive.by_index(index).map_err(|_| FileError::Malformed)?;
        let size = entry.size();
        let mut visit = |format, mut entry: ImportEntry| {
            if let (Some(texts), ImportEntry::Row(Ok(row))) = (&mut omnivore, &mut entry) {
                texts.add(row)?;
            }
            visit(format, entry)
        };
        if rows(entry.take(size), entry_format, &mut visit)?.is_break() {
            return Ok(());
        }
    }
    if is_recognized { Ok(()) } else { Err(FileError::UnknownFormat) }
}

/// Checks the entries of an archive against the limits and returns their names. Refuses paths outside the
/// archive.
fn check_entries(archive: &mut ZipArchive<SharedFileReader>) -> Result<Vec<String>, FileError> {
    if archive.len() > MAX_ENTRIES {
        return Err(FileError::TooLarge);
    }
    let mut names = Vec::with_capacity(archive.len());
    let mut total = 0_u64;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|_| FileError::Malformed)?;
        if entry.enclosed_name().is_none() || entry.is_symlink() {
            return Err(FileError::Malformed);
        }
        total = total.saturating_add(entry.size());
        let is_bomb =
            entry.size() > entry.compressed_size().saturating_mul(MAX_RATIO).saturating_add(1024 * 1024);
        if total > MAX_UNPACKED || is_bomb {
            return Err(FileError::TooLarge);
        }
        names.push(entry.name().map_err(|_| FileError::Malformed)?.into_owned());
    }
    Ok(names)
}

/// Files of items in an archive. Each entry is used for one item only, so that an archive cannot have one
/// entry unpacked for every line.
struct ItemFiles {
    archive: ZipArchive<SharedFileReader>,
    taken: HashSet<usize>,
}

impl ItemFiles {
    fn of(archive: ZipArchive<SharedFileReader>) -> Self {
        Self { archive, taken: HashSet::new() }
    }

    /// Unpacks the file of an item into an unnamed temporary file. `None` if the entry does not exist or was
    /// used for another item.
    fn unpack(&mut self, path: &str) -> Result<Option<ItemFile>, FileError> {
        let Some(index) = self.archive.index_for_name(path) else { return Ok(None) };
        if !self.taken.insert(index) {
            return Ok(None);
        }
        let Ok(entry) = self.archive.by_index(index) else { return Ok(None) };
        let size = entry.size();
        if size > MAX_FILE {
            return Ok(None);
        }
        let mut file = tempfile::tempfile().map_err(|_| FileError::Unreadable)?;
        match std::io::copy(&mut entry.take(size), &mut file) {
            Ok(bytes) => {
                rewind(&mut file)?;
                Ok(Some(ItemFile { file, bytes }))
            }
            // An item is imported without a corrupt file. A full disk is an error of this machine, not of
            // the file.
            Err(error) if error.kind() == std::io::ErrorKind::StorageFull => Err(FileError::Unreadable),
            Err(_) => Ok(None),
        }
    }
}

/// Reads an archive of the native format, items first because notes and highlights refer to them.
fn native_entries(
    archive: &mut ZipArchive<SharedFileReader>,
    names: &[String],
    mut item_files: Option<ItemFiles>,
    visit: &mut CountedVisitor<'_>,
) -> Result<(), FileError> {
    #[expect(clippy::case_sensitive_file_extension_comparisons, reason = "the names are ours")]
    let is = |name: &&(usize, &String), front: &str| name.1.starts_with(front) && name.1.ends_with(".jsonl");
    let all: Vec<(usize, &String)> = names.iter().enumerate().collect();
    for front in ["items/", "notes", "highlights"] {
        for (index, _) in all.iter().filter(|name| is(name, front)) {
            let entry = archive.by_index(*index).map_err(|_| FileError::Malformed)?;
            let size = entry.size();
            let flow = lines(entry.take(size), &mut |mut line| {
                if let (Ok(own), Some(item_files)) = (&mut line, &mut item_files)
                    && let Some(path) = file_of(&own.line)
                {
                    own.file = item_files.unpack(path)?;
                }
                visit(Format::SvcJsonl, ImportEntry::Line(line))
            });
            if flow?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn file_of(line: &NativeLine) -> Option<&str> {
    match line {
        NativeLine::Item(item) => item.file.as_ref().map(|file| file.path.as_str()),
        NativeLine::Manifest(_) | NativeLine::Note(_) | NativeLine::Highlight(_) => None,
    }
}
