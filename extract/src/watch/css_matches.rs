//! Elements that a CSS selector matches, for code other than monitors.

use std::collections::HashSet;

use dom_query::{Document, NodeId};

use super::selectors;

/// Elements that match the selector, and true if there are more than the limit. An invalid selector matches
/// nothing.
pub(crate) fn css_matches(document: &Document, selector: &str) -> (HashSet<NodeId>, bool) {
    let Ok(matcher) = selectors::css(selector) else { return (HashSet::new(), false) };
    let mut warnings = Vec::new();
    let nodes = selectors::find(document, &matcher, &mut warnings).into_iter().collect();
    (nodes, !warnings.is_empty())
}

/// Reason why a text cannot be used as a CSS selector. `None` if it can be used.
pub fn css_fault(selector: &str) -> Option<String> {
    selectors::check_css(selector).err().map(|reason| reason.to_string())
}
