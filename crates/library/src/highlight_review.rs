//! Spaced review of the highlights of a library. A limited number of due highlights is reviewed per day: first those
//! answered *Soon*, then those of all sources in rounds, so that a source with many highlights does not fill the day.
//! Highlights created on the day and highlights of items whose deletion is pending, or that are excluded from reviews,
//! are left out. A themed review is limited to its highlights, and has its own number per day. The caller determines
//! the local day of the account.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, HighlightId, ItemId, ThemedReviewId};
use entities::library_words::ReviewFrequency;
use entities::{library_highlight, library_item, library_themed_review};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, FromQueryResult,
    QueryFilter, QueryOrder, QuerySelect, Value,
};

use super::account_concurrency::limit_searches;
use super::highlights::{self, Highlight};
use super::review_schedule::{
    LAST_STEP, ReviewAnswer, ReviewState, checked_per_day, interval, restarted_condition,
};
use super::search::matches::Conditions;
use super::themed_reviews::{self, ThemedReview};
use super::transaction::{LibraryTransaction, committed_state};
use identity::accounts;
use kernel::bounds::REVIEWS_PER_DAY;
use kernel::clock::LocalDay;
use kernel::error::not_found;
use kernel::statement::{execute, scalar, scalar_optional, statement};
use kernel::{Domain, Result};

/// Default number of highlights that are reviewed per day.
const DEFAULT_PER_DAY: u32 = 10;
/// Maximum number of items with a chosen frequency that are listed.
const MAX_LISTED_SOURCES: u64 = 100;
/// Number of the longest due and of the most recently due highlights that are put into the order of review. Other
/// highlights wait until they are among these.
const MAX_ORDERED: u32 = 1_000;
/// Days for which the last answer to a source is stored. After that, the source counts as never reviewed.
const SOURCE_DAYS: i32 = 366;
/// Condition that selects the highlights `h` that are due on the day `$2`, which begins at `$3`.
const DUE: &str = "h.account_id = $1 AND h.review_day <= $2 AND h.created_at < $3 \
                   AND NOT EXISTS (SELECT 1 FROM library_pending_deletion d WHERE d.item_id = h.item_id) \
                   AND NOT EXISTS (SELECT 1 FROM library_item i WHERE i.id = h.item_id \
                   AND i.review_frequency = 'never')";

/// Highlight to review, and the number of highlights to review on the day.
#[derive(Clone, Debug)]
pub struct NextReview {
    pub highlight: Highlight,
    /// Review frequency of the item. `None` if the item was deleted.
    pub frequency: Option<ReviewFrequency>,
    /// Days until the highlight is due again with the next longer interval.
    pub interval_days: i32,
    /// Number of highlights that are still to be reviewed on the day, including this one.
    pub remaining: u32,
}

/// Answer of a person to a highlight, in the general review or in a themed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenAnswer {
    pub highlight_id: HighlightId,
    pub answer: ReviewAnswer,
    /// Themed review in which the answer was given. The answer counts towards its number per day.
    pub theme: Option<ThemedReviewId>,
}

/// Item whose highlights are reviewed with a chosen frequency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewSource {
    pub item_id: ItemId,
    pub title: String,
    pub frequency: ReviewFrequency,
}

/// Items with a chosen review frequency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewSources {
    /// Newest items first.
    pub listed: Vec<ReviewSource>,
    /// True if more items exist than are listed.
    pub has_more: bool,
}

/// Returns the maximum number of highlights that the account reviews on a day.
#[boxed]
pub async fn reviews_per_day(domain: &Domain, account_id: AccountId) -> Result<u32> {
    let state = committed_state(domain.db().read(), account_id).await?;
    let number = state.and_then(|state| u32::try_from(state.reviews_per_day).ok());
    Ok(number.unwrap_or(DEFAULT_PER_DAY))
}

/// Sets the maximum number of highlights that the account reviews on a day. It also applies to the current day.
///
/// # Errors
/// `invalid_request`.
#[boxed]
pub async fn set_reviews_per_day(domain: &Domain, account_id: AccountId, number: u32) -> Result<()> {
    let per_day = checked_per_day(number)?;
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let sql = "UPDATE library_account SET reviews_per_day = $2 WHERE account_id = $1";
    execute(transaction.db(), sql, [account_id.into(), i64::from(per_day).into()]).await?;
    transaction.commit().await
}

