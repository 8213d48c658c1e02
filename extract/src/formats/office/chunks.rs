//! Content of other formats that a DOCX file includes (`altChunk`). Word shows it as part of the text and
//! converts it when the file is saved.

use std::collections::HashMap;

use crate::{
    document::{Block, Input},
    formats::{archive::ArchiveFiles, relations, rtf},
    html,
    page::xhtml,
    plain,
};

/// Maximum number of inclusions that are read.
const MAX_CHUNKS: usize = 100;

/// Included content by relationship id. Formats other than HTML, RTF and plain text are omitted.
pub(super) fn read(files: &mut ArchiveFiles<'_>) -> HashMap<String, Vec<Block>> {
    let mut chunks = HashMap::new();
    let relations = relations::of(files, "word/document.xml");
    for (id, relation) in
        relations.into_iter().filter(|(_, relation)| relation.kind == "aFChunk").take(MAX_CHUNKS)
    {
        if let Some(blocks) = files.text(&relation.part).and_then(|text| blocks(&relation.part, text)) {
            chunks.insert(id, blocks);
        }
    }
    chunks
}

fn blocks(name: &str, text: String) -> Option<Vec<Block>> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "xhtml" | "xht" => whole_page(&xhtml::to_html(&text)),
        "html" | "htm" => whole_page(&text),
        "rtf" => {
            let input = Input { bytes: text.into_bytes(), content_type: None, url: None };
            rtf::read(&input).ok().map(|draft| draft.blocks)
        }
        "txt" => Some(plain::blocks(&text, "text/plain")),
        _ => None,
    }
}

fn whole_page(markup: &str) -> Option<Vec<Block>> {
    html::read_whole_page(markup, None).ok().map(|page| page.blocks)
}
