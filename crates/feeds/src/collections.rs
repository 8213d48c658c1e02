//! Collections, which are an account's folders of subscriptions. Each subscription is in exactly one
//! collection. Subscriptions without another collection are in the unsorted collection. It is created when it
//! is first needed, and cannot be renamed or deleted.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChannelId, CollectionId, FeedId};
use entities::rss_collection::{ActiveModel, Column, Entity, Model};
use entities::rss_subscription;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{Set, Unchanged},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select, UpdateMany,
};

use super::entry_notices;
use super::previous_feeds;
use super::validation::check_read_after;
use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result, natural_order};

/// Maximum length of a name in code points.
const MAX_NAME: usize = kernel::bounds::COLLECTION_NAME_CHARS;
const UNSORTED: &str = "Unsorted";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionKind {
    /// Created by the account.
    Custom,
    /// Contains the subscriptions that are in no other collection.
    Unsorted,
}

impl CollectionKind {
    pub const ALL: &'static [Self] = &[Self::Custom, Self::Unsorted];

    /// Value in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Custom => "custom",
            Self::Unsorted => "unsorted",
        }
    }

    fn parse(word: &str) -> Self {
        if word == "unsorted" { Self::Unsorted } else { Self::Custom }
    }
}

/// A collection with the ids of its feeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// Sequential number, starting at 1.
    pub id: CollectionId,
    /// Displayed name.
    pub name: String,
    pub kind: CollectionKind,
    /// Feeds in the collection.
    pub feed_ids: Vec<FeedId>,
    pub created_at: Millis,
    /// Number of days after which unread entries of its feeds count as read. `None` disables this.
    pub read_after_days: Option<u32>,
    /// Channels that are notified of new entries of its feeds. Feeds may have their own channels instead.
    pub notify: Vec<ChannelId>,
}

/// Properties of a collection to create.
#[derive(Clone, Debug, Default)]
pub struct NewCollection {
    /// Name of 1 to 80 characters, unique within the account.
    pub name: String,
    /// Followed feeds that are moved into the new collection.
    pub feed_ids: Vec<FeedId>,
}

/// Changes to a collection. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default)]
pub struct UpdateCollection {
    pub name: Option<String>,
    /// New list of all feeds in the collection.
    pub feed_ids: Option<Vec<FeedId>>,
}

/// Changes to the settings of a collection. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default)]
pub struct CollectionSettings {
    /// Number of days after which unread entries of its feeds count as read. `Some(None)` disables this.
    pub read_after_days: Option<Option<u32>>,
    /// Channels to notify of new entries of its feeds that have no channels of their own.
    pub notify: Option<Vec<ChannelId>>,
}

/// Returns all collections of an account: first the unsorted collection, then the other collections, sorted
/// by name.
#[boxed]
pub async fn list_collections(domain: &Domain, account_id: AccountId) -> Result<Vec<Collection>> {
    let transaction = domain.db().begin().await?;
    ensure_unsorted(&transaction, domain.now(), account_id).await?;
    transaction.commit().await?;
    let connection = domain.db().write();
    let rows = Entity::owned_by(account_id).all(connection).await?;
    let mut collections: Vec<Collection> = rows.into_iter().map(collection).collect();
    collections.sort_by(|one, other| {
        let is_custom = |collection: &Collection| collection.kind == CollectionKind::Custom;
        is_custom(one).cmp(&is_custom(other)).then_with(|| natural_order::compare(&one.name, &other.name))
    });
    let followed: Vec<(CollectionId, FeedId)> = followed(account_id).into_tuple().all(connection).await?;
    for (collection_id, feed_id) in followed {
        if let Some(collection) = collections.iter_mut().find(|collection| collection.id == collection_id) {
            collection.feed_ids.push(feed_id);
        }
    }
    Ok(collections)
}

/// Creates a collection.
///
/// # Errors
/// `name_taken` if a collection has this name; `limit_reached` if the plan allows no more collections;
/// `invalid_request` if the name is invalid; `not_found` if a feed is not followed.
#[boxed]
pub async fn create_collection(
    domain: &Domain,
    account_id: AccountId,
    new: NewCollection,
) -> Result<Collection> {
    let transaction = domain.db().begin().await?;
    let made = create_in(&transaction, domain, account_id, new).await?;
    transaction.commit().await?;
    Ok(made)
}

