//! Lists the results of an import's rows, page by page and as a table.

use async_recursion::async_recursion as boxed;
use bytes::Bytes;
use entities::ids::{AccountId, ImportId};
use entities::library_import_report::{Column, Entity};
use entities::library_words::RowOutcome;
use futures_util::stream::{BoxStream, StreamExt, once, try_unfold};
use sea_orm::{ColumnTrait, QueryFilter, Select};

use super::import::of_library;
use super::import_report::{RowReport, groups, number, unpack};
use super::table::quoted;
use kernel::error::not_found;
use kernel::{Domain, Result};

/// Header line of the table with the names of the columns.
const HEAD: &str = "row,outcome,title,url,item,codes,problems\r\n";

/// Selection of rows by their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSelection {
    Created,
    Existing,
    Skipped,
    Failed,
    /// Rows with a problem, including imported rows.
    Problems,
}

impl RowSelection {
    pub const ALL: &'static [Self] =
        &[Self::Created, Self::Existing, Self::Skipped, Self::Failed, Self::Problems];

    /// Returns the value on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Existing => "existing",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::Problems => "problems",
        }
    }

    /// Parses a value from the wire.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|selection| selection.as_str() == word)
    }

    fn contains(self, row: &RowReport) -> bool {
        match self {
            Self::Created => row.outcome == RowOutcome::Created,
            Self::Existing => row.outcome == RowOutcome::Existing,
            Self::Skipped => row.outcome == RowOutcome::Skipped,
            Self::Failed => row.outcome == RowOutcome::Failed,
            Self::Problems => !row.problems.is_empty(),
        }
    }

    /// Returns the column that contains the number of selected rows in a group of results.
    const fn count(self) -> Column {
        match self {
            Self::Created => Column::Created,
            Self::Existing => Column::Existing,
            Self::Skipped => Column::Skipped,
            Self::Failed => Column::Failed,
            Self::Problems => Column::Problems,
        }
    }
}

/// Selection and bounds of a page of an import's rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowQuery {
    /// `None` selects all rows.
    pub selection: Option<RowSelection>,
    /// Number of the row after which the page starts.
    pub after: u64,
    /// Maximum number of rows.
    pub limit: u32,
}

/// Page of an import's rows.
#[derive(Clone, Debug, Default)]
pub struct RowPage {
    pub rows: Vec<RowReport>,
    /// Number of the last row of the page. `None` on the last page.
    pub next: Option<u64>,
}

/// Returns a page of the results of an import's rows, in the order of the file.
///
/// # Errors
/// `not_found` if the account does not have the import.
#[boxed]
pub async fn list_import_rows(
    domain: &Domain,
    account_id: AccountId,
    id: ImportId,
    query: RowQuery,
) -> Result<RowPage> {
    require_import(domain, account_id, id).await?;
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let (mut rows, mut after) = (Vec::new(), query.after);
    // An additional row indicates that another page follows.
    while rows.len() <= limit {
        let Some(group) = after_row(account_id, id, query.selection, after).one(domain.db().read()).await?
        else {
            break;
        };
        let last = u64::try_from(group.last_row).unwrap_or(u64::MAX);
        let results = unpack(group.results).await?;
        let is_selected = |row: &RowReport| {
            row.row > after && query.selection.is_none_or(|selection| selection.contains(row))
        };
        rows.extend(results.into_iter().filter(is_selected));
        after = last;
    }
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().map(|row| row.row).filter(|_| has_more);
    Ok(RowPage { rows, next })
}

async fn require_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<()> {
    let row = of_library(account_id, id).one(domain.db().read()).await?;
    row.map(drop).ok_or_else(|| not_found("import"))
}

/// Selects the groups of results that contain selected rows after the row `after`.
fn after_row(
    account_id: AccountId,
    id: ImportId,
    selection: Option<RowSelection>,
    after: u64,
) -> Select<Entity> {
    let groups = groups(account_id, id).filter(Column::LastRow.gt(number(after)));
    match selection {
        Some(selection) => groups.filter(selection.count().gt(0)),
        None => groups,
    }
}

/// Streams the results of all rows of an import as CSV.
///
/// # Errors
/// `not_found` if the account does not have the import.
#[boxed]
pub async fn import_report_table(
    domain: &Domain,
    account_id: AccountId,
    id: ImportId,
) -> Result<BoxStream<'static, std::io::Result<Bytes>>> {
    require_import(domain, account_id, id).await?;
    let domain = domain.clone();
    let head: std::io::Result<Bytes> = Ok(Bytes::from_static(HEAD.as_bytes()));
    let head = once(std::future::ready(head));
    let lines = try_unfold(0_u64, move |after| {
        let domain = domain.clone();
        async move {
            let group = after_row(account_id, id, None, after).one(domain.db().read()).await;
            let Some(group) = group.map_err(std::io::Error::other)? else { return Ok(None) };
            let next = u64::try_from(group.last_row).unwrap_or(u64::MAX);
            let rows = unpack(group.results).await.map_err(std::io::Error::other)?;
            let text = rows.iter().map(line).collect::<String>();
            Ok::<_, std::io::Error>(Some((Bytes::from(text), next)))
        }
    });
    Ok(head.chain(lines).boxed())
}

fn line(row: &RowReport) -> String {
    let joined = |parts: Vec<&str>| parts.join("; ");
    let cells = [
        row.row.to_string(),
        row.outcome.as_str().to_owned(),
        row.title.clone().unwrap_or_default(),
        row.url.clone().unwrap_or_default(),
        row.item_id.map(|id| id.to_string()).unwrap_or_default(),
        joined(row.problems.iter().map(|problem| problem.code.as_str()).collect()),
        joined(row.problems.iter().map(|problem| problem.reason.as_str()).collect()),
    ];
    cells.map(|cell| quoted(&cell)).join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::import::RowProblem;

    #[test]
    fn table_line_escapes_formulas_and_joins_problems() {
        let problem = |code: &str| RowProblem { row: 3, code: code.to_owned(), reason: "a, b".to_owned() };
        let row = RowReport {
            row: 3,
            outcome: RowOutcome::Skipped,
            item_id: None,
            title: Some("=1+1".to_owned()),
            url: Some("https://example.org/".to_owned()),
            problems: vec![problem("one"), problem("two")],
        };
        let expected = "3,skipped,\"'=1+1\",https://example.org/,,one; two,\"a, b; a, b\"\r\n";
        assert_eq!(line(&row), expected);
        assert_eq!(HEAD.split(',').count(), 7);
    }
}