/// Returns the number of highlights that are still to be reviewed on a day.
#[boxed]
pub async fn count_due_highlights(domain: &Domain, account_id: AccountId, today: LocalDay) -> Result<u32> {
    let connection = domain.db().read();
    let sql = format!(
        "SELECT \
         (SELECT count(*) FROM (SELECT h.id FROM library_highlight h WHERE {DUE} LIMIT {REVIEWS_PER_DAY}) due), \
         (SELECT CAST(r.reviewed AS bigint) FROM library_review_day r WHERE r.account_id = $1 AND r.day = $2), \
         (SELECT CAST(a.reviews_per_day AS bigint) FROM library_account a WHERE a.account_id = $1)"
    );
    let values: [Value; 3] = [account_id.into(), today.number.into(), today.begins_at.into()];
    let row = connection.query_one_raw(statement(connection, &sql, values)).await?;
    let Some(row) = row else { return Ok(0) };
    let (due, reviewed): (i64, Option<i64>) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    let per_day: Option<i64> = row.try_get_by_index(2)?;
    let open = per_day.unwrap_or(DEFAULT_PER_DAY.into()).saturating_sub(reviewed.unwrap_or(0));
    Ok(u32::try_from(due.min(open)).unwrap_or(0))
}

/// Returns the next highlight to review on a day, in the general review or in a themed one. `None` if none is due, or
/// if the number of reviews per day is reached.
///
/// # Errors
/// `not_found` if the themed review does not exist.
#[boxed]
pub async fn next_review(
    domain: &Domain,
    account_id: AccountId,
    theme: Option<ThemedReviewId>,
    today: LocalDay,
) -> Result<Option<NextReview>> {
    let connection = domain.db().read();
    let (remaining, highlight) = match theme {
        None => {
            let remaining = count_due_highlights(domain, account_id, today).await?;
            let most = remaining.min(1);
            (remaining, list_due(connection, (account_id, today), &Conditions::default(), most).await?.pop())
        }
        Some(id) => {
            let row = themed_reviews::find(connection, account_id, id).await?;
            let due = list_due_of_theme(domain, &row, today).await?;
            (u32::try_from(due.len()).unwrap_or(u32::MAX), due.into_iter().next())
        }
    };
    let Some(highlight) = highlight else { return Ok(None) };
    let frequency = match highlight.row.item_id {
        Some(item_id) => find_frequency(connection, account_id, item_id).await?,
        None => None,
    };
    let interval_days = ReviewState::of(&highlight.row).next_interval(or_normal(frequency));
    Ok(Some(NextReview { highlight, frequency, interval_days, remaining }))
}

/// Returns the highlights that are still to be reviewed on a day, in the order of review.
#[boxed]
pub async fn due_highlights(
    domain: &Domain,
    account_id: AccountId,
    today: LocalDay,
) -> Result<Vec<Highlight>> {
    let remaining = count_due_highlights(domain, account_id, today).await?;
    list_due(domain.db().read(), (account_id, today), &Conditions::default(), remaining).await
}

/// Returns the number of highlights that are still to be reviewed on a day in each themed review, ordered by the names
/// of the reviews.
#[boxed]
pub async fn count_due_by_theme(
    domain: &Domain,
    account_id: AccountId,
    today: LocalDay,
) -> Result<Vec<(ThemedReview, u32)>> {
    let connection = domain.db().read();
    let rows = themed_reviews::load(connection, account_id).await?;
    let mut counts = Vec::with_capacity(rows.len());
    for row in &rows {
        counts.push(count_due_of_theme(domain, row, today).await?);
    }
    Ok(themed_reviews::resolve(connection, account_id, &rows).await?.into_iter().zip(counts).collect())
}

/// Returns the highlights that are still to be reviewed on a day in each themed review, ordered by the names of the
/// reviews.
#[boxed]
pub async fn due_highlights_by_theme(
    domain: &Domain,
    account_id: AccountId,
    today: LocalDay,
) -> Result<Vec<(ThemedReview, Vec<Highlight>)>> {
    let connection = domain.db().read();
    let rows = themed_reviews::load(connection, account_id).await?;
    let mut lists = Vec::with_capacity(rows.len());
    for row in &rows {
        lists.push(list_due_of_theme(domain, row, today).await?);
    }
    Ok(themed_reviews::resolve(connection, account_id, &rows).await?.into_iter().zip(lists).collect())
}

