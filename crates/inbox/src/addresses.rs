//! Inbox addresses of an account: creating, changing, replacing, and deleting them.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, CollectionId, InboxAddressId};
use entities::inbox_address::{ActiveModel, Column, Entity, InboxDestination, Model};
use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::bounds::{OBJECT_TAGS, TAG_CHARS};
use kernel::error::not_found;
use kernel::statement::delete_existing;
use kernel::tag::Tag;
use kernel::{Domain, Error, Millis, Policy, Result};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
};

use crate::local_part;

/// Maximum length of the name of an address, in code points.
pub const MAX_NAME_CHARS: usize = 80;
/// Maximum number of attempts to generate an unused local part.
const MAX_ATTEMPTS: usize = 5;

#[derive(Clone, Debug, Default)]
pub struct NewAddress {
    pub name: String,
    /// Tags that the items of received messages get.
    pub tags: Vec<String>,
    pub destination: InboxDestination,
    /// Collection of the feeds of newsletters. `None` for the unsorted collection.
    pub collection_id: Option<CollectionId>,
}

/// Changes to an address. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default)]
pub struct AddressChanges {
    pub name: Option<String>,
    pub tags: Option<Vec<String>>,
    pub muted: Option<bool>,
    pub destination: Option<InboxDestination>,
    /// Collection of the feeds of newsletters that are first received from now on. `Some(None)` selects the
    /// unsorted collection.
    pub collection_id: Option<Option<CollectionId>>,
}

/// Secret address at which an account receives messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxAddress {
    pub id: InboxAddressId,
    /// Complete address.
    pub address: String,
    pub name: String,
    /// Tags that the items of received messages get.
    pub tags: Vec<String>,
    /// True if received messages are counted and discarded.
    pub muted: bool,
    pub destination: InboxDestination,
    /// Collection of the feeds of newsletters. It may have been deleted. `None` for the unsorted collection.
    pub collection_id: Option<CollectionId>,
    pub last_received_at: Option<Millis>,
    /// Number of refused messages.
    pub refusals: i64,
    /// Time of the last refused message.
    pub refused_at: Option<Millis>,
    /// Error code of the last refused message.
    pub refused_reason: Option<String>,
    pub created_at: Millis,
}

impl InboxAddress {
    fn of(policy: &Policy, row: Model) -> Self {
        Self {
            id: row.id,
            address: format!("{}@{}", row.local, policy.mail_domain()),
            name: row.name,
            tags: tags_of(&row.tags),
            muted: row.muted,
            destination: row.destination,
            collection_id: row.collection_id,
            last_received_at: row.last_received_at,
            refusals: row.refusals,
            refused_at: row.refused_at,
            refused_reason: row.refused_reason,
            created_at: row.created_at,
        }
    }
}

/// Parses the stored tags of an address.
pub(crate) fn tags_of(stored: &str) -> Vec<String> {
    serde_json::from_str(stored).unwrap_or_default()
}

/// Creates an address.
///
/// # Errors
/// `plan_required` or `limit_reached`; `invalid_request` with the name of the field; `not_found` if the collection does
/// not exist.
#[boxed]
pub async fn create_address(domain: &Domain, account_id: AccountId, new: NewAddress) -> Result<InboxAddress> {
    let (name, tags) = (checked_name(&new.name)?, checked_tags(&new.tags)?);
    require_collection(domain, account_id, new.collection_id).await?;
    let transaction = domain.db().begin().await?;
    let tier = accounts::lock(&transaction, account_id).await?;
    let limit = domain.policy().tiers.of(tier).inbox_addresses;
    let used = Entity::owned_by(account_id).count(&transaction).await?;
    check_plan_limit("inbox addresses", limit.into(), used)?;
    let row = Model {
        id: domain.new_id(),
        account_id,
        local: unused_local_part(domain, &transaction).await?,
        name,
        tags,
        muted: false,
        last_received_at: None,
        refusals: 0,
        refused_at: None,
        refused_reason: None,
        created_at: domain.now(),
        destination: new.destination,
        collection_id: new.collection_id,
    };
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    transaction.commit().await?;
    Ok(InboxAddress::of(domain.policy(), row))
}

async fn unused_local_part(domain: &Domain, connection: &impl ConnectionTrait) -> Result<String> {
    for _ in 0..MAX_ATTEMPTS {
        let local = local_part::random(domain);
        if Entity::find().filter(Column::Local.eq(local.as_str())).one(connection).await?.is_none() {
            return Ok(local);
        }
    }
    Err(Error::internal("no unused inbox address was found"))
}

