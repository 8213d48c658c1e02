//! URLs of images. Pages with lazy loading have the URL in other attributes, in the `source` elements of a
//! `picture`, or in a `noscript` next to a placeholder.

use super::main_part::is_non_text;
use crate::page::{Id, Page};

/// Attributes from which scripts load an image, the most specific first.
const LAZY_ATTRIBUTES: [&str; 8] = [
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-actualsrc",
    "data-img-src", "data-image-src",
];
/// Attributes with a list of image sizes (`srcset` syntax).
const LISTS: [&str; 4] = ["data-srcset", "data-lazy-srcset", "srcset", "data-original-set"];
/// Words in the tag names of elements that become an image.
const IMAGE_WORDS: [&str; 5] = ["anim", "image", "img", "photo", "picture"];
/// Words in the file names of placeholders, which a page displays until the image is loaded.
const PLACEHOLDER_WORDS: [&str; 10] = [
    "blank", "placeholder", "spacer", "transparent", "lazy", "lazyload", "1x1", "pixel", "loading", "loader",
];
/// Maximum number of nodes in an element that only wraps an image.
const MAX_BARE_NODES: usize = 64;
const EXTENSIONS: [&str; 6] = ["jpg", "jpeg", "png", "gif", "webp", "avif"];

/// Attributes from which scripts load a background.
pub(super) const LAZY_BACKGROUNDS: [&str; 4] =
    ["data-bg", "data-bg-url", "data-background", "data-background-image"];

/// True for images, and for elements that a script or AMP replaces by an image. A custom element
/// with text or images in it is not an image, because it displays these.
pub(super) fn is_image(page: &Page, id: Id) -> bool {
    match page.tag(id) {
        "img" | "amp-img" => true,
        tag if tag.contains('-') => {
            tag.split('-').any(|word| IMAGE_WORDS.contains(&word))
                && ["src", "data-src", "srcset", "data-srcset"]
                    .iter()
                    .any(|name| page.value(id, name).is_some())
                && page.subtree(id).len() <= MAX_BARE_NODES
                && !page
                    .descendants_without(id, |inner| is_non_text(page.tag(inner)))
                    .any(|inner| matches!(page.tag(inner), "img" | "picture") || page.is_nonblank_text(inner))
        }
        _ => false,
    }
}

/// Candidate URLs of an image as written in the page, most probable first.
pub(super) fn addresses(page: &Page, image: Id) -> Vec<&str> {
    if let Some(address) = address(page, image) {
        return vec![address];
    }
    let mut addresses: Vec<&str> =
        LAZY_ATTRIBUTES.iter().filter_map(|name| page.value(image, name)).collect();
    addresses.retain(|address| !address.starts_with('{'));
    let source = page.value(image, "src").filter(|source| !source.starts_with("data:"));
    let (own, placeholder) = match source {
        Some(source) if is_placeholder(source) => (None, Some(source)),
        other => (other, None),
    };
    addresses.extend(own);
    addresses.extend(LISTS.iter().filter_map(|name| largest(page.value(image, name)?)));
    addresses.extend(sources_of_picture(page, image));
    if own.is_none() {
        addresses.extend(noscript_image(page, image).into_iter().flat_map(|other| {
            ["src", "srcset"].into_iter().filter_map(move |name| match name {
                "src" => page.value(other, name),
                _ => largest(page.value(other, name)?),
            })
        }));
        let is_image = |value: &str| !value.contains([' ', '{']) && has_image_extension(value);
        addresses.extend(page.attributes(image).filter_map(|(name, value)| {
            (name.starts_with("data-") && is_image(value)).then_some(value.trim())
        }));
    }
    addresses.extend(placeholder);
    addresses
}

/// URL of an image that is not in the attributes of an image: of an image in an `svg`, or of a background.
fn address(page: &Page, id: Id) -> Option<&str> {
    match page.tag(id) {
        "image" => page.value(id, "href"),
        _ if is_image(page, id) => None,
        _ => background(page, id),
    }
}

/// URL of the background picture of an element.
pub(super) fn background(page: &Page, id: Id) -> Option<&str> {
    let lazy = LAZY_BACKGROUNDS.iter().filter_map(|name| page.value(id, name));
    let lazy = lazy.map(|value| in_brackets(value).unwrap_or(value)).find(|value| value.contains('/'));
    let address = lazy.or_else(|| {
        page.attribute(id, "style")?.split(';').find_map(|rule| {
            let (property, value) = rule.split_once(':')?;
            let is_background = ["background", "background-image"]
                .iter()
                .any(|known| property.trim().eq_ignore_ascii_case(known));
            in_brackets(value).filter(|_| is_background)
        })
    });
    address.filter(|address| !address.is_empty() && !address.starts_with("data:") && !address.contains('{'))
}

