//! Sessions for tests.

use entities::ids::AccountId;
use kernel::Domain;

use crate::accounts::{self, Session};

/// Opens a session of this account, like a browser that signs in.
///
/// # Panics
/// If the session cannot be written to the database.
pub async fn signed_in(domain: &Domain, account_id: AccountId) -> Session {
    let secret =
        accounts::open_session(domain, domain.db().write(), account_id).await.expect("the session is opened");
    let session = accounts::authenticate(domain, secret.expose()).await.expect("the session can be read");
    session.expect("the session is valid")
}
