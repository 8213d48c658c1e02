//! Images, videos and other embeds. A figure is represented by its caption or alternative text.

use super::{
    blocks::Walker,
    drawings,
    embeds::{
        is_ad_host, is_embed_host, is_embedded, is_recording, is_widget, player_address, widget_address,
        youtube_address,
    },
    image_sources::{self, background, is_image},
    math,
    pictures::{folded_alt, is_content, is_large, is_small},
    table,
};
use crate::{
    clean,
    document::{Block, BlockKind, Link, Picture, Role},
    page::{Id, Page, links},
};

/// Maximum distance from an image to its link, in ancestors.
const LINK_ANCESTORS: usize = 4;
/// Maximum number of siblings on each side of a `noscript` that are searched for a repetition of its embed.
const CHECKED_SIBLINGS: usize = 4;

impl Walker<'_> {
    /// Converts a `figure`. Its first image and its caption become one block, and the other content follows
    /// that block.
    pub(super) fn figure(&mut self, id: Id) {
        self.flush();
        let page = self.page;
        let table = page.find(id, "table").filter(|&table| table::is_data(page, table, self.keep));
        let is_picture = |&inner: &Id| {
            let is_repeated = || {
                page.ancestors(inner).take_while(|&above| above > id).any(|above| page.is(above, "noscript"))
            };
            // An image in a cell belongs to its table.
            let is_in_table = || table.is_some_and(|table| page.subtree(table).contains(&inner));
            self.keep[inner] && !is_in_table() && !is_repeated()
        };
        let is_background =
            |inner: Id| background(page, inner).is_some() && drawings::is_content(page, inner);
        let images = page.descendants(id).filter(|&inner| is_image(page, inner));
        let backgrounds = page.descendants(id).filter(|&inner| is_background(inner));
        let image = images.chain(backgrounds).find(is_picture).filter(|_| self.table.is_none());
        let caption = page.find(id, "figcaption");
        let Some(image) = image.filter(|_| caption.is_some() || !self.has_text(id)) else {
            self.children(id);
            return self.flush();
        };
        self.captioned_image(image, caption);
        self.rest_of_figure(id, image, caption);
        self.flush();
    }

    /// Converts a drawing: its name, description and words become a block, and its images are displayed.
    pub(super) fn drawing(&mut self, id: Id) {
        let page = self.page;
        // The names of drawings in a cell are part of the cell.
        if !self.keep[id] || self.table.is_some() || !drawings::is_content(page, id) {
            return;
        }
        let drawings::Description { name, text, is_cut } = drawings::describe(page, id);
        self.is_partial |= is_cut;
        let images = drawings::images(page, id);
        if !text.is_empty() {
            let src = images.first().and_then(|&image| self.image_address(image));
            let (kind, alt) = (BlockKind::Figure, name.clone());
            self.push_after_line(Block { kind, text, alt, src, ..Block::default() });
        }
        for image in images {
            self.picture(image, name.clone());
        }
        let has_text = match page.tag(id) {
            "svg" => false,
            "canvas" => drawings::has_fallback(page, id),
            _ => !drawings::is_empty(page, id),
        };
        if has_text {
            self.flush();
            self.children(id);
            self.flush();
        }
    }

    fn has_text(&self, id: Id) -> bool {
        self.page.subtree(id).any(|inner| self.keep[inner] && self.page.is_nonblank_text(inner))
    }

    /// Converts the content of a figure except its first image and its caption.
    fn rest_of_figure(&mut self, id: Id, image: Id, caption: Option<Id>) {
        let page = self.page;
        let is_done = |child: Id| child == image || Some(child) == caption;
        for child in page.children(id).filter(|&child| !is_done(child)) {
            let inside = page.subtree(child);
            if inside.contains(&image) || caption.is_some_and(|caption| inside.contains(&caption)) {
                self.rest_of_figure(child, image, caption);
                continue;
            }
            let alt = if is_image(page, child) { alternative(page, child) } else { None };
            if alt.is_some() && alternative(page, image) == alt {
                // Variants of the same image have the same alternative text.
                self.picture(child, alt);
            } else {
                self.node(child);
            }
        }
    }

    /// Appends an image with its caption.
    fn captioned_image(&mut self, image: Id, caption: Option<Id>) {
        let page = self.page;
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
        let text = if text.is_empty() { alt.clone().unwrap_or_default() } else { text };
        if text.is_empty() {
            self.picture(image, None);
            return self.out.extend(credits);
        }
        let (mut links, mut notes) = (Vec::new(), Vec::new());
        let marks = match lines.as_slice() {
            [only] => only.marks.clone(),
            _ => Vec::new(),
        };
        for line in lines {
            links.extend(line.links);
            notes.extend(line.notes);
        }
        self.push_block(Block {
            kind: BlockKind::Figure,
            text,
            links,
            marks,
            notes,
            alt,
            src: self.image_address(image),
            image_link: self.link_of(image),
            role,
            ..Block::default()
        });
        self.out.extend(credits);
    }

    /// Converts an image outside a figure. Small images belong to the line. Other images become a figure if
    /// their alternative text is meaningful.
    pub(super) fn image(&mut self, id: Id) {
        let page = self.page;
        let is_picture = |inner: &Id| is_image(page, *inner) && self.keep[*inner];
        let Some(image) = page.subtree(id).find(is_picture) else { return };
        if let Some(formula) = math::of_image(page, image) {
            return self.image_of_formula(image, formula);
        }
        let Some(alt) = alternative(page, image) else { return self.picture(image, None) };
        if is_emoji(page, image, &alt) || math::names_formula(page, image) {
            return self.inline.push(&alt);
        }
        // A file name is not a meaningful text.
        if is_file_name(&alt) {
            return self.picture(image, None);
        }
        // In a cell without text, the name of the image is the value of the cell.
        if self.is_blank_cell {
            self.inline.push(&format!(" {alt} "));
            return self.picture(image, Some(alt));
        }
        // Inside a line, the text continues after the image.
        if is_small(page, image) || !self.inline.is_blank() || clean::words(&alt) < 2 {
            return self.picture(image, Some(alt));
        }
        let Some(src) = self.image_address(image) else { return };
        self.flush();
        let link = self.link_of(image);
        let links = link.iter().map(|url| Link { text: alt.clone(), url: url.clone() }).collect();
        self.push_block(Block {
            kind: BlockKind::Figure,
            text: alt.clone(),
            alt: Some(alt),
            src: Some(src),
            image_link: link,
            links,
            ..Block::default()
        });
    }

    /// Appends the formula that an image shows, unless the page also contains it as `MathML`.
    fn image_of_formula(&mut self, image: Id, formula: math::Formula) {
        let page = self.page;
        let before = page.sibling_before(image);
        let is_repeated = before.into_iter().chain(page.siblings_after(image).take(2)).any(|sibling| {
            self.keep[sibling] && (page.is(sibling, "math") || page.find(sibling, "math").is_some())
        });
        if !is_repeated {
            self.formula(image, formula);
        }
    }

    /// Adds the images and embedded pages of a `noscript`, unless an adjacent element contains the same image
    /// or page.
    pub(super) fn noscript_media(&mut self, id: Id) {
        let page = self.page;
        for image in image_sources::without_placeholder(page, id, self.keep) {
            if self.keep[image] {
                self.image(image);
            }
        }
        let is_frame = |&inner: &Id| page.is(inner, "iframe") && !is_small(page, inner);
        let mut frames = page.descendants(id).filter(is_frame).peekable();
        let is_repeated =
            || page.neighbours(id, CHECKED_SIBLINGS).any(|sibling| is_embedded(page.tag(sibling)));
        if frames.peek().is_some() && !is_repeated() {
            frames.for_each(|inner| self.embed(inner));
        }
    }

    /// Adds an image with too little text for a block. The image is displayed at its position and is not part
    /// of the text.
    fn picture(&mut self, image: Id, alt: Option<String>) {
        let page = self.page;
        let Some(src) = self.image_address(image) else { return };
        if is_small(page, image) || math::names_formula(page, image) || !is_content(page, image, &src) {
            return;
        }
        let next = self.out.len();
        let is_behind_text =
            self.item.is_none() && self.out.last().is_some_and(|last| last.kind != BlockKind::Heading);
        let (at, after) = match (self.table, self.inline.is_blank(), is_behind_text) {
            (Some(table), ..) => (table, true),
            (None, false, _) => (next, true),
            (None, true, true) => (next - 1, true),
            (None, true, false) => (next, false),
        };
        self.pictures.add(at, Picture { src, alt, link: self.link_of(image), after });
    }

    /// URL to which an image links.
    fn link_of(&self, image: Id) -> Option<String> {
        let page = self.page;
        let link = page.ancestors(image).take(LINK_ANCESTORS).find(|&above| page.is(above, "a"))?;
        links::resolve_web(self.base, page.value(link, "href")?)
    }

    /// Converts an `object`: its fallback content, and its file unless the fallback contains a link or an
    /// embed.
    pub(super) fn object(&mut self, id: Id) {
        let page = self.page;
        if self.has_text(id) {
            self.flush();
            self.children(id);
            self.flush();
        } else {
            self.children(id);
        }
        let is_alternative =
            |inner: Id| matches!(page.tag(inner), "a" | "img" | "embed" | "iframe" | "object" | "video");
        if !page.descendants(id).any(is_alternative) {
            self.embed(id);
        }
    }

    /// Converts a video or an embedded page to a link with a title. If there is no title, the file name or
    /// host is used, and the block is not part of the main text.
    pub(super) fn embed(&mut self, id: Id) {
        let page = self.page;
        if !self.keep[id] {
            return;
        }
        let Some(src) = self.embed_address(id) else {
            let has_attributes = page.attributes(id).next().is_some();
            self.is_partial |= has_attributes && !is_small(page, id) && is_content(page, id, "");
            return;
        };
        let title = page.value(id, "title").or_else(|| page.value(id, "aria-label")).map(clean::fold);
        let name = || {
            let is_of_text = is_recording(page.tag(id))
                || is_widget(page, id)
                || is_embed_host(&src)
                || page.ancestors(id).take(3).any(|above| page.is(above, "figure"))
                || is_content(page, id, &src) && !is_ad_host(&src);
            (is_of_text && !is_small(page, id)).then(|| name_of(&src)).flatten()
        };
        let is_untitled = title.is_none();
        let Some(title) = title.or_else(name) else { return };
        self.push_after_line(Block {
            kind: BlockKind::Figure,
            text: title.clone(),
            alt: Some(title),
            src: Some(src),
            embedded: true,
            role: is_untitled.then_some(Role::Caption),
            ..Block::default()
        });
    }

    fn embed_address(&self, id: Id) -> Option<String> {
        let page = self.page;
        if let Some(address) = player_address(page, id) {
            return links::resolve_web(self.base, &address);
        }
        if is_widget(page, id) {
            return links::resolve_web(self.base, widget_address(page, id)?);
        }
        let video = page.value(id, "videoid").or_else(|| page.value(id, "data-videoid"));
        if let Some(video) = video.filter(|_| page.tag(id).ends_with("-youtube")) {
            return links::resolve_web(None, &youtube_address(video));
        }
        let sources = page.descendants(id).filter(|&inner| page.is(inner, "source"));
        let stated = |element: Id| {
            let names = ["src", "data-src", "data-lazy-src", "data"];
            let known = names.into_iter().filter_map(move |name| page.value(element, name));
            // Consent tools and lazy loaders rename the `src` attribute.
            let renamed = page.attributes(element).filter(move |(name, value)| {
                page.is(element, "iframe") && name.ends_with("-src") && !value.trim().is_empty()
            });
            known.chain(renamed.map(|(_, value)| value))
        };
        std::iter::once(id)
            .chain(sources)
            .flat_map(stated)
            .find_map(|address| links::resolve_web(self.base, address))
    }

    /// URL of an image.
    fn image_address(&self, image: Id) -> Option<String> {
        let addresses = image_sources::addresses(self.page, image);
        addresses.into_iter().find_map(|address| links::resolve_web(self.base, address))
    }
}

