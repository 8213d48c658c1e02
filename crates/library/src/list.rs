//! Lists of items, ordered by the time of saving, reading, or change, or by the rank in a search.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_words::{CaptureMethod, ContentKind, ItemFormat, ItemStatus, ObjectKind};
use entities::{library_account, library_item};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, FromQueryResult, TransactionTrait, Value};

use super::account_concurrency;
use super::item::{self, Item};
use super::keys::{self, ItemKey};
use super::list_position::{HitPosition, ListPosition};
use super::search::hits::{self, HitPage, ScanLimit};
use super::search::matches::{Conditions, ObjectConditions, SearchIndex, item_of, without};
use super::search::spelling;
use super::tags::Tag;
use super::transaction::committed_state;
use kernel::search::query::Query;
use kernel::statement::statement;
use kernel::{Domain, Millis, Result};

/// Selection and order of the items of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListView {
    /// All items, most recently saved first.
    #[default]
    All,
    /// Items that were read, most recently read first.
    History,
}

/// Filter of items. Conditions are combined with AND.
#[derive(Clone, Debug, Default)]
pub struct ItemFilter {
    /// Query in the search language.
    pub query: Option<String>,
    pub tag: Option<String>,
    pub status: Option<ItemStatus>,
    pub view: ListView,
    pub content_kind: Option<ContentKind>,
    pub capture_method: Option<CaptureMethod>,
    pub format: Option<ItemFormat>,
    /// Selects items that changed after this time.
    pub updated_after: Option<Millis>,
    /// Selects items to which a client assigned this id.
    pub external_id: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct ItemPage {
    pub items: Vec<Item>,
    /// Position of the next page. `None` on the last page.
    pub next: Option<ListPosition>,
    /// Time up to which the list is complete: after it has read the last page, the client has all changes up to this
    /// time.
    pub as_of: Option<Millis>,
    /// True if the query matched nothing and its spelling correction was used instead.
    pub approximate: bool,
}

/// Returns up to `limit` items after the position `after`.
#[boxed]
pub async fn list(
    domain: &Domain,
    account_id: AccountId,
    filter: &ItemFilter,
    after: Option<ListPosition>,
    limit: u32,
) -> Result<ItemPage> {
    let _permit = match &filter.query {
        Some(_) => account_concurrency::limit_searches(domain, account_id).await,
        None => None,
    };
    let transaction = domain.db().read().begin().await?;
    let context = ListContext { account_id, now: domain.now(), order: MatchOrder::Rank };
    let page = page(&transaction, context, filter, after, limit).await;
    transaction.rollback().await?;
    page
}

/// Returns up to `limit` items that match a query, most recently saved first.
pub(crate) async fn list_newest_matches(
    domain: &Domain,
    account_id: AccountId,
    query: &str,
    limit: u32,
) -> Result<Vec<Item>> {
    let _permit = account_concurrency::limit_searches(domain, account_id).await;
    let filter = ItemFilter { query: Some(query.to_owned()), ..ItemFilter::default() };
    let transaction = domain.db().read().begin().await?;
    let context = ListContext { account_id, now: domain.now(), order: MatchOrder::View };
    let page = page(&transaction, context, &filter, None, limit).await;
    transaction.rollback().await?;
    Ok(page?.items)
}

#[derive(Clone, Copy, Debug)]
struct ListContext {
    /// Account whose items are listed.
    account_id: AccountId,
    /// Time to which ages in the query are relative.
    now: Millis,
    order: MatchOrder,
}

/// Order of the items that match a query with words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatchOrder {
    /// Best match first.
    Rank,
    /// The order of the view.
    View,
}

