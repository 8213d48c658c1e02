//! Sync of a library: returns its changes in the order of the log, from any position, including deletions.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, HighlightId, ItemId, NoteId, ObjectId};
use entities::library_words::ObjectKind;
use entities::{library_change, library_highlight, library_note};
use sea_orm::sea_query::ExprTrait;
use sea_orm::{ColumnTrait, DatabaseTransaction, QueryFilter, QueryOrder, QuerySelect};

use super::highlights::{self, Highlight};
use super::item::{self, Item};
use super::notes::{self, Note};
use super::text::{self, StoredText};
use super::transaction::committed_state;
use kernel::cursor_scope::CursorScope;
use kernel::{Code, Domain, Error, Millis, Result, secrets};

/// Name of the secret that identifies the history of this deployment.
const EPOCH: &str = "library_epoch";
/// Size of an encoded mark, in bytes.
pub const SYNC_MARK_BYTES: usize = 24;

/// Position in the log up to which a client has received the changes of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncMark {
    /// Sequence number of the last change that the client received.
    pub sequence: i64,
    /// Sequence number up to which deletions are omitted, because the client starts without any objects.
    pub alive_until: i64,
    /// History to which the sequence numbers belong.
    pub epoch: u64,
}

impl SyncMark {
    /// Encodes the mark for a cursor.
    pub fn to_bytes(self) -> [u8; SYNC_MARK_BYTES] {
        let mut bytes = [0; SYNC_MARK_BYTES];
        bytes[..8].copy_from_slice(&self.sequence.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.alive_until.to_be_bytes());
        bytes[16..].copy_from_slice(&self.epoch.to_be_bytes());
        bytes
    }

    /// Decodes the mark from a cursor.
    pub fn from_bytes(bytes: &[u8; SYNC_MARK_BYTES]) -> Self {
        let number = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[at..at + 8]);
            i64::from_be_bytes(eight)
        };
        Self { sequence: number(0), alive_until: number(8), epoch: number(16).cast_unsigned() }
    }
}

#[derive(Clone, Debug)]
pub struct ChangedObject {
    pub kind: ObjectKind,
    pub id: ObjectId,
    pub updated_at: Millis,
    /// Sequence number of the change in the log.
    pub sequence: i64,
    /// Current state of the object. `None` if it was deleted.
    pub object: Option<LibraryObject>,
}

/// Object of any type.
#[derive(Clone, Debug)]
pub enum LibraryObject {
    /// Item. Contains its text if texts are included.
    Item(Box<Item>, Option<Box<StoredText>>),
    Note(Box<Note>),
    Highlight(Box<Highlight>),
}

/// Page of changes.
#[derive(Clone, Debug)]
pub struct SyncPage {
    /// Changes in the order of the log.
    pub changes: Vec<ChangedObject>,
    /// Position from which the next page continues.
    pub mark: SyncMark,
    /// True if more changes follow this page.
    pub has_more: bool,
}

/// Inclusion of the texts of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextInclusion {
    Included,
    Omitted,
}

/// Returns up to `limit` changes after `mark`. Without a mark, returns all existing objects, and then their
/// changes.
///
/// # Errors
/// `cursor_expired` if the changes since `mark` are no longer stored.
#[boxed]
pub async fn changes(
    domain: &Domain,
    account_id: AccountId,
    kinds: &[ObjectKind],
    mark: Option<SyncMark>,
    limit: u32,
    contents: TextInclusion,
) -> Result<SyncPage> {
    let epoch = epoch(domain).await?;
    let snapshot = domain.db().begin_snapshot().await?;
    let page = page(&snapshot, account_id, kinds, mark, epoch, limit, contents).await;
    snapshot.rollback().await?;
    page
}

async fn page(
    db: &DatabaseTransaction,
    account_id: AccountId,
    kinds: &[ObjectKind],
    mark: Option<SyncMark>,
    epoch: u64,
    limit: u32,
    contents: TextInclusion,
) -> Result<SyncPage> {
    let state = committed_state(db, account_id).await?;
    let (last, purged) = state.map_or((0, 0), |state| (state.last_sequence, state.purged_sequence));
    let mark = match mark {
        None => SyncMark { sequence: 0, alive_until: last, epoch },
        Some(mark) => {
            // The first pass over a library omits deletions before its start.
            let known = if mark.sequence < mark.alive_until { mark.alive_until } else { mark.sequence };
            if mark.epoch != epoch || mark.sequence > last || known < purged {
                let message = "The changes since this cursor are no longer known. Start again without a cursor, and delete what is not named.";
                return Err(Error::new(Code::CursorExpired, message));
            }
            mark
        }
    };
    let words: Vec<ObjectKind> = kinds.to_vec();
    let rows = library_change::Entity::owned_by(account_id)
        .filter(library_change::Column::Sequence.gt(mark.sequence))
        .filter(library_change::Column::Kind.is_in(words))
        .filter(
            library_change::Column::IsDeleted
                .eq(false)
                .or(library_change::Column::Sequence.gt(mark.alive_until)),
        )
        .order_by_asc(library_change::Column::Sequence)
        .limit(u64::from(limit) + 1)
        .all(db)
        .await?;
    let most = match contents {
        TextInclusion::Included => rows_with_texts(db, account_id, &rows).await?.min(limit as usize),
        TextInclusion::Omitted => limit as usize,
    };
    let has_more = rows.len() > most;
    let rows: Vec<library_change::Model> = rows.into_iter().take(most).collect();
    let end = if has_more { rows.last().map_or(last, |row| row.sequence) } else { last };
    let changes = objects(db, account_id, rows, contents).await?;
    Ok(SyncPage { changes, mark: SyncMark { sequence: end, ..mark }, has_more })
}