/// Like [`create_collection`], but within a transaction.
pub(super) async fn create_in(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    new: NewCollection,
) -> Result<Collection> {
    let name = check_name(&new.name)?;
    let tier = accounts::lock(transaction, account_id).await?;
    ensure_unsorted(transaction, domain.now(), account_id).await?;
    let used = count(transaction, account_id).await?;
    refuse_duplicate_name(transaction, account_id, &name, None).await?;
    check_plan_limit("collections", domain.policy().tiers.of(tier).rss_collections.into(), used)?;
    let id = insert(transaction, account_id, &name, CollectionKind::Custom, domain.now()).await?;
    move_feeds(transaction, account_id, id, &new.feed_ids).await?;
    entry_notices::apply_collection_channels(transaction, account_id, None).await?;
    load(transaction, account_id, id).await
}

/// Renames a collection or replaces its feeds. Removed feeds move to the unsorted collection.
///
/// # Errors
/// The errors of [`create_collection`]; `collection_immutable` for the unsorted collection.
#[boxed]
pub async fn update_collection(
    domain: &Domain,
    account_id: AccountId,
    id: CollectionId,
    update: UpdateCollection,
) -> Result<Collection> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let updated = update_in(&transaction, domain.now(), account_id, id, update).await?;
    transaction.commit().await?;
    Ok(updated)
}

/// Like [`update_collection`], but within a transaction that has locked the account.
pub(super) async fn update_in(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    id: CollectionId,
    update: UpdateCollection,
) -> Result<Collection> {
    let name = update.name.as_deref().map(check_name).transpose()?;
    refuse_unsorted(&load(transaction, account_id, id).await?)?;
    if let Some(name) = name {
        refuse_duplicate_name(transaction, account_id, &name, Some(id)).await?;
        let renamed = ActiveModel {
            id: Set(id),
            name_key: Set(name_key(&name)),
            name: Set(name),
            ..Default::default()
        };
        renamed.update(transaction).await?;
    }
    if let Some(feed_ids) = update.feed_ids {
        empty_into_unsorted(transaction, now, account_id, id).await?;
        move_feeds(transaction, account_id, id, &feed_ids).await?;
        entry_notices::apply_collection_channels(transaction, account_id, None).await?;
    }
    load(transaction, account_id, id).await
}

/// Deletes a collection. Its feeds move to the unsorted collection.
///
/// # Errors
/// `not_found` if the collection does not exist; `collection_immutable` for the unsorted collection.
#[boxed]
pub async fn delete_collection(domain: &Domain, account_id: AccountId, id: CollectionId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    delete_in(&transaction, domain.now(), account_id, id).await?;
    transaction.commit().await?;
    Ok(())
}

/// Like [`delete_collection`], but within a transaction that has locked the account.
pub(super) async fn delete_in(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    id: CollectionId,
) -> Result<()> {
    refuse_unsorted(&load(transaction, account_id, id).await?)?;
    empty_into_unsorted(transaction, now, account_id, id).await?;
    Entity::delete_by_id(id).exec(transaction).await?;
    entry_notices::apply_collection_channels(transaction, account_id, None).await
}

/// Returns one collection of the account.
///
/// # Errors
/// `not_found` if the collection does not exist.
#[boxed]
pub async fn get_collection(domain: &Domain, account_id: AccountId, id: CollectionId) -> Result<Collection> {
    load(domain.db().read(), account_id, id).await
}

