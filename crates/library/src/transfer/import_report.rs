//! Stored results of imported rows. The results of the rows of one transaction form a group, which is stored
//! compressed in one row of the table.

use std::collections::BTreeMap;

use entities::ids::{AccountId, ImportId, ItemId};
use entities::library_import;
use entities::library_import_report::{Column, Entity, Model};
use entities::library_words::RowOutcome;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, Select,
};
use serde::{Deserialize, Serialize};

use super::import::RowProblem;
use super::tally::ImportRowResult;
use crate::draft::cut;
use kernel::statement::{scalar, statement};
use kernel::{Domain, Error, Result};

/// Maximum length of a title in a report, in code points.
const TITLE_CHARS: usize = 120;
/// Maximum length of a URL in a report, in code points.
const URL_CHARS: usize = 500;
/// Size in bytes from which titles and URLs are omitted from an import's report.
const MAX_LABELLED_BYTES: i64 = 32 * 1024 * 1024;
/// Maximum total size of an account's reports, in bytes. If it is exceeded, the oldest reports are deleted.
const MAX_ACCOUNT_BYTES: i64 = 128 * 1024 * 1024;
/// Maximum number of groups of results per query.
const GROUPS_PER_QUERY: u64 = 16;
const COMPRESSION: i32 = 3;
/// Maximum size of results that are packed on the thread of the caller, in bytes.
const INLINE_BYTES: usize = 32 * 1024;
/// Estimated size of a result without its texts, in bytes.
const RESULT_BYTES: usize = 100;
/// Statement that returns the size of the report of import `$1` of account `$2`, in bytes.
const REPORT_BYTES: &str = "SELECT CAST(COALESCE(SUM(bytes), 0) AS bigint) FROM library_import_report \
    WHERE import_id = $1 AND account_id = $2";
/// Statement that returns the sizes of the reports of account `$1` in bytes, newest import first.
const BYTES_BY_IMPORT: &str = "SELECT import_id, CAST(SUM(bytes) AS bigint) FROM library_import_report \
    WHERE account_id = $1 GROUP BY import_id ORDER BY import_id DESC";

/// Result of a row of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowReport {
    /// Row number, starting at 1.
    pub row: u64,
    pub outcome: RowOutcome,
    /// Item that the row created or matched. `None` if the row was not imported, or would create the item in
    /// a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<ItemId>,
    /// Title in the file, truncated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// URL in the file, truncated, without user name and password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<RowProblem>,
}

/// Title and URL by which a person recognises a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RowLabel {
    title: Option<String>,
    url: Option<String>,
}

impl RowLabel {
    /// Creates a label from a title and a URL. Both must not contain user names or passwords.
    pub(super) fn of(title: Option<&str>, url: Option<&str>) -> Self {
        let short = |text: Option<&str>, most| {
            text.map(|text| cut(text.trim(), most)).filter(|text| !text.is_empty())
        };
        Self { title: short(title, TITLE_CHARS), url: short(url, URL_CHARS) }
    }
}

impl RowReport {
    /// Creates the report for a row from its result.
    pub(super) fn of(row: u64, label: RowLabel, result: ImportRowResult) -> Self {
        let problems = result.problems.into_iter();
        Self {
            row,
            outcome: result.outcome.unwrap_or(RowOutcome::Failed),
            item_id: result.item_id,
            title: label.title,
            url: label.url,
            problems: problems
                .map(|problem| RowProblem { row, code: problem.code, reason: problem.reason })
                .collect(),
        }
    }

    /// Returns the estimated size in a group, in bytes.
    fn size(&self) -> usize {
        let texts = self.title.iter().chain(&self.url).map(String::len);
        let problems = self.problems.iter().map(|problem| RESULT_BYTES + problem.reason.len());
        RESULT_BYTES + texts.chain(problems).sum::<usize>()
    }

    /// Returns true if a retry may import more of the row: the row failed, or a part of it was omitted
    /// because of a limit.
    fn can_be_retried(&self) -> bool {
        self.outcome == RowOutcome::Failed || self.problems.iter().any(RowProblem::is_limit)
    }
}

