//! Outline of a text: links to its headings, next to the text or in a menu.

use extract::{Block, BlockKind};
use maud::{Markup, html};

use super::language::text::Text;
use reader::render::ReadView;

/// Minimum number of headings for an outline.
const MIN_HEADINGS: usize = 3;

/// Renders the outline next to the text, which only wide screens display.
pub(super) fn side_outline(reading: &ReadView<'_>) -> Markup {
    html! {
        @if let Some(list) = outline_list(reading) {
            nav.outline.noprint aria-label=(Text("reading-outline")) { p { (Text("reading-outline")) } (list) }
        }
    }
}

/// Renders the links to the headings. `None` if there are too few headings, or if the page contains only a part of
/// the text.
pub(super) fn outline_list(reading: &ReadView<'_>) -> Option<Markup> {
    let blocks = &reading.document().blocks;
    let headings: Vec<&Block> = blocks.iter().filter(|block| block.kind == BlockKind::Heading).collect();
    if headings.len() < MIN_HEADINGS || reading.selection.picks.len() != blocks.len() {
        return None;
    }
    Some(html! {
        ol { @for heading in headings {
            li class={ "depth-" (heading.level.unwrap_or(2).clamp(1, 6)) } {
                a href={ "#p" (heading.anchor) } { bdi { (heading.text) } }
            }
        } }
    })
}
