//! Breaks cycles in files: forms that render themselves, deep chains of forms, and pages that are their own
//! parents. The reader would follow them endlessly. It also treats images as forms. Therefore, the streams of
//! these forms and of images are emptied, and such parents are removed, before the file is read.

use std::collections::{BTreeMap, BTreeSet};

use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

/// Maximum nesting depth of forms.
const MAX_DEPTH: usize = 24;
/// Maximum number of ancestors of a page in the page tree.
const MAX_PARENTS: usize = 64;

/// Empties streams and removes parents that the reader would follow endlessly.
pub(super) fn break_cycles(document: &mut Document) {
    let mut search =
        CycleSearch { document, heights: BTreeMap::new(), open: BTreeSet::new(), cut: BTreeSet::new() };
    for id in search.named() {
        let Some(Object::Stream(stream)) = document.objects.get(&id) else { continue };
        // A form without resources uses the resources of the stream that renders it. These may contain the
        // form itself.
        if is_image(stream) || !stream.dict.has(b"Resources") && draws(stream) {
            search.cut.insert(id);
        } else {
            search.height(id, 0);
        }
    }
    for id in search.cut {
        if let Some(Object::Stream(stream)) = document.objects.get_mut(&id) {
            stream.dict.remove(b"Filter");
            stream.set_content(Vec::new());
        }
    }
    for id in with_endless_parents(document) {
        if let Some(Object::Dictionary(page)) = document.objects.get_mut(&id) {
            page.remove(b"Parent");
        }
    }
}

/// Ids of objects with an endless chain of parents.
fn with_endless_parents(document: &Document) -> Vec<ObjectId> {
    let parent = |id: &ObjectId| match document.objects.get(id) {
        Some(Object::Dictionary(own)) => own.get(b"Parent").and_then(Object::as_reference).ok(),
        _ => None,
    };
    let ids = document.objects.keys().copied();
    ids.filter(|id| std::iter::successors(Some(*id), parent).take(MAX_PARENTS + 1).count() > MAX_PARENTS)
        .collect()
}

fn is_image(stream: &Stream) -> bool {
    stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Image")
}

fn draws(stream: &Stream) -> bool {
    let packed = stream.filters().is_ok();
    let content = if packed { stream.decompressed_content().ok() } else { None };
    let content = content.as_deref().unwrap_or(&stream.content);
    memchr::memmem::find_iter(content, b"Do").any(|at| {
        content.get(at + 2).is_none_or(|next| next.is_ascii_whitespace() || b"/[<(%".contains(next))
    })
}

struct CycleSearch<'d> {
    document: &'d Document,
    /// For each form, the nesting depth of the forms that it renders.
    heights: BTreeMap<ObjectId, usize>,
    open: BTreeSet<ObjectId>,
    cut: BTreeSet<ObjectId>,
}

impl CycleSearch<'_> {
    /// Ids of all streams that can be rendered by name.
    fn named(&self) -> BTreeSet<ObjectId> {
        let mut named = BTreeSet::new();
        for object in self.document.objects.values() {
            let own = match object {
                Object::Dictionary(own) => own,
                Object::Stream(stream) => &stream.dict,
                _ => continue,
            };
            let within = [Some(own), self.dictionary(own, b"Resources")].into_iter().flatten();
            let lists = within.filter_map(|within| self.dictionary(within, b"XObject"));
            named.extend(lists.flatten().filter_map(|(_, object)| object.as_reference().ok()));
        }
        named
    }

    fn height(&mut self, id: ObjectId, depth: usize) -> usize {
        if let Some(&known) = self.heights.get(&id) {
            return known;
        }
        let pieces = self.pieces(id);
        let mut height = 0;
        self.open.insert(id);
        for piece in pieces {
            if depth >= MAX_DEPTH || self.open.contains(&piece) {
                self.cut.insert(id);
                continue;
            }
            height = height.max(self.height(piece, depth + 1) + 1);
        }
        self.open.remove(&id);
        if height > MAX_DEPTH {
            self.cut.insert(id);
        }
        if self.cut.contains(&id) {
            height = 0;
        }
        self.heights.insert(id, height);
        height
    }

    /// Ids of the `XObject`s that are named in a stream's own resources.
    fn pieces(&self, id: ObjectId) -> Vec<ObjectId> {
        let Some(Object::Stream(stream)) = self.document.objects.get(&id) else { return Vec::new() };
        let named =
            self.dictionary(&stream.dict, b"Resources").and_then(|own| self.dictionary(own, b"XObject"));
        named.into_iter().flatten().filter_map(|(_, object)| object.as_reference().ok()).collect()
    }

    fn dictionary<'a>(&'a self, within: &'a Dictionary, name: &[u8]) -> Option<&'a Dictionary> {
        let object = within.get(name).ok()?;
        self.document.dereference(object).ok().and_then(|(_, object)| object.as_dict().ok())
    }
}
