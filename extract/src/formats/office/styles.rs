//! Styles of a DOCX file. Their ids depend on the language of the program that wrote the file. Therefore a
//! style is identified by its name, its outline level, or the style on which it is based.

use std::collections::HashMap;

use super::{
    properties::heading_level_of_name,
    run_style::{RunStyle, is_on},
};
use crate::formats::xml::{self, XmlEvent, value};

/// Maximum number of styles of a file that are stored.
const MAX_STYLES: usize = 10_000;
/// Maximum length of a chain of styles, each based on the next.
const MAX_CHAIN: usize = 12;

/// Names of paragraph styles for code, in lower case: of Word, `LibreOffice` and Pandoc.
const CODE_STYLES: [&str; 7] =
    ["html preformatted", "preformatted text", "macro", "source code", "html code", "code", "code block"];

#[derive(Debug, Default)]
pub(super) struct Styles {
    by_id: HashMap<String, DeclaredStyle>,
}

/// Style that the file declares.
#[derive(Debug, Default)]
struct DeclaredStyle {
    /// Name. The names of built-in styles are in English in all files.
    name: String,
    based_on: Option<String>,
    outline: Option<String>,
    /// Id of the list to which paragraphs of the style belong. `0` for no list.
    list: Option<String>,
    strong: bool,
    italic: bool,
}

/// Structure that a paragraph style implies.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParagraphStyle {
    pub(super) heading: Option<u8>,
    /// Nesting depth, if the paragraph is a list item.
    pub(super) item_depth: Option<u8>,
    pub(super) is_quote: bool,
    pub(super) is_code: bool,
}

/// Heading level for an outline level. Outline levels count from 0; level 9 is body text.
pub(super) fn outline_level(value: &str) -> Option<u8> {
    value.parse::<u8>().ok().filter(|level| *level < 9).map(|level| (level + 1).min(6))
}

impl Styles {
    pub(super) fn read(text: &str) -> Self {
        let mut styles = Self::default();
        let mut current: Option<(String, DeclaredStyle)> = None;
        xml::walk(text, |step| match step {
            XmlEvent::Open("style", attributes) => {
                current = value(attributes, "styleId").map(|id| (id.to_owned(), DeclaredStyle::default()));
            }
            XmlEvent::Open(name, attributes) => {
                if let Some((_, style)) = &mut current {
                    style.property(name, attributes);
                }
            }
            XmlEvent::Close("style") => {
                if let Some((id, style)) = current.take().filter(|_| styles.by_id.len() < MAX_STYLES) {
                    styles.by_id.insert(id, style);
                }
            }
            XmlEvent::Text(_) | XmlEvent::Close(_) => {}
        });
        styles
    }

    /// Structure that a paragraph style implies. A style that the file does not declare is identified by its
    /// id.
    pub(super) fn paragraph(&self, id: &str) -> ParagraphStyle {
        if !self.by_id.contains_key(id) {
            return ParagraphStyle { heading: heading_level_of_name(id), ..ParagraphStyle::default() };
        }
        let mut meaning = ParagraphStyle::default();
        for style in self.chain(id) {
            let name = style.name.to_lowercase();
            meaning.heading = heading_level_of_name(&style.name)
                .or_else(|| style.outline.as_deref().and_then(outline_level));
            meaning.is_quote = matches!(name.as_str(), "quote" | "intense quote");
            meaning.is_code = CODE_STYLES.contains(&name.as_str());
            let listed = ["list bullet", "list number"].iter().find_map(|list| name.strip_prefix(list));
            let depth =
                listed.map(|number| number.trim().parse::<u8>().map_or(0, |number| number.saturating_sub(1)));
            meaning.item_depth = depth.or(style.is_numbered().then_some(0));
            // Outline level 9 declares body text, even if the style is based on a heading.
            let is_body = style.outline.as_deref() == Some("9");
            if meaning != ParagraphStyle::default() || is_body {
                return meaning;
            }
        }
        meaning
    }

    /// Id of the list to which the paragraphs of a style belong.
    pub(super) fn list(&self, id: &str) -> Option<&str> {
        self.chain(id).find_map(|style| style.list.as_deref())
    }

    /// Adds the formatting of a character style.
    pub(super) fn character(&self, id: &str, run: RunStyle) -> RunStyle {
        if !self.by_id.contains_key(id) {
            return run.named(id);
        }
        self.chain(id).fold(run, |run, style| {
            let run = run.named(&style.name);
            RunStyle { strong: run.strong || style.strong, italic: run.italic || style.italic, ..run }
        })
    }

    /// Returns the style with this id, followed by the styles on which it is based.
    fn chain(&self, id: &str) -> impl Iterator<Item = &DeclaredStyle> {
        let first = self.by_id.get(id);
        std::iter::successors(first, |style| style.based_on.as_ref().and_then(|id| self.by_id.get(id)))
            .take(MAX_CHAIN)
    }
}

impl DeclaredStyle {
    fn is_numbered(&self) -> bool {
        self.list.as_deref().is_some_and(|list| list != "0")
    }

