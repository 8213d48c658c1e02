//! Pages that are streamed in parts. React sends late parts hidden at the end of the body, and a script moves
//! each part to the template that marks its position. This module moves the parts without running the script.

use std::collections::HashMap;

use dom_query::{Document, NodeRef};
use memchr::memmem;

/// Maximum number of parts that are moved.
const MAX_PARTS: usize = 500;
/// Maximum nesting depth of parts. `MAX_DEPTH` and this constant limit how far a page can exceed the depth
/// that the parser allows.
const MAX_WITHIN: usize = 3;
/// Maximum depth of the position of a part.
const MAX_DEPTH: usize = 100;

/// Moves the streamed parts of a page to their positions.
pub(super) fn move_parts(document: &Document, markup: &str) {
    if memmem::find(markup.as_bytes(), b"id=\"S:").is_none() {
        return;
    }
    let mut targets: HashMap<String, NodeRef<'_>> = HashMap::new();
    // For each part, the number of the part that contains its position.
    let mut enclosing: HashMap<String, String> = HashMap::new();
    for template in document.select("template[id]").nodes() {
        let Some(own) = part_number(template, &["B:", "P:"]) else { continue };
        if let Some(outer) = template.ancestors_it(None).find_map(|above| part_number(&above, &["S:"])) {
            enclosing.insert(own.clone(), outer);
        }
        targets.insert(own, *template);
    }
    for part in document.select("div[hidden][id]").nodes().iter().take(MAX_PARTS) {
        let Some((own, target)) = part_number(part, &["S:"]).and_then(|own| targets.remove_entry(&own))
        else {
            continue;
        };
        let outer = std::iter::successors(enclosing.get(&own), |outer| enclosing.get(*outer));
        let shallow = target.ancestors_it(Some(MAX_DEPTH + 1)).count() <= MAX_DEPTH;
        if shallow && outer.take(MAX_WITHIN + 1).count() <= MAX_WITHIN {
            part.remove_attr("hidden");
            target.insert_after(part);
        }
    }
}

/// Id of an element without the prefix. `None` if the id has none of the prefixes.
fn part_number(node: &NodeRef<'_>, prefixes: &[&str]) -> Option<String> {
    let id = node.attr("id")?;
    prefixes.iter().find_map(|beginning| id.strip_prefix(beginning)).map(str::to_owned)
}
