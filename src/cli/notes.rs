//! `carrel notes`: keeps a folder of Markdown files in step with the library of a service, through its API. Each run
//! requests the changes since the last one, and writes the files of their items.

mod folder;
mod service;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use kernel::ItemId;
use kernel::bounds::CHANGED_ITEMS;
use library::transfer::markdown_file::short_id;

use self::folder::{NotesFolder, SyncState, WriteResult};
use self::service::{Change, ChangePage, ItemFiles, NotesService};
use super::service_access::ServiceAccess;

/// Arguments of `carrel notes`.
#[derive(Debug, Args)]
#[command(
    after_help = "CARREL_URL is the address of the service; CARREL_API_KEY is one of your keys there. It needs only the permission to read.\nText above the last line of a file (<!-- carrel …) is replaced when its item changes; text below it stays. The file of a deleted item stays, with `deleted: true`."
)]
pub(super) struct NotesArgs {
    /// Folder for the files, such as a folder of an Obsidian vault.
    folder: PathBuf,
    /// Address of the service. By default that of the environment.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Write all items, not only those with notes or highlights.
    #[arg(long)]
    all: bool,
    /// Include the texts of items.
    #[arg(long)]
    texts: bool,
    /// File that contains the key. The environment is then not searched for a key.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

/// Brings the folder up to date and prints the number of files.
pub(super) fn run(arguments: &NotesArgs) -> anyhow::Result<()> {
    let access = ServiceAccess::of(arguments.server.as_deref(), arguments.key_file.as_deref())?;
    let service = NotesService::new(&access)?;
    let folder = NotesFolder::open(&arguments.folder)?;
    let stored = folder.load_state()?;
    if let Some(state) = stored.as_ref().filter(|state| state.server != access.url) {
        bail!("this folder belongs to the library at {}: choose another folder", state.server);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let account = runtime.block_on(service.account())?;
    if stored.as_ref().is_some_and(|state| state.account != account) {
        bail!("this folder belongs to another account: choose another folder, or a key of that account");
    }
    let state = stored
        .filter(|state| (state.all, state.texts) == (arguments.all, arguments.texts))
        .unwrap_or_else(|| new_state(&folder, arguments, access.url, account));
    let annotated = state.annotations.values().copied().collect();
    let mut sync = NotesSync { service, folder, state, annotated, counts: NotesCounts::default() };
    runtime.block_on(sync.run())?;
    let NotesCounts { created, updated, unchanged, deleted } = sync.counts;
    let refused = sync.state.refused.len();
    let mut out = std::io::stdout();
    writeln!(
        out,
        "created {created}, updated {updated}, unchanged {unchanged}, marked as deleted {deleted}, not written {refused}"
    )?;
    Ok(())
}

/// Returns the state of a sync that starts over.
fn new_state(folder: &NotesFolder, arguments: &NotesArgs, server: String, account: String) -> SyncState {
    SyncState {
        server,
        account,
        all: arguments.all,
        texts: arguments.texts,
        cursor: None,
        annotations: BTreeMap::new(),
        unnamed: Some(folder.short_ids()),
        refused: BTreeSet::new(),
    }
}

/// Numbers of files.
#[derive(Debug, Default)]
struct NotesCounts {
    created: u64,
    updated: u64,
    unchanged: u64,
    deleted: u64,
}

/// Sync of a folder.
struct NotesSync {
    service: NotesService,
    folder: NotesFolder,
    state: SyncState,
    /// Items that have or had a note or a highlight.
    annotated: HashSet<ItemId>,
    counts: NotesCounts,
}

impl NotesSync {
    async fn run(&mut self) -> anyhow::Result<()> {
        let refused = std::mem::take(&mut self.state.refused);
        let existing = self.write_files(refused.iter().copied().collect()).await?;
        for id in refused.difference(&existing) {
            self.mark_deleted(*id)?;
        }
        loop {
            let Some(page) = self.service.changes(self.state.cursor.as_deref()).await? else {
                if self.state.cursor.is_none() {
                    bail!("the service has no changes: try again later");
                }
                self.restart();
                continue;
            };
            let ChangePage { changes, next_cursor, has_more } = page;
            if has_more && self.state.cursor.as_ref() == Some(&next_cursor) {
                bail!("the service repeats a page of changes: try again later");
            }
            let changed = self.changed_items(changes);
            self.write_files(changed.written.into_iter().collect()).await?;
            for id in changed.deleted {
                self.state.refused.remove(&id);
                self.mark_deleted(id)?;
            }
            if !has_more {
                self.mark_unnamed()?;
            }
            self.state.cursor = Some(next_cursor);
            self.folder.store_state(&self.state)?;
            if !has_more {
                return Ok(());
            }
        }
    }

    /// Starts without a cursor, because the service no longer has the changes since the last run.
    fn restart(&mut self) {
        self.state.cursor = None;
        self.state.annotations.clear();
        self.state.unnamed = Some(self.folder.short_ids());
    }

    /// Returns the items whose files the changes affect, and updates the items of notes and highlights.
    fn changed_items(&mut self, changes: Vec<Change>) -> ChangedItems {
        let mut changed = ChangedItems::default();
        for Change { reference, object } in changes {
            let Some(id) = reference.strip_prefix("item:") else {
                let item_id = object.and_then(|object| object.item_id);
                changed.written.extend(self.state.annotations.remove(&reference));
                if let Some(id) = item_id {
                    self.state.annotations.insert(reference, id);
                    self.annotated.insert(id);
                    changed.written.insert(id);
                }
                continue;
            };
            let Ok(id) = id.parse::<ItemId>() else { continue };
            if object.is_none() {
                changed.deleted.insert(id);
                continue;
            }
            if let Some(unnamed) = &mut self.state.unnamed {
                unnamed.remove(&short_id(id));
            }
            if self.state.all || self.annotated.contains(&id) || self.folder.has_file(id) {
                changed.written.insert(id);
            }
        }
        changed.written.retain(|id| !changed.deleted.contains(id));
        changed
    }

    /// Requests and writes the files of items. Returns the items that have files; items that were deleted meanwhile
    /// have none.
    async fn write_files(&mut self, mut ids: Vec<ItemId>) -> anyhow::Result<BTreeSet<ItemId>> {
        let mut existing = BTreeSet::new();
        while !ids.is_empty() {
            let batch = ids.split_off(ids.len().saturating_sub(CHANGED_ITEMS));
            let ItemFiles { files, remaining } = self.service.files(&batch, self.state.texts).await?;
            let mut answered = files.iter().map(|file| file.item_id).chain(remaining.iter().copied());
            if remaining.len() >= batch.len() || !answered.all(|id| batch.contains(&id)) {
                bail!("the service sent other files than those requested: try again later");
            }
            for file in files {
                existing.insert(file.item_id);
                let written = self.folder.write(&file)?;
                self.count(written, &short_id(file.item_id));
                if written == WriteResult::Refused {
                    self.state.refused.insert(file.item_id);
                } else {
                    self.state.refused.remove(&file.item_id);
                }
            }
            ids.extend(remaining);
        }
        Ok(existing)
    }

    fn mark_deleted(&mut self, id: ItemId) -> anyhow::Result<()> {
        match self.folder.mark_deleted(&short_id(id))? {
            WriteResult::Updated => self.counts.deleted += 1,
            WriteResult::Refused => {
                self.count(WriteResult::Refused, &short_id(id));
                self.state.refused.insert(id);
            }
            WriteResult::Created | WriteResult::Unchanged => {}
        }
        Ok(())
    }

    /// Marks the files of items that were deleted before the sync started over. Files without the properties of an item
    /// are not changed: they are the person's own notes with a similar name.
    fn mark_unnamed(&mut self) -> anyhow::Result<()> {
        for short_id in self.state.unnamed.take().unwrap_or_default() {
            if self.folder.mark_deleted(&short_id)? == WriteResult::Updated {
                self.counts.deleted += 1;
            }
        }
        Ok(())
    }

    fn count(&mut self, written: WriteResult, short_id: &str) {
        match written {
            WriteResult::Created => self.counts.created += 1,
            WriteResult::Updated => self.counts.updated += 1,
            WriteResult::Unchanged => self.counts.unchanged += 1,
            WriteResult::Refused => {
                let name = self.folder.name_of(short_id).unwrap_or_default();
                eprintln!(
                    "{name} is not written, because its first or last generated line is missing: move your text to another file and delete it"
                );
            }
        }
    }
}

/// Items whose files a page of changes affects.
#[derive(Debug, Default)]
struct ChangedItems {
    written: BTreeSet<ItemId>,
    deleted: BTreeSet<ItemId>,
}
