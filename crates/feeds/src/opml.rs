//! Imports and exports subscriptions as OPML. Importing the same list again changes nothing.

mod sql;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, CollectionId};
use entities::rss_subscription::{ActiveModel, Column, Entity};
use extract::feed::opml::{self, Outline};
use extract::sandbox::{Pool, SandboxError};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter,
};

use super::collections::{self, CollectionKind, list_collections};
use super::entry_notices;
use super::follow::{Follow, follow_in};
use super::subscription::Subscription;
use articles::{Address, typed_address};
use identity::accounts;
use kernel::statement::statement;
use kernel::{Code, Domain, Error, Millis, Result, address};

/// Maximum number of feeds imported from one list.
pub const MAX_FEEDS: usize = 5_000;
/// Number of feeds per transaction. Each feed takes up to 9 ms, and a transaction blocks all other writers of
/// an embedded database.
pub const STEP: usize = 10;
/// `Retry-After` in seconds if no sandbox process could be started.
const CAPACITY_RETRY_SECONDS: u32 = 5;
/// Separator between the names of nested folders in a collection name.
const FOLDER_SEPARATOR: &str = " / ";
const MAX_NAME: usize = kernel::bounds::COLLECTION_NAME_CHARS;

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Number of newly followed feeds.
    pub created: u32,
    /// Number of feeds that were already followed.
    pub existing: u32,
    /// Feeds that could not be imported: the URL, or the title if the list contains no URL, and the error
    /// code.
    pub failed: Vec<(String, Code)>,
}

/// Result of importing one batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportBatch {
    /// Number of newly followed feeds.
    pub created: u32,
    /// Number of feeds that were already followed.
    pub existing: u32,
    /// Number of collections created for folders.
    pub collections: u64,
    /// Number of feeds, new or existing, whose folder would exceed the plan's collection limit.
    pub unsorted: u32,
    /// Indexes, within the batch, of already followed feeds that stay in a collection with another name.
    pub elsewhere: Vec<usize>,
    /// Outlines that could not be imported: their indexes within the batch, and the error codes.
    pub failed: Vec<(usize, Code)>,
}

/// Reason why a file is not a readable list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadableList {
    /// The file is not a list of feeds.
    NoList,
    /// Reading the file would take more time or memory than allowed.
    TooCostly,
}

/// Reads the outlines of a list in the sandbox.
///
/// # Errors
/// `invalid_request` if the body is not a list, or exceeds the limits of the sandbox; `capacity_exhausted` if
/// no sandbox process can be started.
#[boxed]
pub async fn read_list(sandbox: &Pool, body: Vec<u8>) -> Result<Vec<Outline>> {
    let refusal = |message: &str| Error::new(Code::InvalidRequest, message);
    read_outlines(sandbox, body).await?.map_err(|unreadable| match unreadable {
        UnreadableList::NoList => refusal("The file is not an OPML list."),
        UnreadableList::TooCostly => refusal("The list takes more time or memory to read than allowed."),
    })
}

/// Like [`read_list`], but an unreadable list is a value instead of an error.
///
/// # Errors
/// `capacity_exhausted` if no sandbox process can be started.
#[boxed]
pub async fn read_outlines(
    sandbox: &Pool,
    body: Vec<u8>,
) -> Result<std::result::Result<Vec<Outline>, UnreadableList>> {
    match sandbox.read_outlines(body).await {
        Ok(outlines) => Ok(outlines.ok_or(UnreadableList::NoList)),
        Err(SandboxError::Crashed | SandboxError::TimedOut | SandboxError::MemoryLimit) => {
            Ok(Err(UnreadableList::TooCostly))
        }
        Err(SandboxError::Spawn(reason)) => {
            tracing::error!(reason, "failed to start a process to read a list");
            let message = "Lists cannot be read at the moment. Try again later.";
            Err(Error::new(Code::CapacityExhausted, message).retry_after(CAPACITY_RETRY_SECONDS))
        }
    }
}

/// Imports a list. Folders become collections, and the names of nested folders are joined. If the plan does
/// not allow another collection, the feeds of the folder are put into the unsorted collection. A feed that is
/// already followed moves to its folder if it is unsorted, and otherwise stays in its collection. A folder
/// without a feed that could be put into it creates no collection. Importing the same list twice has no
/// further effect.
///
/// # Errors
/// If the database fails.
#[boxed]
pub async fn import_list(domain: &Domain, account_id: AccountId, outlines: &[Outline]) -> Result<Imported> {
    let mut imported = Imported::default();
    for batch in outlines.get(..outlines.len().min(MAX_FEEDS)).unwrap_or_default().chunks(STEP) {
        let transaction = domain.db().begin().await?;
        let counts = import_batch(&transaction, domain, account_id, batch).await?;
        transaction.commit().await?;
        imported.created += counts.created;
        imported.existing += counts.existing;
        let name = |at: usize| batch.get(at).map(name_of).unwrap_or_default();
        imported.failed.extend(counts.failed.into_iter().map(|(at, code)| (name(at), code)));
    }
    let beyond = outlines.iter().skip(MAX_FEEDS).map(|outline| (name_of(outline), Code::LimitReached));
    imported.failed.extend(beyond);
    Ok(imported)
}