async fn page(
    db: &DatabaseTransaction,
    ListContext { account_id, now, order }: ListContext,
    filter: &ItemFilter,
    after: Option<ListPosition>,
    limit: u32,
) -> Result<ItemPage> {
    let query = filter.query.as_deref().map(Query::parse).transpose()?.unwrap_or_default();
    // Read before the items, because every subsequent change has a greater time.
    let Some(state) = committed_state(db, account_id).await? else { return Ok(ItemPage::default()) };
    let by_rank = query.has_words() && filter.updated_after.is_none() && order == MatchOrder::Rank;
    // The tag index contains the items of a tag in the order of the list.
    let starts_from_tag = !by_rank && filter.updated_after.is_none() && filter.view == ListView::All;
    let leading_tag = filter.tag.as_deref().filter(|_| starts_from_tag).and_then(Tag::of);
    let backend = db.get_database_backend();
    let objects = ObjectConditions { backend, account_id, number: state.number, object: "i.id", now };
    let Some(mut conditions) = conditions(db, objects, filter, &query, leading_tag.as_ref()).await? else {
        return Ok(ItemPage { as_of: Some(state.last_updated_at), ..ItemPage::default() });
    };
    let is_unsearchable =
        filter.query.as_deref().is_some_and(|text| !text.trim().is_empty()) && query.is_empty();
    if is_unsearchable {
        return Ok(ItemPage { as_of: Some(state.last_updated_at), ..ItemPage::default() });
    }
    let library = SearchIndex { connection: db, account_id, number: state.number, now };
    conditions.groups(objects, &query.groups);
    if by_rank {
        return ranked(library, &query, of_items(&conditions), after, limit).await;
    }
    if !restrict_to_matches(library, &state, &query, &mut conditions).await? {
        return Ok(ItemPage { as_of: Some(state.last_updated_at), ..ItemPage::default() });
    }
    let mut page = in_order(db, account_id, filter, leading_tag.as_ref(), conditions, after, limit).await?;
    page.as_of = Some(state.last_updated_at);
    Ok(page)
}

/// Restricts `conditions` to the items that match the words and excluded terms of a query, for lists that are not
/// ranked. Returns false if no item matches.
pub(crate) async fn restrict_to_matches(
    library: SearchIndex<'_, DatabaseTransaction>,
    state: &library_account::Model,
    query: &Query,
    conditions: &mut Conditions,
) -> Result<bool> {
    let searched = of_items(conditions);
    let backend = library.connection.get_database_backend();
    conditions.extend(without(backend, library.account_id, state.number, &query.without, "i.id"));
    if state.reindex_at.is_some() {
        conditions.none_of("i.id", &hits::excluded_by_phrase(library, query).await?);
    }
    if !query.has_words() {
        return Ok(true);
    }
    let most = hits::COUNTED;
    let reach = ScanLimit::Objects(most);
    let matches = hits::page(library, query, searched, None, most as usize, reach).await?;
    let ids: Vec<Value> = matches.hits.iter().map(|hit| Value::from(hit.id)).collect();
    if ids.is_empty() {
        return Ok(false);
    }
    let params = vec!["?"; ids.len()].join(", ");
    conditions.and(&format!("i.id IN ({params})"), ids);
    Ok(true)
}

/// Returns the conditions for a search. It tests all conditions, so that its limit counts only items of the list.
fn of_items(conditions: &Conditions) -> Conditions {
    let mut of_items = conditions.clone();
    of_items.and("s.kind = ?", [ObjectKind::Item.as_str().into()]);
    of_items
}

/// Returns the SQL conditions of a filter. Omits the condition on the tag `leading_tag`, because the statement starts
/// from its index rows. `None` if no item can match.
async fn conditions(
    db: &DatabaseTransaction,
    objects: ObjectConditions<'_>,
    filter: &ItemFilter,
    query: &Query,
    leading_tag: Option<&Tag>,
) -> Result<Option<Conditions>> {
    let account_id = objects.account_id;
    let mut all = Conditions::default();
    if let Some(status) = filter.status {
        // SQLite would scan all items with the status. The unary plus makes it use the index by kind instead.
        let uses_kind_index = filter.content_kind.is_some() && db.get_database_backend() == DbBackend::Sqlite;
        let column = if uses_kind_index { "+i.status" } else { "i.status" };
        all.and(&format!("{column} = ?"), [status.as_str().into()]);
    }
    let mut and_equal = |column: &str, word: Option<&'static str>| {
        if let Some(word) = word {
            all.and(&format!("i.{column} = ?"), [word.into()]);
        }
    };
    and_equal("content_kind", filter.content_kind.map(ContentKind::as_str));
    and_equal("capture_method", filter.capture_method.map(CaptureMethod::as_str));
    and_equal("format", filter.format.map(ItemFormat::as_str));
    if let Some(tag) = filter.tag.as_ref().filter(|_| leading_tag.is_none()) {
        let Some(tag) = Tag::of(tag) else { return Ok(None) };
        let sql = "EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = ? AND g.tag_key = ? \
                   AND g.object_id = i.id)";
        all.and(sql, [account_id.into(), tag.key.into()]);
    }
    let required_keys =
        [filter.external_id.as_deref().map(ItemKey::external), query.address.as_ref().map(ItemKey::url)];
    for key in required_keys.iter().flatten() {
        let Some(id) = keys::item_with(db, account_id, key).await? else { return Ok(None) };
        all.and("i.id = ?", [id.into()]);
    }
    if filter.view == ListView::History {
        all.and("i.last_read_at IS NOT NULL", []);
    }
    if let Some(time) = filter.updated_after {
        all.and("i.updated_at > ?", [time.into()]);
    }
    all.filter(objects, &query.filters);
    Ok(Some(all))
}