    fn property(&mut self, name: &str, attributes: &[(String, String)]) {
        let text = || value(attributes, "val").unwrap_or_default().to_owned();
        match name {
            "name" => self.name = text(),
            "basedOn" => self.based_on = Some(text()),
            "outlineLvl" => self.outline = Some(text()),
            "numId" => self.list = Some(text()),
            "b" => self.strong = is_on(attributes),
            "i" => self.italic = is_on(attributes),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        BlockKind,
        formats::tests::{read, texts, zipped},
        render,
    };

    fn document(styles: &[(&str, &str)], paragraphs: &[(&str, &str)]) -> crate::Document {
        let style = |(id, inside): &(&str, &str)| {
            format!("<w:style w:type='paragraph' w:styleId='{id}'>{inside}</w:style>")
        };
        let paragraph = |(style, text): &(&str, &str)| {
            format!("<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
        };
        let styles = styles.iter().map(style).collect::<Vec<_>>().concat();
        let body = paragraphs.iter().map(paragraph).collect::<Vec<_>>().concat();
        let bytes = zipped(&[
            ("word/document.xml", &format!("<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>")),
            ("word/styles.xml", &format!("<w:styles xmlns:w='w'>{styles}</w:styles>")),
        ]);
        read(bytes, None)
    }

    fn kinds(document: &crate::Document) -> Vec<(BlockKind, Option<u8>)> {
        document.blocks.iter().map(|block| (block.kind, block.level)).collect()
    }

    #[test]
    fn styles_are_identified_by_name_and_outline_level() {
        let document = document(
            &[
                ("Titel", "<w:name w:val='Title'/>"),
                ("1", "<w:name w:val='heading 1'/>"),
                ("berschrift2", "<w:name w:val='heading 2'/>"),
                ("a3", "<w:name w:val='Kapitel'/><w:basedOn w:val='1'/>"),
                ("a4", "<w:name w:val='Abschnitt'/><w:pPr><w:outlineLvl w:val='2'/></w:pPr>"),
                ("a5", "<w:name w:val='heading 8'/>"),
                ("a6", "<w:name w:val='Überschrift 2'/>"),
                ("Zitat", "<w:name w:val='Quote'/>"),
                ("Aufzhlung2", "<w:name w:val='List Bullet 2'/>"),
                ("a7", "<w:name w:val='Punkte'/><w:pPr><w:numPr><w:numId w:val='3'/></w:numPr></w:pPr>"),
                ("Heading3", "<w:name w:val='Body copy'/>"),
                (
                    "TOC",
                    "<w:name w:val='TOC Heading'/><w:basedOn w:val='1'/><w:pPr><w:outlineLvl w:val='9'/></w:pPr>",
                ),
            ],
            &[
                ("Titel", "Der Turm"),
                ("1", "a"),
                ("berschrift2", "b"),
                ("a3", "c"),
                ("a4", "d"),
                ("a5", "e"),
                ("a6", "f"),
                ("Zitat", "g"),
                ("Aufzhlung2", "h"),
                ("a7", "i"),
                ("Heading3", "j"),
                ("TOC", "k"),
                ("Heading4", "l"),
            ],
        );
        let heading = |level| (BlockKind::Heading, Some(level));
        assert_eq!(document.title, "Der Turm");
        assert_eq!(
            kinds(&document),
            [
                heading(1),
                heading(1),
                heading(2),
                heading(1),
                heading(3),
                heading(6),
                heading(2),
                (BlockKind::Quote, None),
                (BlockKind::ListItem, None),
                (BlockKind::ListItem, None),
                (BlockKind::Paragraph, None),
                (BlockKind::Paragraph, None),
                heading(4),
            ]
        );
        assert_eq!(document.blocks[8].list.map(|list| list.depth), Some(1));
    }

    #[test]
    fn numbering_of_a_paragraph_overrides_its_style() {
        let bytes = zipped(&[
            (
                "word/document.xml",
                "<w:document xmlns:w='w'><w:body><w:p><w:pPr><w:pStyle w:val='a'/><w:numPr><w:ilvl w:val='0'/><w:numId w:val='0'/></w:numPr></w:pPr><w:r><w:t>plain</w:t></w:r></w:p>\
                 <w:p><w:r><w:rPr><w:rStyle w:val='Fett'/></w:rPr><w:t>bold</w:t></w:r></w:p></w:body></w:document>",
            ),
            (
                "word/styles.xml",
                "<w:styles xmlns:w='w'><w:style w:styleId='a'><w:name w:val='List Bullet'/></w:style>\
                 <w:style w:type='character' w:styleId='Fett'><w:name w:val='Strong'/></w:style></w:styles>",
            ),
        ]);
        let document = read(bytes, None);
        assert_eq!(texts(&document.blocks)[0], (BlockKind::Paragraph, "plain"));
        assert_eq!(render::markdown(&document.blocks), "plain\n\n**bold**\n");
    }

    #[test]
    fn paragraphs_of_code_styles_form_one_block() {
        for name in ["HTML Preformatted", "Source Code", "Preformatted Text"] {
            let styles =
                [("a", format!("<w:name w:val='{name}'/>")), ("b", "<w:basedOn w:val='a'/>".to_owned())];
            let styles: Vec<(&str, &str)> =
                styles.iter().map(|(id, inside)| (*id, inside.as_str())).collect();
            let code = [("a", "def x(n):"), ("b", "    return  n"), ("a", ""), ("a", "x(1)"), ("c", "Text.")];
            let document = document(&styles, &code);
            let expected =
                [(BlockKind::Code, "def x(n):\n    return  n\n\nx(1)"), (BlockKind::Paragraph, "Text.")];
            assert_eq!(texts(&document.blocks), expected);
        }
    }

    #[test]
    fn circular_style_bases_do_not_loop() {
        let document =
            document(&[("a", "<w:basedOn w:val='b'/>"), ("b", "<w:basedOn w:val='a'/>")], &[("a", "text")]);
        assert_eq!(kinds(&document), [(BlockKind::Paragraph, None)]);
    }
}
