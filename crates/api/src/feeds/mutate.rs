//! Bulk changes to what an account follows, with a dry run and a commit.

use std::sync::Arc;

use articles::Payer;
use feeds::{
    EntryQuery, Mutation, MutationOp, MutationPreview, MutationResult, MutationSelection, MutationSet,
};
use kernel::bounds::{COLLECTION_NAME_CHARS, FEED_TITLE_CHARS};
use kernel::{Code, Error, rfc3339};
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use tokio::time::{Duration, Instant};

use super::filter::{Collections, FeedSourceChoice, Kinds};
use super::query::FeedQueryWhere;
use crate::answers::Errors;
use crate::authorize::{Authorized, Fresh, Write};
use crate::body::Body;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Flag, Name, Text, TextOrNumber, Time, True, Url};
use http_kit::http::request::request;
use http_kit::http::value::List;

/// Maximum time that a commit waits for feeds of unknown URLs to be discovered.
const DISCOVERY_TIMEOUT: Duration = Duration::from_secs(20);

request! {
    /// Selection of the objects to change. Conditions are combined with AND; values of a list with OR.
    /// Operations on sources accept `collection`, `source` and `kind`; operations on collections accept
    /// `collection`.
    pub(super) struct FeedMutateWhere in camelCase {
        /// `true` selects everything; no other condition may be sent.
        all: Option<True>,
        /// Only in these collections, by id or name.
        collection: Option<Collections>,
        /// Only these sources, or all except these.
        source: Option<FeedSourceChoice>,
        /// Only sources of these kinds.
        kind: Option<Kinds>,
        /// Search query for entries, as in queryFeeds.
        text: Option<Text<1, 200>>,
        /// Words of the author's name.
        author: Option<Text<1, 200>>,
        /// Only unread (true) or only read (false) entries.
        unread: Option<Flag>,
        /// Only entries published (if unknown, discovered) after this time, RFC 3339 or a date.
        published_after: Option<Time>,
        /// Only entries published (if unknown, discovered) before this time, RFC 3339 or a date.
        published_before: Option<Time>,
        /// Only entries discovered after this time, RFC 3339 or a date.
        discovered_after: Option<Time>,
        /// Only entries discovered before this time, RFC 3339 or a date.
        discovered_before: Option<Time>,
    }
}

request! {
    /// New values; which fields are needed depends on `op`.
    pub(super) struct FeedMutateSet in camelCase {
        /// For `sources.follow`: URLs of feeds, or of pages that link to a feed.
        urls: Option<List<Url, 1, 50>>,
        /// For `sources.follow` and `sources.move`: target collection, by id or name.
        collection: Option<TextOrNumber<COLLECTION_NAME_CHARS>>,
        /// For `sources.rename`: new title; empty restores the title in the feed.
        title: Option<Text<0, FEED_TITLE_CHARS>>,
        /// For `collections.create` and `collections.rename`: new name.
        name: Option<Name<COLLECTION_NAME_CHARS>>,
    }
}

request! {
    /// Bulk change. Without `dryRun: false` and without `commitToken` it is a dry run.
    pub(super) struct FeedMutateRequest in camelCase {
        /// Operation: `sources.follow`, `.unfollow`, `.move`, `.rename`; `entries.markRead`, `.markUnread`,
        /// `.save`; `collections.create`, `.rename`, `.delete`.
        op: EnumParam<MutationOp> = "entries.markRead",
        /// Selection; `{"all": true}` selects everything. It must match exactly one object for `sources.rename`,
        /// `collections.rename` and `collections.delete`.
        r#where: Option<FeedMutateWhere> = serde_json::json!({"collection": ["Magazines"]}),
        /// New values.
        set: Option<FeedMutateSet>,
        /// True: nothing is changed, and the response has a `commitToken`. Default: true without `commitToken`.
        dry_run: Option<Flag> = true,
        /// Token of a dry run to commit. `where` and `set` may be omitted.
        commit_token: Option<Text<1, 100>>,
    }
}

/// Object that would be changed.
#[derive(Debug, Object)]
pub(super) struct FeedMutateSample {
    /// Id of the object; null if it does not exist yet.
    pub id: Option<i64>,
    /// Title, name or URL of the object.
    pub title: String,
}

/// Outcome for one object.
#[derive(Debug, Object)]
pub(super) struct FeedMutateOutcome {
    /// Id of the source, collection or entry; null if it does not exist yet.
    pub id: Option<i64>,
    /// For `sources.follow`: the URL; otherwise null.
    pub url: Option<String>,
    /// True if the change was made.
    pub ok: bool,
    /// Reason for the failure: `not_found`, `changed` (the object no longer matches the selection), `pending`
    /// (repeat the commit to get the result), or an error code. Null if `ok` is true.
    pub code: Option<String>,
}