async fn ranked(
    library: SearchIndex<'_, DatabaseTransaction>,
    query: &Query,
    conditions: Conditions,
    after: Option<ListPosition>,
    limit: u32,
) -> Result<ItemPage> {
    let after = match after {
        Some(ListPosition::Hit(HitPosition(after))) => Some(after),
        Some(ListPosition::Key { .. }) | None => None,
    };
    let (page, approximate) = search(library, query, conditions, after, limit).await?;
    let ids: Vec<ItemId> = page.hits.iter().map(|hit| item_of(hit.id)).collect();
    let mut items = item::find_all(library.connection, library.account_id, &ids).await?;
    items.sort_by_key(|item| ids.iter().position(|id| *id == item.id));
    Ok(ItemPage {
        items,
        next: page.next.map(|after| ListPosition::Hit(HitPosition(after))),
        as_of: None,
        approximate,
    })
}

/// Searches for a query. If no object matches, searches for the spelling correction of the query. The flag is
/// true if the correction matched.
pub(crate) async fn search<C: ConnectionTrait>(
    library: SearchIndex<'_, C>,
    query: &Query,
    conditions: Conditions,
    after: Option<hits::SearchPosition>,
    limit: u32,
) -> Result<(HitPage, bool)> {
    let limit = limit as usize;
    let page = hits::page(library, query, conditions.clone(), after, limit, ScanLimit::Page).await?;
    if page.total > 0 || !page.hits.is_empty() || page.next.is_some() {
        return Ok((page, false));
    }
    match spelling::corrected(library.connection, library.account_id, query).await? {
        Some(better) => {
            let page = hits::page(library, &better, conditions, after, limit, ScanLimit::Page).await?;
            let has_hits = !page.hits.is_empty();
            Ok((page, has_hits))
        }
        None => Ok((page, false)),
    }
}

/// Returns the column by which a list is ordered, and true if the order is ascending.
fn order_of(filter: &ItemFilter) -> (&'static str, bool) {
    match (filter.updated_after, filter.view) {
        (Some(_), _) => ("updated_at", true),
        (None, ListView::All) => ("saved_at", false),
        (None, ListView::History) => ("last_read_at", false),
    }
}

