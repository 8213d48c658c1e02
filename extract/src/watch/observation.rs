//! Observation of a source: the snapshot and its warnings, or the reason why there is no content to compare.

use serde::{Deserialize, Serialize};

pub use super::observation_warning::ObservationWarning;
use super::{
    invalid::InvalidReason,
    snapshot::{Snapshot, UrlEntry},
    suggestion::Suggestion,
    wall::Suspicion,
};

/// Result of observing a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Content of the source that is compared and stored.
    pub snapshot: Snapshot,
    /// Title of the source.
    pub title: Option<String>,
    /// Warnings without duplicates, in order of occurrence.
    pub warnings: Vec<ObservationWarning>,
    /// Sitemaps that a sitemap index lists. The caller fetches them, observes them with the same target, and
    /// adds their content with [`absorb`](Snapshot::absorb).
    #[serde(default)]
    pub sitemaps: Vec<UrlEntry>,
    /// JSON pointer in the target to the selector that matched nothing. `None` if at least one part of the
    /// target is present.
    #[serde(default)]
    pub absent: Option<String>,
    /// Language declared by the page.
    #[serde(default)]
    pub language: Option<String>,
    /// Other parts of a page that may be watched. Empty unless the observation is a preview.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
    /// Blocks after each filter. Empty unless the observation is a preview.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<FilterStep>,
    /// Wall that the page resembles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspicion: Option<Suspicion>,
}

/// Blocks after a filter, for previews.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterStep {
    /// Number of blocks after the filter.
    pub total: usize,
    /// Texts of the first blocks.
    pub lines: Vec<String>,
}

impl Observation {
    /// Observation with this snapshot. All other fields are empty.
    pub fn of(snapshot: Snapshot) -> Self {
        Self {
            snapshot,
            title: None,
            warnings: Vec::new(),
            sitemaps: Vec::new(),
            absent: None,
            language: None,
            suggestions: Vec::new(),
            steps: Vec::new(),
            suspicion: None,
        }
    }

    /// Observation of a page in which the selector at `pointer` matched nothing.
    pub(super) fn without(pointer: &str) -> Self {
        Self { absent: Some(pointer.to_owned()), ..Self::of(Snapshot::Blocks(Vec::new())) }
    }

    /// True if the observation can be compared: it is complete, and not a robot check or consent wall.
    pub fn is_comparable(&self) -> bool {
        !self.warnings.iter().any(|warning| {
            matches!(warning, ObservationWarning::SuspectText | ObservationWarning::IncompleteSource)
        })
    }

    /// True if no part of the source is missing.
    pub fn is_complete(&self) -> bool {
        !self.warnings.contains(&ObservationWarning::IncompleteSource)
    }
}

/// Reason why a source has no content to compare. The baseline is retained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "error")]
pub enum ObserveError {
    /// A selector matched nothing.
    #[error("{pointer} matched nothing")]
    Absent {
        /// JSON pointer of the selector in the target (`/selector`, `/items`, `/fields/0/selector`).
        pointer: String,
    },
    /// The target is invalid: it was not validated, or it was validated by another version of the program.
    #[error("{pointer}: {reason}")]
    Target {
        /// JSON pointer of the invalid part.
        pointer: String,
        /// Reason as a text for the user.
        reason: String,
    },
    /// A selector could not be evaluated on the source.
    #[error("{pointer}: {reason}")]
    SelectorFailed {
        /// JSON pointer of the selector in the target.
        pointer: String,
        /// Reason as a text for the user.
        reason: String,
    },
    /// The source has no text.
    #[error("the source has no readable text")]
    NoText,
    /// The content type is not supported.
    #[error("unsupported content type {mime}")]
    Unsupported {
        /// Media type without parameters.
        mime: String,
    },
    /// The source is neither a sitemap nor a list of URLs.
    #[error("the source is not a sitemap")]
    NotASitemap,
    /// The source is not an iCalendar file.
    #[error("the source is not a calendar")]
    NotACalendar,
    /// The source is not JSON, but the target requires JSON.
    #[error("the source is not a JSON document")]
    NotJson,
    /// Reading the source would be too expensive.
    #[error("{reason}")]
    TooComplex {
        /// Limit that the source exceeds, as a text for the user.
        reason: String,
    },
}

impl ObserveError {
    pub(super) fn absent(pointer: impl Into<String>) -> Self {
        Self::Absent { pointer: pointer.into() }
    }

    pub(super) fn too_costly(pointer: impl Into<String>) -> Self {
        let reason = "it needs too many steps on this source".to_owned();
        Self::SelectorFailed { pointer: pointer.into(), reason }
    }

    pub(super) fn target(pointer: impl Into<String>, problem: &InvalidReason) -> Self {
        Self::Target { pointer: pointer.into(), reason: problem.to_string() }
    }
}
