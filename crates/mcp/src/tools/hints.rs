//! Tool annotations of MCP: hints about a tool's effects, for clients to check before a model calls it.

use kernel::Scope;
use poem::http::Method;
use serde_json::{Value, json};

/// Operations that need only `svc:read` although they change something.
const MAKES_SOMETHING: &[&str] = &["exportLibrary", "deleteExport"];
/// POST operations that change or delete existing data.
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
/// POST operations that have no further effect when repeated with the same arguments.
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
/// Operations that fetch third-party sources, now or later.
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

/// Effects of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the protocol has four independent boolean hints")]
pub(super) struct Hints {
    /// The tool changes nothing.
    pub reads_only: bool,
    destroys: bool,
    is_idempotent: bool,
    is_open_world: bool,
}

impl Hints {
    /// Effects of an operation.
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

    pub(super) const SEARCH: Self =
        Self { reads_only: true, destroys: false, is_idempotent: true, is_open_world: false };
    pub(super) const FETCH: Self = Self { is_open_world: true, ..Self::SEARCH };

    /// Tool annotations as JSON.
    pub(super) fn shown(self) -> Value {
        json!({
            "readOnlyHint": self.reads_only,
            "destructiveHint": self.destroys,
            "idempotentHint": self.is_idempotent,
            "openWorldHint": self.is_open_world,
        })
    }
}
