//! Themed reviews: reviews of the highlights that have a tag, belong to an item, or match a saved search,
//! each with its own number per day. They use the schedule of the general review. They are exported with the
//! settings of the account.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, SavedSearchId, ThemedReviewId};
use entities::library_themed_review::{ActiveModel, Column, Entity, Model};
use entities::{library_item, library_saved_search};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel,
    QueryFilter, QuerySelect,
};

use super::keys::{self, ItemKey};
use super::review_schedule::checked_per_day;
use super::saved_searches::{self, SearchTarget, checked_name};
use super::search::matches::{Conditions, ObjectConditions};
use super::tags::Tag;
use super::transaction::committed_state;
use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::bounds::{TAG_CHARS, THEMED_REVIEWS};
use kernel::error::not_found;
use kernel::search::query::Query;
use kernel::statement::{delete_existing, statement};
use kernel::{Domain, Error, Millis, Result};

/// Maximum number of items with highlights that are listed.
const MAX_LISTED_ITEMS: usize = 100;

/// Highlights of a themed review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewTheme {
    /// Highlights that have a tag, or whose item has it.
    Tag(String),
    /// Highlights of an item, also after its deletion.
    Item(ItemId),
    /// Highlights that a saved search of the library matches. Contains its name.
    Search(String),
}

/// Review of the highlights of a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemedReview {
    pub id: ThemedReviewId,
    pub name: String,
    /// Maximum number of highlights that are reviewed per day.
    pub per_day: u32,
    /// `None` if the saved search was deleted.
    pub theme: Option<ReviewTheme>,
    /// Title of the item. `None` if the theme is not an item, or if the item was deleted.
    pub item_title: Option<String>,
    pub created_at: Millis,
}

/// Themed review to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewThemedReview {
    /// Name of 1 to 60 characters.
    pub name: String,
    /// Number of highlights per day, 1 to 50.
    pub per_day: u32,
    pub theme: ReviewTheme,
}

/// Items with highlights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighlightedItems {
    /// Ids and titles of the newest items, newest first.
    pub listed: Vec<(ItemId, String)>,
    /// True if more items exist than are listed.
    pub has_more: bool,
}

/// Columns of a theme. Exactly one is set.
#[derive(Default)]
struct ThemeColumns {
    tag: Option<String>,
    item_id: Option<ItemId>,
    search_id: Option<SavedSearchId>,
}

impl ThemeColumns {
    async fn of(
        connection: &impl ConnectionTrait,
        account_id: AccountId,
        theme: &ReviewTheme,
    ) -> Result<Self> {
        let none = Self::default();
        Ok(match theme {
            ReviewTheme::Tag(name) => Self { tag: Some(checked_tag(name)?), ..none },
            ReviewTheme::Item(id) => {
                let owned = library_item::Entity::owned_by(account_id);
                let item = owned.filter(library_item::Column::Id.eq(*id)).one(connection).await?;
                item.ok_or_else(|| not_found("item"))?;
                Self { item_id: Some(*id), ..none }
            }
            ReviewTheme::Search(name) => {
                let library = SearchTarget::Library.as_str();
                let search = saved_searches::by_name(connection, account_id, library, name.trim()).await?;
                Self { search_id: Some(search.ok_or_else(|| not_found("saved search"))?.id), ..none }
            }
        })
    }
}

fn checked_tag(name: &str) -> Result<String> {
    let tag = Tag::of(name).ok_or_else(|| Error::invalid_field("tag", "must not be blank"))?;
    if tag.name.chars().count() > TAG_CHARS {
        return Err(Error::invalid_field("tag", format!("must have at most {TAG_CHARS} characters")));
    }
    Ok(tag.name)
}

/// Loads the themed reviews of an account, ordered by name. An import creates several at the same time, so their order
/// of creation is unknown.
pub(crate) async fn load(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<Vec<Model>> {
    let mut reviews = Entity::owned_by(account_id).all(connection).await?;
    reviews.sort_by_cached_key(|review| (review.name.to_lowercase(), review.id));
    Ok(reviews)
}

/// Loads a themed review.
///
/// # Errors
/// `not_found`.
pub(crate) async fn find(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: ThemedReviewId,
) -> Result<Model> {
    let row = Entity::owned_by(account_id).filter(Column::Id.eq(id)).one(connection).await?;
    row.ok_or_else(|| not_found("review"))
}

/// Adds the names of saved searches and the titles of items to the rows of themed reviews.
pub(crate) async fn resolve(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    rows: &[Model],
) -> Result<Vec<ThemedReview>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let search_ids: Vec<SavedSearchId> = rows.iter().filter_map(|row| row.search_id).collect();
    let item_ids: Vec<ItemId> = rows.iter().filter_map(|row| row.item_id).collect();
    let searches: Vec<(SavedSearchId, String)> = library_saved_search::Entity::owned_by(account_id)
        .select_only()
        .columns([library_saved_search::Column::Id, library_saved_search::Column::Name])
        .filter(library_saved_search::Column::Id.is_in(search_ids))
        .into_tuple()
        .all(connection)
        .await?;
    let items: Vec<(ItemId, String)> = library_item::Entity::owned_by(account_id)
        .select_only()
        .columns([library_item::Column::Id, library_item::Column::Title])
        .filter(library_item::Column::Id.is_in(item_ids))
        .into_tuple()
        .all(connection)
        .await?;
    let searches: HashMap<SavedSearchId, String> = searches.into_iter().collect();
    let items: HashMap<ItemId, String> = items.into_iter().collect();
    let review = |row: &Model| {
        let search = row.search_id.and_then(|id| searches.get(&id).cloned().map(ReviewTheme::Search));
        let item = row.item_id.map(ReviewTheme::Item);
        ThemedReview {
            id: row.id,
            name: row.name.clone(),
            per_day: u32::try_from(row.per_day).unwrap_or(1),
            theme: row.tag.clone().map(ReviewTheme::Tag).or(item).or(search),
            item_title: row.item_id.and_then(|id| items.get(&id).cloned()),
            created_at: row.created_at,
        }
    };
    Ok(rows.iter().map(review).collect())
}

