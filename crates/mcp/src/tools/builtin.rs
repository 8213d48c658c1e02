//! Built-in tools `search` and `fetch`, which research clients find by name: a query returns short
//! results, an id returns a text.

use serde_json::{Value, json};

use super::hints::Hints;

/// Built-in tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuiltinTool {
    /// Searches library objects and feed entries.
    Search,
    /// Reads a search result or a public page.
    Fetch,
}

/// Both tools, in list order.
pub(super) const TOOLS: [BuiltinTool; 2] = [BuiltinTool::Search, BuiltinTool::Fetch];

impl BuiltinTool {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Fetch => "fetch",
        }
    }

    /// Display name.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Search => "Search library and feeds",
            Self::Fetch => "Fetch one document",
        }
    }

    /// Description for models.
    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Search => {
                "Searches saved items, notes, highlights and entries of followed feeds; at most 20 results, best first. Read one with `fetch` and its id."
            }
            Self::Fetch => "Returns the text of a `search` result by its id, or of any public http(s) URL.",
        }
    }

    pub(super) fn hints(self) -> Hints {
        match self {
            Self::Search => Hints::SEARCH,
            Self::Fetch => Hints::FETCH,
        }
    }

    /// Name of the only argument.
    pub(super) fn argument(self) -> &'static str {
        match self {
            Self::Search => "query",
            Self::Fetch => "id",
        }
    }

    /// Input schema.
    pub(super) fn input(self) -> Value {
        let about = match self {
            Self::Search => "Search query.",
            Self::Fetch => "Id from `search` (item:…, note:…, highlight:… or entry:…), or a URL.",
        };
        json!({
            "type": "object",
            "properties": { self.argument(): { "type": "string", "description": about } },
            "required": [self.argument()],
            "additionalProperties": false,
        })
    }

    /// Output schema.
    pub(super) fn output(self) -> Value {
        let text = json!({ "type": "string" });
        match self {
            Self::Search => json!({
                "type": "object",
                "properties": { "results": { "type": "array", "items": {
                    "type": "object",
                    "properties": { "id": text, "title": text, "url": text },
                    "required": ["id", "title", "url"],
                } } },
                "required": ["results"],
            }),
            Self::Fetch => json!({
                "type": "object",
                "properties": { "id": text, "title": text, "text": text, "url": text, "metadata": { "type": "object" } },
                "required": ["id", "title", "text", "url", "metadata"],
            }),
        }
    }
}
