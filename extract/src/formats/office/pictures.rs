//! Pictures of word processor documents. A picture is represented by its alternative text.

use crate::{
    clean,
    document::{Block, BlockKind},
    formats::xml::value,
    html::is_file_name,
};

/// Alternative texts of the pictures in a paragraph.
#[derive(Debug, Default)]
pub(super) struct Pictures(Vec<String>);

impl Pictures {
    /// Adds the picture of a DOCX drawing. The same picture may follow in the notation of older programs.
    pub(super) fn add_of_docx(&mut self, element: &str, attributes: &[(String, String)]) {
        let text = match element {
            "shape" => value(attributes, "alt"),
            _ => value(attributes, "descr").or_else(|| value(attributes, "title")),
        };
        self.add(text.unwrap_or_default());
    }

    /// Adds an alternative text, unless it is blank, a single word, or the name of a file.
    pub(super) fn add(&mut self, text: &str) {
        let text = clean::fold(text);
        let is_known = self.0.last() == Some(&text);
        if clean::words(&text) >= 2 && !is_file_name(&text) && !is_known {
            self.0.push(text);
        }
    }

    pub(super) fn take(&mut self) -> impl Iterator<Item = String> + use<> {
        std::mem::take(&mut self.0).into_iter()
    }
}

/// Block of a picture.
pub(super) fn block(text: String) -> Block {
    Block { kind: BlockKind::Figure, alt: Some(text.clone()), text, ..Block::default() }
}
