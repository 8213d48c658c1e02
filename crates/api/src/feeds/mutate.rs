//! Many changes of what an account follows at once: tried first, then committed.

use std::sync::Arc;

use articles::Payer;
use feeds::{EntryQuery, Meant, Mutation, MutationResult, MutationSet, Op, Preview};
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
use crate::tag::Tag;
use http_kit::app::App;
use http_kit::http::params::{Flag, Name, Text, TextOrNumber, Time, True, Url};
use http_kit::http::request::request;
use http_kit::http::value::List;
use http_kit::http::word::Word;

/// So long is waited for addresses that nobody knows yet.
const PATIENCE: Duration = Duration::from_secs(20);

request! {
    /// What is meant: all fields hold together, of each list one. Sources take `collection`, `source` and `kind`;
    /// collections take `collection`.
    pub(super) struct FeedMutateWhere in camelCase {
        /// Everything; alone.
        all: Option<True>,
        /// In these collections, by id or name.
        collection: Option<Collections>,
        /// These sources, or all but these.
        source: Option<FeedSourceChoice>,
        /// Of these kinds: `feed`, `monitor`.
        kind: Option<Kinds>,
        /// A query about entries, as queryFeeds takes it.
        text: Option<Text<1, 200>>,
        /// Words of an author's name.
        author: Option<Text<1, 200>>,
        /// Only unread entries, or only read ones.
        unread: Option<Flag>,
        /// Published after this time; discovered after it, where the source gives no time.
        published_after: Option<Time>,
        /// Published before this time.
        published_before: Option<Time>,
        /// Discovered after this time.
        discovered_after: Option<Time>,
        /// Discovered before this time.
        discovered_before: Option<Time>,
    }
}

request! {
    /// What is set, as the operation needs it.
    pub(super) struct FeedMutateSet in camelCase {
        /// Of `sources.follow`: feeds or pages.
        urls: Option<List<Url, 1, 50>>,
        /// Of `sources.follow` and `sources.move`: where they are put, by id or name.
        collection: Option<TextOrNumber<COLLECTION_NAME_CHARS>>,
        /// Of `sources.rename`: the title; empty for the feed's own.
        title: Option<Text<0, FEED_TITLE_CHARS>>,
        /// Of `collections.create` and `collections.rename`.
        name: Option<Name<COLLECTION_NAME_CHARS>>,
    }
}

request! {
    /// What is to be done. Without `dryRun: false` and without `commitToken` it is only tried.
    pub(super) struct FeedMutateRequest in camelCase {
        /// `sources.follow`, `.unfollow`, `.move`, `.rename`; `entries.markRead`, `.markUnread`, `.save`;
        /// `collections.create`, `.rename`, `.delete`.
        op: Word<Op> = "entries.markRead",
        /// To what; `{"all": true}` means everything. Renaming and deleting a collection take exactly one thing.
        r#where: Option<FeedMutateWhere> = serde_json::json!({"collection": ["Magazines"]}),
        /// What is set.
        set: Option<FeedMutateSet>,
        /// Default true: nothing is changed, and the answer has a `commitToken`.
        dry_run: Option<Flag> = true,
        /// Commits what was tried; then `op` is all that is needed beside it.
        commit_token: Option<Text<1, 100>>,
    }
}

/// Something that would be changed.
#[derive(Debug, Object)]
pub(super) struct FeedMutateSample {
    /// Its id; null for what is not there yet.
    pub id: Option<i64>,
    /// Its title, name or address.
    pub title: String,
}

/// What came of one thing.
#[derive(Debug, Object)]
pub(super) struct FeedMutateOutcome {
    /// Of the source, collection or entry; null for what is not there yet.
    pub id: Option<i64>,
    /// Of `sources.follow`: the address.
    pub url: Option<String>,
    /// Whether it was done.
    pub ok: bool,
    /// Why not: `not_found`, `changed` (it is not what was meant any more), `pending` (commit again to learn), or the code
    /// of the refusal.
    pub code: Option<String>,
}

