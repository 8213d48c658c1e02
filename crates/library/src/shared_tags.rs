//! Tags that an owner shares with a team (see `identity::teams`). Members see the same parts of items as on a public
//! page. Every function for members checks the membership first, and every function for owners checks the ownership.
//!
//! An editor saves pages to the library of the owner, with the shared tag, and removes the tag from items. A
//! page that the owner has already saved without the tag cannot be added by an editor: otherwise an editor
//! could make private items visible by guessing their addresses.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, TeamId};
use entities::library_tagged;
use entities::library_words::{CaptureMethod, ObjectKind};
use entities::team_tag::{Column, Entity, Model};
use extract::sandbox::Pool;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, Value,
};

use super::change::{self, ItemChanges, ItemUpdate};
use super::draft::Save;
use super::item;
use super::item_pages::find_by_url;
use super::save_item::{self, PendingSave};
use super::tag_items::{PageStart, TagItemPage, spelling, tag_items};
use super::tags::{self, Tag};
use articles::Payer;
use identity::accounts;
use identity::limits::check_plan_limit;
use identity::teams::{TeamAccess, TeamRole, charge_contribution, require_access, require_owned};
use jobs::Progress;
use kernel::error::not_found;
use kernel::statement::{delete_existing, execute, statement};
use kernel::{Code, Domain, Error, Result, address};

/// Maximum number of tags that are shared with a team.
const MAX_TAGS: u64 = 100;

/// Tag that the account shares with one of its teams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamTag {
    pub team_id: TeamId,
    /// Name in the owner's spelling.
    pub name: String,
}

/// Tag that another account shares with the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedTag {
    pub team_id: TeamId,
    pub team_name: String,
    pub owner_email: String,
    /// Role of the account in the team.
    pub role: TeamRole,
    /// Name in the owner's spelling.
    pub name: String,
}

/// Items of a shared tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedTagPage {
    /// Name in the owner's spelling.
    pub name: String,
    /// Role of the account in the team.
    pub role: TeamRole,
    pub page: TagItemPage,
}

/// Page that an editor adds to a shared tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSharedItem {
    pub team_id: TeamId,
    /// Name of the shared tag.
    pub tag: String,
    pub url: String,
}

/// Shares a tag with a team of the account. Sharing it again changes nothing.
///
/// # Errors
/// `invalid_request` if the tag is blank; `not_found` for the team or the tag; `limit_reached`.
#[boxed]
pub async fn share_tag(domain: &Domain, owner_id: AccountId, team_id: TeamId, name: &str) -> Result<TeamTag> {
    let tag = Tag::of_name(name)?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, owner_id).await?;
    require_owned(&transaction, owner_id, team_id).await?;
    let name = spelling(&transaction, owner_id, &tag.key).await?.ok_or_else(|| not_found("tag"))?;
    let others = Entity::owned_by(owner_id).filter(Column::TeamId.eq(team_id));
    let others = others.filter(Column::TagKey.ne(&tag.key)).count(&transaction).await?;
    check_plan_limit("shared tags of a team", MAX_TAGS, others)?;
    let row = Model { team_id, account_id: owner_id, tag_key: tag.key };
    let on_conflict = OnConflict::columns([Column::TeamId, Column::TagKey]).do_nothing().to_owned();
    Entity::insert(row.into_active_model())
        .on_conflict(on_conflict)
        .exec_without_returning(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(TeamTag { team_id, name })
}

/// Stops sharing a tag with a team of the account.
///
/// # Errors
/// `invalid_request` if the tag is blank; `not_found` if the tag is not shared with the team.
#[boxed]
pub async fn unshare_tag(domain: &Domain, owner_id: AccountId, team_id: TeamId, name: &str) -> Result<()> {
    let tag = Tag::of_name(name)?;
    let row = Entity::delete_many()
        .filter(Column::AccountId.eq(owner_id))
        .filter(Column::TeamId.eq(team_id))
        .filter(Column::TagKey.eq(tag.key));
    delete_existing(domain.db().write(), row, "shared tag").await
}

/// Lists the tags that the account shares with its teams, by name.
#[boxed]
pub async fn list_team_tags(domain: &Domain, owner_id: AccountId) -> Result<Vec<TeamTag>> {
    let connection = domain.db().read();
    let sql = "SELECT s.team_id, COALESCE(l.name, s.tag_key) FROM team_tag s LEFT JOIN library_tag l \
               ON l.account_id = s.account_id AND l.tag_key = s.tag_key \
               WHERE s.account_id = $1 ORDER BY s.tag_key, s.team_id";
    let rows = connection.query_all_raw(statement(connection, sql, [owner_id.into()])).await?;
    let tag = |row: &sea_orm::QueryResult| {
        Ok(TeamTag { team_id: row.try_get_by_index(0)?, name: row.try_get_by_index(1)? })
    };
    rows.iter().map(tag).collect()
}

/// Lists the tags that other accounts share with the account, by team and name.
#[boxed]
pub async fn list_shared_tags(domain: &Domain, member_id: AccountId) -> Result<Vec<SharedTag>> {
    let connection = domain.db().read();
    let sql = "SELECT t.id, t.name, a.email, m.role, COALESCE(l.name, s.tag_key) FROM team_member m \
               JOIN team t ON t.id = m.team_id JOIN account a ON a.id = t.account_id \
               JOIN team_tag s ON s.team_id = t.id AND s.account_id = t.account_id \
               LEFT JOIN library_tag l ON l.account_id = s.account_id AND l.tag_key = s.tag_key \
               WHERE m.account_id = $1 AND a.disabled_at IS NULL ORDER BY t.name, t.id, s.tag_key";
    let rows = connection.query_all_raw(statement(connection, sql, [member_id.into()])).await?;
    let tag = |row: &sea_orm::QueryResult| {
        Ok(SharedTag {
            team_id: row.try_get_by_index(0)?,
            team_name: row.try_get_by_index(1)?,
            owner_email: row.try_get_by_index(2)?,
            role: row.try_get_by_index(3)?,
            name: row.try_get_by_index(4)?,
        })
    };
    rows.iter().map(tag).collect()
}

