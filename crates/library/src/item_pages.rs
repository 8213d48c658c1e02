//! Lists of items that are paged by offset, for apps that do not support cursors. An item that changes
//! between two pages may be listed twice or not at all. The protocols of these apps accept this.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_words::{ArticleStatus, ItemStatus};
use sea_orm::{ConnectionTrait, DatabaseTransaction, FromQueryResult, TransactionTrait, Value};

use super::account_concurrency;
use super::item::{self, Item};
use super::keys::{self, ItemKey};
use super::list::restrict_to_matches;
use super::search::matches::{Conditions, ObjectConditions, SearchIndex};
use super::tags::FAVORITE;
use super::transaction::committed_state;
use kernel::search::query::{FilterTest, Polarity, Query, SearchFilter};
use kernel::statement::{scalar, statement};
use kernel::{Domain, Millis, Result, address};

/// Order of a list that is paged by offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageOrder {
    #[default]
    LastSaved,
    FirstSaved,
    LastChanged,
    FirstChanged,
}

/// Statuses of texts that are awaited.
const PENDING: [ArticleStatus; 3] =
    [ArticleStatus::AwaitingUpload, ArticleStatus::Queued, ArticleStatus::Extracting];

/// How far an item was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadingStage {
    /// Not read, and without progress.
    Unread,
    /// Partly read.
    Reading,
    Read,
}

impl ReadingStage {
    /// SQL condition on item rows `i`.
    const fn condition(self) -> &'static str {
        match self {
            Self::Unread => "(i.finished_at IS NULL AND COALESCE(i.read_progress, 0) = 0)",
            Self::Reading => "(i.finished_at IS NULL AND i.read_progress > 0)",
            Self::Read => "i.finished_at IS NOT NULL",
        }
    }
}

