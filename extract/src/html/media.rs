//! Images, videos and other embeds. A figure is represented by its caption or alternative text.

use super::{
    blocks::Walker,
    pictures::{is_content, is_small},
};
use crate::{
    clean,
    document::{Block, BlockKind, Picture, Role},
    page::{Id, Page, links},
};

const MAX_ALT_CHARS: usize = 600;

impl Walker<'_> {
    /// Converts a `figure`: to one block if it has an image, else to its content and caption.
    pub(super) fn figure(&mut self, id: Id) {
        self.flush();
        let page = self.page;
        let wraps = page
            .descendants(id)
            .any(|inner| matches!(page.tag(inner), "table" | "pre" | "blockquote" | "p" | "ul" | "ol"));
        let image = page.descendants(id).find(|&inner| page.is(inner, "img") && self.keep[inner]);
        let caption = page.find(id, "figcaption");
        let Some(image) = image.filter(|_| !wraps || caption.is_some()) else {
            self.children(id);
            return self.flush();
        };
        let opened = self.out.len();
        if let Some(caption) = caption {
            self.children(caption);
            self.flush();
        }
        let lines = self.out.split_off(opened);
        let (credits, lines): (Vec<_>, Vec<_>) =
            lines.into_iter().partition(|line| line.role == Some(Role::Credit));
        let role = (!lines.is_empty()).then_some(Role::Caption);
        let text = lines.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n");
        let alt = alternative(page, image);
        let src = self.image_address(image);
        let text = if text.is_empty() { alt.clone().unwrap_or_default() } else { text };
        if text.is_empty() {
            self.picture(image, None);
            return self.out.extend(credits);
        }
        let (mut links, mut notes) = (Vec::new(), Vec::new());
        for line in lines {
            links.extend(line.links);
            notes.extend(line.notes);
        }
        self.out.push(Block {
            kind: BlockKind::Figure,
            text,
            links,
            notes,
            alt,
            src,
            role,
            ..Block::default()
        });
        self.out.extend(credits);
    }

    /// Converts an image outside a figure: small images belong to the line, others become a figure if they
    /// have a meaningful text.
    pub(super) fn image(&mut self, id: Id) {
        let page = self.page;
        let Some(image) = page.subtree(id).find(|&inner| page.is(inner, "img") && self.keep[inner]) else {
            return;
        };
        let Some(alt) = alternative(page, image) else { return self.picture(image, None) };
        if is_emoji(page, image, &alt) || is_formula(page, image) {
            return self.inline.push(&alt);
        }
        // A file name has no meaning.
        if looks_like_a_file(&alt) {
            return self.picture(image, None);
        }
        // Inside a line, the text continues after the image.
        if is_small(page, image) || !self.inline.is_blank() || clean::words(&alt) < 2 {
            return self.picture(image, Some(alt));
        }
        let src = self.image_address(image);
        if src.is_none() {
            return;
        }
        self.flush();
        self.out.push(Block {
            kind: BlockKind::Figure,
            text: alt.clone(),
            alt: Some(alt),
            src,
            ..Block::default()
        });
    }

    /// Adds an image that has too little text for a block. It is displayed at its position and is not part of
    /// the text.
    fn picture(&mut self, image: Id, alt: Option<String>) {
        let page = self.page;
        let Some(src) = self.image_address(image).or_else(|| self.listed_address(image)) else { return };
        if is_small(page, image) || is_formula(page, image) || !is_content(page, image, &src) {
            return;
        }
        let next = self.out.len();
        let is_behind_text =
            self.item.is_none() && self.out.last().is_some_and(|last| last.kind != BlockKind::Heading);
        let (at, after) = match (self.inline.is_blank(), is_behind_text) {
            (false, _) => (next, true),
            (true, true) => (next - 1, true),
            (true, false) => (next, false),
        };
        self.pictures.add(at, Picture { src, alt, after });
    }

    /// Last URL of the `srcset` of an image, usually the largest.
    fn listed_address(&self, image: Id) -> Option<String> {
        let page = self.page;
        let list = page.value(image, "srcset").or_else(|| page.value(image, "data-srcset"))?;
        let last = list.rsplit(", ").next()?.split_whitespace().next()?;
        links::resolve_web(self.base, last)
    }

    /// Converts a video or embedded page to a link with a title.
    pub(super) fn embed(&mut self, id: Id) {
        let page = self.page;
        if !self.keep[id] {
            return;
        }
        let address = page.value(id, "src").or_else(|| page.value(id, "data-src")).or_else(|| {
            page.descendants(id)
                .find(|&inner| page.is(inner, "source"))
                .and_then(|source| page.value(source, "src"))
        });
        let Some(src) = address.and_then(|address| links::resolve_web(self.base, address)) else { return };
        let Some(title) = page.value(id, "title").or_else(|| page.value(id, "aria-label")) else { return };
        let title = clean::fold(title);
        self.flush();
        self.out.push(Block {
            kind: BlockKind::Figure,
            text: title.clone(),
            alt: Some(title),
            src: Some(src),
            embedded: true,
            ..Block::default()
        });
    }

    /// URL of an image. Pages with lazy loading store it in another attribute.
    fn image_address(&self, image: Id) -> Option<String> {
        let page = self.page;
        ["data-src", "data-original", "data-lazy-src", "src"].iter().find_map(|name| {
            let address = page.value(image, name)?;
            links::resolve_web(self.base, address)
        })
    }
}

fn alternative(page: &Page, image: Id) -> Option<String> {
    let alt = clean::fold(page.value(image, "alt")?);
    let alt: String = alt.chars().take(MAX_ALT_CHARS).collect();
    (!alt.is_empty()).then_some(alt)
}

fn is_emoji(page: &Page, image: Id, alt: &str) -> bool {
    alt.chars().count() <= 3
        || page.attribute(image, "class").is_some_and(|classes| classes.contains("emoji"))
}

fn is_formula(page: &Page, image: Id) -> bool {
    page.attribute(image, "class").is_some_and(|classes| {
        classes
            .split_ascii_whitespace()
            .any(|class| matches!(class, "tex" | "latex" | "math") || class.starts_with("mwe-math"))
    })
}

fn looks_like_a_file(alt: &str) -> bool {
    let lower = alt.to_ascii_lowercase();
    [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg"].iter().any(|end| lower.ends_with(end))
}
