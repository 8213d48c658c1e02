//! Libraries with due work: a column of `library_account` stores the due time, and one job per library does the work.

use entities::ids::AccountId;
use sea_orm::ConnectionTrait;

use jobs::{JobKind, NewJob, Submitted};
use kernel::statement::{skip_locked, statement};
use kernel::{Domain, Millis, Result};

/// Maximum number of libraries for which one tick submits jobs.
const LIBRARIES_PER_TICK: u32 = 20;

/// Work on libraries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DueWork {
    /// Column with the due time.
    pub column: &'static str,
    /// Kind of the jobs. Their keys are the ids of the accounts.
    pub kind: JobKind,
    /// Time after which a library is due again if its job was lost.
    pub lease: Millis,
}

impl DueWork {
    /// Submits jobs for the libraries whose work is due.
    pub(crate) async fn claim(self, domain: &Domain) -> Result<Vec<Submitted>> {
        let (now, column) = (domain.now(), self.column);
        let transaction = domain.db().begin().await?;
        let skip_locked = skip_locked(transaction.get_database_backend());
        let sql = format!(
            "UPDATE library_account SET {column} = $2 WHERE {column} <= $1 AND number IN \
             (SELECT number FROM library_account WHERE {column} <= $1 ORDER BY {column} \
             LIMIT {LIBRARIES_PER_TICK} {skip_locked}) RETURNING account_id"
        );
        let values = [now.into(), (now + self.lease).into()];
        let rows = transaction.query_all_raw(statement(&transaction, &sql, values)).await?;
        let mut new = Vec::with_capacity(rows.len());
        for row in &rows {
            let account_id: AccountId = row.try_get_by_index(0)?;
            new.push(NewJob::new(self.kind, account_id.to_string()).owner(account_id));
        }
        let submitted = jobs::submit_all(&transaction, domain, &new).await?;
        transaction.commit().await?;
        Ok(submitted.into_iter().flatten().collect())
    }
}
