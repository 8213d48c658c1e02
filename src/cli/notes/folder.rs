//! Folder of `carrel notes`: Markdown files of items, the state of the sync, and a lock. Files are replaced
//! atomically, and text below the last line of a generated file stays.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kernel::ItemId;
use library::transfer::markdown_file::{last_line, short_id};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::service::ItemFile;

const STATE_FILE: &str = ".carrel-notes.json";
const LOCK_FILE: &str = ".carrel-notes.lock";
/// Beginning of the names of temporary files. Files that a killed run left behind are deleted by the next run.
const TEMPORARY_PREFIX: &str = ".carrel-temporary-";
/// Number of characters of a short id.
const SHORT_ID_CHARS: usize = 12;
/// Maximum size of a file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// Maximum size of the state, in bytes.
const MAX_STATE_BYTES: u64 = 1 << 30;
/// Maximum number of attempts to change a file that another program writes at the same time.
const MAX_ATTEMPTS: u32 = 3;
/// Line of the front matter of a deleted item.
const DELETED: &str = "deleted: true";
/// First and last line of the front matter.
const FENCE: &str = "---";

/// State of the sync, stored in the folder after each page of changes.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SyncState {
    pub(super) server: String,
    /// Id of the account.
    pub(super) account: String,
    /// True if all items have files, not only those with notes or highlights.
    pub(super) all: bool,
    pub(super) texts: bool,
    /// Position up to which changes have been written to the folder. `None` before the first page.
    pub(super) cursor: Option<String>,
    /// Item of each note and highlight, by its reference.
    pub(super) annotations: BTreeMap<String, ItemId>,
    /// Short ids of files whose items have not been listed since the sync started without a cursor. `None` if
    /// all existing items have been listed.
    pub(super) unnamed: Option<BTreeSet<String>>,
    /// Items whose files could not be written. Each run tries again.
    pub(super) refused: BTreeSet<ItemId>,
}

/// Result of writing a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteResult {
    Created,
    Updated,
    Unchanged,
    /// The file was changed so that the generated part cannot be recognized. It is left unchanged.
    Refused,
}

/// Opened folder. Only one process opens it at a time.
pub(super) struct NotesFolder {
    path: PathBuf,
    /// Names of the files by the short ids of their items.
    names: HashMap<String, String>,
    /// Locked until the process exits.
    _lock: File,
}

