//! Operations on the settings of reviews.

use std::sync::Arc;

use kernel::bounds::REVIEWS_PER_DAY;
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi};

use crate::answers::{Errors, Single};
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::error::ApiError;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::Integer;
use http_kit::http::request::request;

request! {
    /// Settings of reviews.
    pub(super) struct LibraryReviewSettingsUpdate in camelCase {
        /// Maximum number of highlights that are reviewed per day in the general review, on the page and in messages.
        highlights_per_day: Integer<1, { REVIEWS_PER_DAY as i64 }> = 20,
    }
}

/// Settings of reviews.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryReviewSettings {
    /// Maximum number of highlights that are reviewed per day, 1 to 50; 10 unless it was changed.
    pub highlights_per_day: u32,
}

impl Example for LibraryReviewSettings {
    fn example() -> Self {
        Self { highlights_per_day: 20 }
    }
}

pub(crate) struct ReviewSettingsApi;

#[OpenApi(tag = "ApiTag::Library")]
impl ReviewSettingsApi {
    /// Get the settings of reviews
    ///
    /// Returns how many highlights the account reviews per day.
    #[oai(path = "/v1/library/review-settings", method = "get", operation_id = "getReviewSettings")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Single<LibraryReviewSettings>, ApiError> {
        let highlights_per_day = library::reviews_per_day(&app.domain, caller.0.account_id).await?;
        Ok(Single::of(LibraryReviewSettings { highlights_per_day }))
    }

    /// Update the settings of reviews
    ///
    /// Sets how many highlights the account reviews per day, from the current day on.
    #[oai(path = "/v1/library/review-settings", method = "patch", operation_id = "updateReviewSettings")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<LibraryReviewSettingsUpdate>,
    ) -> Result<Json<LibraryReviewSettings>, Errors<422>> {
        let highlights_per_day = body.0.highlights_per_day.get();
        library::set_reviews_per_day(&app.domain, caller.0.account_id, highlights_per_day).await?;
        Ok(Json(LibraryReviewSettings { highlights_per_day }))
    }
}
