//! Definition of a check: its invariant, the query that finds violating rows, and the remedy.

/// Check of one database invariant.
#[derive(Debug)]
pub struct Check {
    /// Stable name of the check.
    pub name: &'static str,
    /// The invariant, as a sentence.
    pub invariant: &'static str,
    /// Instruction for repairing a violation.
    pub remedy: &'static str,
    pub(super) test: CheckKind,
}

/// Method by which a check finds violations.
#[derive(Debug)]
pub(super) enum CheckKind {
    /// Searches a table for rows that satisfy a condition.
    Rows(RowCheck),
    /// Checks that these unique indexes exist and are in use.
    Indexes(&'static [&'static str]),
    /// Compares the blob store with the rows that reference its files.
    Files,
    /// Compares the blob store with the rows that reference screenshots.
    Screenshots,
}

/// Query that finds violating rows of one table.
#[derive(Debug)]
pub(super) struct RowCheck {
    /// Table. Its alias is `t`.
    pub(super) table: &'static str,
    /// Indexed column whose order the check follows.
    pub(super) key: &'static str,
    pub(super) key_type: KeyType,
    /// Number of rows that one statement examines.
    pub(super) window: u32,
    /// Condition that no row may satisfy. `{now}` is the time of this process, `{database_now}` the time of
    /// the database, and `{kinds}` the list of all job kinds of this version.
    pub(super) violation: &'static str,
}

/// Type of a key column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyType {
    Uuid,
    Number,
    Text,
}

/// Number of rows that one statement examines if each row is cheap to check.
const WINDOW: u32 = 10_000;
/// Number of rows that one statement examines if each row references many rows of other tables.
const SMALL_WINDOW: u32 = 20;

impl RowCheck {
    pub(super) const fn by_uuid(
        table: &'static str,
        key: &'static str,
        violation: &'static str,
    ) -> CheckKind {
        CheckKind::Rows(Self { table, key, key_type: KeyType::Uuid, window: WINDOW, violation })
    }

    pub(super) const fn by_number(
        table: &'static str,
        key: &'static str,
        violation: &'static str,
    ) -> CheckKind {
        CheckKind::Rows(Self { table, key, key_type: KeyType::Number, window: WINDOW, violation })
    }

    pub(super) const fn by_text(
        table: &'static str,
        key: &'static str,
        violation: &'static str,
    ) -> CheckKind {
        CheckKind::Rows(Self { table, key, key_type: KeyType::Text, window: WINDOW, violation })
    }

    /// Creates a check of a table whose rows each reference many rows of other tables.
    pub(super) const fn of_owners(
        table: &'static str,
        key: &'static str,
        violation: &'static str,
    ) -> CheckKind {
        CheckKind::Rows(Self { table, key, key_type: KeyType::Uuid, window: SMALL_WINDOW, violation })
    }
}