/// Builds the statement for a page that is ordered by time. If `leading_tag` is set, the statement starts from the
/// index rows of the tag. It returns up to `limit` + 1 rows. The last row indicates that another page follows.
fn page_query(
    account_id: AccountId,
    filter: &ItemFilter,
    leading_tag: Option<&Tag>,
    mut conditions: Conditions,
    after: Option<ListPosition>,
    limit: u32,
) -> (String, Vec<Value>) {
    let (column, upwards) = order_of(filter);
    let (operator, direction) = if upwards { (">", "ASC") } else { ("<", "DESC") };
    let (from, at, id) = match leading_tag {
        // The cross join fixes the order in which the tables are read.
        Some(_) => {
            let from = "FROM library_tagged g CROSS JOIN library_item i WHERE i.id = g.object_id AND g.kind = 'item' AND";
            (from, "g.saved_at".to_owned(), "g.object_id")
        }
        None => ("FROM library_item i WHERE", format!("i.{column}"), "i.id"),
    };
    if let Some(tag) = leading_tag {
        conditions.and("g.account_id = ? AND g.tag_key = ?", [account_id.into(), tag.key.as_str().into()]);
    }
    if let Some(ListPosition::Key { at: time, id: last, .. }) = after {
        let values = [time.into(), ObjectId::from_u128(last).into()];
        conditions.and(&format!("({at}, {id}) {operator} (?, ?)"), values);
    }
    let (more, further) = conditions.render(2);
    let sql = format!(
        "SELECT i.* {from} i.account_id = $1{more} ORDER BY {at} {direction}, {id} {direction} LIMIT {}",
        u64::from(limit) + 1
    );
    (sql, std::iter::once(account_id.into()).chain(further).collect())
}

/// Returns a page of items that is ordered by time.
async fn in_order(
    db: &DatabaseTransaction,
    account_id: AccountId,
    filter: &ItemFilter,
    leading_tag: Option<&Tag>,
    conditions: Conditions,
    after: Option<ListPosition>,
    limit: u32,
) -> Result<ItemPage> {
    let (column, _) = order_of(filter);
    let (sql, values) = page_query(account_id, filter, leading_tag, conditions, after, limit);
    let mut rows = Vec::new();
    for row in db.query_all_raw(statement(db, &sql, values)).await? {
        rows.push(library_item::Model::from_query_result(&row, "")?);
    }
    let has_more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let key = |row: &library_item::Model| {
        let at = match column {
            "updated_at" => row.updated_at,
            "saved_at" => row.saved_at,
            _ => row.last_read_at.unwrap_or(0),
        };
        ListPosition::Key { at, id: row.id.as_u128(), total: 0 }
    };
    let next = rows.last().filter(|_| has_more).map(key);
    let items = item::with_tags(db, account_id, rows).await?;
    Ok(ItemPage { items, next, as_of: None, approximate: false })
}

