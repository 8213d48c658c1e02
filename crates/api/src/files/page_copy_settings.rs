//! Operations on the settings of automatic copies of pages.

use std::sync::Arc;

use articles::{Render, require_browser};
use kernel::Domain;
use library::{CopyChoice, CopyChoiceUpdate, PageCopyFormat};
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
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::Flag;
use http_kit::http::request::request;
use http_kit::http::value::List;

request! {
    /// Settings of automatic copies of pages; omitted fields stay unchanged.
    pub(super) struct LibraryPageCopySettingsUpdate in camelCase {
        /// Formats in which the page of each new item is copied. The list replaces the previous one; an empty list
        /// disables automatic copies, including those of imported items.
        formats: Option<List<EnumParam<PageCopyFormat>, 0, 3>> = ["html"],
        /// True to copy the pages of imported items, too. Without `formats`, it has no effect.
        copies_imports: Option<Flag>,
    }
    with at least 1 field
}

/// Settings of automatic copies of pages.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryPageCopySettings {
    /// Formats in which the page of each new item is copied. Empty by default: no page is copied.
    pub formats: Vec<EnumParam<PageCopyFormat>>,
    /// True if the pages of imported items are copied, too: newest items first, up to a daily number of copies.
    pub copies_imports: bool,
    /// True if the service has a browser. Without one, no page is copied.
    pub available: bool,
}

impl LibraryPageCopySettings {
    fn of(domain: &Domain, choice: CopyChoice) -> Self {
        let CopyChoice { formats, copies_imports } = choice;
        let available = require_browser(domain, Render::Always).is_ok();
        Self { formats: formats.into_iter().map(EnumParam).collect(), copies_imports, available }
    }
}

impl Example for LibraryPageCopySettings {
    fn example() -> Self {
        Self { formats: vec![EnumParam(PageCopyFormat::Html)], copies_imports: false, available: true }
    }
}

pub(crate) struct PageCopySettingsApi;

#[OpenApi(tag = "ApiTag::Library")]
impl PageCopySettingsApi {
    /// Get the settings of automatic page copies
    ///
    /// Returns the formats in which the page of each new item is copied.
    #[oai(path = "/v1/library/page-copy-settings", method = "get", operation_id = "getPageCopySettings")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Single<LibraryPageCopySettings>, ApiError> {
        let choice = library::automatic_copies(&app.domain, caller.0.account_id).await?;
        Ok(Single::of(LibraryPageCopySettings::of(&app.domain, choice)))
    }

    /// Update the settings of automatic page copies
    ///
    /// From then on, the page of each new item that is saved by its address is copied in each format. Items whose
    /// content was sent are not copied. With `copiesImports`, imported items are copied, too: newest first, at most
    /// 50 copies a day, which use at most a quarter of a day's fresh extractions. A copy costs five fresh
    /// extractions; all automatic copies use at most half of a day's fresh extractions. If a limit or the storage is
    /// exhausted, the copy of the item has the error code.
    #[oai(path = "/v1/library/page-copy-settings", method = "patch", operation_id = "updatePageCopySettings")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<LibraryPageCopySettingsUpdate>,
    ) -> Result<Json<LibraryPageCopySettings>, Errors<422>> {
        let LibraryPageCopySettingsUpdate { formats, copies_imports } = body.0;
        let update = CopyChoiceUpdate {
            formats: formats.map(|formats| formats.0.into_iter().map(|format| format.0).collect()),
            copies_imports: copies_imports.map(|flag| flag.0),
        };
        let choice = library::update_automatic_copies(&app.domain, caller.0.account_id, update).await?;
        Ok(Json(LibraryPageCopySettings::of(&app.domain, choice)))
    }
}