/// Lists the themed reviews of an account, ordered by name.
#[boxed]
pub async fn list_themed_reviews(domain: &Domain, account_id: AccountId) -> Result<Vec<ThemedReview>> {
    let connection = domain.db().read();
    let rows = load(connection, account_id).await?;
    resolve(connection, account_id, &rows).await
}

/// Lists the items that have highlights.
#[boxed]
pub async fn highlighted_items(domain: &Domain, account_id: AccountId) -> Result<HighlightedItems> {
    let connection = domain.db().read();
    let query = statement(connection, &highlighted_statement(), [account_id.into()]);
    let rows = connection.query_all_raw(query).await?;
    let mut listed = Vec::with_capacity(rows.len());
    for row in &rows {
        listed.push((row.try_get_by_index(0)?, row.try_get_by_index(1)?));
    }
    let has_more = listed.len() > MAX_LISTED_ITEMS;
    listed.truncate(MAX_LISTED_ITEMS);
    Ok(HighlightedItems { listed, has_more })
}

/// Builds the statement that selects the newest items with highlights. It reads the index of highlights in its order, so
/// that it does not read the items without highlights.
fn highlighted_statement() -> String {
    format!(
        "SELECT i.id, i.title FROM (SELECT DISTINCT h.item_id FROM library_highlight h WHERE h.account_id = $1 \
         AND h.item_id IS NOT NULL ORDER BY h.item_id DESC LIMIT {}) f \
         CROSS JOIN library_item i WHERE i.id = f.item_id AND i.account_id = $1 ORDER BY i.id DESC",
        MAX_LISTED_ITEMS + 1
    )
}

/// Returns a themed review.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn get_themed_review(
    domain: &Domain,
    account_id: AccountId,
    id: ThemedReviewId,
) -> Result<ThemedReview> {
    let connection = domain.db().read();
    let row = find(connection, account_id, id).await?;
    only(connection, account_id, row).await
}

async fn only(connection: &impl ConnectionTrait, account_id: AccountId, row: Model) -> Result<ThemedReview> {
    resolve(connection, account_id, &[row]).await?.pop().ok_or_else(|| not_found("review"))
}

/// Creates a themed review.
///
/// # Errors
/// `invalid_request` if a value is invalid; `not_found` if the item or the saved search does not exist; `limit_reached`.
#[boxed]
pub async fn create_themed_review(
    domain: &Domain,
    account_id: AccountId,
    new: NewThemedReview,
) -> Result<ThemedReview> {
    let (name, per_day) = (checked_name(&new.name)?, checked_per_day(new.per_day)?);
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let used = load(&transaction, account_id).await?.len() as u64;
    check_plan_limit("themed reviews", THEMED_REVIEWS.into(), used)?;
    let ThemeColumns { tag, item_id, search_id } =
        ThemeColumns::of(&transaction, account_id, &new.theme).await?;
    let row = Model {
        id: domain.new_id(),
        account_id,
        name,
        per_day,
        tag,
        item_id,
        search_id,
        day: 0,
        reviewed: 0,
        created_at: domain.now(),
    };
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    let review = only(&transaction, account_id, row).await?;
    transaction.commit().await?;
    Ok(review)
}

