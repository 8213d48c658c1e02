//! Images in the selected part with too little text for a block. They are displayed next to a block and are
//! not part of the text. Icons, decorations and tracking pixels are recognised by name and size, and left
//! out.

use std::collections::HashSet;

use crate::{
    clean,
    document::{Block, BlockKind, Picture},
    page::{Id, Page},
};

/// Maximum number of characters of an alternative text.
const MAX_ALT_CHARS: usize = 600;
/// Maximum number of bytes of an alternative text that are read.
pub(super) const MAX_ALT_BYTES: usize = 8 * MAX_ALT_CHARS;
/// Maximum number of images of a page.
const MAX_PICTURES: usize = 100;
/// Declared width or height, in pixels, below which an image belongs to the line.
const MIN_PIXELS: u32 = 64;
/// Maximum declared width or height, in pixels, of a tracking pixel.
const TRACKING_PIXELS: u32 = 2;
/// Minimum declared width and height, in pixels, of an illustration.
const LARGE_PIXELS: u32 = 160;
/// Number of ancestors of an image whose class names are checked.
const CHECKED_ANCESTORS: usize = 2;
/// Words in the names and URLs of images that are not content.
const DECORATION_WORDS: [&str; 31] = [
    "1x1", "ad", "ads", "advert", "avatar", "badge", "beacon", "blank", "btn", "button", "captcha",
    "counter", "emoji", "emoticon", "favicon", "gravatar", "ico", "icon", "icons", "logo", "pixel", "share",
    "smiley", "social", "spacer", "spinner", "sprite", "stats", "tracker", "tracking", "transparent",
];

/// Images of a page, each with the index of the block next to it.
#[derive(Debug, Default)]
pub(super) struct PagePictures {
    with_positions: Vec<(usize, Picture)>,
    addresses: HashSet<String>,
    /// True if the page has more than `MAX_PICTURES` images.
    is_cut: bool,
}

impl PagePictures {
    pub(super) fn count(&self) -> usize {
        self.with_positions.len()
    }

    pub(super) fn truncate(&mut self, count: usize) {
        self.with_positions.truncate(count);
    }

    /// True if images were left out because the page has too many.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Adds an image next to block `at`, unless its URL was added before.
    pub(super) fn add(&mut self, at: usize, picture: Picture) {
        if self.with_positions.len() >= MAX_PICTURES {
            self.is_cut |= !self.addresses.contains(&picture.src);
        } else if self.addresses.insert(picture.src.clone()) {
            self.with_positions.push((at, picture));
        }
    }

    /// Attaches the images to their blocks, except images that are already blocks.
    pub(super) fn attach(self, blocks: &mut [Block]) {
        let block_images: HashSet<String> = blocks.iter().filter_map(|block| block.src.clone()).collect();
        let last = blocks.len().saturating_sub(1);
        for (at, mut picture) in
            self.with_positions.into_iter().filter(|(_, picture)| !block_images.contains(&picture.src))
        {
            picture.after |= at > last;
            let mut at = at.min(last);
            // An image above the title is moved below it, because the caller displays the title.
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

/// True if the image is declared to be as small as an icon.
pub(super) fn is_small(page: &Page, image: Id) -> bool {
    ["width", "height"]
        .iter()
        .any(|side| declared(page, image, side).is_some_and(|pixels| pixels < MIN_PIXELS))
}

/// Number of images that are declared to be as small as a pixel, or have a host that is known for tracking.
pub(super) fn count_tracking_pixels(page: &Page) -> u32 {
    let is_pixel = |image: &Id| {
        let sides = ["width", "height"].map(|side| declared(page, *image, side));
        sides.into_iter().flatten().any(|pixels| pixels <= TRACKING_PIXELS)
            || page.value(*image, "src").is_some_and(is_tracking_host)
    };
    let images = page.descendants(0).filter(|id| page.is(*id, "img"));
    u32::try_from(images.filter(is_pixel).count()).unwrap_or(u32::MAX)
}

/// True if the image is declared to be as large as an illustration.
pub(super) fn is_large(page: &Page, image: Id) -> bool {
    ["width", "height"]
        .iter()
        .all(|side| declared(page, image, side).is_some_and(|pixels| pixels >= LARGE_PIXELS))
}

/// Declared width or height in pixels, from the attribute or the style.
fn declared(page: &Page, image: Id, side: &str) -> Option<u32> {
    let value = page.attribute(image, side);
    let pixels = value.and_then(|value| value.trim().trim_end_matches("px").parse().ok());
    pixels.or_else(|| styled(page, image, side))
}

/// Width or height in pixels, from the style.
fn styled(page: &Page, image: Id, side: &str) -> Option<u32> {
    page.attribute(image, "style")?.split(';').find_map(|rule| {
        let (property, value) = rule.split_once(':')?;
        let is_side = property.trim().eq_ignore_ascii_case(side);
        value.trim().strip_suffix("px").filter(|_| is_side)?.trim().parse().ok()
    })
}

/// True if the image is content, judging by its names.
pub(super) fn is_content(page: &Page, image: Id, src: &str) -> bool {
    let is_hidden = page.attribute(image, "aria-hidden") == Some("true")
        || matches!(page.attribute(image, "role"), Some("presentation" | "none"));
    let is_title = page
        .ancestors(image)
        .take_while(|&above| !page.is(above, "article"))
        .any(|above| matches!(page.tag(above), "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "button" | "nav"));
    let is_aside = page
        .self_and_ancestors(image)
        .take(CHECKED_ANCESTORS + 1)
        .flat_map(|id| ["class", "id"].map(|name| page.attribute(id, name)))
        .flatten()
        .any(names_decoration);
    let path = src.split(['?', '#']).next().unwrap_or_default();
    let (_, name) = path.rsplit_once('/').unwrap_or_default();
    let is_drawing = name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("svg"))
        && !is_large(page, image)
        && !matches!(page.tag(image), "object" | "embed");
    !(is_hidden || is_title || is_aside || is_drawing || names_decoration(name) || is_tracking_host(src))
}

fn names_decoration(names: &str) -> bool {
    names
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .any(|word| DECORATION_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// True if the host is known for tracking.
fn is_tracking_host(src: &str) -> bool {
    let host = src.split('/').nth(2).unwrap_or_default();
    host.split('.').any(|part| {
        matches!(part, "pixel" | "pixels" | "beacon" | "track" | "tracking" | "stats" | "analytics")
    })
}

/// Beginning of an alternative text, with single spaces.
pub(super) fn folded_alt(alt: &str) -> String {
    let alt = clean::fold(&alt[..alt.floor_char_boundary(MAX_ALT_BYTES)]);
    alt.chars().take(MAX_ALT_CHARS).collect()
}
