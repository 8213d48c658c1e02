//! Reads the structure tree of a tagged file.

use std::collections::{BTreeMap, HashMap, HashSet};

use pdf_extract::{Dictionary, Document, Object, ObjectId};

use super::text;

/// Maximum number of structure elements of a file.
const MAX_ELEMENTS: usize = 400_000;
/// Maximum nesting depth of structure elements.
const MAX_DEPTH: usize = 200;

/// Element of the structure tree.
#[derive(Debug, Default)]
pub(super) struct StructureElement {
    /// Standard name of the element's role.
    pub(super) role: String,
    pub(super) alt: Option<String>,
    /// Number of rows and columns that a cell spans.
    pub(super) spans: (usize, usize),
    pub(super) inner: Vec<ElementContent>,
}

/// Content of an element, in reading order.
#[derive(Debug)]
pub(super) enum ElementContent {
    Element(StructureElement),
    /// Page number and id of marked content.
    Content(u32, i64),
}

/// Reads the structure tree of a file. `None` if the file has no structure tree.
pub(super) fn read(document: &Document, pages: &BTreeMap<u32, ObjectId>) -> Option<StructureElement> {
    let catalog = document.catalog().ok()?;
    let root = text::dictionary(document, catalog, b"StructTreeRoot")?;
    let mut walk = StructureWalk {
        document,
        pages: pages.iter().map(|(number, id)| (*id, *number)).collect(),
        roles: text::dictionary(document, root, b"RoleMap"),
        seen: HashSet::new(),
        left: MAX_ELEMENTS,
    };
    let mut top = StructureElement { role: "Document".to_owned(), ..StructureElement::default() };
    walk.kids(root, None, 0, &mut top.inner);
    (!top.inner.is_empty()).then_some(top)
}

struct StructureWalk<'d> {
    document: &'d Document,
    pages: HashMap<ObjectId, u32>,
    roles: Option<&'d Dictionary>,
    /// Objects that were already read, so that they are not read again.
    seen: HashSet<ObjectId>,
    left: usize,
}

impl<'d> StructureWalk<'d> {
    fn kids(&mut self, own: &'d Dictionary, page: Option<u32>, depth: usize, into: &mut Vec<ElementContent>) {
        let Ok(kids) = own.get(b"K") else { return };
        match text::resolved(self.document, kids) {
            Some(Object::Array(kids)) => {
                for kid in kids {
                    self.kid(kid, page, depth, into);
                }
            }
            Some(_) => self.kid(kids, page, depth, into),
            None => {}
        }
    }

    fn kid(&mut self, kid: &'d Object, page: Option<u32>, depth: usize, into: &mut Vec<ElementContent>) {
        if self.left == 0 || depth > MAX_DEPTH {
            return;
        }
        self.left -= 1;
        if let Ok(id) = kid.as_reference()
            && !self.seen.insert(id)
        {
            return;
        }
        match text::resolved(self.document, kid) {
            Some(Object::Integer(content)) => {
                into.extend(page.map(|page| ElementContent::Content(page, *content)));
            }
            Some(Object::Dictionary(own)) => {
                let page = self.page_of(own).or(page);
                if own.has(b"S") {
                    let element = self.element(own, page, depth);
                    into.push(ElementContent::Element(element));
                } else if let Ok(content) = own.get(b"MCID").and_then(Object::as_i64)
                    && !own.has(b"Stm")
                {
                    into.extend(page.map(|page| ElementContent::Content(page, content)));
                }
            }
            _ => {}
        }
    }

    fn element(&mut self, own: &'d Dictionary, page: Option<u32>, depth: usize) -> StructureElement {
        let mut element = StructureElement {
            role: self.role(own),
            alt: text::string(self.document, own, b"Alt").filter(|alt| !alt.trim().is_empty()),
            spans: (1, 1),
            ..StructureElement::default()
        };
        self.attributes(own, &mut element);
        self.kids(own, page, depth + 1, &mut element.inner);
        element
    }

    fn page_of(&self, own: &Dictionary) -> Option<u32> {
        own.get(b"Pg").and_then(Object::as_reference).ok().and_then(|id| self.pages.get(&id).copied())
    }

    /// Standard role of an element, resolved with the role map of the file.
    fn role(&self, own: &'d Dictionary) -> String {
        let mut role = text::name(self.document, own, b"S").unwrap_or_default();
        for _ in 0..8 {
            match self.roles.and_then(|roles| text::name(self.document, roles, role.as_bytes())) {
                Some(next) if next != role => role = next,
                _ => break,
            }
        }
        role.to_owned()
    }

    fn attributes(&self, own: &'d Dictionary, element: &mut StructureElement) {
        let Some(lists) = own.get(b"A").ok().and_then(|lists| text::resolved(self.document, lists)) else {
            return;
        };
        let single = std::slice::from_ref(lists);
        for list in lists.as_array().map_or(single, Vec::as_slice).iter().take(16) {
            let Some(list) = text::resolved(self.document, list).and_then(|list| list.as_dict().ok()) else {
                continue;
            };
            let span = |name: &[u8]| {
                let span = list.get(name).and_then(Object::as_i64).ok();
                span.and_then(|span| usize::try_from(span).ok()).map(|span| span.clamp(1, 1000))
            };
            element.spans.0 = span(b"RowSpan").unwrap_or(element.spans.0);
            element.spans.1 = span(b"ColSpan").unwrap_or(element.spans.1);
        }
    }
}
