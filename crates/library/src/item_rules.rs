//! Rules that add tags to saved items or set their status. A rule matches items by a query in the search language. Rules
//! are exported with the settings of the account. A job applies them (`rule_run`).

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, LibraryRuleId};
use entities::library_rule::{ActiveModel, Column, Entity, Model};
use entities::library_words::ItemStatus;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel,
    QueryFilter, QueryOrder,
};
use serde::{Deserialize, Serialize};

use super::saved_searches::{checked_name, checked_query};
use super::tags::{MAX_TAGS, Tag};
use super::visible_tags::VisibleTags;
use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::bounds::{ITEM_RULES, TAG_CHARS};
use kernel::error::not_found;
use kernel::statement::delete_existing;
use kernel::{Code, Domain, Error, ImportedObjects, Millis, Result};

/// Rule for saved items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRule {
    pub id: LibraryRuleId,
    pub name: String,
    /// Query in the search language.
    pub query: String,
    /// Names of the tags that the rule adds.
    pub tags: Vec<String>,
    /// Status that the rule sets. `None` if it changes no status.
    pub status: Option<ItemStatus>,
    /// Tags of the rule that are not added, because they are public or shared with a team.
    pub withheld_tags: Vec<String>,
    /// Number of saved items that the rule has matched.
    pub matches: u64,
    pub created_at: Millis,
}

/// Rule to create.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewItemRule {
    /// Name of 1 to 60 characters.
    pub name: String,
    pub query: String,
    pub tags: Vec<String>,
    pub status: Option<ItemStatus>,
}

/// Changes to a rule. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemRuleUpdate {
    pub name: Option<String>,
    pub query: Option<String>,
    pub tags: Option<Vec<String>>,
    /// `Some(None)` makes the rule change no status.
    pub status: Option<Option<ItemStatus>>,
    /// Position in the order of the rules, counted from 1. A larger number means the last position.
    pub position: Option<u32>,
}

/// Rule in an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExportedItemRule {
    name: String,
    query: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    status: Option<String>,
}

impl ItemRule {
    fn of(row: Model, visible: &VisibleTags) -> Self {
        let tags: Vec<String> = tags_of(&row).into_iter().map(|tag| tag.name).collect();
        Self {
            id: row.id,
            withheld_tags: visible.among(&tags),
            tags,
            name: row.name,
            query: row.query,
            status: row.status,
            matches: u64::try_from(row.matches).unwrap_or(0),
            created_at: row.created_at,
        }
    }
}

/// Returns the tags of a rule.
pub(crate) fn tags_of(row: &Model) -> Vec<Tag> {
    let names: Vec<String> = serde_json::from_str(&row.tags).unwrap_or_default();
    names.iter().filter_map(|name| Tag::of(name)).collect()
}

/// Loads the rules of an account in their order.
pub(crate) async fn load(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<Vec<Model>> {
    let rules = Entity::owned_by(account_id).order_by_asc(Column::Position).order_by_asc(Column::Id);
    Ok(rules.all(connection).await?)
}

/// Lists the rules of an account in the order in which they apply.
#[boxed]
pub async fn list_item_rules(domain: &Domain, account_id: AccountId) -> Result<Vec<ItemRule>> {
    let connection = domain.db().read();
    let rows = load(connection, account_id).await?;
    let visible = VisibleTags::load(connection, account_id).await?;
    Ok(rows.into_iter().map(|row| ItemRule::of(row, &visible)).collect())
}

/// Creates a rule, which applies after the other rules to items that are saved from now on.
///
/// # Errors
/// `invalid_request` if a value is invalid; `limit_reached`.
#[boxed]
pub async fn create_item_rule(domain: &Domain, account_id: AccountId, new: NewItemRule) -> Result<ItemRule> {
    let (name, query, tags) =
        (checked_name(&new.name)?, checked_query(&new.query)?, checked_tags(&new.tags)?);
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let rules = load(&transaction, account_id).await?;
    check_plan_limit("rules for saved items", ITEM_RULES.into(), rules.len() as u64)?;
    let row = Model {
        id: domain.new_id(),
        account_id,
        position: rules.last().map_or(0, |last| last.position).saturating_add(1),
        name,
        query,
        tags,
        status: new.status,
        matches: 0,
        created_at: domain.now(),
    };
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    let visible = VisibleTags::load(&transaction, account_id).await?;
    transaction.commit().await?;
    Ok(ItemRule::of(row, &visible))
}

/// Changes a rule, or its position in the order of the rules.
///
/// # Errors
/// `not_found`; `invalid_request` if a value is invalid.
#[boxed]
pub async fn update_item_rule(
    domain: &Domain,
    account_id: AccountId,
    id: LibraryRuleId,
    update: ItemRuleUpdate,
) -> Result<ItemRule> {
    let name = update.name.as_deref().map(checked_name).transpose()?;
    let query = update.query.as_deref().map(checked_query).transpose()?;
    let tags = update.tags.as_deref().map(checked_tags).transpose()?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let mut rules = load(&transaction, account_id).await?;
    let index = rules.iter().position(|rule| rule.id == id).ok_or_else(|| not_found("rule"))?;
    let mut row = rules.remove(index);
    row.name = name.unwrap_or(row.name);
    row.query = query.unwrap_or(row.query);
    row.tags = tags.unwrap_or(row.tags);
    row.status = update.status.unwrap_or(row.status);
    let change = ActiveModel {
        name: Set(row.name.clone()),
        query: Set(row.query.clone()),
        tags: Set(row.tags.clone()),
        status: Set(row.status),
        ..Default::default()
    };
    write(&transaction, &row, change).await?;
    if let Some(position) = update.position {
        let index = (position.saturating_sub(1) as usize).min(rules.len());
        rules.insert(index, row.clone());
        renumber(&transaction, &rules).await?;
    }
    let visible = VisibleTags::load(&transaction, account_id).await?;
    transaction.commit().await?;
    Ok(ItemRule::of(row, &visible))
}

/// Deletes a rule. Its changes to items are retained.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn delete_item_rule(domain: &Domain, account_id: AccountId, id: LibraryRuleId) -> Result<()> {
    let row = Entity::delete_many().filter(Column::AccountId.eq(account_id)).filter(Column::Id.eq(id));
    delete_existing(domain.db().write(), row, "rule").await
}

