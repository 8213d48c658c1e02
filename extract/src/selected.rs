//! Extracts the text of the elements of a page that a person selected with CSS, instead of the main part, and
//! without the elements that the person removed. Title, author and dates are read from the page.

use url::Url;

use crate::{
    document::{ExtractionOutcome, Input, NextLinks},
    draft::{Draft, ReadError},
    formats,
    html::{self, Converted},
    language, limits,
    page::{Page, parse, xhtml},
    pipeline,
    text_parts::TextParts,
    watch,
};

/// Extracts the selected elements of a page without the removed elements. `parts` is the text form of
/// [`TextParts`]. A source of another format is extracted as a whole. If nothing matches the selector, the
/// outcome has no text.
pub fn extract_selected(input: &Input, parts: &str) -> ExtractionOutcome {
    let TextParts { selector, removed } = TextParts::parse(parts);
    let remaining = match without(input, &removed) {
        Ok(remaining) => remaining,
        Err(reason) => return ExtractionOutcome::TooComplex { reason },
    };
    let input = remaining.as_ref().unwrap_or(input);
    match selector {
        Some(selector) => extract_elements(input, &selector),
        None => pipeline::extract(input),
    }
}

/// Returns the page without the elements that the selectors match. `None` if there are no selectors, or if
/// the source is not a web page. The error names the exceeded limit.
fn without(input: &Input, removed: &[String]) -> Result<Option<Input>, String> {
    let format = formats::detect(input.content_type.as_deref(), &input.bytes, input.url.as_deref());
    if removed.is_empty() || !format.is_ok_and(|format| format.name == "html") {
        return Ok(None);
    }
    let markup = xhtml::decode(&input.bytes, input.content_type.as_deref());
    limits::check(&markup)?;
    let document = parse::parse(&markup)?;
    for selector in removed {
        let (nodes, is_cut) = watch::css_matches(&document, selector);
        if is_cut {
            return Err(format!("the selector {selector} of removed parts matches too many elements"));
        }
        for id in nodes {
            document.tree.remove_from_parent(&id);
        }
    }
    Ok(Some(Input {
        bytes: document.html().as_bytes().to_vec(),
        content_type: Some("text/html; charset=utf-8".to_owned()),
        url: input.url.clone(),
    }))
}

/// Extracts the elements of a page that a selector matches.
fn extract_elements(input: &Input, selector: &str) -> ExtractionOutcome {
    let mut outcome = pipeline::extract_by(input, |format| {
        let draft = format.read(input)?;
        if format.name != "html" {
            return Ok(draft);
        }
        let Converted { blocks, is_partial } = selected(input, selector).map_err(ReadError::TooComplex)?;
        let mut draft =
            Draft { blocks, source: None, quality: None, next_links: NextLinks::default(), ..draft };
        if is_partial {
            draft.report_missing_part();
        }
        Ok(draft)
    });
    if let ExtractionOutcome::Document(document) = &mut outcome
        && document.language.is_none()
    {
        document.language = language::detect(&document.blocks);
    }
    outcome
}

/// Blocks of the selected elements. The error names the exceeded limit.
fn selected(input: &Input, selector: &str) -> Result<Converted, String> {
    let markup = xhtml::decode(&input.bytes, input.content_type.as_deref());
    limits::check(&markup)?;
    let document = parse::parse(&markup)?;
    let (nodes, is_cut) = watch::css_matches(&document, selector);
    let mut matched = Vec::new();
    let page = Page::new(&document, |id, node| {
        if nodes.contains(&node.id) {
            matched.push(id);
        }
    });
    let address = input.url.as_deref().and_then(|url| Url::parse(url).ok());
    let base = html::base(&page, address.as_ref());
    let converted = html::selected_blocks(&page, &matched, base.as_ref());
    Ok(Converted { is_partial: converted.is_partial || is_cut, ..converted })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><head><title>Harbour</title></head><body><nav>Menu</nav>\
        <div class=\"story\"><p>First <b>words</b>.</p><p style=\"display:none\">Hidden.</p></div>\
        <p>Outside.</p><div class=\"story\"><p>Last words.</p></div></body></html>";

    fn texts(selector: &str, content_type: &str) -> Option<(String, Vec<String>)> {
        let input = Input {
            bytes: PAGE.into(),
            content_type: Some(content_type.to_owned()),
            url: Some("https://example.org/".to_owned()),
        };
        match extract_selected(&input, selector) {
            ExtractionOutcome::Document(document) => {
                Some((document.title, document.blocks.into_iter().map(|block| block.text).collect()))
            }
            _ => None,
        }
    }

    #[test]
    fn selected_elements_are_read_in_order_without_other_text() {
        let (title, blocks) = texts(".story", "text/html").unwrap();
        assert_eq!(title, "Harbour");
        assert_eq!(blocks, ["First words.", "Last words."]);
    }

    #[test]
    fn removed_elements_are_not_read() {
        let (title, blocks) = texts(".story\u{1f}.story b\u{1f}p[", "text/html").unwrap();
        assert_eq!((title.as_str(), blocks.len(), blocks[1].as_str()), ("Harbour", 2, "Last words."));
        assert!(blocks[0].starts_with("First") && !blocks[0].contains("words"), "{blocks:?}");
        assert_eq!(texts(".story\u{1f}body", "text/html"), None);
        assert!(texts("\u{1f}.story", "text/plain").is_some());
        let long = "The ferry leaves at nine and returns in the evening. ".repeat(12);
        let page =
            format!("<html><body><article><p>{long}</p><p class=\"ad\">Buy now.</p></article></body></html>");
        let input = Input { bytes: page.into(), content_type: Some("text/html".to_owned()), url: None };
        let ExtractionOutcome::Document(document) = extract_selected(&input, "\u{1f}.ad") else {
            panic!("no text")
        };
        let text: String = document.blocks.iter().map(|block| block.text.as_str()).collect();
        assert!(text.contains("ferry") && !text.contains("Buy"), "{text}");
    }

    #[test]
    fn selector_without_match_yields_no_text_and_plain_text_is_read_as_a_whole() {
        assert_eq!(texts(".other", "text/html"), None);
        assert_eq!(texts("p[", "text/html"), None);
        assert!(texts(".story", "text/plain").is_some());
    }
}