/// Replaces the name, the number per day, and the theme of a themed review. Answers of the current day still count.
///
/// # Errors
/// The errors of [`create_themed_review`], and `not_found` if the review does not exist.
#[boxed]
pub async fn replace_themed_review(
    domain: &Domain,
    account_id: AccountId,
    id: ThemedReviewId,
    new: NewThemedReview,
) -> Result<ThemedReview> {
    let (name, per_day) = (checked_name(&new.name)?, checked_per_day(new.per_day)?);
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = find(&transaction, account_id, id).await?;
    // A deleted item remains the theme of its review.
    let item_id = row.item_id.filter(|id| new.theme == ReviewTheme::Item(*id));
    let columns = match item_id {
        Some(_) => ThemeColumns { item_id, ..ThemeColumns::default() },
        None => ThemeColumns::of(&transaction, account_id, &new.theme).await?,
    };
    let ThemeColumns { tag, item_id, search_id } = columns;
    let row = Model { name, per_day, tag, item_id, search_id, ..row };
    let change = ActiveModel {
        name: Set(row.name.clone()),
        per_day: Set(row.per_day),
        tag: Set(row.tag.clone()),
        item_id: Set(row.item_id),
        search_id: Set(row.search_id),
        ..Default::default()
    };
    write(&transaction, &row, change).await?;
    let review = only(&transaction, account_id, row).await?;
    transaction.commit().await?;
    Ok(review)
}

/// Deletes a themed review. Its highlights and their due days are retained.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn delete_themed_review(domain: &Domain, account_id: AccountId, id: ThemedReviewId) -> Result<()> {
    let row = Entity::delete_many().filter(Column::AccountId.eq(account_id)).filter(Column::Id.eq(id));
    delete_existing(domain.db().write(), row, "review").await
}

/// Updates the tag of themed reviews when the tag is renamed in the whole library. The review of a deleted tag remains,
/// without highlights.
pub(crate) async fn apply_tag_change(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    from: &Tag,
    to: Option<&Tag>,
) -> Result<()> {
    let Some(to) = to else { return Ok(()) };
    for row in load(transaction, account_id).await? {
        if row.tag.as_deref().and_then(Tag::of).is_some_and(|tag| tag.key == from.key) {
            let change = ActiveModel { tag: Set(Some(to.name.clone())), ..Default::default() };
            write(transaction, &row, change).await?;
        }
    }
    Ok(())
}

/// Writes the columns of a themed review that `change` sets.
async fn write(transaction: &DatabaseTransaction, row: &Model, change: ActiveModel) -> Result<()> {
    Entity::update_many()
        .set(change)
        .filter(Column::AccountId.eq(row.account_id))
        .filter(Column::Id.eq(row.id))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Builds the SQL conditions of a themed review on highlights `h` and their items `i`. `None` if no highlight can
/// match.
pub(crate) async fn conditions_of(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    row: &Model,
) -> Result<Option<Conditions>> {
    let account_id = row.account_id;
    let mut conditions = Conditions::default();
    if let Some(name) = &row.tag {
        let Some(tag) = Tag::of(name) else { return Ok(None) };
        let sql = "EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = ? AND g.tag_key = ? \
                   AND g.object_id IN (h.id, h.item_id))";
        conditions.and(sql, [account_id.into(), tag.key.into()]);
        return Ok(Some(conditions));
    }
    if let Some(item_id) = row.item_id {
        conditions.and("(h.item_id = ? OR h.detached_from = ?)", [item_id.into(), item_id.into()]);
        return Ok(Some(conditions));
    }
    let Some(search_id) = row.search_id else { return Ok(None) };
    let owned = library_saved_search::Entity::owned_by(account_id);
    let search = owned.filter(library_saved_search::Column::Id.eq(search_id)).one(connection).await?;
    let state = committed_state(connection, account_id).await?;
    let (Some(search), Some(state)) = (search, state) else { return Ok(None) };
    let query = Query::parse_stored(&search.query);
    if query.is_empty() {
        return Ok(None);
    }
    if let Some(address) = &query.address {
        let id = keys::item_with(connection, account_id, &ItemKey::url(address)).await?;
        let Some(id) = id else { return Ok(None) };
        conditions.and("h.item_id = ?", [id.into()]);
    }
    let objects = ObjectConditions {
        backend: connection.get_database_backend(),
        account_id,
        number: state.number,
        object: "h.id",
        now: domain.now(),
    };
    conditions.whole_query(objects, &query);
    Ok(Some(conditions))
}

#[cfg(test)]
mod tests {
    use kernel::Backend;
    use kernel::testing::TestDatabase;

    use super::*;

    /// The form of a review must not read all items of a library in which few items have highlights. Tests only SQLite,
    /// because the plan of PostgreSQL depends on the number of rows, and these tables are empty.
    #[tokio::test]
    async fn items_with_highlights_are_read_from_the_highlight_index() {
        let database = TestDatabase::create(Backend::Sqlite).await;
        let connection = database.domain.db().read();
        let text = format!("EXPLAIN QUERY PLAN {}", highlighted_statement());
        let query = statement(connection, &text, [AccountId::MAX.into()]);
        let rows = connection.query_all_raw(query).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.try_get_by_index(3).unwrap()).collect();
        let plan = plan.join("\n");
        assert!(plan.contains("library_highlight_item") && plan.contains("(id=?)"), "{plan}");
        assert!(!plan.contains("DISTINCT"), "{plan}");
    }
}
