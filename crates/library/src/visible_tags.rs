//! Tags whose items other people can see, because the tags are public or shared with a team.

use entities::ids::AccountId;
use entities::{library_public_tag, team_tag};
use sea_orm::{ConnectionTrait, QuerySelect};

use kernel::Result;

/// Returns the case-folded public and shared tags of an account.
pub(crate) async fn visible_keys(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<Vec<String>> {
    let public = library_public_tag::Entity::owned_by(account_id)
        .select_only()
        .column(library_public_tag::Column::TagKey);
    let mut keys = public.into_tuple::<String>().all(connection).await?;
    let shared =
        team_tag::Entity::owned_by(account_id).select_only().column(team_tag::Column::TagKey).distinct();
    keys.extend(shared.into_tuple::<String>().all(connection).await?);
    Ok(keys)
}
