//! Statements over job rows. Placeholders for the current time are replaced with SQL expressions.

use sea_orm::{ConnectionTrait, Statement, Value};

use super::database_clock::{database_now, due_now};
use kernel::Domain;
use kernel::statement::skip_locked;

/// Builds a statement. `{now}` is replaced by the database's clock, and `{skip}` by the clause with which a
/// sub-select skips locked rows.
pub(super) fn statement(
    connection: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Statement {
    let backend = connection.get_database_backend();
    let text = sql.replace("{now}", database_now(backend)).replace("{skip}", skip_locked(backend));
    Statement::from_sql_and_values(backend, text, values)
}

/// Builds a statement like [`statement`] in which `{due}` is also replaced by the time that decides whether
/// jobs are due.
pub(super) fn statement_about_due(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Statement {
    let due = due_now(domain, connection.get_database_backend());
    statement(connection, &sql.replace("{due}", &due), values)
}
