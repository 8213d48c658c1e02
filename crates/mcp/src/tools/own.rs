//! The two tools that are no operation, as research clients look for them by name: one query and short results, one id
//! and a text.

use serde_json::{Value, json};

use super::hints::Hints;

/// A tool of our own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// Finds objects of the library and entries of feeds.
    Search,
    /// Reads one of them, or a public page.
    Fetch,
}

/// Both, in the order of the list.
pub(super) const TOOLS: [Own; 2] = [Own::Search, Own::Fetch];

impl Own {
    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Fetch => "fetch",
        }
    }

    /// Its name for people.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Search => "Search library and feeds",
            Self::Fetch => "Fetch one document",
        }
    }

    /// What it is for.
    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Search => {
                "Finds saved items, notes, highlights and entries of followed feeds by words, at most 20, best first. \
                 Read one with `fetch` and its id."
            }
            Self::Fetch => "The text of one result of `search` by its id, or of any public http(s) address.",
        }
    }

    /// What it does to the world.
    pub(super) fn hints(self) -> Hints {
        match self {
            Self::Search => Hints::SEARCH,
            Self::Fetch => Hints::FETCH,
        }
    }

    /// The name of its one argument.
    pub(super) fn argument(self) -> &'static str {
        match self {
            Self::Search => "query",
            Self::Fetch => "id",
        }
    }

    /// Its one argument.
    pub(super) fn input(self) -> Value {
        let about = match self {
            Self::Search => "Words to find.",
            Self::Fetch => "An id of `search`, as item:…, note:…, highlight:… or entry:…, or an address.",
        };
        json!({
            "type": "object",
            "properties": { self.argument(): { "type": "string", "description": about } },
            "required": [self.argument()],
            "additionalProperties": false,
        })
    }

    /// What it answers.
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