/// Returns the number of further highlights that a themed review allows on a day.
fn open_of_theme(row: &library_themed_review::Model, today: LocalDay) -> u32 {
    let reviewed = if row.day == today.number { row.reviewed } else { 0 };
    u32::try_from(i32::from(row.per_day).saturating_sub(reviewed)).unwrap_or(0)
}

async fn count_due_of_theme(
    domain: &Domain,
    row: &library_themed_review::Model,
    today: LocalDay,
) -> Result<u32> {
    let (connection, open) = (domain.db().read(), open_of_theme(row, today));
    let _permit = limit_searches(domain, row.account_id).await;
    let conditions = themed_reviews::conditions_of(domain, connection, row).await?;
    let Some(conditions) = conditions.filter(|_| open > 0) else { return Ok(0) };
    let (from, values) = due_rows((row.account_id, today), &conditions);
    let sql = format!("SELECT count(*) FROM (SELECT h.id {from} LIMIT {open}) due");
    let count = scalar(connection, &sql, values).await?;
    Ok(u32::try_from(count).unwrap_or(0))
}

async fn list_due_of_theme(
    domain: &Domain,
    row: &library_themed_review::Model,
    today: LocalDay,
) -> Result<Vec<Highlight>> {
    let (connection, open) = (domain.db().read(), open_of_theme(row, today));
    let _permit = limit_searches(domain, row.account_id).await;
    let conditions = themed_reviews::conditions_of(domain, connection, row).await?;
    let Some(conditions) = conditions else { return Ok(Vec::new()) };
    list_due(connection, (row.account_id, today), &conditions, open).await
}

/// Builds the part of a statement that selects the highlights `h` that are due on a day and fulfil the conditions of a
/// theme.
fn due_rows((account_id, today): (AccountId, LocalDay), theme: &Conditions) -> (String, Vec<Value>) {
    let (more, further) = theme.render(4);
    let items = if more.is_empty() { "" } else { "LEFT JOIN library_item i ON i.id = h.item_id" };
    let mut values: Vec<Value> = vec![account_id.into(), today.number.into(), today.begins_at.into()];
    values.extend(further);
    (format!("FROM library_highlight h {items} WHERE {DUE}{more}"), values)
}

/// Builds the statement that selects at most `most` due highlights in the order of review: those answered *Soon*, then
/// one highlight of each source, then the second of each, and so on. In each round, the sources not reviewed for the
/// longest time come first. Within a source, the longest due highlight comes first.
///
/// Answers of the day count as rounds of their source, so that the order of the day does not change.
fn due_statement(
    (account_id, today): (AccountId, LocalDay),
    theme: &Conditions,
    most: u32,
) -> (String, Vec<Value>) {
    let (from, values) = due_rows((account_id, today), theme);
    let restarted = restarted_condition();
    let columns = format!(
        "h.id, h.review_day, COALESCE(h.item_id, h.detached_from, h.id) AS source_id, \
         CASE WHEN {restarted} THEN 0 ELSE 1 END AS class"
    );
    let sql = format!(
        "WITH due AS (\
         SELECT * FROM (SELECT {columns} {from} ORDER BY h.review_day, h.id LIMIT {MAX_ORDERED}) oldest \
         UNION \
         SELECT * FROM (SELECT {columns} {from} ORDER BY h.review_day DESC, h.id DESC LIMIT {MAX_ORDERED}) newest), \
         ordered AS (SELECT due.id, due.review_day, due.class, \
         row_number() OVER (PARTITION BY due.source_id ORDER BY due.class, due.review_day, due.id) \
         + COALESCE(CASE WHEN s.day = $2 THEN s.reviewed END, 0) AS review_round, \
         COALESCE(CASE WHEN s.day = $2 THEN s.previous_day ELSE s.day END, -1) AS last_day \
         FROM due LEFT JOIN library_reviewed_source s ON s.account_id = $1 AND s.source_id = due.source_id) \
         SELECT h.* FROM ordered o JOIN library_highlight h ON h.id = o.id WHERE h.account_id = $1 \
         ORDER BY o.class, o.review_round, o.last_day, o.review_day, o.id LIMIT {most}"
    );
    (sql, values)
}

