//! Parts of the exported settings of an account that the library imports.

use serde::Deserialize;
use serde_json::Value;

use crate::item_rules::ExportedItemRule;
use crate::saved_searches::ExportedSearch;
use kernel::json_bounds::count_values;
use kernel::{Error, Result};

/// Maximum number of values and member names in exported settings.
const MAX_VALUES: usize = 1_000_000;

/// Parts of the exported settings that the library imports.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LibrarySettings {
    #[serde(default)]
    pub(super) searches: Vec<ExportedSearch>,
    #[serde(default)]
    pub(super) message_templates: Vec<notices::ExportedTemplates>,
    #[serde(default)]
    pub(super) item_rules: Vec<ExportedItemRule>,
    /// Settings of reviews. `None` in exports of earlier versions.
    #[serde(default)]
    pub(super) review: Option<Value>,
    /// Formats of automatic page copies. `None` if no page is copied.
    #[serde(default)]
    pub(super) page_copies: Option<Value>,
    /// True if the pages of imported items are also copied. `None` if they are not, and in exports of earlier versions.
    #[serde(default)]
    pub(super) page_copies_of_imports: Option<bool>,
    /// Appearance of the pages. `None` if the account has not chosen one.
    #[serde(default)]
    pub(super) appearance: Option<String>,
    /// Choices for the language model.
    #[serde(default)]
    pub(super) language_model: Option<Value>,
    /// True if a part has the wrong type, so that no part was parsed.
    #[serde(skip)]
    pub(super) is_malformed: bool,
}

/// Parses the parts of exported settings that the library imports. Also returns the settings. If they are not
/// JSON, no part is returned, and the import of the other settings reports the error.
pub(super) async fn parts_of_settings(json: Vec<u8>) -> Result<(Vec<u8>, LibrarySettings)> {
    let parsing = tokio::task::spawn_blocking(move || {
        let is_bounded = count_values(&json, MAX_VALUES).is_ok();
        let parsed = if is_bounded { parse_parts(&json) } else { LibrarySettings::default() };
        (json, parsed)
    });
    parsing.await.map_err(Error::internal)
}

fn parse_parts(json: &[u8]) -> LibrarySettings {
    serde_json::from_slice(json).unwrap_or_else(|error| LibrarySettings {
        is_malformed: error.is_data(),
        ..LibrarySettings::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_with_a_part_of_the_wrong_type_are_malformed() {
        let settings = r#"{"subscriptions": 1, "searches": [], "review": {"highlightsPerDay": 5}}"#;
        let parsed = parse_parts(settings.as_bytes());
        assert!(!parsed.is_malformed && parsed.review.is_some());
        assert!(parse_parts(br#"{"searches": [], "messageTemplates": 5}"#).is_malformed);
        assert!(!parse_parts(b"{").is_malformed, "the import of the other settings reports it");
    }
}
