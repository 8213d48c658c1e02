//! Authentication by access token, with one database statement.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, GrantId};
use entities::oauth_grant;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, FromQueryResult, QueryFilter,
};

use super::audience::{Audience, Resource};
use super::scopes;
use crate::caller::{Caller, ClientHash, Credential};
use crate::limits::Network;
use kernel::statement::statement;
use kernel::tiers::Tier;
use kernel::{Code, Domain, Error, Millis, Result, Secret, SecretKind};

/// Minimum time between two updates of `last_used_at`.
const LAST_USED_STEP: Millis = 60_000;
/// Selects a token that is valid at `$2`, with its grant and owner.
const FIND: &str = "SELECT g.id AS grant_id, g.client_hash, g.account_id, g.last_used_at, g.used_generation, \
    a.generation, a.scopes, a.resources, o.tier FROM oauth_access a \
    JOIN oauth_grant g ON g.id = a.grant_id JOIN account o ON o.id = g.account_id \
    WHERE a.hash = $1 AND a.expires_at > $2 AND g.ended_at IS NULL AND g.expires_at > $2 AND o.disabled_at IS NULL";

#[derive(FromQueryResult)]
struct TokenRow {
    grant_id: GrantId,
    client_hash: Vec<u8>,
    account_id: AccountId,
    last_used_at: Option<Millis>,
    used_generation: i64,
    generation: i64,
    scopes: String,
    resources: String,
    tier: String,
}

/// Authenticates the caller of an access token presented at `resource`. Every invalid token gets the same
/// error.
///
/// # Errors
/// `invalid_credential`; `service_unavailable`.
#[boxed]
pub async fn authenticate(
    domain: &Domain,
    text: &str,
    resource: Resource,
    network: Option<&Network>,
) -> Result<Caller> {
    let secret = Secret::parse(text, SecretKind::Access).ok_or_else(invalid_credential)?;
    let connection = domain.db().read();
    let values = [secret.hash().to_vec().into(), domain.now().into()];
    let row = connection.query_one_raw(statement(connection, FIND, values)).await?;
    let token =
        row.map(|row| TokenRow::from_query_result(&row, "")).transpose()?.ok_or_else(invalid_credential)?;
    if !Audience::of_row(&token.resources).covers(resource) {
        return Err(invalid_credential());
    }
    let client = ClientHash::of_row(&token.client_hash).ok_or_else(invalid_credential)?;
    record_use(domain, &token, network);
    Ok(Caller {
        account_id: token.account_id,
        tier: Tier::parse(&token.tier).unwrap_or_default(),
        scopes: scopes::of_row(&token.scopes),
        credential: Credential::Token { grant: token.grant_id, client },
    })
}

/// Records the use of a grant in a separate task: the first use of each token generation, and otherwise at
/// most one use per minute.
fn record_use(domain: &Domain, token: &TokenRow, network: Option<&Network>) {
    let now = domain.now();
    let is_new = token.generation > token.used_generation;
    if !is_new && token.last_used_at.is_some_and(|at| now - at < LAST_USED_STEP) {
        return;
    }
    let (domain, id, generation) = (domain.clone(), token.grant_id, token.generation);
    let from = network.map(|network| network.as_str().to_owned());
    tokio::spawn(async move {
        let older = Condition::any()
            .add(oauth_grant::Column::LastUsedAt.is_null())
            .add(oauth_grant::Column::LastUsedAt.lte(now - LAST_USED_STEP))
            .add(oauth_grant::Column::UsedGeneration.lt(generation));
        let column = Expr::col(oauth_grant::Column::UsedGeneration);
        let greater = Expr::case(column.clone().lt(generation), generation).finally(column);
        let mut update = oauth_grant::Entity::update_many()
            .col_expr(oauth_grant::Column::LastUsedAt, now.into())
            .col_expr(oauth_grant::Column::UsedGeneration, greater.into());
        if let Some(from) = from {
            update = update.col_expr(oauth_grant::Column::LastUsedFrom, from.into());
        }
        let result =
            update.filter(oauth_grant::Column::Id.eq(id)).filter(older).exec(domain.db().write()).await;
        if let Err(error) = result {
            tracing::debug!(%error, "failed to record the last use of a grant");
        }
    });
}

fn invalid_credential() -> Error {
    Error::new(Code::InvalidCredential, "This credential is not valid.")
}