async fn list_due(
    connection: &impl ConnectionTrait,
    (account_id, today): (AccountId, LocalDay),
    theme: &Conditions,
    most: u32,
) -> Result<Vec<Highlight>> {
    if most == 0 {
        return Ok(Vec::new());
    }
    let (sql, values) = due_statement((account_id, today), theme, most);
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let rows = rows.iter().map(|row| library_highlight::Model::from_query_result(row, ""));
    let rows = rows.collect::<Result<Vec<_>, sea_orm::DbErr>>()?;
    highlights::resolve_all(connection, account_id, rows).await
}

/// Returns the review frequency of an item. `None` if the item does not exist.
async fn find_frequency(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    item_id: ItemId,
) -> Result<Option<ReviewFrequency>> {
    let sql = "SELECT review_frequency FROM library_item WHERE account_id = $1 AND id = $2";
    let word: Option<String> = scalar_optional(connection, sql, [account_id.into(), item_id.into()]).await?;
    Ok(word.and_then(|word| ReviewFrequency::parse(&word)))
}

fn or_normal(frequency: Option<ReviewFrequency>) -> ReviewFrequency {
    frequency.unwrap_or(ReviewFrequency::Normal)
}

/// Sets how often the highlights of an item are reviewed. Their due days are shifted by the change of their intervals.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn set_review_frequency(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
    frequency: ReviewFrequency,
) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let present = find_frequency(&transaction, account_id, item_id).await?;
    let present = present.ok_or_else(|| not_found("item"))?;
    if present == frequency {
        return Ok(());
    }
    // No change of the item is recorded: clients do not see its frequency.
    let sql = "UPDATE library_item SET review_frequency = $3 WHERE account_id = $1 AND id = $2";
    execute(&transaction, sql, [account_id.into(), item_id.into(), frequency.as_str().into()]).await?;
    for step in 0..=LAST_STEP {
        let shift = interval(step, frequency) - interval(step, present);
        if shift != 0 {
            let sql = "UPDATE library_highlight SET review_day = review_day + $4 WHERE account_id = $1 \
                       AND item_id = $2 AND review_step = $3 AND review_day IS NOT NULL";
            let values: [Value; 4] = [account_id.into(), item_id.into(), step.into(), shift.into()];
            execute(&transaction, sql, values).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Lists the items whose highlights are reviewed with a chosen frequency.
#[boxed]
pub async fn review_sources(domain: &Domain, account_id: AccountId) -> Result<ReviewSources> {
    let rows: Vec<(ItemId, String, ReviewFrequency)> = library_item::Entity::owned_by(account_id)
        .select_only()
        .columns([
            library_item::Column::Id,
            library_item::Column::Title,
            library_item::Column::ReviewFrequency,
        ])
        .filter(Expr::cust("review_frequency <> 'normal'"))
        .order_by_desc(library_item::Column::Id)
        .limit(MAX_LISTED_SOURCES + 1)
        .into_tuple()
        .all(domain.db().read())
        .await?;
    let has_more = rows.len() as u64 > MAX_LISTED_SOURCES;
    let mut listed = Vec::with_capacity(rows.len());
    for (item_id, title, frequency) in rows {
        listed.push(ReviewSource { item_id, title, frequency });
    }
    if has_more {
        listed.pop();
    }
    Ok(ReviewSources { listed, has_more })
}

/// Records the answer to a highlight. Returns false, and changes nothing, if the highlight is not due, for example
/// because the same answer was sent before.
///
/// # Errors
/// `not_found` if the highlight or the themed review does not exist.
#[boxed]
pub async fn answer_review(
    domain: &Domain,
    account_id: AccountId,
    given: GivenAnswer,
    today: LocalDay,
) -> Result<bool> {
    let GivenAnswer { highlight_id: id, answer, theme } = given;
    let transaction = domain.db().begin().await?;
    let row = lock_highlight(&transaction, account_id, id).await?;
    let state = ReviewState::of(&row);
    if !state.is_due(today.number) || row.created_at >= today.begins_at {
        return Ok(false);
    }
    let frequency = match row.item_id {
        Some(item_id) => find_frequency(&transaction, account_id, item_id).await?,
        None => None,
    };
    if frequency == Some(ReviewFrequency::Never) {
        return Ok(false);
    }
    let next = state.after(answer, today.number, or_normal(frequency));
    write_state(&transaction, account_id, id, next).await?;
    count_source(&transaction, &row, today).await?;
    match theme {
        None => count_answer(&transaction, account_id, today).await?,
        Some(theme) => count_themed_answer(&transaction, account_id, theme, today).await?,
    }
    transaction.commit().await?;
    Ok(true)
}

/// Counts an answer to a highlight as a round of its source, and deletes sources without an answer in the last
/// `SOURCE_DAYS` days.
async fn count_source(
    transaction: &DatabaseTransaction,
    row: &library_highlight::Model,
    today: LocalDay,
) -> Result<()> {
    let sql = "DELETE FROM library_reviewed_source WHERE account_id = $1 AND day < $2";
    let oldest = today.number.saturating_sub(SOURCE_DAYS);
    execute(transaction, sql, [row.account_id.into(), oldest.into()]).await?;
    let source: Value = row.item_id.or(row.detached_from).map_or_else(|| row.id.into(), Into::into);
    let sql = "INSERT INTO library_reviewed_source (account_id, source_id, day, reviewed) VALUES ($1, $2, $3, 1) \
               ON CONFLICT (account_id, source_id) DO UPDATE SET day = excluded.day, \
               previous_day = CASE WHEN library_reviewed_source.day = excluded.day \
               THEN library_reviewed_source.previous_day ELSE library_reviewed_source.day END, \
               reviewed = CASE WHEN library_reviewed_source.day = excluded.day \
               THEN library_reviewed_source.reviewed + 1 ELSE 1 END";
    execute(transaction, sql, [row.account_id.into(), source, today.number.into()]).await?;
    Ok(())
}

/// Counts an answer in the general review.
async fn count_answer(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    today: LocalDay,
) -> Result<()> {
    let sql = "INSERT INTO library_review_day (account_id, day, reviewed) VALUES ($1, $2, 1) \
               ON CONFLICT (account_id) DO UPDATE SET day = excluded.day, reviewed = CASE WHEN \
               library_review_day.day = excluded.day THEN library_review_day.reviewed + 1 ELSE 1 END";
    execute(transaction, sql, [account_id.into(), today.number.into()]).await?;
    Ok(())
}

/// Counts an answer in a themed review.
async fn count_themed_answer(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    id: ThemedReviewId,
    today: LocalDay,
) -> Result<()> {
    let sql = "UPDATE library_themed_review SET reviewed = CASE WHEN day = $3 THEN reviewed + 1 ELSE 1 END, \
               day = $3 WHERE account_id = $1 AND id = $2";
    let values: [Value; 3] = [account_id.into(), id.into(), today.number.into()];
    if execute(transaction, sql, values).await? == 0 { Err(not_found("review")) } else { Ok(()) }
}

/// Includes an excluded highlight in reviews again. Changes nothing if it is not excluded.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn resume_review(
    domain: &Domain,
    account_id: AccountId,
    id: HighlightId,
    today: LocalDay,
) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let row = lock_highlight(&transaction, account_id, id).await?;
    if row.review_day.is_none() {
        write_state(&transaction, account_id, id, ReviewState::restarted(today.number)).await?;
        transaction.commit().await?;
    }
    Ok(())
}

