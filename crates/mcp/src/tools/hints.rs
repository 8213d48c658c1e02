//! What a tool does to the world, as clients want to know it before they let a model call it.

use kernel::Scope;
use poem::http::Method;
use serde_json::{Value, json};

/// Operations with `svc:read` that make something all the same.
const MAKES_SOMETHING: &[&str] = &["exportLibrary", "deleteExport"];
/// Operations with POST that change or take away what is there.
const TAKES_AWAY: &[&str] = &[
    "bulkDeleteLibraryItems",
    "deleteTag",
    "renameTag",
    "rotateMonitorFeed",
    "refreshLibraryItem",
    "uploadItemFileForm",
    "markRssRead",
    "mutateFeeds",
    "resetFeedConsumer",
];
/// Operations with POST that do nothing more when they are called again in the same words.
const SAME_AGAIN: &[&str] = &[
    "ackFeedConsumer",
    "bulkDeleteLibraryItems",
    "createFeedConsumer",
    "createRssSubscription",
    "deleteTag",
    "importOpml",
    "markRssRead",
    "renameTag",
    "saveLibraryItem",
    "saveRssEntry",
    "startImport",
    "uploadItemFileForm",
];
/// Operations that read sources of strangers, or have them read.
const OPEN_WORLD: &[&str] = &[
    "extractArticle",
    "readArticle",
    "searchArticle",
    "saveLibraryItem",
    "refreshLibraryItem",
    "createRssSubscription",
    "refreshRssSubscription",
    "discoverRssFeeds",
    "importOpml",
    "mutateFeeds",
    "saveRssEntry",
    "createWebMonitor",
    "runWebMonitor",
    "previewWebMonitor",
    "previewWebMonitorUpdate",
];

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the protocol has four hints, each true or false by itself"
)]
pub(super) struct Hints {
    /// It changes nothing.
    pub reads_only: bool,
    destroys: bool,
    is_idempotent: bool,
    is_open_world: bool,
}

impl Hints {
    /// What an operation does.
    pub(super) fn of(operation_id: &str, method: &Method, scope: Scope) -> Self {
        let is = |list: &[&str]| list.contains(&operation_id);
        let is_post = *method == Method::POST;
        let reads_only = *method == Method::GET || (scope == Scope::Read && !is(MAKES_SOMETHING));
        Self {
            reads_only,
            destroys: !reads_only && (is(TAKES_AWAY) || !is_post),
            is_idempotent: reads_only || is(SAME_AGAIN) || !is_post,
            is_open_world: is(OPEN_WORLD),
        }
    }

    /// What `search` does.
    pub(super) const SEARCH: Self =
        Self { reads_only: true, destroys: false, is_idempotent: true, is_open_world: false };
    /// What `fetch` does.
    pub(super) const FETCH: Self = Self { is_open_world: true, ..Self::SEARCH };

    /// As the protocol writes it.
    pub(super) fn shown(self) -> Value {
        json!({
            "readOnlyHint": self.reads_only,
            "destructiveHint": self.destroys,
            "idempotentHint": self.is_idempotent,
            "openWorldHint": self.is_open_world,
        })
    }
}
