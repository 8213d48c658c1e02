//! Applies a mutation in one transaction. Planned items that no longer exist or no longer match are skipped.

use std::collections::HashSet;

use entities::ids::{AccountId, CollectionId, EntryId, FeedId, SubscriptionId};
use entities::rss_subscription::{self, Column};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use super::super::collections::{self, NewCollection, UpdateCollection};
use super::super::entry_notices;
use super::super::follow::{Follow, follow_in};
use super::super::read_state;
use super::super::source::{HealthFilter, select_sources};
use super::super::source_filter::Sources;
use super::super::subscriptions::unfollow_in;
use super::super::validation::check_title;
use super::mutation::{Mutation, MutationOp};
use super::outcome::{MutationOutcome, MutationResult};
use super::plan::{Plan, collection_of, current_sources, matching};
use articles::Address;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result};

/// A mutation that is being applied. Its account is locked.
pub(super) struct MutationRun<'a> {
    pub(super) transaction: &'a DatabaseTransaction,
    pub(super) domain: &'a Domain,
    pub(super) account_id: AccountId,
    pub(super) mutation: &'a Mutation,
}

impl MutationRun<'_> {
    /// Applies the mutation. Of the addresses to follow, only those in `known` are verified feeds. The other
    /// addresses remain pending.
    pub(super) async fn run(&self, plan: &Plan, known: &HashSet<String>) -> Result<MutationResult> {
        match self.mutation.op {
            MutationOp::SourcesFollow => self.follow(known).await,
            MutationOp::SourcesUnfollow | MutationOp::SourcesMove | MutationOp::SourcesRename => {
                self.sources(plan).await
            }
            MutationOp::EntriesMarkRead => self.mark(plan, false).await,
            MutationOp::EntriesMarkUnread => self.mark(plan, true).await,
            // Entries are saved separately, each in its own transaction.
            MutationOp::EntriesSave => Ok(MutationResult::default()),
            MutationOp::CollectionsCreate | MutationOp::CollectionsRename | MutationOp::CollectionsDelete => {
                self.collection(plan).await
            }
        }
    }

    async fn follow(&self, known: &HashSet<String>) -> Result<MutationResult> {
        let collection_id = self.collection_id().await?;
        let mut result = MutationResult::default();
        for url in &self.mutation.set.urls {
            let followed = match Address::parse(self.domain, url) {
                Ok(_) if !known.contains(url) => {
                    result.outcomes.push(MutationOutcome::pending(url));
                    continue;
                }
                Ok(address) => {
                    let feed_url = address.url.as_str().to_owned();
                    let new = Follow { feed_url, collection_id, ..Follow::default() };
                    follow_in(self.transaction, self.domain, self.account_id, new).await
                }
                Err(error) => Err(error),
            };
            match followed {
                Ok(followed) => {
                    result.affected += i64::from(!followed.already_followed);
                    let feed_id = followed.subscription.feed_id;
                    result.outcomes.push(MutationOutcome::done(feed_id.as_i64()).of_url(url));
                }
                Err(error) if error.is_transient() => return Err(error),
                Err(error) => result.outcomes.push(MutationOutcome::refused(None, error.code).of_url(url)),
            }
        }
        Ok(result)
    }

    async fn sources(&self, plan: &Plan) -> Result<MutationResult> {
        let (transaction, account_id) = (self.transaction, self.account_id);
        let filter = current_sources(transaction, account_id, self.mutation).await?;
        let of = async |sources: &Sources| -> Result<HashSet<SubscriptionId>> {
            let now = self.domain.now();
            let rows = select_sources(transaction, account_id, now, sources, HealthFilter::All).await?;
            Ok(rows.into_iter().map(|row| row.subscription_id).collect())
        };
        let (selected, all) = (of(&filter).await?, of(&Sources::default()).await?);
        let mut result = MutationResult::default();
        // Feeds are locked in the order of their ids, as in every transaction that locks several feeds.
        let mut planned = plan.sources.clone();
        planned.sort_unstable_by_key(|(_, feed_id)| *feed_id);
        let mut touched: Vec<(SubscriptionId, FeedId)> = Vec::new();
        for (id, feed_id) in planned {
            if selected.contains(&id) {
                touched.push((id, feed_id));
                result.outcomes.push(MutationOutcome::done(feed_id.as_i64()));
            } else {
                let why = if all.contains(&id) { MutationOutcome::CHANGED } else { Code::NotFound.as_str() };
                result.outcomes.push(MutationOutcome::skipped(feed_id.as_i64(), why));
            }
        }
        result.affected = i64::try_from(touched.len()).unwrap_or(i64::MAX);
        match self.mutation.op {
            MutationOp::SourcesUnfollow => {
                unfollow_in(transaction, self.domain.now(), account_id, &touched).await?;
            }
            MutationOp::SourcesMove => {
                let collection_id = self.collection_id().await?.ok_or_else(|| not_found("collection"))?;
                let moved =
                    rss_subscription::ActiveModel { collection_id: Set(collection_id), ..Default::default() };
                self.update(&touched, moved).await?;
                entry_notices::apply_collection_channels(transaction, account_id, None).await?;
            }
            _ => {
                let title = self.mutation.set.title.as_deref().unwrap_or_default();
                let named =
                    rss_subscription::ActiveModel { title: Set(check_title(title)?), ..Default::default() };
                self.update(&touched, named).await?;
            }
        }
        Ok(result)
    }

    async fn update(
        &self,
        touched: &[(SubscriptionId, FeedId)],
        changed: rss_subscription::ActiveModel,
    ) -> Result<()> {
        for chunk in touched.chunks(500) {
            rss_subscription::Entity::update_many()
                .set(changed.clone())
                .filter(Column::AccountId.eq(self.account_id))
                .filter(Column::Id.is_in(chunk.iter().map(|(id, _)| *id)))
                .exec(self.transaction)
                .await?;
        }
        Ok(())
    }

    /// Returns the collection into which the sources are moved. `None` if the mutation has none.
    async fn collection_id(&self) -> Result<Option<CollectionId>> {
        collection_of(self.transaction, self.account_id, self.mutation).await
    }

    async fn mark(&self, plan: &Plan, unread: bool) -> Result<MutationResult> {
        let through = plan.through.unwrap_or(EntryId::new(0));
        let now = self.domain.now();
        let ids = matching(self.transaction, self.account_id, now, self.mutation, through).await?;
        let mut affected = 0;
        for chunk in ids.chunks(500) {
            affected += read_state::mark_in(self.transaction, self.account_id, chunk, unread).await?;
        }
        Ok(MutationResult { affected: i64::try_from(affected).unwrap_or(i64::MAX), ..Default::default() })
    }

    async fn collection(&self, plan: &Plan) -> Result<MutationResult> {
        let (transaction, domain, account_id) = (self.transaction, self.domain, self.account_id);
        let name = self.mutation.set.name.clone();
        let planned = plan.collections.first().copied();
        let done = match (self.mutation.op, planned) {
            (MutationOp::CollectionsCreate, _) => {
                let new = NewCollection { name: name.unwrap_or_default(), feed_ids: Vec::new() };
                collections::create_in(transaction, domain, account_id, new).await.map(|made| made.id)
            }
            (_, None) => Err(not_found("collection")),
            (MutationOp::CollectionsDelete, Some(id)) => {
                collections::delete_in(transaction, domain.now(), account_id, id).await.map(|()| id)
            }
            (_, Some(id)) => {
                let update = UpdateCollection { name, feed_ids: None };
                let updated = collections::update_in(transaction, domain.now(), account_id, id, update).await;
                updated.map(|_| id)
            }
        };
        let number = planned.map(CollectionId::as_i64);
        match done {
            Ok(id) => Ok(MutationResult { affected: 1, outcomes: vec![MutationOutcome::done(id.as_i64())] }),
            Err(error) if is_item_error(&error) => Ok(MutationResult {
                affected: 0,
                outcomes: vec![MutationOutcome::refused(number, error.code)],
            }),
            Err(error) => Err(error),
        }
    }
}

/// Returns true if the error concerns a single item and not the whole request.
fn is_item_error(error: &Error) -> bool {
    matches!(error.code, Code::NotFound | Code::NameTaken | Code::LimitReached | Code::CollectionImmutable)
}
