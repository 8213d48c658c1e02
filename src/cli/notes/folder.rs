//! Folder of `carrel notes`: Markdown files of items, the state of the sync, and a lock. Files are replaced
//! atomically, and text below the last line of a generated file stays.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kernel::ItemId;
use library::transfer::markdown_file::{last_line, short_id};
use serde::{Deserialize, Serialize};

use super::service::ItemFile;

const STATE_FILE: &str = ".carrel-notes.json";
const LOCK_FILE: &str = ".carrel-notes.lock";
/// Number of characters of a short id.
const SHORT_ID_CHARS: usize = 12;
/// Maximum size of a file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// Maximum size of the state, in bytes.
const MAX_STATE_BYTES: u64 = 1 << 30;
/// Line of the front matter of a deleted item.
const DELETED: &str = "deleted: true";

/// State of the sync, stored in the folder after each page of changes.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SyncState {
    pub(super) server: String,
    /// True if all items have files, not only those with notes or highlights.
    pub(super) all: bool,
    pub(super) texts: bool,
    /// Position up to which the changes are in the folder. `None` before the first page.
    pub(super) cursor: Option<String>,
    /// Item of each note and highlight, by its reference.
    pub(super) annotations: BTreeMap<String, ItemId>,
    /// Short ids of files whose items were not named since the sync started without a cursor. `None` if all
    /// existing items were named.
    pub(super) unnamed: Option<BTreeSet<String>>,
    /// Items whose files could not be written. Each run tries again.
    pub(super) refused: BTreeSet<ItemId>,
}

/// Result of writing a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Created,
    Updated,
    Unchanged,
    /// The file was changed so that the generated part cannot be recognized. It stays as it is.
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
            let Ok(name) = entry?.file_name().into_string() else { continue };
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
        self.replace(STATE_FILE, &serde_json::to_string(state)?, None)
    }

    pub(super) fn short_ids(&self) -> BTreeSet<String> {
        self.names.keys().cloned().collect()
    }

    pub(super) fn has_file(&self, id: ItemId) -> bool {
        self.names.contains_key(&short_id(id))
    }

    /// Writes the generated part of a file, and keeps the rest. An existing file keeps its name.
    pub(super) fn write(&mut self, file: &ItemFile) -> anyhow::Result<Written> {
        let id = short_id(file.item_id);
        let Some(name) = self.names.get(&id) else {
            if short_id_of(&file.name) != Some(id.as_str()) {
                bail!("the service sent an invalid name of a file: {:?}", file.name);
            }
            self.replace(&file.name, &file.markdown, None)?;
            self.names.insert(id, file.name.clone());
            return Ok(Written::Created);
        };
        let Some((current, opened)) = self.read(name)? else { return Ok(Written::Refused) };
        let Some(rest) = text_of_person(&current, file.item_id) else { return Ok(Written::Refused) };
        let text = format!("{}{rest}", file.markdown);
        if text == current {
            return Ok(Written::Unchanged);
        }
        self.replace(name, &text, Some(&opened))?;
        Ok(Written::Updated)
    }

    /// Marks the file of a deleted item in its front matter.
    pub(super) fn mark_deleted(&self, short_id: &str) -> anyhow::Result<Written> {
        let Some(name) = self.names.get(short_id) else { return Ok(Written::Unchanged) };
        let Some((current, opened)) = self.read(name)? else { return Ok(Written::Refused) };
        match with_deletion(&current, short_id) {
            None => Ok(Written::Refused),
            Some(text) if text == current => Ok(Written::Unchanged),
            Some(text) => {
                self.replace(name, &text, Some(&opened))?;
                Ok(Written::Updated)
            }
        }
    }

    pub(super) fn name_of(&self, short_id: &str) -> Option<&str> {
        self.names.get(short_id).map(String::as_str)
    }

    /// Returns the text of a file, and the file. `None` if it is not a text file of a possible size.
    fn read(&self, name: &str) -> anyhow::Result<Option<(String, File)>> {
        let path = self.path.join(name);
        let describe = || path.display().to_string();
        let metadata = path.symlink_metadata().with_context(describe)?;
        if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
            return Ok(None);
        }
        let file = File::open(&path).with_context(describe)?;
        match std::io::read_to_string(&file) {
            Ok(text) => Ok(Some((text, file))),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Ok(None),
            Err(error) => Err(error).with_context(describe),
        }
    }

    /// Writes a file, which replaces the file with this name atomically. It gets the permissions of `previous`.
    fn replace(&self, name: &str, text: &str, previous: Option<&File>) -> anyhow::Result<()> {
        let path = self.path.join(name);
        let describe = || format!("{} cannot be written", path.display());
        let mut file =
            tempfile::Builder::new().prefix(".carrel-").tempfile_in(&self.path).with_context(describe)?;
        file.write_all(text.as_bytes()).with_context(describe)?;
        if let Some(previous) = previous {
            file.as_file().set_permissions(previous.metadata()?.permissions()).with_context(describe)?;
        }
        file.as_file().sync_all().with_context(describe)?;
        file.persist(&path).map_err(|error| error.error).with_context(describe)?;
        Ok(())
    }
}

