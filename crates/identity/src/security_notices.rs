//! Security events of an account, about which its channels are notified.

use std::sync::Arc;

use entities::ids::{AccountId, GrantId, KeyId};
use futures_util::future::BoxFuture;
use kernel::{Domain, Millis, Result};
use sea_orm::DatabaseTransaction;

/// A security event of an account.
#[derive(Clone, Copy, Debug)]
pub enum SecurityEvent<'a> {
    /// An unknown browser signed in. `session` is the session's name.
    SignIn { session: &'a [u8], network: &'a str },
    /// An API key was created.
    KeyCreated { id: KeyId, name: &'a str },
    /// An app was granted access. A channel with the address `own_address` is not notified, because a
    /// separate mail is sent to it.
    GrantCreated { id: GrantId, app: &'a str, own_address: &'a str },
    /// Sign-in asks for a code from now on.
    SecondFactorAdded { at: Millis },
    /// A passkey was added.
    PasskeyAdded { at: Millis },
    /// Single sign-on was connected to the account.
    SingleSignOnAdded { at: Millis },
    /// Single sign-on was disconnected from the account by its owner.
    SingleSignOnRemoved { at: Millis },
    /// Sign-in no longer asks for a code.
    SecondFactorRemoved { at: Millis },
}

/// Writes notices of security events in the transaction that causes them.
pub trait SecurityNotifier: Send + Sync {
    /// Notifies the channels of an account.
    fn notify<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        domain: &'a Domain,
        account_id: AccountId,
        event: SecurityEvent<'a>,
    ) -> BoxFuture<'a, Result<()>>;
}

/// The notifier installed in the [`Domain`] handle.
#[derive(Clone)]
pub struct InstalledNotifier(pub Arc<dyn SecurityNotifier>);

/// Notifies the channels of an account if a notifier is installed.
///
/// # Errors
/// Returns the error of a failed database statement.
pub(crate) async fn notify(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    event: SecurityEvent<'_>,
) -> Result<()> {
    match domain.installed::<InstalledNotifier>() {
        Some(notifier) => notifier.0.notify(transaction, domain, account_id, event).await,
        None => Ok(()),
    }
}
