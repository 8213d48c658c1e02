//! Tool annotations of MCP: hints about a tool's effects, for clients to check before a model calls it.

use kernel::Scope;
use poem::http::Method;
use serde_json::{Value, json};

/// Operations that need only `svc:read` although they change something.
const READ_SCOPE_WRITES: &[&str] = &["exportLibrary", "deleteExport"];
/// POST operations that change or delete existing data.
const DESTRUCTIVE: &[&str] = &[
    "bulkDeleteLibraryItems", "deleteTag", "renameTag", "rotateMonitorFeed", "refreshLibraryItem",
    "uploadItemFileForm", "markRssRead", "mutateFeeds", "resetFeedConsumer",
];
/// POST operations that have no further effect when repeated with the same arguments.
const IDEMPOTENT: &[&str] = &[
    "ackFeedConsumer", "bulkDeleteLibraryItems", "createFeedConsumer", "createRssSubscription", "deleteTag",
    "importOpml", "importWebMonitors", "markRssRead", "renameTag", "saveLibraryItem", "saveRssEntry",
    "startImport", "uploadItemFileForm",
];
/// Operations that fetch third-party sources, immediately or in the background.
const OPEN_WORLD: &[&str] = &[
    "extractArticle", "readArticle", "searchArticle", "saveLibraryItem", "refreshLibraryItem",
    "createRssSubscription", "refreshRssSubscription", "discoverRssFeeds", "importOpml", "mutateFeeds",
    "saveRssEntry", "createWebMonitor", "runWebMonitor", "previewWebMonitor", "previewWebMonitorUpdate",
    "importWebMonitors", "duplicateWebMonitor",
];

/// Effects of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the protocol has four independent boolean hints")]
pub(super) struct Hints {
    /// The tool changes nothing.
    pub reads_only: bool,
    is_destructive: bool,
    is_idempotent: bool,
    is_open_world: bool,
}

impl Hints {
    /// Effects of an operation.
    pub(super) fn of(operation_id: &str, method: &Method, scope: Scope) -> Self {
        let is = |list: &[&str]| list.contains(&operation_id);
        let is_post = *method == Method::POST;
        let reads_only = *method == Method::GET || (scope == Scope::Read && !is(READ_SCOPE_WRITES));
        Self {
            reads_only,
            is_destructive: !reads_only && (is(DESTRUCTIVE) || !is_post),
            is_idempotent: reads_only || is(IDEMPOTENT) || !is_post,
            is_open_world: is(OPEN_WORLD),
        }
    }

    pub(super) const SEARCH: Self =
        Self { reads_only: true, is_destructive: false, is_idempotent: true, is_open_world: false };
    pub(super) const FETCH: Self = Self { is_open_world: true, ..Self::SEARCH };

    /// Tool annotations as JSON.
    pub(super) fn annotations(self) -> Value {
        json!({
            "readOnlyHint": self.reads_only,
            "destructiveHint": self.is_destructive,
            "idempotentHint": self.is_idempotent,
            "openWorldHint": self.is_open_world,
        })
    }
}
