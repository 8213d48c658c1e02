//! Bookmarks and references in XML: XBEL, wallabag, Delicious and Pinboard, OPML, and Zotero.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::mapping;
use super::markup::plain_text;
use super::row::{ImportRow, InvalidRow, RowResult};
use super::xml_tree::{self, XmlElement};
use super::{services, values};

/// Maximum number of parents of a collection.
const MAX_PARENTS: usize = 16;
/// Maximum number of collections of an item.
const MAX_FOLDERS: usize = 100;

/// Reads the rows of the outermost element of a file.
type ReadRoot = fn(&XmlElement<'_>, &mut dyn FnMut(RowResult));

fn read_root(text: &str, visit: &mut dyn FnMut(RowResult), read: ReadRoot) {
    let tree = match xml_tree::parse(text) {
        Ok(tree) => tree,
        Err(reason) => return visit(Err(reason)),
    };
    for root in &tree.root.children {
        read(root, visit);
    }
    if tree.is_truncated {
        visit(Err(InvalidRow::Truncated));
    }
}

/// Reads XBEL: `folder` elements with `title` and `desc`, and `bookmark` elements with `href`, `added`,
/// `title` and `desc`.
pub(super) fn xbel(text: &str, visit: &mut dyn FnMut(RowResult)) {
    read_root(text, visit, |root, visit| xbel_folder(root, &mut Vec::new(), visit));
}

fn xbel_folder(folder: &XmlElement<'_>, names: &mut Vec<String>, visit: &mut dyn FnMut(RowResult)) {
    let mut description = folder.text_of("desc").filter(|_| !names.is_empty());
    for child in &folder.children {
        match child.name() {
            "folder" => {
                let depth = names.len();
                names.extend(child.text_of("title").map(values::folder_name));
                xbel_folder(child, names, visit);
                names.truncate(depth);
            }
            "bookmark" => {
                visit(mapping::checked(xbel_bookmark(child, description.as_deref(), names)));
                description = values::repeated_description(description);
            }
            _ => {}
        }
    }
}

fn xbel_bookmark(bookmark: &XmlElement<'_>, description: Option<&str>, names: &[String]) -> ImportRow {
    let mut row = ImportRow {
        title: bookmark.text_of("title"),
        note: bookmark.text_of("desc"),
        folders: values::folders(names),
        ..ImportRow::default()
    };
    for (name, value) in bookmark.attributes() {
        match name {
            "href" => row.url = values::text(&value),
            "added" if values::time(&value).is_some() => row.saved_at = values::time(&value),
            "id" => {}
            _ => mapping::store_extra(&mut row.extra, name.to_owned(), value.into()),
        }
    }
    row.extra.extend(description.map(|text| ("folder_description".to_owned(), Value::from(text))));
    row
}

/// Reads exports of wallabag: `entry` elements with the members of its JSON.
pub(super) fn wallabag(text: &str, visit: &mut dyn FnMut(RowResult)) {
    read_root(text, visit, |root, visit| {
        for entry in root.children.iter().filter(|child| child.name() == "entry") {
            visit(services::wallabag(value_of(entry)));
        }
    });
}

/// Converts an element to JSON: a text, a list of its `item` and `entry` elements, or an object of its
/// children.
fn value_of(element: &XmlElement<'_>) -> Value {
    let is_list = |child: &XmlElement<'_>| matches!(child.name(), "item" | "entry");
    if element.children.is_empty() {
        return element.text().into();
    }
    if element.children.iter().all(is_list) {
        return element.children.iter().map(value_of).collect::<Vec<_>>().into();
    }
    let members = element.children.iter().map(|child| (child.name().to_owned(), value_of(child)));
    members.collect::<Map<String, Value>>().into()
}

/// Reads exports of Delicious and Pinboard: `post` elements with attributes.
pub(super) fn posts(text: &str, visit: &mut dyn FnMut(RowResult)) {
    read_root(text, visit, |root, visit| {
        for post in root.children.iter().filter(|child| child.name() == "post") {
            let members = post.attributes().into_iter().map(|(name, value)| {
                let name = if name == "tag" { "tags" } else { name };
                (name.to_owned(), Value::from(value))
            });
            visit(mapping::row(mapping::PINBOARD, members));
        }
    });
}

/// True if the file is an outline of links. An outline with feeds is a list of subscriptions.
pub(super) fn is_links(text: &str) -> bool {
    let lowered = text.to_ascii_lowercase();
    let has = |name: &str| {
        lowered.match_indices(name).any(|(at, _)| lowered[..at].ends_with(|c: char| c.is_ascii_whitespace()))
    };
    lowered.starts_with('<')
        && lowered.contains("<opml")
        && (has("url=") || has("htmlurl="))
        && !has("xmlurl=")
}

/// Reads OPML: nested `outline` elements with `text`, `url`, `created`, `category` and `description`.
pub(super) fn outline(text: &str, visit: &mut dyn FnMut(RowResult)) {
    read_root(text, visit, |root, visit| {
        for body in root.children.iter().filter(|child| child.name() == "body") {
            outlines(body, &mut Vec::new(), visit);
        }
    });
}

fn outlines(list: &XmlElement<'_>, names: &mut Vec<String>, visit: &mut dyn FnMut(RowResult)) {
    for child in list.children.iter().filter(|child| child.name() == "outline") {
        let mut attributes: HashMap<String, String> = HashMap::new();
        for (name, value) in child.attributes() {
            attributes.entry(name.to_ascii_lowercase()).or_insert(value);
        }
        let mut take =
            |names: &[&str]| names.iter().find_map(|name| values::text(&attributes.remove(*name)?));
        let title = take(&["title", "text"]);
        if take(&["xmlurl"]).is_some() {
            visit(Err(InvalidRow::Subscription));
        } else if let Some(url) = take(&["url", "htmlurl"]) {
            visit(mapping::checked(ImportRow {
                url: Some(url),
                title: title.clone(),
                saved_at: take(&["created"]).and_then(|time| values::time(&time)),
                tags: take(&["category"]).map(|tags| values::list(&tags, ',')).unwrap_or_default(),
                folders: values::folders(names),
                note: take(&["description", "_note"]),
                ..ImportRow::default()
            }));
        } else if child.children.is_empty() {
            visit(Err(InvalidRow::Empty));
        }
        let depth = names.len();
        names.extend(title.map(values::folder_name));
        outlines(child, names, visit);
        names.truncate(depth);
    }
}

/// Reads exports of Zotero: items with `z:itemType`, notes (`bib:Memo`), and collections (`z:Collection`).
pub(super) fn zotero(text: &str, visit: &mut dyn FnMut(RowResult)) {
    read_root(text, visit, |root, visit| {
        let mut rest = ReferencedObjects::of(root);
        for item in &root.children {
            let kind = item.text_of("z:itemType");
            if kind.as_deref().is_some_and(|kind| kind != "attachment") && item.name() != "bib:Memo" {
                visit(zotero_item(item, &mut rest));
            }
        }
    });
}

/// Notes and collections to which items refer.
#[derive(Default)]
struct ReferencedObjects {
    notes: HashMap<String, String>,
    /// Names of collections by their ids.
    names: HashMap<String, String>,
    /// Ids of the collections that contain an item or a collection.
    parents: HashMap<String, Vec<String>>,
}

impl ReferencedObjects {
    fn of(root: &XmlElement<'_>) -> Self {
        let mut rest = Self::default();
        for element in &root.children {
            let Some(id) = element.attribute("rdf:about") else { continue };
            match element.name() {
                "bib:Memo" => {
                    rest.notes.extend(element.text_of("rdf:value").map(|note| (id, plain_text(&note))));
                }
                "z:Collection" => {
                    for part in element.children.iter().filter(|child| child.name() == "dcterms:hasPart") {
                        if let Some(part) = part.attribute("rdf:resource") {
                            rest.parents.entry(part).or_default().push(id.clone());
                        }
                    }
                    let name = element.text_of("dc:title").map(values::folder_name);
                    rest.names.extend(name.map(|name| (id, name)));
                }
                _ => {}
            }
        }
        rest
    }

    /// Returns the paths of the collections that contain an item. A path begins with the outermost
    /// collection.
    fn folders(&self, id: &str) -> Vec<Vec<String>> {
        let collections = self.parents.get(id).into_iter().flatten().take(MAX_FOLDERS);
        collections.flat_map(|collection| values::folders(&self.path(collection))).collect()
    }

    fn path(&self, id: &str) -> Vec<String> {
        let (mut names, mut next) = (Vec::new(), Some(id));
        while let Some(id) = next.filter(|_| names.len() < MAX_PARENTS) {
            let Some(name) = self.names.get(id) else { break };
            names.push(name.clone());
            next = self.parents.get(id).and_then(|parents| parents.first()).map(String::as_str);
        }
        names.reverse();
        names
    }
}

fn zotero_item(item: &XmlElement<'_>, rest: &mut ReferencedObjects) -> RowResult {
    let (mut members, mut tags, mut notes): (Vec<(String, Value)>, Vec<Value>, Vec<String>) =
        (Vec::new(), Vec::new(), Vec::new());
    let about = item.attribute("rdf:about").unwrap_or_default();
    for child in &item.children {
        match (child.name(), child.text()) {
            ("bib:authors", _) => members.push(("author".to_owned(), people(child).into())),
            ("dc:subject", text) => {
                let named = child.child("z:AutomaticTag").and_then(|tag| tag.text_of("rdf:value"));
                tags.extend(text.or(named).map(Value::from));
            }
            ("dc:identifier", Some(text)) => match text.strip_prefix("DOI ") {
                Some(doi) => members.push(("doi".to_owned(), doi.into())),
                None => members.push(("identifier".to_owned(), text.into())),
            },
            ("dc:identifier", None) => {
                let url = child.child("dcterms:URI").and_then(|uri| uri.text_of("rdf:value"));
                members.extend(url.map(|url| ("url".to_owned(), url.into())));
            }
            ("dcterms:isReferencedBy", _) => {
                // A note belongs to one item.
                notes.extend(child.attribute("rdf:resource").and_then(|id| rest.notes.remove(&id)));
            }
            ("dcterms:isPartOf", _) => {
                let title = child.children.first().and_then(|whole| whole.text_of("dc:title"));
                members.extend(title.map(|title| ("publication".to_owned(), title.into())));
            }
            (name, Some(text)) => {
                let name = name.split_once(':').map_or(name, |(_, name)| name);
                members.push((name.to_owned(), text.into()));
            }
            (_, None) => {}
        }
    }
    if about.starts_with("http") {
        members.push(("l1".to_owned(), about.as_str().into()));
    }
    members.push(("keywords".to_owned(), tags.into()));
    members.push(("note".to_owned(), notes.join("\n\n").into()));
    let saved_at = item.text_of("dcterms:dateSubmitted").and_then(|time| values::time(&time));
    mapping::reference(mapping::REFERENCE, members).map(|row| ImportRow {
        saved_at,
        folders: rest.folders(&about),
        ..row
    })
}

/// Joins the names of people, given name first.
fn people(list: &XmlElement<'_>) -> String {
    let people = list.children.iter().flat_map(|sequence| &sequence.children);
    let name = |person: &XmlElement<'_>| {
        let person = person.child("foaf:Person")?;
        let parts = ["foaf:givenName", "foaf:surname"].map(|part| person.text_of(part));
        values::text(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    };
    people.filter_map(name).collect::<Vec<_>>().join(", ")
}
