//! Effect of a migration statement on its tables, determined from its first words.

use sea_orm_migration::sea_orm::DbBackend;

use crate::work::{Action, Listed, Work};

impl Listed for [&str] {
    fn works(&self, backend: DbBackend) -> Vec<Work> {
        self.iter().flat_map(|sql| works_of(sql, backend)).collect()
    }
}

/// Returns the work of a statement.
pub(crate) fn works_of(sql: &str, backend: DbBackend) -> Vec<Work> {
    let separators = |character: char| character.is_whitespace() || "(),;".contains(character);
    let words: Vec<&str> = sql.split(separators).filter(|word| !word.is_empty()).collect();
    let kind: Vec<&str> = words.iter().copied().filter(|word| !is_filler(word)).take(3).collect();
    match kind.as_slice() {
        ["CREATE", "TABLE", name, ..] => created(name, &words),
        ["CREATE", "INDEX", ..] => one(after(&words, "ON"), Action::BuildIndex),
        ["CREATE", "TRIGGER", ..] => one(after(&words, "ON"), Action::Trigger),
        ["DROP", "TABLE", name, ..] => vec![Work::on_table(name, Action::Drop)],
        ["DROP", "INDEX", name, ..] => vec![Work::on_index(name, Action::DropIndex)],
        ["ALTER", "TABLE", name, ..] => altered(name, &words, backend),
        _ => written(&words),
    }
}

/// True for words between the kind of a statement and the name.
fn is_filler(word: &str) -> bool {
    ["IF", "NOT", "EXISTS", "UNIQUE", "VIRTUAL", "UNLOGGED", "{unlogged}"].contains(&word)
}

fn one(table: Option<&str>, action: Action) -> Vec<Work> {
    table.map(|table| Work::on_table(table, action)).into_iter().collect()
}

fn after<'a>(words: &[&'a str], word: &str) -> Option<&'a str> {
    words.iter().skip_while(|other| **other != word).nth(1).copied()
}

fn created(name: &str, words: &[&str]) -> Vec<Work> {
    let mut works = vec![Work::on_table(name, Action::Create)];
    works.extend(references(words).filter(|work| *work != Work::on_table(name, Action::Reference)));
    works
}

/// Returns the tables to which foreign keys of the statement refer.
fn references<'a>(words: &'a [&'a str]) -> impl Iterator<Item = Work> + 'a {
    let pairs = words.iter().zip(words.iter().skip(1));
    pairs
        .filter(|(word, _)| **word == "REFERENCES")
        .map(|(_, table)| Work::on_table(table, Action::Reference))
}

fn altered(name: &str, words: &[&str], backend: DbBackend) -> Vec<Work> {
    // On SQLite, `{computed}` columns are computed when they are read.
    let is_stored = words.contains(&"STORED") || words.contains(&"{computed}");
    let action = match words.get(3).copied() {
        Some("ADD") if is_stored && backend == DbBackend::Postgres => Action::AddComputedColumn,
        Some("ADD") => Action::AddColumn,
        Some("DROP") => Action::DropColumn,
        Some("SET" | "RESET") => Action::Storage,
        _ => Action::Alter,
    };
    let mut works = vec![Work::on_table(name, action)];
    works.extend(references(words));
    works
}

/// Returns the tables in which a statement writes rows.
fn written(words: &[&str]) -> Vec<Work> {
    let mut works: Vec<Work> = Vec::new();
    for (position, word) in words.iter().enumerate() {
        let next = words.get(position + 1).copied().unwrap_or_default();
        let before = position.checked_sub(1).and_then(|before| words.get(before)).copied();
        let table = match *word {
            // Neither the row locks of `FOR UPDATE` nor `ON CONFLICT DO UPDATE`.
            "UPDATE" if !matches!(before, Some("FOR" | "DO" | "KEY")) => next,
            "INTO" => next,
            "FROM" if before == Some("DELETE") => next,
            _ => continue,
        };
        let work = Work::on_table(table, Action::WriteRows);
        if !table.is_empty() && !works.contains(&work) {
            works.push(work);
        }
    }
    works
}