/// Lists the addresses of an account, oldest first.
#[boxed]
pub async fn list_addresses(domain: &Domain, account_id: AccountId) -> Result<Vec<InboxAddress>> {
    let rows = Entity::owned_by(account_id).order_by_asc(Column::Id).all(domain.db().read()).await?;
    Ok(rows.into_iter().map(|row| InboxAddress::of(domain.policy(), row)).collect())
}

/// Returns an address of an account.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn get_address(domain: &Domain, account_id: AccountId, id: InboxAddressId) -> Result<InboxAddress> {
    let row = load(domain.db().read(), account_id, id).await?;
    Ok(InboxAddress::of(domain.policy(), row))
}

/// Changes the name, the tags, the muting, or the destination of an address.
///
/// # Errors
/// `not_found` if the address or the collection does not exist; `invalid_request` with the name of the field.
#[boxed]
pub async fn update_address(
    domain: &Domain,
    account_id: AccountId,
    id: InboxAddressId,
    changes: AddressChanges,
) -> Result<InboxAddress> {
    require_collection(domain, account_id, changes.collection_id.flatten()).await?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let mut row = load(&transaction, account_id, id).await?;
    if let Some(name) = &changes.name {
        row.name = checked_name(name)?;
    }
    if let Some(tags) = &changes.tags {
        row.tags = checked_tags(tags)?;
    }
    row.muted = changes.muted.unwrap_or(row.muted);
    let change = ActiveModel {
        id: Set(id),
        name: Set(row.name),
        tags: Set(row.tags),
        muted: Set(row.muted),
        destination: Set(changes.destination.unwrap_or(row.destination)),
        collection_id: Set(changes.collection_id.unwrap_or(row.collection_id)),
        ..Default::default()
    };
    let row = change.update(&transaction).await?;
    transaction.commit().await?;
    Ok(InboxAddress::of(domain.policy(), row))
}

/// Replaces the local part of an address. The previous address is refused from now on.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn replace_address(
    domain: &Domain,
    account_id: AccountId,
    id: InboxAddressId,
) -> Result<InboxAddress> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    load(&transaction, account_id, id).await?;
    let local = unused_local_part(domain, &transaction).await?;
    let change = ActiveModel { id: Set(id), local: Set(local), ..Default::default() };
    let row = change.update(&transaction).await?;
    transaction.commit().await?;
    Ok(InboxAddress::of(domain.policy(), row))
}

/// Deletes an address. It is refused from now on. Received messages remain.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn delete_address(domain: &Domain, account_id: AccountId, id: InboxAddressId) -> Result<()> {
    let row = Entity::delete_many().filter(Column::Id.eq(id)).filter(Column::AccountId.eq(account_id));
    delete_existing(domain.db().write(), row, "inbox address").await
}

/// Updates the addresses when the tag `from` is renamed or removed in the whole library. Items of messages no longer get a
/// removed tag.
pub(crate) async fn apply_tag_change(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    from: &Tag,
    to: Option<&Tag>,
) -> Result<()> {
    for row in Entity::owned_by(account_id).filter(Column::Tags.ne("[]")).all(transaction).await? {
        let Some(tags) = Tag::change_stored(&row.tags, from, to)? else { continue };
        Entity::update_many()
            .set(ActiveModel { tags: Set(tags), ..Default::default() })
            .filter(Column::AccountId.eq(account_id))
            .filter(Column::Id.eq(row.id))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

async fn load(connection: &impl ConnectionTrait, account_id: AccountId, id: InboxAddressId) -> Result<Model> {
    let row = Entity::owned_by(account_id).filter(Column::Id.eq(id)).one(connection).await?;
    row.ok_or_else(|| not_found("inbox address"))
}

async fn require_collection(
    domain: &Domain,
    account_id: AccountId,
    collection_id: Option<CollectionId>,
) -> Result<()> {
    match collection_id {
        Some(id) => feeds::get_collection(domain, account_id, id).await.map(drop),
        None => Ok(()),
    }
}

fn checked_name(name: &str) -> Result<String> {
    let name = name.trim();
    let length = name.chars().count();
    if length == 0 || length > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(Error::invalid_field("name", format!("must have 1 to {MAX_NAME_CHARS} characters")));
    }
    Ok(name.to_owned())
}

/// Checks tags, and serializes their names.
fn checked_tags(tags: &[String]) -> Result<String> {
    let tags = Tag::list(tags)?;
    if tags.len() > OBJECT_TAGS || tags.iter().any(|tag| tag.name.chars().count() > TAG_CHARS) {
        let reason = format!("must be at most {OBJECT_TAGS}, each of at most {TAG_CHARS} characters");
        return Err(Error::invalid_field("tags", reason));
    }
    let names: Vec<String> = tags.into_iter().map(|tag| tag.name).collect();
    serde_json::to_string(&names).map_err(Error::internal)
}
