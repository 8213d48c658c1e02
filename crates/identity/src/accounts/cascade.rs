//! Deletes an account with everything it owns: its rows in the tables of this crate and of the registered
//! capabilities.

use entities::ids::AccountId;
use sea_orm::EntityTrait;

use kernel::{Domain, Result};

use kernel::statement::execute;

use super::account;
use crate::account_rows::AccountOwners;

/// Tables of this crate with an `account_id`, referencing tables first. They are emptied after the tables of
/// the registered capabilities.
pub const TABLES: &[&str] = &[
    "session", "passkey", "oidc_identity", "recovery_code", "second_factor", "password_reset",
    "email_change", "mail", "app_credential", "agent_approval", "agent_approval_rule", "agent_call",
    "agent_limit", "agent_subscription", "agent_toolset", "api_key", "oauth_grant", "usage_day",
    "credit_entry", "credit_month", "team_invitation", "team_member", "team",
];

/// Mail that a person requested without signing in has no `account_id`, only a recipient.
const DELETE_MAIL_BY_RECIPIENT: &str =
    "DELETE FROM mail WHERE recipient = (SELECT email FROM account WHERE id = $1)";

/// Deletes an account and everything it owns. Its keys and sessions become invalid when the transaction
/// commits.
pub(super) async fn delete_account(domain: &Domain, account_id: AccountId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    account::lock(&transaction, account_id).await?;
    let owners = AccountOwners::installed(domain);
    for owner in &owners.0 {
        owner.before_deletion(&transaction, domain, account_id).await?;
    }
    let tables = owners.0.iter().flat_map(|owner| owner.tables()).chain(TABLES);
    for table in tables {
        let sql = format!("DELETE FROM {table} WHERE account_id = $1");
        execute(&transaction, &sql, [account_id.into()]).await?;
    }
    execute(&transaction, DELETE_MAIL_BY_RECIPIENT, [account_id.into()]).await?;
    entities::account::Entity::delete_by_id(account_id).exec(&transaction).await?;
    transaction.commit().await?;
    Ok(())
}
