//! Sessions for tests.

use entities::ids::AccountId;
use kernel::Domain;

use crate::accounts::{self, Session};

/// A session of this account, as a browser that signed in has it.
///
/// # Panics
/// If the database refuses it.
pub async fn signed_in(domain: &Domain, account_id: AccountId) -> Session {
    let secret =
        accounts::open_session(domain, domain.db().write(), account_id).await.expect("the session is opened");
    let session = accounts::authenticate(domain, secret.expose()).await.expect("the session can be read");
    session.expect("the session is valid")
}