/// Returns the short id at the end of a file's name. `None` if the name is not that of a file of an item.
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
    let rest = text.strip_prefix("---\n")?;
    let (head, _) = rest.split_once("\n---\n")?;
    let is_item = |line: &str| line.strip_prefix("id: ").is_some_and(|id| id.ends_with(short_id));
    if !head.lines().any(is_item) {
        return None;
    }
    if head.lines().any(|line| line == DELETED) {
        return Some(text.to_owned());
    }
    Some(format!("---\n{DELETED}\n{rest}"))
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
    fn own_text_and_name_stay_and_equal_files_are_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one-3f1e2d4c5b6a.md");
        let first = file("one-3f1e2d4c5b6a.md", "One.");
        assert_eq!(NotesFolder::open(folder.path()).unwrap().write(&first).unwrap(), Written::Created);
        std::fs::write(&path, format!("{}\nMine.\n{}", first.markdown, first.markdown)).unwrap();
        let mut notes = NotesFolder::open(folder.path()).unwrap();
        assert_eq!(notes.write(&first).unwrap(), Written::Unchanged);
        let second = file("two-3f1e2d4c5b6a.md", "Two.");
        assert_eq!(notes.write(&second).unwrap(), Written::Updated);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("{}\nMine.\n{}", second.markdown, first.markdown));
        assert_eq!(notes.mark_deleted("3f1e2d4c5b6a").unwrap(), Written::Updated);
        assert_eq!(notes.mark_deleted("3f1e2d4c5b6a").unwrap(), Written::Unchanged);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("---\ndeleted: true\nid: ") && text.contains("Mine."), "{text}");
    }

    #[test]
    fn file_without_its_last_line_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one-3f1e2d4c5b6a.md");
        std::fs::write(&path, "My own words.").unwrap();
        let mut notes = NotesFolder::open(folder.path()).unwrap();
        assert_eq!(notes.write(&file("one-3f1e2d4c5b6a.md", "One.")).unwrap(), Written::Refused);
        assert_eq!(notes.mark_deleted("3f1e2d4c5b6a").unwrap(), Written::Refused);
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(notes.write(&file("one-3f1e2d4c5b6a.md", "One.")).unwrap(), Written::Refused);
    }

    #[test]
    fn name_that_leaves_the_folder_is_refused_and_the_folder_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let mut notes = NotesFolder::open(folder.path()).unwrap();
        for name in ["../a-3f1e2d4c5b6a.md", ".a-3f1e2d4c5b6a.md", "a-3f1e2d4c5b6b.md", "a.md"] {
            assert!(notes.write(&file(name, "x")).is_err(), "{name}");
        }
        assert!(NotesFolder::open(folder.path()).is_err());
        assert_eq!(notes.load_state().unwrap(), None);
    }
}
