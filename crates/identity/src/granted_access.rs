//! Revocation of the access that an account has granted to programs: API keys and OAuth grants.
//!
//! A grant is revoked as a whole, with all its tokens. A password change may revoke keys and grants. When an
//! operator disables an account, its grants are revoked.

use entities::ids::{AccountId, GrantId};
use entities::oauth_grant::{self, GrantEnd};
use entities::{api_key, oauth_refresh};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use kernel::{Domain, Millis, Result};

/// Revokes every key of the account.
pub(crate) async fn revoke_keys(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<()> {
    api_key::Entity::update_many()
        .col_expr(api_key::Column::RevokedAt, domain.now().into())
        .filter(api_key::Column::AccountId.eq(account_id))
        .filter(api_key::Column::RevokedAt.is_null())
        .exec(connection)
        .await?;
    Ok(())
}

/// Revokes every live grant of the account.
pub(crate) async fn end_grants(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    why: GrantEnd,
    now: Millis,
) -> Result<()> {
    let live = oauth_grant::Entity::owned_by(account_id)
        .filter(oauth_grant::Column::EndedAt.is_null())
        .all(connection)
        .await?;
    for row in live {
        end_grant(connection, row.id, why, now).await?;
    }
    Ok(())
}

/// Revokes a grant. Its tokens become invalid, because every use of a token checks the grant. Returns whether
/// the grant was live.
pub(crate) async fn end_grant(
    connection: &impl ConnectionTrait,
    id: GrantId,
    why: GrantEnd,
    now: Millis,
) -> Result<bool> {
    let ended = oauth_grant::Entity::update_many()
        .col_expr(oauth_grant::Column::EndedAt, now.into())
        .col_expr(oauth_grant::Column::EndedWhy, Expr::value(why))
        .filter(oauth_grant::Column::Id.eq(id))
        .filter(oauth_grant::Column::EndedAt.is_null())
        .exec(connection)
        .await?;
    // Refresh tokens of an ended grant are retained as long as other expired tokens.
    oauth_refresh::Entity::update_many()
        .col_expr(oauth_refresh::Column::ExpiresAt, now.into())
        .filter(oauth_refresh::Column::GrantId.eq(id))
        .filter(oauth_refresh::Column::ExpiresAt.gt(now))
        .exec(connection)
        .await?;
    Ok(ended.rows_affected > 0)
}
