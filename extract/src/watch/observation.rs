//! What was seen of a source, what a person should know of it, and why there may be nothing to compare.

use serde::{Deserialize, Serialize};

use super::{
    invalid::Problem,
    snapshot::{Snapshot, UrlEntry},
    suggestion::Suggestion,
};

/// What was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// What is compared and stored.
    pub snapshot: Snapshot,
    /// The source's own title.
    pub title: Option<String>,
    /// In the order in which they were noticed, each once.
    pub warnings: Vec<Warning>,
    /// Sitemaps that a sitemap index names: fetch them, observe them with the same target, and
    /// [`absorb`](Snapshot::absorb) what they hold.
    #[serde(default)]
    pub sitemaps: Vec<UrlEntry>,
    /// The selector that found nothing, when nothing of what is watched is there, as a JSON pointer into the target.
    #[serde(default)]
    pub absent: Option<String>,
    /// The language that a page says it is in.
    #[serde(default)]
    pub language: Option<String>,
    /// What else may be watched of a page, for previews.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
}

impl Observation {
    /// So much, and nothing else to be said of it.
    pub fn of(snapshot: Snapshot) -> Self {
        Self {
            snapshot,
            title: None,
            warnings: Vec::new(),
            sitemaps: Vec::new(),
            absent: None,
            language: None,
            suggestions: Vec::new(),
        }
    }

    /// A page in which a selector found nothing.
    pub(super) fn without(pointer: &str) -> Self {
        Self { absent: Some(pointer.to_owned()), ..Self::of(Snapshot::Blocks(Vec::new())) }
    }

    /// Whether what was seen can be compared with what is seen at other times: no robot check, no consent wall, and
    /// nothing of which a part is missing.
    pub fn can_be_judged(&self) -> bool {
        !self
            .warnings
            .iter()
            .any(|warning| matches!(warning, Warning::SuspectText | Warning::IncompleteSource))
    }
}

/// What a person should know of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// More than is kept; the rest is not watched.
    TruncatedSource,
    /// The page says next to nothing without scripts.
    JavascriptRequired,
    /// Two items have one key; they are told apart by their order.
    RepeatedKeys,
    /// Some items lack one of the fields.
    FieldMissing,
    /// An ignore rule's selector found nothing.
    IgnoreFoundNothing,
    /// What came looks like a robot check, a consent wall or an error.
    SuspectText,
    /// A part of the source is missing.
    IncompleteSource,
    /// A sitemap names more parts than are read, or parts that name further ones; those are not watched.
    PartsNotWatched,
    /// No part of this source is sorted into include and exclude patterns' favour.
    PatternsLeaveNothing,
}

/// Why there is nothing to compare. The baseline stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "error")]
pub enum ObserveError {
    /// A selector found nothing.
    #[error("{pointer} found nothing")]
    Absent {
        /// Which one, as a JSON pointer into the target (`/selector`, `/items`, `/fields/0/selector`).
        pointer: String,
    },
    /// The target cannot be used; it was not checked, or not with this program.
    #[error("{pointer}: {reason}")]
    Target {
        /// Which part of it.
        pointer: String,
        /// Why, in words for a person.
        reason: String,
    },
    /// The source holds no text.
    #[error("the source has no readable text")]
    NoText,
    /// No reader for this kind of content.
    #[error("no reader for {mime}")]
    Unsupported {
        /// The media type, without parameters.
        mime: String,
    },
    /// Neither a sitemap nor a list of addresses.
    #[error("the source is no sitemap")]
    NotASitemap,
    /// JSON was expected.
    #[error("the source is no JSON document")]
    NotJson,
    /// Reading the source would cost too much.
    #[error("{reason}")]
    TooComplex {
        /// Which gate refused it.
        reason: String,
    },
}

impl ObserveError {
    pub(super) fn absent(pointer: impl Into<String>) -> Self {
        Self::Absent { pointer: pointer.into() }
    }

    pub(super) fn target(pointer: impl Into<String>, problem: &Problem) -> Self {
        Self::Target { pointer: pointer.into(), reason: problem.to_string() }
    }
}
