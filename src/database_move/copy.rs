//! Copy of the rows of one table. Memory is bounded, because rows are read and sent in pieces.

use futures_util::TryStreamExt;
use kernel::AccountId;
use library::PostgresIndexRow;
use sea_orm::sqlx::{self, AssertSqlSafe, PgConnection, Row};
use uuid::Uuid;

use super::catalogue::Table;
use super::encoding::CopyText;
use super::source::SourceDatabase;

/// Size in bytes at which encoded rows are sent.
const PIECE_BYTES: usize = 256 * 1024;

/// Function that is called with the number of rows of each sent piece.
pub(super) type Advance<'a> = &'a mut (dyn FnMut(u64) + Send);

/// Result of copying rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Copied {
    pub rows: u64,
    /// Number of removed U+0000 characters.
    pub removed_characters: u64,
}

impl Copied {
    pub(super) fn add(&mut self, other: Self) {
        self.rows += other.rows;
        self.removed_characters += other.removed_characters;
    }
}

/// Copies all rows of a table.
pub(super) async fn copy_table(
    source: &SourceDatabase,
    target: &mut PgConnection,
    table: &Table,
    advance: Advance<'_>,
) -> anyhow::Result<Copied> {
    // SQLite would read an unknown column as a string if its quoted name had no prefix.
    let select = format!("SELECT {} FROM {} t", table.column_names("t."), table.name);
    let mut rows = sqlx::query(AssertSqlSafe(select)).fetch(source.pool());
    let statement = format!("COPY {} ({}) FROM STDIN", table.name, table.column_names(""));
    let mut copy = target.copy_in_raw(&statement).await?;
    let (mut text, mut count) = (CopyText::default(), 0);
    while let Some(row) = rows.try_next().await? {
        for (index, column) in table.columns.iter().enumerate() {
            text.push_value(row.try_get_raw(index)?, &column.data_type)?;
        }
        text.end_row();
        count += 1;
        if text.len() >= PIECE_BYTES {
            copy.send(text.take()).await?;
            advance(std::mem::take(&mut count));
        }
    }
    copy.send(text.take()).await?;
    advance(count);
    Ok(Copied { rows: copy.finish().await?, removed_characters: text.removed_characters })
}

/// Writes the search index of all libraries. Rows have the ids of the source, so that the newest objects have
/// the highest ids; rows without an id get further ids.
pub(super) async fn write_search_index(
    source: &SourceDatabase,
    target: &mut PgConnection,
    advance: Advance<'_>,
) -> anyhow::Result<Copied> {
    let mut last_id = source.last_assigned_id("library_search").await?.unwrap_or(0);
    let accounts: Vec<Uuid> =
        sqlx::query_scalar("SELECT account_id FROM library_account").fetch_all(source.pool()).await?;
    let statement =
        "COPY library_search (id, account_id, object_id, kind, part, counts, word_order, words) FROM STDIN";
    let mut copy = target.copy_in_raw(statement).await?;
    let mut text = CopyText::default();
    for account_id in accounts.into_iter().map(AccountId::from) {
        let mut after = None;
        while let Some(page) = library::index_page(source.connection(), account_id, after).await? {
            for row in &page.rows {
                let id = row.id.unwrap_or_else(|| {
                    last_id += 1;
                    last_id
                });
                push_index_row(&mut text, id, account_id, row);
            }
            copy.send(text.take()).await?;
            advance(u64::try_from(page.rows.len())?);
            after = Some(page.last);
        }
    }
    Ok(Copied { rows: copy.finish().await?, removed_characters: 0 })
}

fn push_index_row(text: &mut CopyText, id: i64, account_id: AccountId, row: &PostgresIndexRow) {
    text.push(id);
    text.push(account_id);
    text.push(row.object_id);
    text.push(row.kind.as_str());
    text.push(row.part);
    text.push_bytes(&row.counts);
    text.push_bytes(&row.word_order);
    text.push_text(row.words.as_bytes());
    text.end_row();
}
