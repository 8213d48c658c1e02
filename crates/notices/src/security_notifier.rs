//! Notices about security events of an account.

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use identity::security_notices::{SecurityEvent, SecurityNotifier};
use kernel::{Domain, Result};
use language::Key;
use sea_orm::DatabaseTransaction;

use crate::events::{grant_made, key_made, new_sign_in, sign_in_changed};

/// Writes a notice for each security event.
#[derive(Clone, Copy, Debug)]
pub struct ChannelNotifier;

impl SecurityNotifier for ChannelNotifier {
    fn notify<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        domain: &'a Domain,
        account_id: AccountId,
        event: SecurityEvent<'a>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            match event {
                SecurityEvent::SignIn { session, network } => {
                    new_sign_in(transaction, domain, account_id, (session, network)).await
                }
                SecurityEvent::KeyCreated { id, name } => {
                    key_made(transaction, domain, account_id, (id, name)).await
                }
                SecurityEvent::GrantCreated { id, app, own_address } => {
                    grant_made(transaction, domain, (account_id, own_address), (id, app)).await
                }
                SecurityEvent::SecondFactorAdded { at } => {
                    let title = Key("factor-added-title");
                    sign_in_changed(transaction, domain, account_id, (title, at)).await
                }
                SecurityEvent::PasskeyAdded { at } => {
                    let title = Key("passkey-added-title");
                    sign_in_changed(transaction, domain, account_id, (title, at)).await
                }
                SecurityEvent::SingleSignOnAdded { at } => {
                    let title = Key("single-sign-on-added-title");
                    sign_in_changed(transaction, domain, account_id, (title, at)).await
                }
                SecurityEvent::SingleSignOnRemoved { at } => {
                    let title = Key("single-sign-on-removed-title");
                    sign_in_changed(transaction, domain, account_id, (title, at)).await
                }
                SecurityEvent::SecondFactorRemoved { at } => {
                    let title = Key("factor-removed-title");
                    sign_in_changed(transaction, domain, account_id, (title, at)).await
                }
            }
        })
    }
}