#[cfg(test)]
mod tests {
    use entities::ids::ItemId;
    use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel};

    use super::*;
    use crate::{LibraryTransaction, rename_tag, tags};
    use kernel::db::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;

    on_both! {
        items_with_a_tag_are_listed_by_save_time,
    }

    /// Inserts items with these save times and tags.
    async fn items(domain: &Domain, account_id: AccountId, all: &[(Millis, &[&str])]) {
        let mut transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
        for (saved_at, names) in all {
            let id: ItemId = domain.new_id();
            let stamp = transaction.stamp(ObjectKind::Item, item::object(id));
            let blank = item::blank(id, account_id, *saved_at);
            let row = library_item::Model { sequence: stamp.sequence, updated_at: stamp.updated_at, ..blank };
            let row = row.into_active_model().reset_all();
            library_item::Entity::insert(row).exec_without_returning(transaction.db()).await.unwrap();
            let tags = names.iter().filter_map(|name| Tag::of(name)).collect();
            tags::replace(&transaction, ObjectKind::Item, &[(item::object(id), tags)]).await.unwrap();
        }
        transaction.commit().await.unwrap();
    }

    async fn times(domain: &Domain, account_id: AccountId, filter: &ItemFilter) -> Vec<Millis> {
        let (mut times, mut after) = (Vec::new(), None);
        loop {
            let page = list(domain, account_id, filter, after, 2).await.unwrap();
            times.extend(page.items.iter().map(|item| item.saved_at));
            after = page.next;
            if after.is_none() {
                return times;
            }
        }
    }

    async fn items_with_a_tag_are_listed_by_save_time(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let (reading, both, none): (&[&str], &[&str], &[&str]) = (&["Quiet"], &["Quiet", "Desk"], &[]);
        items(
            domain,
            who,
            &[(50, reading), (20, both), (90, none), (40, &["Desk"]), (70, reading), (50, both)],
        )
        .await;
        items(domain, other, &[(60, both)]).await;
        let tagged = |tag: &str| ItemFilter { tag: Some(tag.to_owned()), ..ItemFilter::default() };
        assert_eq!(times(domain, who, &tagged("quiet")).await, [70, 50, 50, 20]);
        assert_eq!(times(domain, who, &tagged("DESK")).await, [50, 40, 20]);
        let read = ItemFilter { view: ListView::History, ..tagged("quiet") };
        assert!(times(domain, who, &read).await.is_empty());
        let changed = ItemFilter { updated_after: Some(0), ..tagged("desk") };
        assert_eq!(times(domain, who, &changed).await.len(), 3);
        let deferred = ItemFilter { status: Some(ItemStatus::Later), ..tagged("quiet") };
        assert!(times(domain, who, &deferred).await.is_empty());
        rename_tag(domain, who, "desk", "quiet").await.unwrap();
        assert_eq!(times(domain, who, &tagged("quiet")).await, [70, 50, 50, 40, 20]);
        assert!(times(domain, who, &tagged("desk")).await.is_empty());
    }

    /// Returns SQLite's query plan for a page of items.
    async fn plan_of(
        db: &DatabaseTransaction,
        account_id: AccountId,
        filter: &ItemFilter,
        conditions: Conditions,
    ) -> Vec<String> {
        let (sql, values) = page_query(account_id, filter, None, conditions, None, 50);
        let explain = statement(db, &format!("EXPLAIN QUERY PLAN {sql}"), values);
        let rows = db.query_all_raw(explain).await.unwrap();
        rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect()
    }

    #[tokio::test]
    async fn dates_and_alternatives_of_a_query_use_indexes() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let who = person(&test.domain, Tier::Pro).await;
        let transaction = test.domain.db().read().begin().await.unwrap();
        let backend = transaction.get_database_backend();
        let objects = ObjectConditions { backend, account_id: who, number: 1, object: "i.id", now: 0 };
        for (text, range) in [
            ("saved:7d", "(account_id=? AND saved_at>?)"),
            ("title:a OR is:unread OR has:note OR minutes:<5 OR author:b", "(account_id=?)"),
            ("after:2026-02 before:2027", "(account_id=? AND saved_at>? AND saved_at<?)"),
            ("saved:2026", "(account_id=? AND saved_at>? AND saved_at<?)"),
            ("tag:a OR -\"b c\" OR published:2026", "(account_id=?)"),
        ] {
            let query = Query::parse(text).unwrap();
            let filter = ItemFilter::default();
            let conditions = conditions(&transaction, objects, &filter, &query, None).await.unwrap();
            let mut conditions = conditions.unwrap();
            conditions.groups(objects, &query.groups);
            let plan = plan_of(&transaction, who, &filter, conditions).await;
            assert_eq!(plan[0], format!("SEARCH i USING INDEX library_item_saved {range}"), "{plan:#?}");
            let is_indexed =
                |line: &String| !line.starts_with("SCAN") || line.contains("VIRTUAL TABLE INDEX");
            assert!(plan.iter().all(is_indexed), "{plan:#?}");
        }
        let mut words = Conditions::default();
        words.groups(objects, &Query::parse("a OR b OR c* OR tag:d").unwrap().groups);
        let (sql, values) = words.render(1);
        assert_eq!((sql.matches(" MATCH ").count(), values.len()), (1, 4), "{sql}");
    }

    /// A filter by a rare kind must not scan all items with the status.
    #[tokio::test]
    async fn filter_by_kind_uses_the_kind_index() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let who = person(&test.domain, Tier::Pro).await;
        let transaction = test.domain.db().read().begin().await.unwrap();
        let backend = transaction.get_database_backend();
        let objects = ObjectConditions { backend, account_id: who, number: 1, object: "i.id", now: 0 };
        for status in [None, Some(ItemStatus::Inbox)] {
            let filter =
                ItemFilter { status, content_kind: Some(ContentKind::Article), ..ItemFilter::default() };
            let conditions =
                conditions(&transaction, objects, &filter, &Query::default(), None).await.unwrap();
            let plan = plan_of(&transaction, who, &filter, conditions.unwrap()).await;
            assert_eq!(
                plan,
                ["SEARCH i USING INDEX library_item_kind (account_id=? AND content_kind=?)"],
                "{status:?}"
            );
        }
    }
}
