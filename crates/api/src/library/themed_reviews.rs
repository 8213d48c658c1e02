//! Operations on themed reviews of highlights.

use std::sync::Arc;

use kernel::bounds::{REVIEWS_PER_DAY, SEARCH_NAME_CHARS, TAG_CHARS};
use kernel::{ItemId, ThemedReviewId, rfc3339};
use library::{NewThemedReview, ReviewTheme, ThemedReview};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};

use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::error::ApiError;
use crate::path_id::path_id;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Integer, Name, UuidText};
use http_kit::http::request::request;

request! {
    /// Themed review: a review of the highlights that have a tag, belong to an item, or match a saved search.
    pub(super) struct LibraryThemedReviewRequest in camelCase {
        /// Name of the review.
        name: Name<SEARCH_NAME_CHARS> = "Boats",
        /// Maximum number of highlights that are reviewed per day, in addition to the general review.
        highlights_per_day: Integer<1, { REVIEWS_PER_DAY as i64 }> = 5,
        /// Tag of the highlights or of their items.
        tag: Option<Name<TAG_CHARS>> = "harbour",
        /// Id of the item to which the highlights belong (UUID).
        item_id: Option<UuidText>,
        /// Name of a saved search of the library. Its words and tags apply to highlights, its other filters to their
        /// items.
        saved_search: Option<Name<SEARCH_NAME_CHARS>>,
    }
    with exactly one of [tag, item_id, saved_search]
}

impl From<LibraryThemedReviewRequest> for NewThemedReview {
    fn from(request: LibraryThemedReviewRequest) -> Self {
        let theme = match (request.tag, request.item_id, request.saved_search) {
            (Some(tag), ..) => ReviewTheme::Tag(tag.0),
            (None, Some(id), _) => ReviewTheme::Item(ItemId::from_u128(id.0)),
            (None, None, search) => ReviewTheme::Search(search.map(|name| name.0).unwrap_or_default()),
        };
        Self { name: request.name.0, per_day: request.highlights_per_day.get(), theme }
    }
}

/// Themed review of highlights. If `tag`, `itemId` and `savedSearch` are all null, the saved search was deleted and
/// the review has no highlights.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryThemedReview {
    /// Id of the review (UUID).
    pub id: String,
    /// Name of the review.
    pub name: String,
    /// Maximum number of highlights that are reviewed per day, 1 to 50.
    pub highlights_per_day: u32,
    /// Tag of the highlights or of their items; null if the review has another theme.
    pub tag: Option<String>,
    /// Id of the item to which the highlights belong (UUID), which may have been deleted; null if the review has
    /// another theme.
    pub item_id: Option<String>,
    /// Name of the saved search that selects the highlights; null if the review has another theme.
    pub saved_search: Option<String>,
    /// Time at which the review was created, RFC 3339 UTC.
    pub created_at: String,
}

impl From<ThemedReview> for LibraryThemedReview {
    fn from(review: ThemedReview) -> Self {
        let (mut tag, mut item_id, mut saved_search) = (None, None, None);
        match review.theme {
            Some(ReviewTheme::Tag(name)) => tag = Some(name),
            Some(ReviewTheme::Item(id)) => item_id = Some(id.to_string()),
            Some(ReviewTheme::Search(name)) => saved_search = Some(name),
            None => {}
        }
        Self {
            id: review.id.to_string(),
            name: review.name,
            highlights_per_day: review.per_day,
            tag,
            item_id,
            saved_search,
            created_at: rfc3339(review.created_at),
        }
    }
}

impl Example for LibraryThemedReview {
    fn example() -> Self {
        Self {
            id: review_id(),
            name: "Boats".into(),
            highlights_per_day: 5,
            tag: Some("harbour".into()),
            item_id: None,
            saved_search: None,
            created_at: "2026-11-20T12:00:00.000Z".into(),
        }
    }
}

/// Themed reviews of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryThemedReviewList {
    /// Themed reviews, ordered by name, at most 10.
    pub reviews: Vec<LibraryThemedReview>,
}

impl Example for LibraryThemedReviewList {
    fn example() -> Self {
        Self { reviews: vec![LibraryThemedReview::example()] }
    }
}

/// Response with one themed review.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryThemedReviewOne {
    /// The themed review.
    pub review: LibraryThemedReview,
}

impl LibraryThemedReviewOne {
    fn of(review: ThemedReview) -> Json<Self> {
        Json(Self { review: review.into() })
    }
}

impl Example for LibraryThemedReviewOne {
    fn example() -> Self {
        Self { review: LibraryThemedReview::example() }
    }
}

#[derive(ApiResponse)]
pub(super) enum LibraryThemedReviewCreated {
    /// The new themed review.
    #[oai(status = 201)]
    Created(Json<LibraryThemedReviewOne>),
}

fn review_id() -> String {
    "0193a0b2-7b00-7000-8000-3f1e2d4c5b73".to_owned()
}

pub(crate) struct ThemedReviewsApi;

#[OpenApi(tag = "ApiTag::Library")]
impl ThemedReviewsApi {
    /// List themed reviews
    ///
    /// Returns the themed reviews of the account, ordered by name.
    #[oai(path = "/v1/library/reviews", method = "get", operation_id = "listThemedReviews")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<LibraryThemedReviewList>, ApiError> {
        let reviews = library::list_themed_reviews(&app.domain, caller.0.account_id).await?;
        let reviews = reviews.into_iter().map(LibraryThemedReview::from).collect();
        Ok(Json(LibraryThemedReviewList { reviews }))
    }

    /// Create a themed review
    ///
    /// Its highlights are due on the same schedule as in the general review. An account has at most 10 themed
    /// reviews.
    #[oai(path = "/v1/library/reviews", method = "post", operation_id = "createThemedReview")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<LibraryThemedReviewRequest>,
    ) -> Result<LibraryThemedReviewCreated, Errors<404, 422>> {
        let review = library::create_themed_review(&app.domain, caller.0.account_id, body.0.into()).await?;
        Ok(LibraryThemedReviewCreated::Created(LibraryThemedReviewOne::of(review)))
    }

    /// Replace a themed review
    ///
    /// Replaces the name, the daily number, and the theme. Highlights that were already reviewed in it today still
    /// count.
    #[oai(path = "/v1/library/reviews/:id", method = "put", operation_id = "replaceThemedReview")]
    async fn replace(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the review.
        #[oai(example = "review_id")]
        id: Path<String>,
        body: Body<LibraryThemedReviewRequest>,
    ) -> Result<Json<LibraryThemedReviewOne>, Errors<404, 422>> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let review = library::replace_themed_review(&app.domain, account_id, id, body.0.into()).await?;
        Ok(LibraryThemedReviewOne::of(review))
    }

    /// Delete a themed review
    ///
    /// Its highlights are retained, with the days on which they are due.
    #[oai(path = "/v1/library/reviews/:id", method = "delete", operation_id = "deleteThemedReview")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the review.
        #[oai(example = "review_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        library::delete_themed_review(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }
}

fn id_of(text: &str) -> Result<ThemedReviewId, ApiError> {
    path_id(text, "review")
}
