//! Work of migration steps on tables, for the plan.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

/// Kind of work of a step on a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Creates the table.
    Create,
    /// Adds a foreign key of another table that references this table.
    Reference,
    /// Adds a column without work on rows.
    AddColumn,
    /// Adds a column whose values PostgreSQL computes for every row.
    AddComputedColumn,
    DropColumn,
    /// Builds an index in a transaction.
    BuildIndex,
    /// Builds an index while callers read and write.
    BuildIndexOnline,
    DropIndex,
    /// Drops an index while callers read and write.
    DropIndexOnline,
    /// Writes rows in one statement.
    WriteRows,
    /// Writes rows in batches, each committed on its own.
    WriteRowsInBatches,
    /// Changes a trigger.
    Trigger,
    /// Changes how the table is stored.
    Storage,
    /// Changes the table in another way.
    Alter,
    /// Drops the table.
    Drop,
}

impl Action {
    /// Describes the action in words, such as `adds a column`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Create => "creates the table",
            Self::Reference => "is referenced by a new foreign key",
            Self::AddColumn => "adds a column",
            Self::AddComputedColumn => "adds a computed column",
            Self::DropColumn => "drops a column",
            Self::BuildIndex | Self::BuildIndexOnline => "builds an index",
            Self::DropIndex | Self::DropIndexOnline => "drops an index",
            Self::WriteRows => "writes rows",
            Self::WriteRowsInBatches => "writes rows in batches",
            Self::Trigger => "changes a trigger",
            Self::Storage => "changes storage settings",
            Self::Alter => "changes the table",
            Self::Drop => "drops the table",
        }
    }

    /// Returns the lock on the table in PostgreSQL's words, with its effect on callers. On SQLite, the only
    /// lock is the lock of the file.
    #[must_use]
    pub fn postgres_lock(self) -> &'static str {
        match self {
            Self::Create => "none: the table is new",
            Self::Reference | Self::Trigger => "SHARE ROW EXCLUSIVE: writes wait for a moment",
            Self::AddColumn | Self::DropColumn | Self::DropIndex | Self::Alter | Self::Drop => {
                "ACCESS EXCLUSIVE: reads and writes wait for a moment"
            }
            Self::AddComputedColumn => "ACCESS EXCLUSIVE: reads and writes wait until the step is done",
            Self::BuildIndex => "SHARE: writes wait until the step is done",
            Self::BuildIndexOnline | Self::DropIndexOnline | Self::Storage => {
                "SHARE UPDATE EXCLUSIVE: no caller waits"
            }
            Self::WriteRows => "ROW EXCLUSIVE: writes to the same rows wait until the step is done",
            Self::WriteRowsInBatches => "ROW EXCLUSIVE: writes to the rows of a batch wait for a moment",
        }
    }

    /// Returns the kind of work that is done for each row. `None` if the time does not depend on the number
    /// of rows.
    #[must_use]
    pub fn work_of_rows(self, backend: DbBackend) -> Option<RowWork> {
        match self {
            Self::BuildIndex | Self::BuildIndexOnline => Some(RowWork::Index),
            Self::AddComputedColumn | Self::WriteRows | Self::WriteRowsInBatches => Some(RowWork::Write),
            // SQLite rewrites the table.
            Self::DropColumn if backend == DbBackend::Sqlite => Some(RowWork::Write),
            _ => None,
        }
    }
}

/// Kind of work for each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowWork {
    /// The row is read and sorted into an index.
    Index,
    /// The row is written.
    Write,
}

/// Work of a step on one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) on: WorkSubject,
    pub(crate) action: Action,
}

/// Table of a [`Work`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WorkSubject {
    /// Table with this name.
    Table(String),
    /// Table of the index with this name, which the database looks up.
    OfIndex(String),
}

impl Work {
    pub(crate) fn on_table(table: &str, action: Action) -> Self {
        Self { on: WorkSubject::Table(table.to_owned()), action }
    }

    pub(crate) fn on_index(index: &str, action: Action) -> Self {
        Self { on: WorkSubject::OfIndex(index.to_owned()), action }
    }
}

/// Migration that lists its work.
pub(crate) trait PlannedMigration: MigrationTrait {
    /// Returns the work in the order of its execution.
    fn works(&self, backend: DbBackend) -> Vec<Work>;
}

/// List from which a migration is built.
pub(crate) trait Listed {
    fn works(&self, backend: DbBackend) -> Vec<Work>;
}

/// Returns the work of a step that only creates these tables with their indexes.
pub(crate) fn new_tables(names: &[&str]) -> Vec<Work> {
    names.iter().map(|name| Work::on_table(name, Action::Create)).collect()
}