/// Result of a dry run or a commit.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct FeedMutateResult {
    /// True if this was a dry run.
    pub dry_run: bool,
    /// Dry run: number of objects that would be changed.
    #[oai(skip_serializing_if_is_none)]
    pub would_affect: Option<i64>,
    /// Dry run: at most 10 of these objects.
    #[oai(skip_serializing_if_is_none)]
    pub sample: Option<Vec<FeedMutateSample>>,
    /// Dry run: token that commits exactly this change.
    #[oai(skip_serializing_if_is_none)]
    pub commit_token: Option<String>,
    /// Dry run: expiry time of `commitToken`, RFC 3339 UTC.
    #[oai(skip_serializing_if_is_none)]
    pub expires_at: Option<String>,
    /// Commit: number of objects that were changed.
    #[oai(skip_serializing_if_is_none)]
    pub affected: Option<i64>,
    /// Commit: true if at least one outcome is not `ok`.
    #[oai(skip_serializing_if_is_none)]
    pub partial: Option<bool>,
    /// Commit: outcome of each source and collection; for entries, only the refused entries.
    #[oai(skip_serializing_if_is_none)]
    pub outcomes: Option<Vec<FeedMutateOutcome>>,
}

pub(crate) struct MutateApi;

#[OpenApi(tag = "ApiTag::Feeds")]
impl MutateApi {
    /// Change many objects at once
    ///
    /// Changes sources, entries and collections. A dry run (`dryRun`, the default) returns the number of objects and
    /// a `commitToken`, valid for 10 minutes. A commit with `op` and the token changes the objects that still match;
    /// repeating it changes nothing. `dryRun: false` without a token changes at most 50 objects; `sources.unfollow`
    /// and `collections.delete` need a token.
    #[oai(path = "/v1/feeds/mutate", method = "post", operation_id = "mutateFeeds")]
    async fn mutate(
        &self,
        caller: Authorized<Write, Fresh>,
        app: Data<&Arc<App>>,
        body: Body<FeedMutateRequest>,
    ) -> Result<Json<FeedMutateResult>, Errors<404, 409, 422>> {
        let payer = Payer { account_id: caller.0.account_id, tier: caller.0.tier };
        let FeedMutateRequest { op, r#where, set, dry_run, commit_token } = body.0;
        let repeats_mutation = r#where.is_some() || set.is_some();
        let mutation = Mutation {
            op: op.0,
            selection: r#where.map(MutationSelection::from),
            set: set.map(MutationSet::from).unwrap_or_default(),
        };
        let is_dry = dry_run.map(|flag| flag.0);
        let committed = match (commit_token, is_dry) {
            (Some(_), Some(true)) => {
                let message = "Send either `commitToken` or `dryRun: true`, not both.";
                let error = Error::new(Code::ConflictingChanges, message);
                return Err(error.at("dry_run", "must not be true together with commitToken").into());
            }
            (Some(token), Some(false) | None) => {
                let repeated = repeats_mutation.then_some(&mutation);
                feeds::commit(&app.domain, payer, &token.0, op.0, repeated).await?
            }
            (None, Some(false)) => feeds::commit_directly(&app.domain, payer, &mutation).await?,
            (None, Some(true) | None) => {
                return Ok(Json(feeds::dry_run(&app.domain, payer, &mutation).await?.into()));
            }
        };
        let result = app.engine.await_result(committed, Instant::now() + DISCOVERY_TIMEOUT).await?;
        Ok(Json(result.into()))
    }
}

impl From<FeedMutateWhere> for MutationSelection {
    fn from(conditions: FeedMutateWhere) -> Self {
        let all = conditions.all.is_some();
        let FeedMutateWhere { collection, source, kind, text, author, unread, .. } = conditions;
        let query = FeedQueryWhere {
            collection,
            source,
            kind,
            text,
            author,
            unread,
            published_after: conditions.published_after,
            published_before: conditions.published_before,
            discovered_after: conditions.discovered_after,
            discovered_before: conditions.discovered_before,
        };
        Self { all, query: EntryQuery::from(query) }
    }
}

impl From<FeedMutateSet> for MutationSet {
    fn from(values: FeedMutateSet) -> Self {
        Self {
            urls: values.urls.into_iter().flat_map(|urls| urls.0).map(|url| url.0).collect(),
            collection: values.collection.map(|name| name.0),
            title: values.title.map(|title| title.0),
            name: values.name.map(|name| name.0),
        }
    }
}

impl From<MutationPreview> for FeedMutateResult {
    fn from(preview: MutationPreview) -> Self {
        let sample = preview.sample.into_iter();
        let sample = sample.map(|one| FeedMutateSample { id: one.id, title: one.title }).collect();
        Self {
            dry_run: true,
            would_affect: Some(preview.would_affect),
            sample: Some(sample),
            commit_token: Some(preview.commit_token),
            expires_at: Some(rfc3339(preview.expires_at)),
            affected: None,
            partial: None,
            outcomes: None,
        }
    }
}

impl From<MutationResult> for FeedMutateResult {
    fn from(result: MutationResult) -> Self {
        let partial = result.is_partial();
        let outcomes = result.outcomes.into_iter();
        let outcomes =
            outcomes.map(|one| FeedMutateOutcome { id: one.id, url: one.url, ok: one.ok, code: one.code });
        Self {
            dry_run: false,
            would_affect: None,
            sample: None,
            commit_token: None,
            expires_at: None,
            affected: Some(result.affected),
            partial: Some(partial),
            outcomes: Some(outcomes.collect()),
        }
    }
}