/// Name of the file in a URL if it has an extension, or else of the host.
fn name_of(src: &str) -> Option<String> {
    let path = src.split(['?', '#']).next().unwrap_or(src);
    let (_, file) = path.rsplit_once('/')?;
    let host = src.split('/').nth(2)?;
    let is_file = file.rsplit_once('.').is_some_and(|(_, extension)| (2..=5).contains(&extension.len()));
    let name = if is_file { file } else { host.strip_prefix("www.").unwrap_or(host) };
    (!name.is_empty()).then(|| name.to_owned())
}

fn alternative(page: &Page, image: Id) -> Option<String> {
    let alt = page.value(image, "alt");
    let other = || page.value(image_sources::noscript_image(page, image)?, "alt");
    let label = || page.value(image, "aria-label");
    let alt = folded_alt(alt.or_else(other).or_else(label)?);
    (!alt.is_empty()).then_some(alt)
}

/// True for an image whose text is one character, or up to three symbols.
fn is_emoji(page: &Page, image: Id, alt: &str) -> bool {
    let chars = alt.chars().count();
    chars == 1
        && !is_large(page, image)
        && (is_next_to_text(page, image) || !alt.contains(char::is_alphanumeric))
        || chars <= 3 && !alt.contains(char::is_alphanumeric)
        || page.class(image).is_some_and(|classes| classes.contains("emoji"))
}

/// True for an image that is directly before or after text, such as the decorated first letter of a word.
fn is_next_to_text(page: &Page, image: Id) -> bool {
    let mut levels =
        page.self_and_ancestors(image).take_while(|&level| page.is_inline(level)).take(LINK_ANCESTORS);
    levels.any(|level| page.neighbours(level, 1).any(|sibling| page.is_nonblank_text(sibling)))
}

pub(crate) fn is_file_name(alt: &str) -> bool {
    let lower = alt.to_ascii_lowercase();
    [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg"].iter().any(|end| lower.ends_with(end))
}
