//! Saved searches: queries of the library or of feed entries that an account stored under a name. They are
//! exported with the settings of the account.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, SavedSearchId};
use entities::library_saved_search::{ActiveModel, Column, Entity, Model};
use monitors::FeedFormat;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
};
use serde::{Deserialize, Serialize};

use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::bounds::{LIBRARY_QUERY_CHARS, SEARCH_NAME_CHARS};
use kernel::error::not_found;
use kernel::search::query::Query;
use kernel::statement::delete_existing;
use kernel::{Code, Domain, Error, ImportedObjects, Millis, Result, natural_order};

/// Maximum number of saved searches of an account.
const MAX_SEARCHES: usize = 100;

/// Objects that a saved search finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchTarget {
    /// Items of the library.
    Library,
    /// Entries of feeds.
    Entries,
}

impl SearchTarget {
    pub const ALL: &'static [Self] = &[Self::Library, Self::Entries];

    /// Value in forms, exports, and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Library => "library",
            Self::Entries => "entries",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|target| target.as_str() == word)
    }
}

/// Query with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedSearch {
    pub id: SavedSearchId,
    pub target: SearchTarget,
    pub name: String,
    /// Query in the search language.
    pub query: String,
    /// Secret part of the addresses of its feed. `None` if the search has no feed.
    pub feed_token: Option<String>,
    pub created_at: Millis,
}

impl SavedSearch {
    fn of(row: Model) -> Option<Self> {
        let Model { id, target, name, query, feed_token, created_at, .. } = row;
        Some(Self { id, target: SearchTarget::parse(&target)?, name, query, feed_token, created_at })
    }

    /// URL of the feed in one format. `None` if the search has no feed.
    pub fn feed_url(&self, base_url: &str, format: FeedFormat) -> Option<String> {
        self.feed_token.as_deref().map(|token| feed_url(base_url, token, format))
    }
}

/// URL of the feed of a saved search in one format.
pub(crate) fn feed_url(base_url: &str, token: &str, format: FeedFormat) -> String {
    format!("{base_url}/feeds/searches/{token}.{}", format.extension())
}

/// Search to save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSearch {
    pub target: SearchTarget,
    /// Name of 1 to 60 characters, unique for the account and target.
    pub name: String,
    pub query: String,
}

/// Saved search in an export.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ExportedSearch {
    target: String,
    name: String,
    query: String,
}

/// Lists the saved searches of an account by name.
#[boxed]
pub async fn list_saved_searches(domain: &Domain, account_id: AccountId) -> Result<Vec<SavedSearch>> {
    let rows = Entity::owned_by(account_id).all(domain.db().read()).await?;
    let mut searches: Vec<SavedSearch> = rows.into_iter().filter_map(SavedSearch::of).collect();
    searches.sort_by(|one, other| natural_order::compare(&one.name, &other.name));
    Ok(searches)
}

/// Saves a search.
///
/// # Errors
/// `invalid_request` if the name or the query is invalid; `name_taken`; `limit_reached`.
#[boxed]
pub async fn save_search(domain: &Domain, account_id: AccountId, new: NewSearch) -> Result<SavedSearch> {
    let name = checked_name(&new.name)?;
    let query = checked_query(&new.query)?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let target = new.target;
    if by_name(&transaction, account_id, target.as_str(), &name).await?.is_some() {
        return Err(name_taken());
    }
    let used = Entity::owned_by(account_id).count(&transaction).await?;
    check_plan_limit("saved searches", MAX_SEARCHES as u64, used)?;
    let row = Model {
        id: domain.new_id(),
        account_id,
        target: target.as_str().to_owned(),
        name_key: name.to_lowercase(),
        name,
        query,
        created_at: domain.now(),
        feed_token: None,
    };
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    transaction.commit().await?;
    SavedSearch::of(row).ok_or_else(|| Error::internal("the target of a new search is unknown"))
}

