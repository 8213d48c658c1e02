//! Relationships between the parts of an office archive. The relationships of each part are in a separate
//! file.

use std::collections::HashMap;

use super::{
    archive::ArchiveFiles,
    xml::{self, XmlEvent, value},
};

/// Relationship: the last segment of its type, and the name of the target part.
pub(super) struct Relation {
    pub(super) kind: String,
    pub(super) part: String,
}

/// Relationships of `part` by id.
pub(super) fn of(files: &mut ArchiveFiles<'_>, part: &str) -> HashMap<String, Relation> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let text = files.text(&format!("{folder}/_rels/{name}.rels")).unwrap_or_default();
    let mut relations = HashMap::new();
    xml::walk(&text, |step| {
        if let XmlEvent::Open("Relationship", attributes) = step
            && let (Some(id), Some(target)) = (value(attributes, "Id"), value(attributes, "Target"))
            && value(attributes, "TargetMode") != Some("External")
        {
            let kind = value(attributes, "Type").unwrap_or_default();
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            relations.insert(id.to_owned(), Relation { kind, part: resolve_path(folder, target) });
        }
    });
    relations
}

/// Resolves a path within an archive, relative to `folder`. The result never leaves the archive.
pub(super) fn resolve_path(folder: &str, address: &str) -> String {
    let address = percent_encoding::percent_decode_str(address.split('#').next().unwrap_or(address))
        .decode_utf8_lossy();
    let folder = if address.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in address.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
