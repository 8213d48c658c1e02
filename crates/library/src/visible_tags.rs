//! Tags whose items other people can see, because the tags are public or shared with a team.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::{library_public_tag, team_tag};
use sea_orm::{ConnectionTrait, QuerySelect};

use kernel::tag::Tag;
use kernel::{Domain, Result};

/// Public and shared tags of an account.
#[derive(Debug)]
pub struct VisibleTags {
    /// Case-folded names.
    keys: Vec<String>,
}

impl VisibleTags {
    pub(crate) async fn load(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<Self> {
        let public = library_public_tag::Entity::owned_by(account_id)
            .select_only()
            .column(library_public_tag::Column::TagKey);
        let mut keys = public.into_tuple::<String>().all(connection).await?;
        let shared =
            team_tag::Entity::owned_by(account_id).select_only().column(team_tag::Column::TagKey).distinct();
        keys.extend(shared.into_tuple::<String>().all(connection).await?);
        Ok(Self { keys })
    }

    pub(crate) fn contains(&self, tag: &Tag) -> bool {
        self.keys.contains(&tag.key)
    }

    /// Returns the public and shared tags among `names`.
    pub fn among(&self, names: &[String]) -> Vec<String> {
        let is_visible = |name: &&String| Tag::of(name).is_some_and(|tag| self.contains(&tag));
        names.iter().filter(is_visible).cloned().collect()
    }
}

/// Loads the public and shared tags of an account. Rules and received messages do not add them.
#[boxed]
pub async fn visible_tags(domain: &Domain, account_id: AccountId) -> Result<VisibleTags> {
    VisibleTags::load(domain.db().read(), account_id).await
}
