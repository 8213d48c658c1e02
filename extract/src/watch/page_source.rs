//! Values that selectors read from a page, and the evaluation of XPath on it.

use url::Url;

use super::{
    blocks, marks,
    observation::{ObservationWarning, ObserveError},
    operation::Kind,
    selectors::{self, MAX_MATCHES, Selector},
    snapshot::SnapshotBlock,
    target::Ignore,
    value_store::ValueStore,
};
use crate::{
    page::{Id, Page, links},
    xpath::{XPath, XPathEvaluation, XPathNode, XPathResult},
};

/// Page from which selectors read.
pub(super) struct SelectablePage<'p> {
    pub(super) page: &'p Page,
    pub(super) base: Option<&'p Url>,
    evaluation: XPathEvaluation<'p>,
}

/// Nodes that selectors matched: one flag per node, and sorted lists if the target has fields or several
/// selectors.
pub(super) struct MatchedIds {
    pub(super) unwanted: Vec<bool>,
    pub(super) matched: Vec<bool>,
    pub(super) fields: Vec<Vec<Id>>,
}

/// Part of a page that an XPath selects.
pub(super) enum SelectedPart {
    /// The XPath selects nodes. Their flags are set.
    Nodes,
    /// The XPath selects attributes or other values, one per line. Empty if it selects nothing.
    Lines(Vec<SnapshotBlock>),
}

impl<'p> SelectablePage<'p> {
    pub(super) fn new(page: &'p Page, base: Option<&'p Url>) -> Self {
        Self { page, base, evaluation: XPathEvaluation::new(page) }
    }

    /// Evaluates an XPath. `pointer` is the pointer of the selector in the target.
    pub(super) fn select(&self, path: &XPath, from: Id, pointer: &str) -> Result<XPathResult, ObserveError> {
        path.select(&self.evaluation, from).map_err(|_| ObserveError::too_costly(pointer))
    }

    /// Sets the flags of the nodes that an XPath selects, or reads the values that it selects.
    pub(super) fn select_part(
        &self,
        selector: &str,
        pointer: &str,
        ids: &mut MatchedIds,
        warnings: &mut Vec<ObservationWarning>,
    ) -> Result<SelectedPart, ObserveError> {
        let path = selectors::xpath(selector).map_err(|problem| ObserveError::target(pointer, &problem))?;
        let nodes = match self.select(&path, 0, pointer)? {
            XPathResult::Nodes(nodes) => nodes,
            XPathResult::Text(text) => return Ok(SelectedPart::Lines(lines(&[text], warnings))),
        };
        if nodes.len() > MAX_MATCHES {
            ObservationWarning::TruncatedSource.add_to(warnings);
        }
        let nodes = &nodes[..nodes.len().min(MAX_MATCHES)];
        if nodes.iter().any(|node| node.attribute().is_some()) {
            let mut store = ValueStore::default();
            let is_ignored =
                |node: &XPathNode| self.page.self_and_ancestors(node.id()).any(|above| ids.unwanted[above]);
            let nodes = nodes.iter().filter(|node| !is_ignored(node));
            let values: Vec<String> = nodes.filter_map(|node| self.node_value(*node, &mut store)).collect();
            if store.is_cut {
                ObservationWarning::TruncatedSource.add_to(warnings);
            }
            return Ok(SelectedPart::Lines(lines(&values, warnings)));
        }
        for node in nodes {
            ids.matched[node.id()] = true;
        }
        Ok(SelectedPart::Nodes)
    }

    /// Sets the flags of the nodes that the ignore rules select with XPath.
    pub(super) fn exclude(
        &self,
        ignore: &[Ignore],
        unwanted: &mut [bool],
        warnings: &mut Vec<ObservationWarning>,
    ) -> Result<(), ObserveError> {
        for (at, rule) in ignore.iter().enumerate() {
            let Ignore::Selector(selector) = rule else { continue };
            if !matches!(Selector::of(selector), Selector::XPath(_)) {
                continue;
            }
            let pointer = format!("/ignore/{at}/selector");
            let path =
                selectors::xpath(selector).map_err(|problem| ObserveError::target(&pointer, &problem))?;
            let nodes = match self.select(&path, 0, &pointer)? {
                XPathResult::Nodes(nodes) => nodes,
                XPathResult::Text(_) => Vec::new(),
            };
            let mut matching = nodes.into_iter().filter(|node| node.attribute().is_none()).peekable();
            if matching.peek().is_none() {
                ObservationWarning::IgnoreMatchesNothing.add_to(warnings);
            }
            matching.for_each(|node| unwanted[node.id()] = true);
        }
        Ok(())
    }

    /// Value of a node or attribute.
    pub(super) fn node_value(&self, node: XPathNode, store: &mut ValueStore) -> Option<String> {
        let attribute = match node.attribute() {
            None => None,
            Some(number) => Some(self.page.attributes(node.id()).nth(number)?.0),
        };
        self.value(node.id(), attribute, store)
    }

    /// Text of a node, or the value of its attribute.
    pub(super) fn value(&self, id: Id, attribute: Option<&str>, store: &mut ValueStore) -> Option<String> {
        let page = self.page;
        match (attribute, page.tag(id)) {
            (Some(name @ ("href" | "src")), _) => {
                let address = page.value(id, name)?;
                links::resolve(self.base, address).map(blocks::stable_url).or_else(|| store.value(address))
            }
            // Such an attribute has no value, so its name is returned.
            (Some(name @ ("disabled" | "hidden" | "checked" | "selected" | "open")), _) => {
                page.attribute(id, name).map(|_| name.to_owned())
            }
            (Some(name), _) => store.value(page.value(id, name)?),
            (None, "meta") => store.value(page.value(id, "content")?),
            (None, "input") => store.value(page.value(id, "value")?),
            (None, "img") => store.value(page.value(id, "alt")?),
            (None, "select" | "button") => store.value(&marks::control(page, id)?),
            (None, _) => store.value(&marks::text(page, id)),
        }
    }
}

/// Converts values to lines. A single value is treated as an edited text, not as a list to which entries are
/// added.
fn lines(values: &[String], warnings: &mut Vec<ObservationWarning>) -> Vec<SnapshotBlock> {
    let (kind, list) = if values.len() == 1 { (Kind::Value, 0) } else { (Kind::ListItem, 1) };
    let mut store = ValueStore::default();
    let texts = values.iter().filter_map(|value| store.value(value));
    let blocks = texts.map(|text| SnapshotBlock { kind, text, list, ..SnapshotBlock::default() }).collect();
    if store.is_cut {
        ObservationWarning::TruncatedSource.add_to(warnings);
    }
    blocks
}
