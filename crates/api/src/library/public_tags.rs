//! Operations on tags with a public page.

use std::sync::Arc;

use kernel::bounds::TAG_CHARS;
use kernel::{PublicTagId, rfc3339};
use library::PublicTag;
use monitors::FeedFormat;
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi};

use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, SharedRead, SharedWrite};
use crate::body::Body;
use crate::error::ApiError;
use crate::path_id::path_id;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::Text;
use http_kit::http::request::request;

request! {
    /// Tag to publish.
    pub(super) struct PublicTagRequest in camelCase {
        /// Name of a tag of the library.
        name: Text<1, TAG_CHARS> = "desk",
    }
}

/// Tag with a public page. Anyone with the URLs can read the titles, addresses, and beginnings of the texts
/// of its newest 100 items with a web address.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryPublicTag {
    /// Id of the public tag (UUID).
    pub id: String,
    /// Name of the tag, as the account spells it.
    pub name: String,
    /// URL of the page.
    pub page_url: String,
    /// URL of the items as an RSS 2.0 feed; with `.atom` or `.json` instead of `.xml`, as Atom or JSON Feed.
    pub feed_url: String,
    /// Time at which the tag was published, RFC 3339 UTC.
    pub created_at: String,
}

impl LibraryPublicTag {
    fn of(tag: PublicTag, app: &App) -> Self {
        let base_url = &app.domain.policy().base_url;
        Self {
            page_url: tag.page_url(base_url),
            feed_url: tag.feed_url(base_url, FeedFormat::Rss),
            id: tag.id.to_string(),
            name: tag.name,
            created_at: rfc3339(tag.created_at),
        }
    }
}

impl Example for LibraryPublicTag {
    fn example() -> Self {
        let page = "https://api.example.org/feeds/tags/4fJq0Zb7XkT1mVn8YcR2sLw9HdPg3aUe";
        Self {
            id: public_tag_id(),
            name: "desk".into(),
            page_url: page.into(),
            feed_url: format!("{page}.xml"),
            created_at: "2026-11-20T12:00:00.000Z".into(),
        }
    }
}

/// Public tags of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryPublicTagList {
    /// Public tags, by name.
    pub tags: Vec<LibraryPublicTag>,
}

impl Example for LibraryPublicTagList {
    fn example() -> Self {
        Self { tags: vec![LibraryPublicTag::example()] }
    }
}

/// Response with one public tag.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryPublicTagOne {
    /// The public tag.
    pub tag: LibraryPublicTag,
}

impl Example for LibraryPublicTagOne {
    fn example() -> Self {
        Self { tag: LibraryPublicTag::example() }
    }
}

fn public_tag_id() -> String {
    "0193a0b2-7b00-7000-8000-3f1e2d4c5b61".to_owned()
}

pub(crate) struct PublicTagsApi;

#[OpenApi(tag = "ApiTag::Library")]
impl PublicTagsApi {
    /// List public tags
    ///
    /// Returns all tags with a public page, with their URLs.
    #[oai(path = "/v1/library/public-tags", method = "get", operation_id = "listPublicTags")]
    async fn list(
        &self,
        caller: Authorized<SharedRead>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<LibraryPublicTagList>, ApiError> {
        let tags = library::list_public_tags(&app.domain, caller.0.account_id).await?;
        let tags = tags.into_iter().map(|tag| LibraryPublicTag::of(tag, &app)).collect();
        Ok(Json(LibraryPublicTagList { tags }))
    }

    /// Publish a tag
    ///
    /// Gives the tag a page and feeds that anyone with their URLs can read. If the tag is already public, its URLs do
    /// not change. Notes, highlights, other tags, items without a public web address, and sign-in tokens in addresses
    /// are not published. The beginning of a text is published only if Carrel fetched it from the address. Connected
    /// apps may not call this operation.
    #[oai(path = "/v1/library/public-tags", method = "post", operation_id = "publishTag")]
    async fn publish(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        body: Body<PublicTagRequest>,
    ) -> Result<Json<LibraryPublicTagOne>, Errors<404, 422>> {
        let tag = library::publish_tag(&app.domain, caller.0.account_id, &body.0.name.0).await?;
        Ok(Json(LibraryPublicTagOne { tag: LibraryPublicTag::of(tag, &app) }))
    }

    /// Unpublish a tag
    ///
    /// Its page and feeds answer 404 from now on. If the tag is published again, it gets new URLs.
    #[oai(path = "/v1/library/public-tags/:id", method = "delete", operation_id = "unpublishTag")]
    async fn unpublish(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        /// Id of the public tag.
        #[oai(example = "public_tag_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        library::unpublish_tag(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }
}

fn id_of(text: &str) -> Result<PublicTagId, ApiError> {
    path_id(text, "public tag")
}
