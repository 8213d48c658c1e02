//! What a check is: what holds, how a row that breaks it is found, and what to do about it.

/// Something that must always hold.
#[derive(Debug)]
pub struct Check {
    /// Its stable name.
    pub name: &'static str,
    /// What holds.
    pub holds: &'static str,
    /// What to do when it does not.
    pub remedy: &'static str,
    pub(super) test: Test,
}

/// How it is found out.
#[derive(Debug)]
pub(super) enum Test {
    /// No row of a table may meet a condition.
    Rows(Rows),
    /// These indexes, by which the database itself refuses doubles, are there and in use.
    Indexes(&'static [&'static str]),
}

/// Rows that must not be.
#[derive(Debug)]
pub(super) struct Rows {
    /// The table; its rows are called `t`.
    pub(super) table: &'static str,
    /// The column it is walked along; an index answers it.
    pub(super) key: &'static str,
    pub(super) key_type: KeyType,
    /// Rows that one statement looks at.
    pub(super) window: u32,
    /// What no row may meet. `{now}` is the present of this process, `{database_now}` that of the database, `{kinds}`
    /// every kind of job that this version knows.
    pub(super) broken: &'static str,
}

/// What a key is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyType {
    Uuid,
    Number,
    Text,
}

/// Rows that one statement looks at where each costs little.
const WINDOW: u32 = 10_000;
/// Rows that one statement looks at where each stands for many others.
const SMALL_WINDOW: u32 = 20;

impl Rows {
    pub(super) const fn by_uuid(table: &'static str, key: &'static str, broken: &'static str) -> Test {
        Test::Rows(Self { table, key, key_type: KeyType::Uuid, window: WINDOW, broken })
    }

    pub(super) const fn by_number(table: &'static str, key: &'static str, broken: &'static str) -> Test {
        Test::Rows(Self { table, key, key_type: KeyType::Number, window: WINDOW, broken })
    }

    pub(super) const fn by_text(table: &'static str, key: &'static str, broken: &'static str) -> Test {
        Test::Rows(Self { table, key, key_type: KeyType::Text, window: WINDOW, broken })
    }

    /// A table whose rows each stand for many rows of other tables.
    pub(super) const fn of_owners(table: &'static str, key: &'static str, broken: &'static str) -> Test {
        Test::Rows(Self { table, key, key_type: KeyType::Uuid, window: SMALL_WINDOW, broken })
    }
}