/// Filter and order of items in a list that is paged by offset. Conditions are combined with AND.
#[derive(Clone, Debug, Default)]
pub struct ItemPageFilter {
    /// True selects archived items, false selects items that are not archived.
    pub archived: Option<bool>,
    /// True selects items with the tag `favorite`, false selects the other items.
    pub favorite: Option<bool>,
    /// Selects items with all of these tags.
    pub tags: Vec<String>,
    /// Host of the URL. Subdomains also match.
    pub domain: Option<String>,
    /// Selects items that changed after this time.
    pub updated_after: Option<Millis>,
    /// Selects the items that match a query, at most the newest 10,000 that contain its words.
    pub query: Option<Query>,
    /// Selects the items with these ids.
    pub ids: Option<Vec<ItemId>>,
    /// Selects items in one of these stages. An empty list selects all items.
    pub stages: Vec<ReadingStage>,
    /// True selects items whose text could not be fetched, false selects the other items.
    pub failed: Option<bool>,
    /// True selects items whose text is awaited, false selects the other items.
    pub pending: Option<bool>,
    /// True selects items with tags, false selects the other items.
    pub tagged: Option<bool>,
    pub order: PageOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageBounds {
    /// Number of items before the page.
    pub offset: u64,
    /// Maximum number of items of the page.
    pub limit: u32,
}

/// Items of a page.
#[derive(Clone, Debug, Default)]
pub struct OffsetPage {
    pub items: Vec<Item>,
    /// Number of items that match the filter.
    pub total: u64,
}

/// Returns a page of the items that match `filter`.
#[boxed]
pub async fn list_by_offset(
    domain: &Domain,
    account_id: AccountId,
    filter: &ItemPageFilter,
    page: PageBounds,
) -> Result<OffsetPage> {
    let _permit = match &filter.query {
        Some(_) => account_concurrency::limit_searches(domain, account_id).await,
        None => None,
    };
    let transaction = domain.db().read().begin().await?;
    let result = page_of(&transaction, (account_id, domain.now()), filter, page).await;
    transaction.rollback().await?;
    result
}

/// Returns the account's item with this URL. `None` if no item has it, or if `url` is not valid.
#[boxed]
pub async fn find_by_url(domain: &Domain, account_id: AccountId, url: &str) -> Result<Option<ItemId>> {
    match address::parse(url) {
        Ok(url) => keys::item_with(domain.db().read(), account_id, &ItemKey::url(&url)).await,
        Err(_) => Ok(None),
    }
}

async fn page_of(
    db: &DatabaseTransaction,
    (account_id, now): (AccountId, Millis),
    filter: &ItemPageFilter,
    page: PageBounds,
) -> Result<OffsetPage> {
    let Some(conditions) = conditions(db, (account_id, now), filter).await? else {
        return Ok(OffsetPage::default());
    };
    let (conditions, values) = conditions.render(2);
    let values = || std::iter::once(Value::from(account_id)).chain(values.iter().cloned());
    let from = format!("FROM library_item i WHERE i.account_id = $1{conditions}");
    let total = scalar(db, &format!("SELECT COUNT(*) {from}"), values()).await?.unsigned_abs();
    if page.offset >= total {
        return Ok(OffsetPage { items: Vec::new(), total });
    }
    let (column, direction) = match filter.order {
        PageOrder::LastSaved => ("saved_at", "DESC"),
        PageOrder::FirstSaved => ("saved_at", "ASC"),
        PageOrder::LastChanged => ("updated_at", "DESC"),
        PageOrder::FirstChanged => ("updated_at", "ASC"),
    };
    let sql = format!(
        "SELECT i.* {from} ORDER BY i.{column} {direction}, i.id {direction} LIMIT {} OFFSET {}",
        page.limit, page.offset
    );
    let mut rows = Vec::new();
    for row in db.query_all_raw(statement(db, &sql, values())).await? {
        rows.push(library_item::Model::from_query_result(&row, "")?);
    }
    Ok(OffsetPage { items: item::with_tags(db, account_id, rows).await?, total })
}

/// Returns the SQL conditions of a filter. `None` if no item can match.
async fn conditions(
    db: &DatabaseTransaction,
    (account_id, now): (AccountId, Millis),
    filter: &ItemPageFilter,
) -> Result<Option<Conditions>> {
    let backend = db.get_database_backend();
    let objects = |number: i64| ObjectConditions { backend, account_id, number, object: "i.id", now };
    let Some(query) = &filter.query else {
        // The filters depend on neither words nor ages.
        return Ok(Some(column_conditions(objects(0), filter)));
    };
    let Some(state) = committed_state(db, account_id).await? else { return Ok(None) };
    let objects = objects(state.number);
    let mut all = column_conditions(objects, filter);
    if let Some(url) = &query.address {
        let Some(id) = keys::item_with(db, account_id, &ItemKey::url(url)).await? else { return Ok(None) };
        all.and("i.id = ?", [id.into()]);
    }
    all.filter(objects, &query.filters);
    all.groups(objects, &query.groups);
    let library = SearchIndex { connection: db, account_id, number: state.number, now };
    let has_matches = restrict_to_matches(library, &state, query, &mut all).await?;
    Ok(has_matches.then_some(all))
}

/// Returns the SQL conditions of a filter without its query.
fn column_conditions(objects: ObjectConditions<'_>, filter: &ItemPageFilter) -> Conditions {
    let test = |is_required: bool, test: FilterTest| SearchFilter {
        polarity: if is_required { Polarity::Include } else { Polarity::Exclude },
        test,
    };
    let archived = filter.archived.map(|archived| test(archived, FilterTest::Status(ItemStatus::Archive)));
    let favorite = filter.favorite.map(|favorite| test(favorite, FilterTest::Tag(FAVORITE.to_owned())));
    let host = filter.domain.as_ref().map(|host| test(true, FilterTest::Domain(host.to_lowercase())));
    let tags = filter.tags.iter().map(|tag| test(true, FilterTest::Tag(tag.clone())));
    let filters: Vec<SearchFilter> = archived.into_iter().chain(favorite).chain(host).chain(tags).collect();
    let mut all = Conditions::default();
    all.filter(objects, &filters);
    if let Some(time) = filter.updated_after {
        all.and("i.updated_at > ?", [time.into()]);
    }
    if let Some(ids) = &filter.ids {
        let params = vec!["?"; ids.len()].join(", ");
        let sql = if ids.is_empty() { "1 = 0".to_owned() } else { format!("i.id IN ({params})") };
        all.and(&sql, ids.iter().map(|id| Value::from(*id)));
    }
    if !filter.stages.is_empty() {
        let stages: Vec<&str> = filter.stages.iter().map(|stage| stage.condition()).collect();
        all.and(&format!("({})", stages.join(" OR ")), []);
    }
    let mut of_text = |is_selected: Option<bool>, statuses: &[ArticleStatus]| {
        let Some(is_selected) = is_selected else { return };
        let not = if is_selected { "" } else { "NOT " };
        let params = vec!["?"; statuses.len()].join(", ");
        let values = statuses.iter().map(|status| Value::from(status.as_str()));
        all.and(&format!("i.article_status {not}IN ({params})"), values);
    };
    of_text(filter.failed, &[ArticleStatus::Failed]);
    of_text(filter.pending, &PENDING);
    if let Some(is_tagged) = filter.tagged {
        let not = if is_tagged { "" } else { "NOT " };
        let tags = "EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = ? AND g.object_id = i.id)";
        all.and(&format!("{not}{tags}"), [objects.account_id.into()]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::{Save, SaveDraft};
    use crate::store::store_draft;
    use kernel::db::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;

    on_both! {
        pages_by_offset_are_filtered_ordered_and_counted,
    }

    async fn save(domain: &Domain, owner: AccountId, name: &str, status: ItemStatus, tags: &[&str]) {
        let save = Save {
            url: Some(format!("https://{name}.example.org/text")),
            title: Some(name.to_owned()),
            status: Some(status),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            saved_at: Some(1_000 + i64::from(name.as_bytes()[0])),
            ..Save::default()
        };
        let draft = SaveDraft::of(domain, save).await.unwrap();
        store_draft(domain, owner, draft, None).await.unwrap();
    }

    async fn pages_by_offset_are_filtered_ordered_and_counted(backend: Backend) {
        let test = TestDatabase::create(backend).await;
        let domain = &test.domain;
        let owner = person(domain, Tier::Pro).await;
        save(domain, owner, "alpha", ItemStatus::Inbox, &["Favorite", "one"]).await;
        save(domain, owner, "beta", ItemStatus::Archive, &["one", "two"]).await;
        save(domain, owner, "gamma", ItemStatus::Later, &[]).await;
        let listed = async |filter: ItemPageFilter, offset: u64, limit: u32| {
            let page = PageBounds { offset, limit };
            let page = list_by_offset(domain, owner, &filter, page).await.unwrap();
            let titles: Vec<String> = page.items.iter().map(|item| item.title.clone()).collect();
            (titles.join(" "), page.total)
        };
        let all = ItemPageFilter::default;
        assert_eq!(listed(all(), 0, 2).await, ("gamma beta".into(), 3));
        assert_eq!(listed(all(), 2, 2).await, ("alpha".into(), 3));
        assert_eq!(listed(all(), 3, 2).await, (String::new(), 3));
        let oldest_first = ItemPageFilter { order: PageOrder::FirstSaved, ..all() };
        assert_eq!(listed(oldest_first, 0, 1).await, ("alpha".into(), 3));
        for (filter, titles) in [
            (ItemPageFilter { archived: Some(true), ..all() }, "beta"),
            (ItemPageFilter { archived: Some(false), ..all() }, "gamma alpha"),
            (ItemPageFilter { favorite: Some(true), ..all() }, "alpha"),
            (ItemPageFilter { favorite: Some(false), ..all() }, "gamma beta"),
            (ItemPageFilter { tags: vec!["ONE".into()], ..all() }, "beta alpha"),
            (ItemPageFilter { tags: vec!["one".into(), "two".into()], ..all() }, "beta"),
            (ItemPageFilter { domain: Some("Example.org".into()), ..all() }, "gamma beta alpha"),
            (ItemPageFilter { domain: Some("gamma.example.org".into()), ..all() }, "gamma"),
            (ItemPageFilter { updated_after: Some(i64::MAX), ..all() }, ""),
            (ItemPageFilter { query: Some(Query::parse("title:gamma").unwrap()), ..all() }, "gamma"),
            (ItemPageFilter { query: Some(Query::parse("alpha OR beta").unwrap()), ..all() }, "beta alpha"),
            (ItemPageFilter { query: Some(Query::parse("-alpha").unwrap()), ..all() }, "gamma beta"),
            (ItemPageFilter { query: Some(Query::parse("delta").unwrap()), ..all() }, ""),
            (ItemPageFilter { ids: Some(Vec::new()), ..all() }, ""),
            (ItemPageFilter { stages: vec![ReadingStage::Read, ReadingStage::Reading], ..all() }, ""),
            (ItemPageFilter { stages: vec![ReadingStage::Unread], ..all() }, "gamma beta alpha"),
            (ItemPageFilter { failed: Some(true), ..all() }, ""),
            (ItemPageFilter { failed: Some(false), ..all() }, "gamma beta alpha"),
            (ItemPageFilter { tagged: Some(false), ..all() }, "gamma"),
            (ItemPageFilter { tagged: Some(true), ..all() }, "beta alpha"),
        ] {
            assert_eq!(listed(filter, 0, 10).await.0, titles);
        }
        let other = person(domain, Tier::Free).await;
        let item_of = |owner| find_by_url(domain, owner, "https://beta.example.org/text");
        assert!(item_of(owner).await.unwrap().is_some() && item_of(other).await.unwrap().is_none());
        assert_eq!(find_by_url(domain, owner, "no address").await.unwrap(), None);
    }
}