/// Writer of the report of a running import.
pub(super) struct ReportWriter {
    import_id: ImportId,
    account_id: AccountId,
    /// Size of the report, in bytes.
    bytes: i64,
    /// True if the results replace earlier results.
    is_retry: bool,
}

impl ReportWriter {
    /// Creates a writer that continues the report of an import.
    pub(super) async fn open(domain: &Domain, row: &library_import::Model) -> Result<Self> {
        let values = [row.id.into(), row.account_id.into()];
        let bytes = scalar(domain.db().write(), REPORT_BYTES, values).await?;
        Ok(Self { import_id: row.id, account_id: row.account_id, bytes, is_retry: row.is_retry })
    }

    /// Writes the results of a batch, which must be ordered by row. Returns the earlier results that were
    /// replaced.
    pub(super) async fn write(
        &mut self,
        connection: &impl ConnectionTrait,
        mut results: Vec<RowReport>,
    ) -> Result<Vec<RowReport>> {
        if self.bytes > MAX_LABELLED_BYTES {
            for result in &mut results {
                (result.title, result.url) = (None, None);
            }
        }
        if self.is_retry {
            return self.replace(connection, results).await;
        }
        let (Some(first), Some(last)) = (results.first(), results.last()) else { return Ok(Vec::new()) };
        let (first_row, last_row) = (number(first.row), number(last.row));
        let group = self.group(first_row, last_row, results).await?;
        self.bytes += group.bytes;
        let group = group.into_active_model().reset_all();
        Entity::insert(group).exec_without_returning(connection).await?;
        Ok(Vec::new())
    }

    /// Replaces the results of rows that were retried. Returns the replaced results.
    async fn replace(
        &self,
        connection: &impl ConnectionTrait,
        results: Vec<RowReport>,
    ) -> Result<Vec<RowReport>> {
        let mut replaced = Vec::new();
        let mut left: BTreeMap<u64, RowReport> =
            results.into_iter().map(|result| (result.row, result)).collect();
        while let Some(first) = left.keys().next().copied() {
            let query = groups(self.account_id, self.import_id)
                .filter(Column::FirstRow.lte(number(first)))
                .filter(Column::LastRow.gte(number(first)));
            let Some(group) = query.one(connection).await? else {
                // The results of this row are no longer stored.
                left.remove(&first);
                continue;
            };
            let (first_row, last_row) = (group.first_row, group.last_row);
            let mut rows = unpack(group.results).await?;
            for row in &mut rows {
                if let Some(mut new) = left.remove(&row.row) {
                    // The item or the annotation exists because this import has created it.
                    let was_new = matches!(row.outcome, RowOutcome::Created | RowOutcome::Annotation);
                    if was_new && new.outcome == RowOutcome::Existing {
                        std::mem::swap(&mut row.outcome, &mut new.outcome);
                    }
                    replaced.push(std::mem::replace(row, new));
                }
            }
            left.remove(&first);
            let group = self.group(first_row, last_row, rows).await?;
            group.into_active_model().reset_all().update(connection).await?;
        }
        Ok(replaced)
    }

    async fn group(&self, first_row: i64, last_row: i64, rows: Vec<RowReport>) -> Result<Model> {
        let count = |outcome| count_of(rows.iter().filter(|row| row.outcome == outcome).count());
        let group = Model {
            import_id: self.import_id,
            first_row,
            last_row,
            account_id: self.account_id,
            created: count(RowOutcome::Created),
            existing: count(RowOutcome::Existing),
            skipped: count(RowOutcome::Skipped),
            failed: count(RowOutcome::Failed),
            problems: count_of(rows.iter().filter(|row| !row.problems.is_empty()).count()),
            results: Vec::new(),
            bytes: 0,
        };
        let results = pack(rows).await?;
        Ok(Model { bytes: count_of(results.len()), results, ..group })
    }
}

