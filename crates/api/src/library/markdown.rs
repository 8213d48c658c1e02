//! Markdown files of items, for programs that keep a folder of notes in step with a library.

use std::sync::Arc;

use kernel::bounds::CHANGED_ITEMS;
use library::sync::TextInclusion;
use library::transfer;
use library::transfer::markdown_file::MarkdownFile;
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi};

use super::examples::item_id;
use super::request::items_of;
use crate::answers::Errors;
use crate::authorize::{Authorized, Read};
use crate::body::Body;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Flag, UuidText};
use http_kit::http::request::request;
use http_kit::http::value::List;

request! {
    /// Items to render as Markdown files.
    pub(super) struct LibraryMarkdownRequest in camelCase {
        /// 1 to 100 item ids.
        ids: List<UuidText, 1, CHANGED_ITEMS> = ["0193a0b2-7c00-7000-8000-3f1e2d4c5b6a"],
        /// Include the texts of the items. Default: false.
        texts: Flag = false => false,
    }
}

/// Markdown file of an item.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryMarkdownFile {
    /// Id of the item (UUID).
    pub item_id: String,
    /// Name of the file. Its ending, such as `-3f1e2d4c5b6a.md`, is derived from the id and does not change with the
    /// title.
    pub name: String,
    /// Front matter, notes, highlights, and the text if it was requested. The last line is a comment with the id;
    /// text that a person adds below it in a notes folder is not included.
    pub markdown: String,
}

/// Response with Markdown files.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryMarkdownFiles {
    /// Files in the order of the request. Unknown items have no file.
    pub files: Vec<LibraryMarkdownFile>,
    /// Ids that did not fit into the response (about 4 MiB). Request them again.
    pub remaining: Vec<String>,
}

impl From<MarkdownFile> for LibraryMarkdownFile {
    fn from(file: MarkdownFile) -> Self {
        Self { item_id: file.item_id.to_string(), name: file.name, markdown: file.markdown }
    }
}

impl Example for LibraryMarkdownFiles {
    fn example() -> Self {
        let markdown = "---\ntitle: \"A quiet desk\"\nid: 0193a0b2-7c00-7000-8000-3f1e2d4c5b6a\n---\n\n# A quiet desk\n\n\
            > a desk for one reader\n\n\
            <!-- carrel 0193a0b2-7c00-7000-8000-3f1e2d4c5b6a: everything below this line is yours -->\n";
        let file = LibraryMarkdownFile {
            item_id: item_id(),
            name: "a-quiet-desk-3f1e2d4c5b6a.md".into(),
            markdown: markdown.into(),
        };
        Self { files: vec![file], remaining: Vec::new() }
    }
}

pub(crate) struct MarkdownApi;

#[OpenApi(tag = "ApiTag::Library")]
impl MarkdownApi {
    /// Render items as Markdown files
    ///
    /// Returns a file per item with its notes and highlights, for Obsidian, Logseq, and others. To keep a folder in
    /// sync, request the files of items that changed or whose notes and highlights changed according to
    /// `/v1/library/sync`.
    #[oai(path = "/v1/library/items/markdown", method = "post", operation_id = "renderLibraryItems")]
    async fn render(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        body: Body<LibraryMarkdownRequest>,
    ) -> Result<Json<LibraryMarkdownFiles>, Errors<422>> {
        let LibraryMarkdownRequest { ids, texts } = body.0;
        let texts = if texts.0 { TextInclusion::Included } else { TextInclusion::Omitted };
        let rendered =
            transfer::markdown_files(&app.domain, caller.0.account_id, &items_of(ids), texts).await?;
        let files = rendered.files.into_iter().map(LibraryMarkdownFile::from).collect();
        let remaining = rendered.remaining.iter().map(ToString::to_string).collect();
        Ok(Json(LibraryMarkdownFiles { files, remaining }))
    }
}
