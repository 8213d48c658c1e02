//! Warnings about an observation.

use serde::{Deserialize, Serialize};

/// Warning about an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObservationWarning {
    /// The source exceeds a limit. The part beyond the limit is not watched.
    TruncatedSource,
    /// The page has almost no text without scripts.
    JavascriptRequired,
    /// Several items have the same key. They are distinguished by their order.
    RepeatedKeys,
    /// Some items lack a field.
    FieldMissing,
    /// The selector of an ignore rule matched nothing.
    #[serde(rename = "ignore_found_nothing")]
    IgnoreMatchesNothing,
    /// The content resembles a robot check, a consent wall or an error page.
    SuspectText,
    /// A part of the source is missing.
    IncompleteSource,
    /// A sitemap index lists more sitemaps than the limit, or further sitemap indexes. These are not watched.
    PartsNotWatched,
    /// The rendered page was still loading at the deadline, so a part of it may be missing.
    RenderingCut,
    /// The include and exclude patterns, or the filters, exclude all content of the source.
    PatternsLeaveNothing,
}

impl ObservationWarning {
    /// Adds the warning to a list, unless the list contains it.
    pub(super) fn add_to(self, warnings: &mut Vec<Self>) {
        if !warnings.contains(&self) {
            warnings.push(self);
        }
    }
}