/// Renames a saved search.
///
/// # Errors
/// `invalid_request` if the name is invalid; `name_taken`; `not_found`.
#[boxed]
pub async fn rename_search(
    domain: &Domain,
    account_id: AccountId,
    id: SavedSearchId,
    name: &str,
) -> Result<()> {
    let name = checked_name(name)?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = Entity::owned_by(account_id).filter(Column::Id.eq(id)).one(&transaction).await?;
    let row = row.ok_or_else(|| not_found("saved search"))?;
    let holder = by_name(&transaction, account_id, &row.target, &name).await?;
    if holder.is_some_and(|holder| holder.id != id) {
        return Err(name_taken());
    }
    Entity::update_many()
        .set(ActiveModel { name_key: Set(name.to_lowercase()), name: Set(name), ..Default::default() })
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::Id.eq(id))
        .exec(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes a saved search.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn delete_search(domain: &Domain, account_id: AccountId, id: SavedSearchId) -> Result<()> {
    let row = Entity::delete_many().filter(Column::AccountId.eq(account_id)).filter(Column::Id.eq(id));
    delete_existing(domain.db().write(), row, "saved search").await
}

/// Exports the saved searches of an account.
pub(crate) async fn export_searches(domain: &Domain, account_id: AccountId) -> Result<Vec<ExportedSearch>> {
    let searches = list_saved_searches(domain, account_id).await?;
    let exported = |search: SavedSearch| ExportedSearch {
        target: search.target.as_str().to_owned(),
        name: search.name,
        query: search.query,
    };
    Ok(searches.into_iter().map(exported).collect())
}

/// Imports saved searches. Searches that equal existing ones are not created again. If the searches exceed the limit
/// per account, only the first of them is recorded as failed.
///
/// # Errors
/// Returns transient errors of the database.
pub(crate) async fn import_searches(
    domain: &Domain,
    account_id: AccountId,
    exported: Vec<ExportedSearch>,
) -> Result<ImportedObjects> {
    let existing = list_saved_searches(domain, account_id).await?;
    let is_known = |search: &ExportedSearch| {
        existing.iter().any(|own| {
            (own.target.as_str(), own.name.as_str(), own.query.as_str())
                == (search.target.as_str(), search.name.as_str(), search.query.as_str())
        })
    };
    let mut imported = ImportedObjects::default();
    for ((number, search), step) in (1..).zip(exported).zip(0_usize..) {
        if step < MAX_SEARCHES && is_known(&search) {
            imported.imported += 1;
            continue;
        }
        let name = search.name.clone();
        let saved = match SearchTarget::parse(&search.target) {
            _ if step >= MAX_SEARCHES => Err(Error::new(Code::LimitReached, "Too many saved searches.")),
            Some(target) => {
                let new = NewSearch { target, name: search.name, query: search.query };
                save_search(domain, account_id, new).await.map(drop)
            }
            None => Err(Error::invalid_field("target", "is unknown")),
        };
        imported.record(number, name, saved)?;
        if imported.failed.last().is_some_and(|failed| failed.code == Code::LimitReached) {
            break;
        }
    }
    Ok(imported)
}

/// Finds a saved search by its name, ignoring case.
pub(crate) async fn by_name(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    target: &str,
    name: &str,
) -> Result<Option<Model>> {
    let rows = Entity::owned_by(account_id)
        .filter(Column::Target.eq(target))
        .filter(Column::NameKey.eq(name.to_lowercase()));
    Ok(rows.one(connection).await?)
}

fn name_taken() -> Error {
    Error::new(Code::NameTaken, "A saved search with this name already exists.")
        .at("name", "is the name of another saved search")
}

/// Checks the name of a saved search or of a rule.
///
/// # Errors
/// `invalid_request`.
pub(crate) fn checked_name(name: &str) -> Result<String> {
    let name = name.trim();
    let length = name.chars().count();
    if length == 0 || length > SEARCH_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(Error::invalid_field("name", format!("must have 1 to {SEARCH_NAME_CHARS} characters")));
    }
    Ok(name.to_owned())
}

/// Checks a query before it is stored.
///
/// # Errors
/// `invalid_request`.
pub(crate) fn checked_query(query: &str) -> Result<String> {
    let query = query.trim();
    let length = query.chars().count();
    if length == 0 || length > LIBRARY_QUERY_CHARS || query.chars().any(char::is_control) {
        let reason = format!("must have 1 to {LIBRARY_QUERY_CHARS} characters");
        return Err(Error::invalid_field("query", reason));
    }
    Query::parse(query)?;
    Ok(query.to_owned())
}
