//! Operations on the search by meaning with the operator's language model.

use std::sync::Arc;

use kernel::rfc3339;
use model::{MAX_QUERY_CHARS, ModelTaskState, SearchedTexts};
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};

use super::examples::item_id;
use crate::answers::Errors;
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::error::ApiError;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::Text;
use http_kit::http::request::request;

request! {
    /// Request for a search by meaning.
    pub(super) struct LibraryMeaningSearchRequest in camelCase {
        /// Description of the texts to find. They need not contain its words.
        query: Text<1, MAX_QUERY_CHARS> = "how towns pay for street lamps",
        /// Texts to search: `items` of the library, unread and starred `entries` of feeds, or `all`.
        searched: EnumParam<SearchedTexts> = "all" => EnumParam(SearchedTexts::Items),
    }
}

/// Latest search by meaning of the account.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryMeaningSearch {
    /// Query of the search.
    pub query: String,
    /// Texts that are searched.
    pub searched: EnumParam<SearchedTexts>,
    /// State of the search.
    pub state: EnumParam<ModelTaskState>,
    /// Ids of items (UUID), best first. Empty unless the state is `ready`. Items may have been deleted since.
    pub item_ids: Vec<String>,
    /// Number of items whose texts were compared.
    pub compared: i32,
    /// Number of items that could not be compared: those that are not indexed yet, that have excluded tags, or that
    /// exceed the limit of the plan.
    pub unindexed: i32,
    /// Ids of entries, best first. Empty unless the state is `ready`. Entries may have been deleted since.
    pub entry_ids: Vec<i64>,
    /// Number of entries whose texts were compared.
    pub entries_compared: i32,
    /// Number of entries that could not be compared. A further search continues with those that have a title or a
    /// summary.
    pub entries_unindexed: i32,
    /// True if older entries were not compared, because only the newest 1,000 unread and 500 starred entries are.
    pub entries_cut: bool,
    /// Statements about items that were not compared, or only in part, such as `Indexed 1900 of 2400 items.` Empty if there
    /// are none, or if the state is not `ready`.
    pub warnings: Vec<String>,
    /// Error code of a failed request to the model, including a request that indexes items in the background;
    /// otherwise null.
    pub reason: Option<String>,
    /// Time of the request, RFC 3339 UTC.
    pub requested_at: String,
    /// Time of the result, RFC 3339 UTC; null until there is one.
    pub finished_at: Option<String>,
}

/// Returns statements about items that were not compared, or only in part.
fn warnings(search: &model::MeaningSearch) -> Vec<String> {
    let (indexed, unindexed) = (search.compared, search.unindexed);
    let statements = [
        (unindexed > 0).then(|| format!("Indexed {indexed} of {} items.", indexed.saturating_add(unindexed))),
        search
            .items_cut
            .then(|| "The plan allows no further passages, so the oldest items are not indexed.".to_owned()),
        (search.items_partial > 0).then(|| format!("Items indexed only in part: {}.", search.items_partial)),
    ];
    statements.into_iter().flatten().collect()
}

impl From<model::MeaningSearch> for LibraryMeaningSearch {
    fn from(search: model::MeaningSearch) -> Self {
        Self {
            warnings: warnings(&search),
            query: search.query,
            searched: EnumParam(search.searched),
            state: EnumParam(search.state),
            item_ids: search.item_ids.iter().map(ToString::to_string).collect(),
            compared: search.compared,
            unindexed: search.unindexed,
            entry_ids: search.entry_ids.iter().map(|id| id.as_i64()).collect(),
            entries_compared: search.entries_compared,
            entries_unindexed: search.entries_unindexed,
            entries_cut: search.entries_cut,
            reason: search.reason,
            requested_at: rfc3339(search.requested_at),
            finished_at: search.finished_at.map(rfc3339),
        }
    }
}

/// Response with the latest search by meaning.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryMeaningSearchOne {
    /// The search; null if there was none.
    pub search: Option<LibraryMeaningSearch>,
}

impl Example for LibraryMeaningSearchOne {
    fn example() -> Self {
        let search = LibraryMeaningSearch {
            query: "how towns pay for street lamps".into(),
            searched: EnumParam(SearchedTexts::All),
            state: EnumParam(ModelTaskState::Ready),
            item_ids: vec![item_id()],
            compared: 1_900,
            unindexed: 500,
            entry_ids: vec![48_213],
            entries_compared: 870,
            entries_unindexed: 0,
            entries_cut: false,
            warnings: vec!["Indexed 1900 of 2400 items.".into()],
            reason: None,
            requested_at: "2026-11-20T12:00:00.000Z".into(),
            finished_at: Some("2026-11-20T12:00:02.000Z".into()),
        };
        Self { search: Some(search) }
    }
}

#[derive(ApiResponse)]
pub(super) enum MeaningSearchAccepted {
    /// A worker carries out the search. While a search is pending, it is returned and no other is started.
    #[oai(status = 202)]
    Accepted(Json<LibraryMeaningSearchOne>),
}

pub(crate) struct MeaningSearchApi;

#[OpenApi(tag = "ApiTag::Library")]
impl MeaningSearchApi {
    /// Get the latest search by meaning
    ///
    /// Returns the latest search of the account with its results.
    #[oai(path = "/v1/library/meaning-search", method = "get", operation_id = "getLibraryMeaningSearch")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<LibraryMeaningSearchOne>, ApiError> {
        let search = model::latest_search(&app.domain, caller.0.account_id).await?;
        Ok(Json(LibraryMeaningSearchOne { search: search.map(LibraryMeaningSearch::from) }))
    }

    /// Search the library and entries by meaning
    ///
    /// Lets the embedding model of this installation compare the indexed items, or the newest 1,000 unread and 500
    /// starred entries, or both, with the query. Items are indexed in the background, newest first, up to the limit
    /// of the plan: the first 100,000 characters of each. Items with excluded tags are not indexed. Texts of entries
    /// are sent when they are compared for the first time. The person must have switched the model on in the
    /// settings.
    #[oai(path = "/v1/library/meaning-search", method = "post", operation_id = "startLibraryMeaningSearch")]
    async fn start(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<LibraryMeaningSearchRequest>,
    ) -> Result<MeaningSearchAccepted, Errors<404, 422>> {
        let LibraryMeaningSearchRequest { query, searched } = body.0;
        let (search, job) =
            model::request_search(&app.domain, caller.0.account_id, searched.0, &query.0).await?;
        app.engine.push_all(job.as_slice()).await;
        Ok(MeaningSearchAccepted::Accepted(Json(LibraryMeaningSearchOne { search: Some(search.into()) })))
    }
}