/// Changes the settings of a collection. They apply to its feeds that have no settings of their own. The
/// unsorted collection can have settings, too.
///
/// # Errors
/// `not_found` if the collection or a channel does not exist; `invalid_request` if a value is out of range.
#[boxed]
pub async fn update_collection_settings(
    domain: &Domain,
    account_id: AccountId,
    id: CollectionId,
    settings: CollectionSettings,
) -> Result<Collection> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    check_exists(&transaction, account_id, id).await?;
    let mut row = ActiveModel { id: Unchanged(id), ..Default::default() };
    if let Some(days) = settings.read_after_days {
        row.read_after_days = Set(check_read_after(days.filter(|days| *days > 0))?);
    }
    if let Some(channels) = &settings.notify {
        row.notify = Set(notices::check_notify(&transaction, account_id, channels).await?);
    }
    if row.is_changed() {
        row.update(&transaction).await?;
    }
    if settings.notify.is_some() {
        entry_notices::apply_collection_channels(&transaction, account_id, None).await?;
    }
    let collection = load(&transaction, account_id, id).await?;
    transaction.commit().await?;
    Ok(collection)
}

/// Returns the id of the account's unsorted collection. Creates the collection if needed.
pub(super) async fn ensure_unsorted(
    connection: &impl ConnectionTrait,
    now: Millis,
    account_id: AccountId,
) -> Result<CollectionId> {
    for _ in 0..2 {
        let existing =
            Entity::owned_by(account_id).filter(Column::Kind.eq("unsorted")).one(connection).await?;
        if let Some(existing) = existing {
            return Ok(existing.id);
        }
        // A custom collection may have the same name. The empty name key cannot conflict, because names are
        // never empty.
        let kind = CollectionKind::Unsorted.as_str();
        let unsorted =
            ActiveModel { name_key: Set(String::new()), ..new_row(account_id, UNSORTED, kind, now) };
        Entity::insert(unsorted)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(connection)
            .await?;
    }
    Err(Error::internal("failed to find or create the unsorted collection"))
}

/// Collection of a folder in an imported list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folder {
    pub(super) id: CollectionId,
    /// True if the collection did not exist before.
    pub(super) is_new: bool,
}

/// Returns the collection with this name. Creates it if it does not exist. `None` if the account already has
/// `limit` collections, or if the name is invalid.
pub(super) async fn find_or_create(
    connection: &impl ConnectionTrait,
    now: Millis,
    account_id: AccountId,
    name: &str,
    limit: u64,
) -> Result<Option<Folder>> {
    let Ok(name) = check_name(name) else { return Ok(None) };
    if let Some(existing) = by_name(connection, account_id, &name).await? {
        return Ok(Some(Folder { id: existing.id, is_new: false }));
    }
    if count(connection, account_id).await? >= limit {
        return Ok(None);
    }
    let id = insert(connection, account_id, &name, CollectionKind::Custom, now).await?;
    Ok(Some(Folder { id, is_new: true }))
}

/// Deletes a collection without feeds.
pub(super) async fn delete_empty(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: CollectionId,
) -> Result<()> {
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::Id.eq(id))
        .exec(connection)
        .await?;
    Ok(())
}

/// Returns an error if the collection does not belong to the account.
pub(super) async fn check_exists(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: CollectionId,
) -> Result<()> {
    if owned(account_id, id).count(connection).await? == 0 { Err(not_found("collection")) } else { Ok(()) }
}

/// Returns the number of custom collections.
pub(super) async fn count(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<u64> {
    Ok(Entity::owned_by(account_id).filter(Column::Kind.eq("custom")).count(connection).await?)
}

fn owned(account_id: AccountId, id: CollectionId) -> Select<Entity> {
    Entity::owned_by(account_id).filter(Column::Id.eq(id))
}

async fn by_name(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    name: &str,
) -> Result<Option<Model>> {
    Ok(Entity::owned_by(account_id).filter(Column::NameKey.eq(name_key(name))).one(connection).await?)
}

async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: CollectionId,
) -> Result<Collection> {
    let row = owned(account_id, id).one(connection).await?.ok_or_else(|| not_found("collection"))?;
    let mut collection = collection(row);
    let inside = followed(account_id).filter(rss_subscription::Column::CollectionId.eq(id));
    let inside: Vec<(CollectionId, FeedId)> = inside.into_tuple().all(connection).await?;
    collection.feed_ids = inside.into_iter().map(|(_, feed_id)| feed_id).collect();
    Ok(collection)
}

