//! Definition of a check: its invariant, how violating rows are detected, and how to repair them.

/// An invariant of the database.
#[derive(Debug)]
pub struct Check {
    /// Stable name.
    pub name: &'static str,
    /// Invariant, as a sentence.
    pub invariant: &'static str,
    /// Remedy for a violation.
    pub remedy: &'static str,
    pub(super) test: CheckKind,
}

/// Method of a check.
#[derive(Debug)]
pub(super) enum CheckKind {
    /// No row of a table may satisfy a condition.
    Rows(RowCheck),
    /// These unique indexes must exist and be in use.
    Indexes(&'static [&'static str]),
    /// The store of files and the rows of files must agree.
    Files,
}

/// Query for violating rows.
#[derive(Debug)]
pub(super) struct RowCheck {
    /// Table, with the alias `t`.
    pub(super) table: &'static str,
    /// Indexed column along which the table is walked.
    pub(super) key: &'static str,
    pub(super) key_type: KeyType,
    /// Number of rows examined per statement.
    pub(super) window: u32,
    /// Condition that no row may satisfy. `{now}` is the time of this process, `{database_now}` that of the
    /// database, `{kinds}` the list of all job kinds of this version.
    pub(super) violation: &'static str,
}

/// Type of a key column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyType {
    Uuid,
    Number,
    Text,
}

/// Rows examined per statement if each is cheap.
const WINDOW: u32 = 10_000;
/// Rows examined per statement if each refers to many others.
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

    /// Check of a table whose rows each refer to many rows of other tables.
    pub(super) const fn of_owners(
        table: &'static str,
        key: &'static str,
        violation: &'static str,
    ) -> CheckKind {
        CheckKind::Rows(Self { table, key, key_type: KeyType::Uuid, window: SMALL_WINDOW, violation })
    }
}