fn count_of(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Converts the number of a row to its type in the database.
pub(super) fn number(row: u64) -> i64 {
    i64::try_from(row).unwrap_or(i64::MAX)
}

/// Packs results. A small group is packed without a switch to another thread, because the transaction of its
/// batch is open meanwhile.
async fn pack(rows: Vec<RowReport>) -> Result<Vec<u8>> {
    let is_small = rows.iter().map(RowReport::size).sum::<usize>() <= INLINE_BYTES;
    let work = move || {
        let json = serde_json::to_vec(&rows).map_err(Error::internal)?;
        zstd::bulk::compress(&json, COMPRESSION).map_err(Error::internal)
    };
    if is_small {
        return work();
    }
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

/// Unpacks the results of a group.
pub(super) async fn unpack(results: Vec<u8>) -> Result<Vec<RowReport>> {
    let work = move || {
        let json = zstd::decode_all(results.as_slice()).map_err(Error::internal)?;
        serde_json::from_slice(&json).map_err(Error::internal)
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

/// Selects the groups of an import's results, in the order of their rows.
pub(super) fn groups(account_id: AccountId, import_id: ImportId) -> Select<Entity> {
    Entity::owned_by(account_id).filter(Column::ImportId.eq(import_id)).order_by_asc(Column::FirstRow)
}

/// Returns true if results of the import's rows are stored.
pub(super) async fn is_stored(domain: &Domain, row: &library_import::Model) -> Result<bool> {
    let group = groups(row.account_id, row.id).one(domain.db().write()).await?;
    Ok(group.is_some())
}

/// Returns the numbers of the rows that a retry imports, in ascending order.
pub(super) async fn rows_to_retry(domain: &Domain, row: &library_import::Model) -> Result<Vec<u64>> {
    let (mut numbers, mut after) = (Vec::new(), 0);
    loop {
        let page = groups(row.account_id, row.id)
            .filter(Column::Problems.gt(0))
            .filter(Column::FirstRow.gt(after))
            .limit(GROUPS_PER_QUERY)
            .all(domain.db().write())
            .await?;
        let Some(last) = page.last() else { return Ok(numbers) };
        after = last.first_row;
        for group in page {
            let rows = unpack(group.results).await?;
            numbers.extend(rows.iter().filter(|row| row.can_be_retried()).map(|row| row.row));
        }
    }
}

/// Deletes the report of an import.
pub(super) async fn delete(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    import_id: ImportId,
) -> Result<()> {
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::ImportId.eq(import_id))
        .exec(connection)
        .await?;
    Ok(())
}

/// Deletes the oldest reports of an account if the total size of its reports exceeds the maximum.
pub(super) async fn delete_oldest(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<()> {
    let query = statement(connection, BYTES_BY_IMPORT, [account_id.into()]);
    let mut total = 0_i64;
    for row in connection.query_all_raw(query).await? {
        let (import_id, bytes): (ImportId, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        total = total.saturating_add(bytes);
        if total > MAX_ACCOUNT_BYTES {
            delete(connection, account_id, import_id).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::import_record::RowError;

    #[test]
    fn row_can_be_retried_if_it_failed_or_exceeded_a_limit() {
        let report = |outcome, code: Option<&str>| {
            let problems = code.map(|code| RowError::of(code, "why")).into_iter().collect();
            let result = ImportRowResult { outcome: Some(outcome), problems, ..ImportRowResult::default() };
            RowReport::of(7, RowLabel::of(Some(" T "), Some("")), result)
        };
        let failed = report(RowOutcome::Failed, Some("malformed"));
        assert_eq!((failed.title.as_deref(), failed.url.as_deref()), (Some("T"), None));
        assert!(failed.can_be_retried() && failed.problems[0].row == 7);
        assert!(report(RowOutcome::Existing, Some("storage_limit_reached")).can_be_retried());
        assert!(!report(RowOutcome::Skipped, Some("invalid_url")).can_be_retried());
        assert!(!report(RowOutcome::Created, None).can_be_retried());
    }

    #[tokio::test]
    async fn packed_results_are_unpacked_unchanged() {
        let label = RowLabel::of(Some("Title"), Some("https://example.org/"));
        let rows: Vec<RowReport> =
            (1..=400).map(|row| RowReport::of(row, label.clone(), ImportRowResult::default())).collect();
        let packed = pack(rows.clone()).await.unwrap();
        assert!(packed.len() < 4_000, "{}", packed.len());
        assert_eq!(unpack(packed).await.unwrap(), rows);
    }
}
