//! Pictures of the kept part that say too little to be blocks: they are shown beside the text and are no part of it. Icons,
//! decorations and whatever only counts who reads are told by their names and sizes, and left out.

use std::collections::HashSet;

use super::tree::{Id, Page};
use crate::document::{Block, BlockKind, Picture};

/// Pictures of one page.
const MOST: usize = 100;
/// An image that is declared to be smaller is part of a line.
const LEAST_PIXELS: u32 = 64;
/// Elements round an image whose names tell what it is for.
const ROUND: usize = 2;
/// Words in names and addresses of images that are not what a text is about.
const ASIDE: [&str; 31] = [
    "1x1",
    "ad",
    "ads",
    "advert",
    "avatar",
    "badge",
    "beacon",
    "blank",
    "btn",
    "button",
    "captcha",
    "counter",
    "emoji",
    "emoticon",
    "favicon",
    "gravatar",
    "ico",
    "icon",
    "icons",
    "logo",
    "pixel",
    "share",
    "smiley",
    "social",
    "spacer",
    "spinner",
    "sprite",
    "stats",
    "tracker",
    "tracking",
    "transparent",
];

/// The pictures that were found, by the number of the block that they stand beside.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    found: Vec<(usize, Picture)>,
    addresses: HashSet<String>,
}

impl Pictures {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.found.len()
    }

    /// Lets go of those behind the first `count`.
    pub(super) fn truncate(&mut self, count: usize) {
        self.found.truncate(count);
    }

    /// Notes one that stands beside block `at`, once for each address.
    pub(super) fn add(&mut self, at: usize, picture: Picture) {
        if self.found.len() < MOST && self.addresses.insert(picture.src.clone()) {
            self.found.push((at, picture));
        }
    }

    /// Puts them beside their blocks, but for those that are blocks anyway.
    pub(super) fn put_beside(self, blocks: &mut [Block]) {
        let shown: HashSet<String> = blocks.iter().filter_map(|block| block.src.clone()).collect();
        let last = blocks.len().saturating_sub(1);
        for (at, mut picture) in self.found.into_iter().filter(|(_, picture)| !shown.contains(&picture.src)) {
            picture.after |= at > last;
            let mut at = at.min(last);
            // One above a title stands below it: titles are shown by whoever shows the text.
            while !picture.after && at < last && blocks.get(at).is_some_and(is_heading) {
                at += 1;
            }
            if let Some(block) = blocks.get_mut(at) {
                block.pictures.push(picture);
            }
        }
    }
}

fn is_heading(block: &Block) -> bool {
    block.kind == BlockKind::Heading
}

/// Whether an image is declared to be no larger than a sign in a line.
pub(super) fn is_small(page: &Page, image: Id) -> bool {
    ["width", "height"].iter().any(|side| {
        let declared = page
            .attribute(image, side)
            .and_then(|value| value.trim().trim_end_matches("px").parse::<u32>().ok());
        declared.or_else(|| styled(page, image, side)).is_some_and(|pixels| pixels < LEAST_PIXELS)
    })
}

/// A side in pixels as the style says it.
fn styled(page: &Page, image: Id, side: &str) -> Option<u32> {
    page.attribute(image, "style")?.split(';').find_map(|rule| {
        let (property, value) = rule.split_once(':')?;
        let is_side = property.trim().eq_ignore_ascii_case(side);
        value.trim().strip_suffix("px").filter(|_| is_side)?.trim().parse().ok()
    })
}

/// Whether an image is one that the text is about, as far as names tell.
pub(super) fn is_content(page: &Page, image: Id, src: &str) -> bool {
    let is_hidden = page.attribute(image, "aria-hidden") == Some("true")
        || matches!(page.attribute(image, "role"), Some("presentation" | "none"));
    let is_title = page
        .ancestors(image)
        .take_while(|&above| !page.is(above, "article"))
        .any(|above| matches!(page.tag(above), "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "button" | "nav"));
    let round = std::iter::once(image).chain(page.ancestors(image).take(ROUND));
    let is_aside =
        round.flat_map(|id| ["class", "id"].map(|name| page.attribute(id, name))).flatten().any(names_aside);
    let path = src.split(['?', '#']).next().unwrap_or_default();
    let (_, name) = path.rsplit_once('/').unwrap_or_default();
    let is_drawing = name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("svg"));
    !(is_hidden || is_title || is_aside || is_drawing || names_aside(name) || counts(src))
}

fn names_aside(names: &str) -> bool {
    names
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .any(|word| ASIDE.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Whether the host of an address is there to count who reads.
fn counts(src: &str) -> bool {
    let host = src.split('/').nth(2).unwrap_or_default();
    host.split('.').any(|part| {
        matches!(part, "pixel" | "pixels" | "beacon" | "track" | "tracking" | "stats" | "analytics")
    })
}