/// Returns items of a tag that is shared with the account.
///
/// # Errors
/// `not_found` if the account is not a member of the team, or the tag is not shared with the team.
#[boxed]
pub async fn list_shared_items(
    domain: &Domain,
    member_id: AccountId,
    team_id: TeamId,
    name: &str,
    start: PageStart,
) -> Result<SharedTagPage> {
    let connection = domain.db().read();
    let (access, tag) = require_shared(connection, member_id, team_id, name).await?;
    let page = tag_items(domain, access.owner_id, &tag.key, start).await?;
    Ok(SharedTagPage { name: tag.name, role: access.role, page })
}

/// Saves a page with a shared tag to the library of the owner, on behalf of an editor.
///
/// # Errors
/// `not_found`; `editor_required`; `invalid_url`; `name_taken` if the owner already has the page; `rate_limited`; the
/// errors of [`save`](super::save).
#[boxed]
pub async fn add_shared_item(
    domain: &Domain,
    sandbox: &Pool,
    member_id: AccountId,
    new: NewSharedItem,
) -> Result<Progress<PendingSave>> {
    let NewSharedItem { team_id, tag, url } = new;
    let (access, tag) = require_shared(domain.db().read(), member_id, team_id, &tag).await?;
    access.require_editor()?;
    // Other forms of addresses, such as `urn:uuid:`, would select an existing item of the owner.
    address::parse(&url)?;
    charge_contribution(domain, member_id, team_id).await?;
    if find_by_url(domain, access.owner_id, &url).await?.is_some() {
        let message = "The owner of the tag has already saved this page. Ask the owner to add the tag.";
        return Err(Error::new(Code::NameTaken, message).at("url", message));
    }
    let owner = accounts::get(domain, access.owner_id).await?;
    let new = Save {
        url: Some(url),
        tags: vec![tag.name],
        capture_method: Some(CaptureMethod::Api),
        ..Save::default()
    };
    save_item::save(domain, sandbox, Payer { account_id: owner.id, tier: owner.tier }, new).await
}

/// Removes a shared tag from an item of the owner, on behalf of an editor. The item remains in the library.
///
/// # Errors
/// `not_found`, also if the item does not have the tag; `editor_required`; `rate_limited`.
#[boxed]
pub async fn remove_shared_item(
    domain: &Domain,
    member_id: AccountId,
    team_id: TeamId,
    name: &str,
    id: ItemId,
) -> Result<()> {
    let connection = domain.db().read();
    let (access, tag) = require_shared(connection, member_id, team_id, name).await?;
    access.require_editor()?;
    charge_contribution(domain, member_id, team_id).await?;
    let tagged = library_tagged::Entity::owned_by(access.owner_id)
        .filter(library_tagged::Column::TagKey.eq(&tag.key))
        .filter(library_tagged::Column::ObjectId.eq(item::object(id)))
        .filter(library_tagged::Column::Kind.eq(ObjectKind::Item))
        .one(connection)
        .await?;
    tagged.ok_or_else(|| not_found("item"))?;
    let changes = ItemChanges { remove_tags: vec![tag.name], ..ItemChanges::default() };
    let update = ItemUpdate { changes, ..ItemUpdate::default() };
    change::update(domain, access.owner_id, id, update).await.map(drop)
}

/// Updates the shares of the tag `from` before the tag is renamed or removed in the whole library. If the new tag `to`
/// is unused, it is shared instead. Otherwise the old tag is no longer shared.
pub(crate) async fn apply_tag_change(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    from: &Tag,
    to: Option<&Tag>,
) -> Result<()> {
    if to.is_some_and(|to| to.key == from.key) {
        return Ok(());
    }
    if let Some(to) = to
        && !tags::is_used(transaction, account_id, to).await?
    {
        let sql = "UPDATE team_tag SET tag_key = $3 WHERE account_id = $1 AND tag_key = $2 AND NOT EXISTS \
                   (SELECT 1 FROM team_tag o WHERE o.team_id = team_tag.team_id AND o.tag_key = $3)";
        let values: [Value; 3] = [account_id.into(), from.key.as_str().into(), to.key.as_str().into()];
        execute(transaction, sql, values).await?;
    }
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::TagKey.eq(&from.key))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Returns the membership of the account, and the tag in the owner's spelling.
///
/// # Errors
/// `not_found` if the account is not a member of the team, or the tag is not shared with the team.
async fn require_shared(
    connection: &impl ConnectionTrait,
    member_id: AccountId,
    team_id: TeamId,
    name: &str,
) -> Result<(TeamAccess, Tag)> {
    let access = require_access(connection, member_id, team_id).await?;
    let tag = Tag::of(name).ok_or_else(|| not_found("shared tag"))?;
    let shared = Entity::owned_by(access.owner_id)
        .filter(Column::TeamId.eq(team_id))
        .filter(Column::TagKey.eq(&tag.key))
        .one(connection)
        .await?;
    shared.ok_or_else(|| not_found("shared tag"))?;
    let name = spelling(connection, access.owner_id, &tag.key).await?;
    let name = name.unwrap_or_else(|| tag.name.clone());
    Ok((access, Tag { name, key: tag.key }))
}