/// Updates the rules when the tag `from` is renamed or removed in the whole library. A removed tag is no longer added.
pub(crate) async fn apply_tag_change(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    from: &Tag,
    to: Option<&Tag>,
) -> Result<()> {
    for row in load(transaction, account_id).await? {
        let Some(tags) = Tag::change_stored(&row.tags, from, to)? else { continue };
        let change = ActiveModel { tags: Set(tags), ..Default::default() };
        write(transaction, &row, change).await?;
    }
    Ok(())
}

/// Exports the rules of an account in their order.
pub(crate) async fn export_item_rules(
    domain: &Domain,
    account_id: AccountId,
) -> Result<Vec<ExportedItemRule>> {
    let rules = list_item_rules(domain, account_id).await?;
    Ok(rules.into_iter().map(exported).collect())
}

fn exported(rule: ItemRule) -> ExportedItemRule {
    let status = rule.status.map(|status| status.as_str().to_owned());
    ExportedItemRule { name: rule.name, query: rule.query, tags: rule.tags, status }
}

/// Imports rules after the existing rules of the account. Rules that equal existing ones are not created again. If the
/// rules exceed the limit per account, only the first of them is recorded as failed.
///
/// # Errors
/// Returns transient errors of the database.
pub(crate) async fn import_item_rules(
    domain: &Domain,
    account_id: AccountId,
    rules: Vec<ExportedItemRule>,
) -> Result<ImportedObjects> {
    let existing = export_item_rules(domain, account_id).await?;
    let mut imported = ImportedObjects::default();
    for (number, rule) in (1..).zip(rules) {
        if number > u64::from(ITEM_RULES) {
            imported.fail(number, rule.name, Code::LimitReached);
            break;
        }
        if existing.contains(&rule) {
            imported.imported += 1;
            continue;
        }
        let name = rule.name.clone();
        let created = match new_rule(rule) {
            Ok(new) => create_item_rule(domain, account_id, new).await.map(drop),
            Err(error) => Err(error),
        };
        imported.record(number, name, created)?;
        if imported.failed.last().is_some_and(|failed| failed.code == Code::LimitReached) {
            break;
        }
    }
    Ok(imported)
}

fn new_rule(rule: ExportedItemRule) -> Result<NewItemRule> {
    let status = match rule.status {
        Some(word) => {
            let status = ItemStatus::parse(&word);
            Some(status.ok_or_else(|| Error::invalid_field("status", "is unknown"))?)
        }
        None => None,
    };
    Ok(NewItemRule { name: rule.name, query: rule.query, tags: rule.tags, status })
}

/// Writes the columns of a rule that `change` sets.
async fn write(transaction: &DatabaseTransaction, row: &Model, change: ActiveModel) -> Result<()> {
    Entity::update_many()
        .set(change)
        .filter(Column::AccountId.eq(row.account_id))
        .filter(Column::Id.eq(row.id))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Numbers rules in this order, from 1.
async fn renumber(transaction: &DatabaseTransaction, rules: &[Model]) -> Result<()> {
    for (position, row) in (1_i16..).zip(rules) {
        if row.position != position {
            write(transaction, row, ActiveModel { position: Set(position), ..Default::default() }).await?;
        }
    }
    Ok(())
}

/// Checks the tags of a rule. Returns their names as a JSON array.
fn checked_tags(names: &[String]) -> Result<String> {
    let tags = Tag::list(names)?;
    if tags.len() > MAX_TAGS {
        return Err(Error::invalid_field("tags", format!("must have at most {MAX_TAGS} tags")));
    }
    if tags.iter().any(|tag| tag.name.chars().count() > TAG_CHARS) {
        return Err(Error::invalid_field("tags", format!("must have at most {TAG_CHARS} characters each")));
    }
    let names: Vec<&str> = tags.iter().map(|tag| tag.name.as_str()).collect();
    serde_json::to_string(&names).map_err(Error::internal)
}