/// URL in the CSS notation `url(…)`.
fn in_brackets(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("url(")?;
    let (address, _) = rest.split_once(')')?;
    Some(address.trim().trim_matches(['"', '\'']))
}

/// Images in a `noscript` that has no placeholder next to it.
pub(super) fn without_placeholder(page: &Page, noscript: Id, keep: &[bool]) -> Vec<Id> {
    let has_placeholder = siblings(page, noscript).any(|sibling| has_image(page, sibling, keep))
        || page.element_children(page.parent(noscript)).nth(1).is_none()
            && siblings(page, page.parent(noscript))
                .any(|sibling| has_image(page, sibling, keep) && is_bare(page, sibling));
    if has_placeholder {
        return Vec::new();
    }
    let has_file = |&image: &Id| {
        page.is(image, "img")
            && page.value(image, "src").is_some_and(|source| {
                has_image_extension(source)
                    || page.value(image, "alt").is_some()
                    || page.value(image, "srcset").is_some()
            })
    };
    page.descendants(noscript).filter(has_file).collect()
}

/// Image in the `noscript` next to a placeholder image.
pub(super) fn noscript_image(page: &Page, image: Id) -> Option<Id> {
    let levels = page.self_and_ancestors(image).take(3);
    for level in levels.take_while(|&level| level == image || is_bare(page, level)) {
        let noscript = siblings(page, level).find(|&sibling| page.is(sibling, "noscript"));
        if let Some(other) = noscript.and_then(|noscript| page.find(noscript, "img")) {
            return Some(other);
        }
    }
    None
}

/// Elements directly before and after an element in the same parent.
fn siblings(page: &Page, id: Id) -> impl Iterator<Item = Id> + '_ {
    let mut before = page.sibling_before(id);
    while let Some(text) = before.filter(|&sibling| !page.is_element(sibling)) {
        before = page.sibling_before(text);
    }
    let after = page.siblings_after(id).find(|&sibling| page.is_element(sibling));
    before.into_iter().chain(after)
}

/// True if the element is, or contains, a selected image outside a `noscript`.
fn has_image(page: &Page, id: Id, keep: &[bool]) -> bool {
    !page.is(id, "noscript") && page.subtree(id).any(|inner| is_image(page, inner) && keep[inner])
}

/// True for an element that can wrap an image and contains no text.
fn is_bare(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "span" | "div" | "picture" | "a" | "figure" | "img")
        && page.subtree(id).len() <= MAX_BARE_NODES
        && page.raw_text(id).trim().is_empty()
}

fn sources_of_picture(page: &Page, image: Id) -> Option<&str> {
    let picture = page.ancestors(image).take(2).find(|&above| page.is(above, "picture"))?;
    let sources = page.descendants(picture).filter(|&inner| page.is(inner, "source"));
    sources
        .flat_map(|source| ["data-srcset", "srcset"].map(|name| page.value(source, name)))
        .flatten()
        .find_map(largest)
}

/// Largest image of a `srcset`, by width or density. URLs may contain commas.
pub(super) fn largest(list: &str) -> Option<&str> {
    let mut best: Option<(&str, f64)> = None;
    let mut rest = list.trim_start_matches([' ', ',', '\n', '\t', '\r']);
    while !rest.is_empty() {
        let (address, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let (descriptor, next) = match address.strip_suffix(',') {
            Some(_) => ("", after),
            None => after.split_once(',').unwrap_or((after, "")),
        };
        let address = address.trim_end_matches(',');
        let size = descriptor.trim().trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0);
        if !address.is_empty() && !address.starts_with("data:") && best.is_none_or(|(_, other)| size >= other)
        {
            best = Some((address, size));
        }
        rest = next.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    best.map(|(address, _)| address)
}

fn is_placeholder(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words.into_iter().any(|word| PLACEHOLDER_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

fn has_image_extension(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    path.rsplit_once('.')
        .is_some_and(|(_, extension)| EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_image_of_a_srcset_is_chosen() {
        for (list, expected) in [
            ("a.jpg 320w, b.jpg 1200w", Some("b.jpg")),
            ("b.jpg 1200w,a.jpg 320w", Some("b.jpg")),
            ("a.jpg 1x,b.jpg 2x", Some("b.jpg")),
            ("a.jpg, b.jpg 1.5x", Some("b.jpg")),
            (
                "https://i.example/w_320,h_200/a.jpg 320w, https://i.example/w_640,h_400/a.jpg 640w",
                Some("https://i.example/w_640,h_400/a.jpg"),
            ),
            ("a.jpg", Some("a.jpg")),
            ("data:image/gif;base64,R0lGODlhAQABAAAAACw= 1w", None),
            (" , ", None),
        ] {
            assert_eq!(largest(list), expected, "{list}");
        }
    }
}