async fn insert(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    name: &str,
    kind: CollectionKind,
    now: Millis,
) -> Result<CollectionId> {
    Ok(new_row(account_id, name, kind.as_str(), now).insert(connection).await?.id)
}

fn new_row(account_id: AccountId, name: &str, kind: &str, now: Millis) -> ActiveModel {
    ActiveModel {
        account_id: Set(account_id),
        name: Set(name.to_owned()),
        name_key: Set(name_key(name)),
        kind: Set(kind.to_owned()),
        created_at: Set(now),
        ..Default::default()
    }
}

/// Selects the collection and feed of each subscription, in the order in which the feeds were followed.
fn followed(account_id: AccountId) -> Select<rss_subscription::Entity> {
    use rss_subscription::Column;
    rss_subscription::Entity::owned_by(account_id)
        .select_only()
        .columns([Column::CollectionId, Column::FeedId])
        .order_by_asc(Column::Id)
}

/// Returns an update that moves subscriptions of the account into a collection. The caller adds the filter.
fn move_update(account_id: AccountId, id: CollectionId) -> UpdateMany<rss_subscription::Entity> {
    let there = rss_subscription::ActiveModel { collection_id: Set(id), ..Default::default() };
    rss_subscription::Entity::update_many()
        .set(there)
        .filter(rss_subscription::Column::AccountId.eq(account_id))
}

async fn move_feeds(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: CollectionId,
    feed_ids: &[FeedId],
) -> Result<()> {
    let moved = previous_feeds::current_ids(connection, account_id, feed_ids).await?;
    let mut distinct: Vec<FeedId> = feed_ids.iter().map(|id| moved.get(id).copied().unwrap_or(*id)).collect();
    distinct.sort_unstable();
    distinct.dedup();
    for chunk in distinct.chunks(500) {
        let named = rss_subscription::Column::FeedId.is_in(chunk.iter().copied());
        let moved = move_update(account_id, id).filter(named).exec(connection).await?;
        if moved.rows_affected != chunk.len() as u64 {
            return Err(not_found("followed feed"));
        }
    }
    Ok(())
}

async fn empty_into_unsorted(
    connection: &impl ConnectionTrait,
    now: Millis,
    account_id: AccountId,
    id: CollectionId,
) -> Result<()> {
    let unsorted = ensure_unsorted(connection, now, account_id).await?;
    let inside = rss_subscription::Column::CollectionId.eq(id);
    move_update(account_id, unsorted).filter(inside).exec(connection).await?;
    Ok(())
}

async fn refuse_duplicate_name(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    name: &str,
    except: Option<CollectionId>,
) -> Result<()> {
    let holder = by_name(connection, account_id, name).await?;
    let is_unsorted = name_key(name) == name_key(UNSORTED);
    if is_unsorted || holder.is_some_and(|holder| Some(holder.id) != except) {
        return Err(Error::new(Code::NameTaken, "A collection with this name already exists."));
    }
    Ok(())
}

fn refuse_unsorted(collection: &Collection) -> Result<()> {
    if collection.kind == CollectionKind::Unsorted {
        return Err(Error::new(Code::CollectionImmutable, "The unsorted collection cannot be changed."));
    }
    Ok(())
}

fn check_name(name: &str) -> Result<String> {
    let is_one_line = !name.chars().any(char::is_control);
    let name = name.trim();
    let length = name.chars().count();
    if length == 0 || length > MAX_NAME || !is_one_line {
        return Err(Error::invalid_field("name", "must have 1 to 80 characters"));
    }
    Ok(name.to_owned())
}

/// Returns the key by which names are compared without regard to letter case.
pub(super) fn name_key(name: &str) -> String {
    name.to_lowercase()
}

fn collection(row: Model) -> Collection {
    Collection {
        id: row.id,
        name: row.name,
        kind: CollectionKind::parse(&row.kind),
        feed_ids: Vec::new(),
        created_at: row.created_at,
        read_after_days: row.read_after_days.and_then(|days| u32::try_from(days).ok()),
        notify: serde_json::from_str(&row.notify).unwrap_or_default(),
    }
}
