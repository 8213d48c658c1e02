//! Extracts the text of the elements of a page that a person selected with CSS, instead of the main part.
//! Title, author and dates are read from the page.

use url::Url;

use crate::{
    document::{ExtractionOutcome, Input, NextLinks},
    draft::{Draft, ReadError},
    html::{self, Converted},
    language, limits,
    page::{Page, parse, xhtml},
    pipeline, watch,
};

/// Extracts the selected elements of a page. A source of another format is extracted as a whole. If nothing
/// matches the selector, the outcome has no text.
pub fn extract_selected(input: &Input, selector: &str) -> ExtractionOutcome {
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
    fn selector_without_match_yields_no_text_and_plain_text_is_read_as_a_whole() {
        assert_eq!(texts(".other", "text/html"), None);
        assert_eq!(texts("p[", "text/html"), None);
        assert!(texts(".story", "text/plain").is_some());
    }
}