/// What was done, or would be.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct FeedMutateResult {
    /// Whether it was only tried.
    pub dry_run: bool,
    /// Of a dry run: how much would be changed.
    #[oai(skip_serializing_if_is_none)]
    pub would_affect: Option<i64>,
    /// Of a dry run: at most 10 of those.
    #[oai(skip_serializing_if_is_none)]
    pub sample: Option<Vec<FeedMutateSample>>,
    /// Of a dry run: commits exactly this.
    #[oai(skip_serializing_if_is_none)]
    pub commit_token: Option<String>,
    /// Of a dry run: until when.
    #[oai(skip_serializing_if_is_none)]
    pub expires_at: Option<String>,
    /// Of a commit: how much was changed.
    #[oai(skip_serializing_if_is_none)]
    pub affected: Option<i64>,
    /// Of a commit: whether some outcome is not ok.
    #[oai(skip_serializing_if_is_none)]
    pub partial: Option<bool>,
    /// Of a commit: what came of each source and collection; of entries, what was refused.
    #[oai(skip_serializing_if_is_none)]
    pub outcomes: Option<Vec<FeedMutateOutcome>>,
}

/// Changes of many things.
pub struct MutateApi;

#[OpenApi(tag = "Tag::Feeds")]
impl MutateApi {
    /// Change many things at once
    ///
    /// Sources, entries and collections. First try it (`dryRun`, the default): the answer says how much would be changed and
    /// gives a `commitToken`, good for 10 minutes. Then commit with `op` and that token: what was found and is still meant
    /// is changed, once. Without a token `dryRun: false` changes at most 50 things, and nothing that cannot be undone.
    #[oai(path = "/v1/feeds/mutate", method = "post", operation_id = "mutateFeeds")]
    async fn mutate(
        &self,
        caller: Authorized<Write, Fresh>,
        app: Data<&Arc<App>>,
        body: Body<FeedMutateRequest>,
    ) -> Result<Json<FeedMutateResult>, Errors<404, 409, 422>> {
        let payer = Payer { account_id: caller.0.account_id, tier: caller.0.tier };
        let FeedMutateRequest { op, r#where, set, dry_run, commit_token } = body.0;
        let is_whole = r#where.is_some() || set.is_some();
        let mutation = Mutation {
            op: op.0,
            meant: r#where.map(Meant::from),
            set: set.map(MutationSet::from).unwrap_or_default(),
        };
        let is_dry = dry_run.map(|flag| flag.0);
        let committed = match (commit_token, is_dry) {
            (Some(_), Some(true)) => {
                let message = "A `commitToken` commits: `dryRun` must not be true beside it.";
                let error = Error::new(Code::ConflictingChanges, message);
                return Err(error.at("dry_run", "must not be true beside commitToken").into());
            }
            (Some(token), Some(false) | None) => {
                let again = is_whole.then_some(&mutation);
                feeds::commit(&app.domain, payer, &token.0, op.0, again).await?
            }
            (None, Some(false)) => feeds::commit_at_once(&app.domain, payer, &mutation).await?,
            (None, Some(true) | None) => {
                return Ok(Json(feeds::try_out(&app.domain, payer, &mutation).await?.into()));
            }
        };
        let result = app.engine.await_result(committed, Instant::now() + PATIENCE).await?;
        Ok(Json(result.into()))
    }
}

impl From<FeedMutateWhere> for Meant {
    fn from(sent: FeedMutateWhere) -> Self {
        let all = sent.all.is_some();
        let FeedMutateWhere { collection, source, kind, text, author, unread, .. } = sent;
        let query = FeedQueryWhere {
            collection,
            source,
            kind,
            text,
            author,
            unread,
            published_after: sent.published_after,
            published_before: sent.published_before,
            discovered_after: sent.discovered_after,
            discovered_before: sent.discovered_before,
        };
        Self { all, query: EntryQuery::from(query) }
    }
}

impl From<FeedMutateSet> for MutationSet {
    fn from(sent: FeedMutateSet) -> Self {
        Self {
            urls: sent.urls.into_iter().flat_map(|urls| urls.0).map(|url| url.0).collect(),
            collection: sent.collection.map(|name| name.0),
            title: sent.title.map(|title| title.0),
            name: sent.name.map(|name| name.0),
        }
    }
}

impl From<Preview> for FeedMutateResult {
    fn from(preview: Preview) -> Self {
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