/// Returns the number of leading rows whose texts fit into memory, but at least 1.
async fn rows_with_texts(
    db: &DatabaseTransaction,
    account_id: AccountId,
    rows: &[library_change::Model],
) -> Result<usize> {
    let item_of = |row: &library_change::Model| ItemId::from(row.object_id.as_uuid());
    let ids: Vec<ItemId> = rows.iter().filter(|row| row.kind == ObjectKind::Item).map(item_of).collect();
    let sizes = text::sizes(db, account_id, &ids).await?;
    let mut bytes = 0;
    let fits = |row: &&library_change::Model| {
        bytes += sizes.get(&item_of(row)).copied().unwrap_or(0);
        bytes <= text::PART_BYTES
    };
    Ok(rows.iter().take_while(fits).count().max(1))
}

/// Loads the current state of the changed objects.
async fn objects(
    db: &DatabaseTransaction,
    account_id: AccountId,
    rows: Vec<library_change::Model>,
    contents: TextInclusion,
) -> Result<Vec<ChangedObject>> {
    let alive = |kind: ObjectKind| {
        rows.iter().filter(move |row| row.kind == kind && !row.is_deleted).map(|row| row.object_id.as_uuid())
    };
    let item_ids: Vec<ItemId> = alive(ObjectKind::Item).map(ItemId::from).collect();
    let items = item::find_all(db, account_id, &item_ids).await?;
    let texts = match contents {
        TextInclusion::Included => text::load_all(db, account_id, &item_ids).await?,
        TextInclusion::Omitted => Vec::new(),
    };
    let note_ids: Vec<NoteId> = alive(ObjectKind::Note).map(NoteId::from).collect();
    let filter = library_note::Column::Id.is_in(note_ids);
    let note_rows = library_note::Entity::owned_by(account_id).filter(filter).all(db).await?;
    let notes = notes::all_with_tags(db, account_id, note_rows).await?;
    let highlight_ids: Vec<HighlightId> = alive(ObjectKind::Highlight).map(HighlightId::from).collect();
    let filter = library_highlight::Column::Id.is_in(highlight_ids);
    let highlight_rows = library_highlight::Entity::owned_by(account_id).filter(filter).all(db).await?;
    let highlights = highlights::resolve_all(db, account_id, highlight_rows).await?;
    let object = |row: &library_change::Model| match row.kind {
        _ if row.is_deleted => None,
        ObjectKind::Item => {
            let item = items.iter().find(|item| item.id.as_uuid() == row.object_id.as_uuid())?;
            let text = texts.iter().find(|text| text.item_id == item.id).map(|text| Box::new(text.clone()));
            Some(LibraryObject::Item(Box::new(item.clone()), text))
        }
        ObjectKind::Note => {
            let note = notes.iter().find(|note| note.row.id.as_uuid() == row.object_id.as_uuid())?;
            Some(LibraryObject::Note(Box::new(note.clone())))
        }
        ObjectKind::Highlight => {
            let one = highlights.iter().find(|one| one.row.id.as_uuid() == row.object_id.as_uuid())?;
            Some(LibraryObject::Highlight(Box::new(one.clone())))
        }
    };
    let changed = |row: &library_change::Model| ChangedObject {
        kind: row.kind,
        id: row.object_id,
        updated_at: row.updated_at,
        sequence: row.sequence,
        object: object(row),
    };
    Ok(rows.iter().map(changed).collect())
}

async fn epoch(domain: &Domain) -> Result<u64> {
    let secret = secrets::load(domain, EPOCH).await?;
    Ok(secret.iter().take(8).fold(0, |epoch, byte| epoch << 8 | u64::from(*byte)))
}

/// Returns the scope of the cursors with which a client reads the changes of a library.
pub fn cursor_scope(account_id: AccountId, kinds: &[ObjectKind]) -> CursorScope<'static> {
    CursorScope { account_id, operation: "syncLibrary", filters: format!("{kinds:?}") }
}

/// Returns a cursor for a client that has the current content of a library.
#[boxed]
pub async fn current_cursor(domain: &Domain, account_id: AccountId) -> Result<String> {
    let epoch = epoch(domain).await?;
    let last = committed_state(domain.db().read(), account_id).await?.map_or(0, |state| state.last_sequence);
    let mark = SyncMark { sequence: last, alive_until: last, epoch };
    cursor_scope(account_id, ObjectKind::ALL).seal(domain, &mark.to_bytes()).await
}

/// Starts a new history, so that all existing cursors are refused. Called after the database was restored
/// from a backup.
#[boxed]
pub async fn begin_new_history(domain: &Domain) -> Result<()> {
    secrets::delete(domain, EPOCH).await?;
    epoch(domain).await.map(drop)
}
