//! Import and export of subscription lists.

use std::sync::Arc;

use poem::web::Data;
use poem::{IntoResponse, Response};
use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::{ApiResponse, OpenApi};

use super::body::OpmlBody;
use super::examples::OPML;
use super::schema::{RssImportFailure, RssImported};
use crate::answers::Errors;
use crate::authorize::{Authorized, Read, Write};
use crate::error::ApiError;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::openapi_type::inline;

pub(crate) struct FeedListsApi;

/// Subscription list as OPML 2.0.
pub(super) struct Opml(String);

impl Payload for Opml {
    const CONTENT_TYPE: &'static str = "text/x-opml";

    fn check_content_type(content_type: &str) -> bool {
        content_type == Self::CONTENT_TYPE
    }

    fn schema_ref() -> MetaSchemaRef {
        let example = Some(OPML.into());
        inline(MetaSchema { example, ..MetaSchema::new("string") })
    }
}

impl IntoResponse for Opml {
    fn into_response(self) -> Response {
        self.0.with_content_type(Self::CONTENT_TYPE).into_response()
    }
}

#[derive(ApiResponse)]
pub(super) enum OpmlExport {
    /// Subscription list as OPML 2.0.
    #[oai(status = 200)]
    Ok(Opml),
}

#[OpenApi(tag = "ApiTag::Rss")]
impl FeedListsApi {
    /// Import a subscription list
    ///
    /// Accepts OPML as the body, or as a file in a multipart form. Folders become collections. Repeating an
    /// import creates no duplicates.
    #[oai(path = "/v1/rss/opml", method = "post", operation_id = "importOpml")]
    async fn import(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: OpmlBody,
    ) -> Result<Json<RssImported>, Errors<422>> {
        let account_id = caller.0.account_id;
        let sandbox = app.sandbox.for_caller(Some(account_id.to_string()));
        let lines = feeds::read_list(&sandbox, body.0).await?;
        let taken = feeds::import_list(&app.domain, account_id, &lines).await?;
        let failed = taken.failed.into_iter();
        let failed = failed
            .map(|(feed_url, code)| RssImportFailure { feed_url, code: code.as_str().to_owned() })
            .collect();
        Ok(Json(RssImported { created: taken.created, existing: taken.existing, failed }))
    }

    /// Export the subscription list
    ///
    /// Returns the subscriptions as OPML 2.0, with collections as folders.
    #[oai(path = "/v1/rss/opml", method = "get", operation_id = "exportOpml")]
    async fn export(&self, caller: Authorized<Read>, app: Data<&Arc<App>>) -> Result<OpmlExport, ApiError> {
        let list = feeds::export_list(&app.domain, caller.0.account_id).await?;
        Ok(OpmlExport::Ok(Opml(list)))
    }
}