impl NotesFolder {
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let folder = path.display();
        if !path.is_dir() {
            bail!("{folder} is not a folder: create it, or name another one");
        }
        let lock = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path.join(LOCK_FILE))
            .with_context(|| format!("{folder} cannot be written"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another `carrel notes` writes to {folder}"),
            Err(TryLockError::Error(error)) => return Err(error).context("the folder cannot be locked"),
        }
        let mut names = HashMap::new();
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with(TEMPORARY_PREFIX) {
                std::fs::remove_file(entry.path()).with_context(|| entry.path().display().to_string())?;
                continue;
            }
            if let Some(id) = short_id_of(&name) {
                names.insert(id.to_owned(), name);
            }
        }
        Ok(Self { path: path.to_owned(), names, _lock: lock })
    }

    /// Returns the stored state. `None` before the first run.
    pub(super) fn load_state(&self) -> anyhow::Result<Option<SyncState>> {
        let path = self.path.join(STATE_FILE);
        match std::fs::metadata(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
            Ok(metadata) if metadata.len() > MAX_STATE_BYTES => bail!("{} is too large", path.display()),
            Ok(_) => {}
        }
        let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        let state = serde_json::from_slice(&bytes);
        state.map(Some).with_context(|| format!("{} is damaged: delete it to start again", path.display()))
    }

    pub(super) fn store_state(&self, state: &SyncState) -> anyhow::Result<()> {
        let file = self.temporary_file(&serde_json::to_string(state)?, None)?;
        self.persist(file, STATE_FILE)
    }

    pub(super) fn short_ids(&self) -> BTreeSet<String> {
        self.names.keys().cloned().collect()
    }

    pub(super) fn has_file(&self, id: ItemId) -> bool {
        self.names.contains_key(&short_id(id))
    }

    /// Writes the generated part of a file, and keeps the rest. An existing file keeps its name.
    pub(super) fn write(&mut self, file: &ItemFile) -> anyhow::Result<WriteResult> {
        let id = short_id(file.item_id);
        if let Some(name) = self.names.get(&id) {
            return self.update(name, |current| {
                let rest = text_of_person(current, file.item_id)?;
                Some(format!("{}{rest}", file.markdown))
            });
        }
        if short_id_of(&file.name) != Some(id.as_str()) || file.name.chars().any(char::is_control) {
            bail!("the service sent an invalid name of a file: {:?}", file.name);
        }
        let path = self.path.join(&file.name);
        // The file was created meanwhile, or its name differs only by case.
        if path.symlink_metadata().is_ok() {
            bail!("{} exists and is not replaced: rename it", path.display());
        }
        let written = self.temporary_file(&file.markdown, None)?;
        self.persist(written, &file.name)?;
        self.names.insert(id, file.name.clone());
        Ok(WriteResult::Created)
    }

    /// Marks the file of a deleted item in its front matter.
    pub(super) fn mark_deleted(&self, short_id: &str) -> anyhow::Result<WriteResult> {
        match self.names.get(short_id) {
            Some(name) => self.update(name, |current| with_deletion(current, short_id)),
            None => Ok(WriteResult::Unchanged),
        }
    }

    /// Changes the text of a file. Reads it again if another program wrote it meanwhile. `changed` returns `None` if the
    /// generated part cannot be recognized.
    fn update(&self, name: &str, changed: impl Fn(&str) -> Option<String>) -> anyhow::Result<WriteResult> {
        for _ in 0..MAX_ATTEMPTS {
            let Some((current, metadata)) = self.read(name)? else { return Ok(WriteResult::Refused) };
            let Some(text) = changed(&current) else { return Ok(WriteResult::Refused) };
            if text == current {
                return Ok(WriteResult::Unchanged);
            }
            let file = self.temporary_file(&text, Some(&metadata))?;
            let latest = self.path.join(name).symlink_metadata();
            if latest.is_ok_and(|latest| is_same_version(&latest, &metadata)) {
                self.persist(file, name)?;
                return Ok(WriteResult::Updated);
            }
        }
        bail!("{} is being changed by another program: try again later", self.path.join(name).display())
    }

    pub(super) fn name_of(&self, short_id: &str) -> Option<&str> {
        self.names.get(short_id).map(String::as_str)
    }

    /// Returns the text of a file, and its metadata from before it was read. `None` if it is not a text file, or is
    /// too large.
    fn read(&self, name: &str) -> anyhow::Result<Option<(String, Metadata)>> {
        let path = self.path.join(name);
        let describe = || path.display().to_string();
        let metadata = path.symlink_metadata().with_context(describe)?;
        if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
            return Ok(None);
        }
        let file = File::open(&path).with_context(describe)?;
        match std::io::read_to_string(file.take(MAX_FILE_BYTES)) {
            Ok(text) => Ok(Some((text, metadata))),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Ok(None),
            Err(error) => Err(error).with_context(describe),
        }
    }

    /// Creates a temporary file in the folder, with the permissions of `previous`.
    fn temporary_file(&self, text: &str, previous: Option<&Metadata>) -> anyhow::Result<NamedTempFile> {
        let describe = || format!("{} cannot be written", self.path.display());
        let created = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(&self.path);
        let mut file = created.with_context(describe)?;
        file.write_all(text.as_bytes()).with_context(describe)?;
        if let Some(previous) = previous {
            file.as_file().set_permissions(previous.permissions()).with_context(describe)?;
        }
        file.as_file().sync_all().with_context(describe)?;
        Ok(file)
    }

    /// Gives a temporary file its name. It replaces the file with this name atomically.
    fn persist(&self, file: NamedTempFile, name: &str) -> anyhow::Result<()> {
        let path = self.path.join(name);
        let persisted = file.persist(&path).map_err(|error| error.error);
        persisted.with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(())
    }
}

