//! SQL expressions for the current time: the clock of the database, or a simulated time.

use sea_orm::{ConnectionTrait, DbBackend, Statement};

use kernel::{Domain, Error, Millis, Result};

/// Returns the SQL expression for the database's clock in milliseconds.
pub fn database_now(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
        _ => "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    }
}

/// Returns the SQL expression for the current time that decides whether jobs are due, evaluated once per
/// statement. It is the database's clock, so that a process with a skewed clock neither starts nor delays
/// retries wrongly. A simulated time is known only to the process and is inlined.
pub fn due_now(domain: &Domain, backend: DbBackend) -> String {
    if !domain.is_in_real_time() {
        return domain.now().to_string();
    }
    match backend {
        DbBackend::Postgres => format!("(SELECT {})", database_now(backend)),
        _ => database_now(backend).to_owned(),
    }
}

/// Returns the current time of the database's clock, in milliseconds. Use it for times that one process
/// writes and another process compares with the present, because the clocks of machines differ.
pub async fn database_time(connection: &impl ConnectionTrait, domain: &Domain) -> Result<Millis> {
    if let Some(time) = simulated(domain) {
        return Ok(time);
    }
    let backend = connection.get_database_backend();
    let query = Statement::from_string(backend, format!("SELECT {}", database_now(backend)));
    let row = connection.query_one_raw(query).await?;
    row.ok_or_else(|| Error::internal("the database returned no time"))?
        .try_get_by_index(0)
        .map_err(Error::from)
}

/// Returns the simulated time. `None` if the domain uses real time; statements then use the database's clock.
pub(super) fn simulated(domain: &Domain) -> Option<Millis> {
    (!domain.is_in_real_time()).then(|| domain.now())
}
