//! Joins the parts of a text that its site splits into several pages.

use std::collections::HashSet;

use crate::{
    assemble::{self, Assembled},
    document::{Block, BlockKind, Document, Quality, Warning},
};

/// True if the second document continues the text of the first, judging by their titles.
pub fn continues(first: &Document, next: &Document) -> bool {
    let (one, other) = (letters(&first.title), letters(&next.title));
    !one.is_empty()
        && (one == other || other.starts_with(&one) || one.starts_with(&other) && other.len() >= 8)
}

/// Letters of a title in lower case. The titles of parts differ only in numbers and punctuation.
fn letters(title: &str) -> String {
    title.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

/// Joins the parts, in order, to one document. Blocks that repeat blocks of earlier parts, such as the title
/// or a note on the author, are dropped. If the last part links to a further part, that part is missing, so
/// the quality is partial.
pub fn join(first: Document, rest: Vec<Document>) -> Document {
    let mut joined = first;
    let mut seen: HashSet<String> = joined.blocks.iter().map(|block| block.text.clone()).collect();
    let mut blocks = std::mem::take(&mut joined.blocks);
    for part in rest {
        let own: Vec<Block> = part.blocks.into_iter().filter(|block| !is_repeated(block, &seen)).collect();
        seen.extend(own.iter().map(|block| block.text.clone()));
        blocks.extend(own);
        joined.warnings.extend(part.warnings);
        joined.modified_at = part.modified_at.max(joined.modified_at.take());
        joined.next_links.next = part.next_links.next;
    }
    let Assembled { blocks, truncated, total_tokens, content_hash, .. } = assemble::assemble(blocks);
    if truncated {
        joined.warnings.push(Warning::TruncatedSource);
    }
    if joined.next_links.next.is_some() {
        joined.quality = joined.quality.map(|quality| match quality {
            Quality::Complete => Quality::Partial,
            lower => lower,
        });
    }
    joined.warnings.sort_unstable();
    joined.warnings.dedup();
    Document { blocks, content_hash, total_tokens, ..joined }
}

/// True if a block repeats one of the `seen` texts. Lines of code and table rows may repeat within a text, so
/// they are never treated as repeated.
fn is_repeated(block: &Block, seen: &HashSet<String>) -> bool {
    matches!(block.kind, BlockKind::Heading | BlockKind::Paragraph | BlockKind::Figure | BlockKind::Footnote)
        && seen.contains(&block.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExtractionOutcome, Input, extract};

    fn page(url: &str, body: &str) -> Document {
        let markup = format!(
            "<html><head><title>The long walk</title><link rel=next href='/walk/3'></head><body><article>\
             <h1>The long walk</h1>{body}</article></body></html>"
        );
        let content_type = Some("text/html".to_owned());
        match extract(&Input { bytes: markup.into_bytes(), content_type, url: Some(url.to_owned()) }) {
            ExtractionOutcome::Document(document) => *document,
            other => panic!("{other:?}"),
        }
    }

    fn paragraph(word: &str) -> String {
        format!(
            "<p>{}</p>",
            format!("On the {word} day we walked along the river, and it rained. ").repeat(4)
        )
    }

    #[test]
    fn parts_are_joined_without_repeated_blocks() {
        let note = "<p>The author has walked along many rivers, and wrote a book on each of them.</p>";
        let first = page("https://a.example/walk", &(paragraph("first") + note));
        let second = page("https://a.example/walk/2", &(paragraph("second") + note));
        assert!(continues(&first, &second));
        assert_eq!(second.next_links.next.as_deref(), Some("https://a.example/walk/3"));
        let joined = join(first.clone(), vec![second]);
        let count = |text: &str| joined.blocks.iter().filter(|block| block.text.contains(text)).count();
        assert_eq!((count("first day"), count("second day"), count("a book on each")), (1, 1, 1));
        assert_eq!(joined.quality, Some(Quality::Partial), "the third part is missing");
        assert_eq!(joined.blocks.last().map(|block| block.anchor as usize), Some(joined.blocks.len()));
        assert_ne!(joined.content_hash, first.content_hash);
    }

    #[test]
    fn page_with_a_different_title_does_not_continue_a_text() {
        let first = page("https://a.example/walk", &paragraph("first"));
        let other = Document { title: "Another story".to_owned(), ..first.clone() };
        let second = Document { title: "The long walk – page 2".to_owned(), ..first.clone() };
        assert!(!continues(&first, &other));
        assert!(continues(&first, &second));
    }
}