/// Returns the URL of a feed without user name and password. If the list contains no URL, returns the title
/// of the feed.
fn name_of(outline: &Outline) -> String {
    if outline.feed_url.is_empty() {
        outline.title.clone().unwrap_or_default()
    } else {
        address::without_user_info(&outline.feed_url).into_owned()
    }
}

/// Like [`import_list`], but for at most [`STEP`] outlines and within a transaction.
///
/// # Errors
/// Returns an error if the database fails. The caller must then roll back the transaction.
#[boxed]
pub async fn import_batch(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    outlines: &[Outline],
) -> Result<ImportBatch> {
    let mut counts = ImportBatch::default();
    let tier = accounts::lock(transaction, account_id).await?;
    let limit = u64::from(domain.policy().tiers.of(tier).rss_collections);
    let before = collections::count(transaction, account_id).await?;
    for (at, outline) in outlines.iter().enumerate() {
        let address = match Address::parse(domain, &typed_address(&outline.feed_url)) {
            Ok(address) => address,
            Err(error) => {
                counts.failed.push((at, error.code));
                continue;
            }
        };
        let name = folder_name(&outline.folders);
        let folder = match &name {
            Some(name) => {
                collections::find_or_create(transaction, domain.now(), account_id, name, limit).await?
            }
            None => None,
        };
        let collection_id = folder.map(|folder| folder.id);
        let new = follow_of(outline, address.url.as_str(), collection_id);
        let is_inside = match follow_in(transaction, domain, account_id, new).await {
            Ok(followed) => {
                counts.unsorted += u32::from(name.is_some() && collection_id.is_none());
                let count =
                    if followed.already_followed { &mut counts.existing } else { &mut counts.created };
                *count += 1;
                let subscription = &followed.subscription;
                let is_inside =
                    move_if_unsorted(transaction, domain.now(), account_id, subscription, collection_id)
                        .await?;
                if !is_inside {
                    counts.elsewhere.push(at);
                }
                is_inside
            }
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => {
                counts.failed.push((at, error.code));
                false
            }
        };
        if let Some(folder) = folder.filter(|folder| folder.is_new && !is_inside) {
            collections::delete_empty(transaction, account_id, folder.id).await?;
        }
    }
    counts.collections = collections::count(transaction, account_id).await?.saturating_sub(before);
    Ok(counts)
}

/// Moves a followed feed into the collection of its folder if the feed is unsorted. Returns false if the feed
/// stays in another collection.
async fn move_if_unsorted(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    subscription: &Subscription,
    folder: Option<CollectionId>,
) -> Result<bool> {
    let Some(target) = folder.filter(|id| *id != subscription.collection_id) else { return Ok(true) };
    let unsorted = collections::ensure_unsorted(transaction, now, account_id).await?;
    let sorted = ActiveModel { collection_id: Set(target), ..Default::default() };
    let moved = Entity::update_many()
        .set(sorted)
        .filter(Column::Id.eq(subscription.id))
        .filter(Column::CollectionId.eq(unsorted))
        .exec(transaction)
        .await?;
    entry_notices::apply_collection_channels(transaction, account_id, Some(subscription.id)).await?;
    Ok(moved.rows_affected > 0)
}

fn follow_of(outline: &Outline, url: &str, collection_id: Option<CollectionId>) -> Follow {
    Follow {
        feed_url: url.to_owned(),
        feed_title: None,
        title: outline.title.clone().filter(|title| title != &outline.feed_url),
        site_url: outline.site_url.clone(),
        collection_id,
        ..Follow::default()
    }
}

/// Returns the collection name for nested folders: the names of as many inner folders as fit. `None` if there
/// is no folder.
fn folder_name(folders: &[String]) -> Option<String> {
    let mut name = folders.last()?.clone();
    for folder in folders.iter().rev().skip(1) {
        let longer = format!("{folder}{FOLDER_SEPARATOR}{name}");
        if longer.chars().count() > MAX_NAME {
            break;
        }
        name = longer;
    }
    Some(name)
}

/// Exports the account's subscriptions, without internal feeds: their addresses are secret, and other
/// accounts could not follow them. Collections become folders. A collection whose name contains the folder
/// separator becomes nested folders.
#[boxed]
pub async fn export_list(domain: &Domain, account_id: AccountId) -> Result<String> {
    let collections = list_collections(domain, account_id).await?;
    let connection = domain.db().write();
    let rows = connection.query_all_raw(statement(connection, &sql::exported(), [account_id.into()])).await?;
    let mut feeds = Vec::with_capacity(rows.len());
    for row in rows {
        let collection_id: CollectionId = row.try_get_by_index(3)?;
        let folder = collections
            .iter()
            .find(|collection| collection.id == collection_id && collection.kind == CollectionKind::Custom);
        feeds.push(Outline {
            feed_url: row.try_get_by_index(0)?,
            site_url: row.try_get_by_index(1)?,
            title: row.try_get_by_index(2)?,
            folders: folder
                .map(|folder| folder.name.split(FOLDER_SEPARATOR).map(str::to_owned).collect())
                .unwrap_or_default(),
        });
    }
    Ok(opml::write("Subscriptions", &feeds))
}