/// Returns true if a file was not written between two readings of its metadata.
fn is_same_version(file: &Metadata, previous: &Metadata) -> bool {
    let version = |file: &Metadata| (file.dev(), file.ino(), file.len(), file.mtime(), file.mtime_nsec());
    version(file) == version(previous)
}

/// Returns the short id at the end of a file's name. `None` if it is not the name of an item's file.
fn short_id_of(name: &str) -> Option<&str> {
    let (title, id) = name.strip_suffix(".md")?.rsplit_once('-')?;
    let is_id =
        id.len() == SHORT_ID_CHARS && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_plain = !title.is_empty() && !title.starts_with('.') && !title.contains(['/', '\\']);
    (is_id && is_plain).then_some(id)
}

/// Returns the text below the last generated line. `None` if the file does not have that line.
fn text_of_person(text: &str, id: ItemId) -> Option<&str> {
    let last = last_line(id);
    let mut position = 0;
    for line in text.split_inclusive('\n') {
        position += line.len();
        if line.trim_end() == last {
            return text.get(position..);
        }
    }
    None
}

/// Returns the text with the mark of a deleted item. `None` if the text does not have the front matter of the item.
fn with_deletion(text: &str, short_id: &str) -> Option<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (fence, rest) = body.split_at(body.find('\n')? + 1);
    if fence.trim_end() != FENCE {
        return None;
    }
    let (mut is_item, mut is_marked, mut is_closed) = (false, false, false);
    for line in rest.lines().map(str::trim_end) {
        is_closed = line == FENCE;
        if is_closed {
            break;
        }
        let id = line.strip_prefix("id: ").map(|id| id.trim_matches(['"', '\'']));
        is_item |= id.is_some_and(|id| id.ends_with(short_id));
        is_marked |= line == DELETED;
    }
    let end_of_line = if fence.ends_with("\r\n") { "\r\n" } else { "\n" };
    match (is_closed && is_item, is_marked) {
        (false, _) => None,
        (true, true) => Some(text.to_owned()),
        (true, false) => Some(format!("{fence}{DELETED}{end_of_line}{rest}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0193a0b2-7c00-7000-8000-3f1e2d4c5b6a";

    fn file(name: &str, body: &str) -> ItemFile {
        let item_id: ItemId = ID.parse().unwrap();
        let markdown = format!("---\nid: {ID}\n---\n\n{body}\n\n{}\n", last_line(item_id));
        ItemFile { item_id, name: name.to_owned(), markdown }
    }

    #[test]
    fn update_retains_file_name_and_personal_text_and_skips_equal_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one-3f1e2d4c5b6a.md");
        let first = file("one-3f1e2d4c5b6a.md", "One.");
        assert_eq!(NotesFolder::open(folder.path()).unwrap().write(&first).unwrap(), WriteResult::Created);
        std::fs::write(&path, format!("{}\nMine.\n{}", first.markdown, first.markdown)).unwrap();
        let mut notes = NotesFolder::open(folder.path()).unwrap();
        assert_eq!(notes.write(&first).unwrap(), WriteResult::Unchanged);
        let second = file("two-3f1e2d4c5b6a.md", "Two.");
        assert_eq!(notes.write(&second).unwrap(), WriteResult::Updated);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("{}\nMine.\n{}", second.markdown, first.markdown));
        assert_eq!(notes.mark_deleted("3f1e2d4c5b6a").unwrap(), WriteResult::Updated);
        assert_eq!(notes.mark_deleted("3f1e2d4c5b6a").unwrap(), WriteResult::Unchanged);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("---\ndeleted: true\nid: ") && text.contains("Mine."), "{text}");
    }

    #[test]
    fn file_without_its_last_generated_line_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one-3f1e2d4c5b6a.md");
        std::fs::write(&path, "My own words.").unwrap();
        let mut notes = NotesFolder::open(folder.path()).unwrap();
        assert_eq!(notes.write(&file("one-3f1e2d4c5b6a.md", "One.")).unwrap(), WriteResult::Refused);
        assert_eq!(notes.mark_deleted("3f1e2d4c5b6a").unwrap(), WriteResult::Refused);
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(notes.write(&file("one-3f1e2d4c5b6a.md", "One.")).unwrap(), WriteResult::Refused);
    }

    #[test]
    fn file_is_read_again_if_another_program_writes_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one-3f1e2d4c5b6a.md");
        std::fs::write(&path, "One.").unwrap();
        std::fs::write(folder.path().join(".carrel-temporary-abc"), "Half a fi").unwrap();
        let notes = NotesFolder::open(folder.path()).unwrap();
        assert!(!folder.path().join(".carrel-temporary-abc").exists(), "a run was killed");
        let writes = std::cell::Cell::new(1);
        let changed = |current: &str| {
            if writes.take() > 0 {
                std::fs::write(&path, "One, and more.").unwrap();
            }
            Some(format!("New. {current}"))
        };
        assert_eq!(notes.update("one-3f1e2d4c5b6a.md", changed).unwrap(), WriteResult::Updated);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "New. One, and more.");
        let restless = |current: &str| {
            std::fs::write(&path, format!("{current}!")).unwrap();
            Some("New.".to_owned())
        };
        let error = notes.update("one-3f1e2d4c5b6a.md", restless).unwrap_err().to_string();
        assert!(error.contains("is being changed by another program"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "New. One, and more.!!!");
    }

    #[test]
    fn unknown_files_and_symbolic_links_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let mut notes = NotesFolder::open(folder.path()).unwrap();
        let created = file("one-3f1e2d4c5b6a.md", "One.");
        let path = folder.path().join(&created.name);
        std::fs::write(&path, "Created meanwhile.").unwrap();
        assert!(notes.write(&created).unwrap_err().to_string().contains("is not replaced"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "Created meanwhile.");
        drop(notes);
        let target = folder.path().join("target");
        std::fs::rename(&path, &target).unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        let mut notes = NotesFolder::open(folder.path()).unwrap();
        assert_eq!(notes.write(&created).unwrap(), WriteResult::Refused);
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "Created meanwhile.");
    }

    #[test]
    fn file_with_crlf_lines_is_marked_as_deleted() {
        let text = format!("\u{feff}---\r\nid: \"{ID}\"\r\n---\r\n\r\nOne.\r\n");
        let marked = with_deletion(&text, "3f1e2d4c5b6a").unwrap();
        assert_eq!(marked, format!("---\r\ndeleted: true\r\nid: \"{ID}\"\r\n---\r\n\r\nOne.\r\n"));
        assert_eq!(with_deletion(&marked, "3f1e2d4c5b6a").unwrap(), marked);
        assert_eq!(with_deletion(&text, "202401011200"), None);
        assert_eq!(with_deletion(&format!("---\nid: {ID}\n"), "3f1e2d4c5b6a"), None);
    }

    #[test]
    fn unsafe_file_name_is_refused_and_folder_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        let mut notes = NotesFolder::open(folder.path()).unwrap();
        for name in [
            "../a-3f1e2d4c5b6a.md", ".a-3f1e2d4c5b6a.md", "a-3f1e2d4c5b6b.md", "a\u{1b}-3f1e2d4c5b6a.md",
            "a.md",
        ] {
            assert!(notes.write(&file(name, "x")).is_err(), "{name}");
        }
        assert!(NotesFolder::open(folder.path()).is_err());
        assert_eq!(notes.load_state().unwrap(), None);
    }
}