/// Locks the library and returns a highlight.
async fn lock_highlight(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    id: HighlightId,
) -> Result<library_highlight::Model> {
    accounts::lock(transaction, account_id).await?;
    let query = library_highlight::Entity::owned_by(account_id).filter(library_highlight::Column::Id.eq(id));
    query.one(transaction).await?.ok_or_else(|| not_found("highlight"))
}

/// Writes the review state without recording a change of the highlight, because clients do not see the state.
async fn write_state(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    id: HighlightId,
    state: ReviewState,
) -> Result<()> {
    let change = library_highlight::ActiveModel {
        review_day: Set(state.due_day),
        review_step: Set(state.step),
        ..Default::default()
    };
    library_highlight::Entity::update_many()
        .set(change)
        .filter(library_highlight::Column::AccountId.eq(account_id))
        .filter(library_highlight::Column::Id.eq(id))
        .exec(transaction)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use entities::library_words::{AnchorStatus, HighlightColor, ObjectKind};
    use sea_orm::{ActiveModelTrait, IntoActiveModel};

    use super::*;
    use kernel::clock::DAY;
    use kernel::db::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;
    use kernel::{Code, Millis};

    on_both! {
        due_highlights_are_reviewed_up_to_the_daily_number,
        daily_number_must_be_between_one_and_the_maximum,
        answer_is_recorded_only_while_the_highlight_is_due,
        highlight_is_not_due_on_the_local_day_of_its_creation,
    }

    /// Choosing the highlights of a day must not read all highlights of a library. Tests only SQLite, because the plan
    /// of PostgreSQL depends on the number of rows, and these tables are empty.
    #[tokio::test]
    async fn due_highlights_are_read_from_their_index_in_both_directions() {
        let database = TestDatabase::create(Backend::Sqlite).await;
        let connection = database.domain.db().read();
        let (sql, values) = due_statement((AccountId::MAX, utc(20_000)), &Conditions::default(), 10);
        let query = statement(connection, &format!("EXPLAIN QUERY PLAN {sql}"), values);
        let rows = connection.query_all_raw(query).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.try_get_by_index(3).unwrap()).collect();
        let plan = plan.join("\n");
        let reads = plan.matches("library_highlight_review (account_id=? AND review_day<?)").count();
        assert_eq!(reads, 2, "{plan}");
    }

    /// Returns a day in UTC.
    fn utc(number: i32) -> LocalDay {
        LocalDay { number, begins_at: Millis::from(number) * DAY }
    }

    /// Returns an answer in the general review.
    fn general(highlight_id: HighlightId, answer: ReviewAnswer) -> GivenAnswer {
        GivenAnswer { highlight_id, answer, theme: None }
    }

    /// Inserts a highlight of a deleted item that is due on `day`.
    async fn insert(domain: &Domain, account_id: AccountId, day: i32) -> HighlightId {
        insert_made_at(domain, account_id, ReviewState { due_day: Some(day), step: 0 }, 1).await
    }

    async fn insert_made_at(
        domain: &Domain,
        account_id: AccountId,
        state: ReviewState,
        created_at: Millis,
    ) -> HighlightId {
        let mut transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
        let id: HighlightId = domain.new_id();
        let stamp = transaction.stamp(ObjectKind::Highlight, id.as_uuid().into());
        let row = library_highlight::Model {
            id,
            account_id,
            sequence: stamp.sequence,
            item_id: None,
            detached_from: None,
            item_title: None,
            source_url: None,
            quote: "Words".to_owned(),
            picture_url: None,
            picture_alt: None,
            prefix: String::new(),
            suffix: String::new(),
            hint: None,
            note: None,
            color: HighlightColor::Yellow,
            anchor: None,
            end_anchor: None,
            start_offset: None,
            end_offset: None,
            page: None,
            anchor_status: AnchorStatus::Orphaned,
            external_id: None,
            review_day: state.due_day,
            review_step: state.step,
            card: None,
            stored_bytes: 0,
            created_at,
            updated_at: stamp.updated_at,
        };
        let insert = row.into_active_model().reset_all();
        library_highlight::Entity::insert(insert).exec_without_returning(transaction.db()).await.unwrap();
        transaction.commit().await.unwrap();
        id
    }

    async fn due_highlights_are_reviewed_up_to_the_daily_number(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let today = i32::try_from(domain.now() / DAY).unwrap();
        assert!(next_review(domain, who, None, utc(today)).await.unwrap().is_none());
        let mut expected = Vec::new();
        for age in 0..12 {
            expected.push(insert(domain, who, today - age).await);
        }
        insert(domain, who, today + 1).await;
        insert(domain, other, today).await;
        // The longest due comes first.
        expected.reverse();
        for (number, id) in (0..).zip(expected.iter().take(10)) {
            let next = next_review(domain, who, None, utc(today)).await.unwrap().unwrap();
            assert_eq!((next.highlight.row.id, next.remaining, next.interval_days), (*id, 10 - number, 3));
            assert!(answer_review(domain, who, general(*id, ReviewAnswer::Later), utc(today)).await.unwrap());
        }
        assert_eq!(count_due_highlights(domain, who, utc(today)).await.unwrap(), 0);
        assert!(next_review(domain, who, None, utc(today)).await.unwrap().is_none());
        assert_eq!(count_due_highlights(domain, other, utc(today)).await.unwrap(), 1);
        // The two other highlights, and the highlight that becomes due.
        assert_eq!(count_due_highlights(domain, who, utc(today + 1)).await.unwrap(), 3);
        assert_eq!(count_due_highlights(domain, who, utc(today + 3)).await.unwrap(), 10);
    }

    async fn daily_number_must_be_between_one_and_the_maximum(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let today = i32::try_from(domain.now() / DAY).unwrap();
        let due = async || count_due_highlights(domain, who, utc(today)).await.unwrap();
        assert_eq!(reviews_per_day(domain, who).await.unwrap(), 10);
        for number in [0, REVIEWS_PER_DAY + 1] {
            let error = set_reviews_per_day(domain, who, number).await.unwrap_err();
            assert_eq!(error.code, Code::InvalidRequest, "{number}");
        }
        set_reviews_per_day(domain, who, REVIEWS_PER_DAY).await.unwrap();
        let mut first = None;
        for _ in 0..=REVIEWS_PER_DAY {
            let id = insert(domain, who, today).await;
            first.get_or_insert(id);
        }
        assert_eq!(due().await, REVIEWS_PER_DAY);
        set_reviews_per_day(domain, who, 2).await.unwrap();
        assert_eq!((due().await, reviews_per_day(domain, who).await.unwrap()), (2, 2));
        answer_review(domain, who, general(first.unwrap(), ReviewAnswer::Later), utc(today)).await.unwrap();
        assert_eq!(due().await, 1);
        set_reviews_per_day(domain, who, 1).await.unwrap();
        assert_eq!(due().await, 0, "one was reviewed on the day");
    }

    async fn answer_is_recorded_only_while_the_highlight_is_due(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let today = i32::try_from(domain.now() / DAY).unwrap();
        let id = insert(domain, who, today).await;
        insert(domain, who, today).await;
        let answer =
            async |day, answer| answer_review(domain, who, general(id, answer), utc(day)).await.unwrap();
        assert!(answer(today, ReviewAnswer::Soon).await);
        assert!(!answer(today, ReviewAnswer::Later).await, "the second press changes nothing");
        assert_eq!(count_due_highlights(domain, who, utc(today)).await.unwrap(), 1);
        assert!(answer(today + 1, ReviewAnswer::Never).await);
        assert!(!answer(today + 900, ReviewAnswer::Soon).await);
        let stranger = answer_review(domain, other, general(id, ReviewAnswer::Soon), utc(today)).await;
        assert_eq!(stranger.unwrap_err().code, Code::NotFound);
        assert_eq!(resume_review(domain, other, id, utc(today)).await.unwrap_err().code, Code::NotFound);
        resume_review(domain, who, id, utc(today + 900)).await.unwrap();
        assert!(answer(today + 900, ReviewAnswer::Soon).await);
        resume_review(domain, who, id, utc(today + 900)).await.unwrap();
        assert!(!answer(today + 900, ReviewAnswer::Soon).await, "a resumed highlight stays as it is");
    }

    async fn highlight_is_not_due_on_the_local_day_of_its_creation(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let hour = DAY / 24;
        // Made at 08:00 of day 20,000: in Tokyo, which is 9 hours ahead of UTC, and in Honolulu, which is 10
        // hours behind.
        for offset in [9 * hour, -10 * hour] {
            let local = |number: i32| LocalDay { number, begins_at: Millis::from(number) * DAY - offset };
            let made_at = local(20_000).begins_at + 8 * hour;
            let id = insert_made_at(domain, who, ReviewState::of_new(made_at), made_at).await;
            assert_eq!(count_due_highlights(domain, who, local(20_000)).await.unwrap(), 0, "{offset}");
            assert!(
                !answer_review(domain, who, general(id, ReviewAnswer::Soon), local(20_000)).await.unwrap()
            );
            assert_eq!(
                next_review(domain, who, None, local(20_001)).await.unwrap().unwrap().highlight.row.id,
                id
            );
            assert!(
                answer_review(domain, who, general(id, ReviewAnswer::Never), local(20_001)).await.unwrap()
            );
        }
    }
}
