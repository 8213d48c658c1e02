//! Markup of a copy: writes a parsed page without the elements and attributes that load, run, or send something.

use dom_query::{Document, NodeData, NodeId, NodeRef};
use url::Url;

use super::inliner::{Inliner, is_fragment};
use super::policy::POLICY;
use super::styles;
use crate::{limits, page::parse, render::escape};

/// Namespace of HTML elements. All others are SVG or `MathML`.
const HTML: &str = "http://www.w3.org/1999/xhtml";
/// Elements that are left out with their content.
const REMOVED: &[&str] = &[
    "script", "noscript", "base", "noembed", "noframes", "applet", "portal", "param", "source", "track",
    "animate", "animatecolor", "animatemotion", "animatetransform", "set", "mpath", "handler", "listener",
    "discard",
];
/// Elements that are left out of vector graphics, as are all elements of HTML.
const NOT_IN_VECTORS: &[&str] = &["foreignobject", "meta", "link", "template", "audio", "video"];
/// Elements that display another document.
const FRAMES: &[&str] = &["iframe", "frame", "object", "embed", "fencedframe"];
/// Elements whose text is not parsed as markup. They are written as `pre`.
const RAW_TEXT: &[&str] = &["plaintext", "xmp", "listing"];
/// Elements without an end tag.
const VOID: &[&str] = &["area", "br", "col", "hr", "img", "input", "wbr"];
/// Names of `meta` elements that change only the appearance.
const APPEARANCE: &[&str] = &["viewport", "color-scheme"];
/// Attributes that are left out.
const REMOVED_ATTRIBUTES: &[&str] = &[
    "srcdoc", "action", "formaction", "formmethod", "formtarget", "method", "enctype", "ping", "srcset",
    "imagesrcset", "sizes", "integrity", "nonce", "crossorigin", "autofocus", "autoplay", "data", "manifest",
    "codebase", "archive", "classid", "code", "object", "cite", "longdesc", "profile", "rel", "target",
    "download", "is", "loading", "fetchpriority", "referrerpolicy", "attributionsrc", "usemap", "icon",
    "dynsrc", "lowsrc", "slotassignment", "popovertarget", "popover", "commandfor", "data-carrel-base",
    "xmlns", "content", "http-equiv",
];
/// Attribute with the URL of a frame, against which its relative URLs are resolved.
const FRAME_BASE: &str = "data-carrel-base";

/// Written markup.
pub(super) struct WrittenMarkup {
    /// Markup of the root element.
    pub(super) html: String,
    /// Offset of the content of the body.
    pub(super) body_start: usize,
}

/// Syntax of the written markup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkupSyntax {
    Html,
    /// SVG in XML.
    Svg,
}

/// Writer of the copy of one document.
pub(super) struct PageWriter<'a, 'r> {
    out: String,
    inliner: &'a mut Inliner<'r>,
    syntax: MarkupSyntax,
    page_url: &'a str,
    /// Base URLs of the document and of its open frames.
    bases: Vec<Option<Url>>,
    body_start: Option<usize>,
}

/// Pending step of the traversal.
enum TraversalStep<'d> {
    Write(NodeRef<'d>),
    Close(String),
    CloseBody,
    CloseFrame,
}

/// Content of a node.
enum NodeContent {
    Tag(MarkupTag),
    Text(String),
    /// Document or fragment.
    Children,
    Nothing,
}

struct MarkupTag {
    /// Name in lower case.
    key: String,
    name: String,
    is_html: bool,
    attributes: Vec<(String, String)>,
    template: Option<NodeId>,
}

/// Removes scripts and references from a vector graphic. `None` if the text contains no vector graphic.
pub(super) fn clean_vector(svg: &str) -> Option<String> {
    limits::check(svg).ok()?;
    let document = parse::parse(svg).ok()?;
    // A picture inside a vector graphic may only be a raster graphic.
    let mut inliner = Inliner::new(&[], |_| None);
    inliner.max_variable_bytes = 0;
    let mut writer = PageWriter::new(&mut inliner, MarkupSyntax::Svg);
    let root = document.root().descendants().into_iter().find(is_vector_root)?;
    writer.write_tree(root);
    Some(writer.out)
}

fn is_vector_root(node: &NodeRef<'_>) -> bool {
    matches!(content_of(node), NodeContent::Tag(tag) if tag.key == "svg" && !tag.is_html)
}

fn content_of(node: &NodeRef<'_>) -> NodeContent {
    node.query_or(NodeContent::Nothing, |inner| match &inner.data {
        NodeData::Document | NodeData::Fragment => NodeContent::Children,
        NodeData::Text { contents } => NodeContent::Text(contents.to_string()),
        NodeData::Element(element) => {
            let attributes = element.attrs.iter().filter_map(|attribute| {
                let name = match attribute.name.prefix.as_deref() {
                    None => attribute.name.local.to_string(),
                    Some("xlink") if &*attribute.name.local == "href" => "href".to_owned(),
                    Some(_) => return None,
                };
                Some((name, attribute.value.to_string()))
            });
            NodeContent::Tag(MarkupTag {
                key: element.name.local.to_ascii_lowercase().to_string(),
                name: element.name.local.to_string(),
                is_html: &*element.name.ns == HTML,
                attributes: attributes.collect(),
                template: element.template_contents,
            })
        }
        NodeData::Doctype { .. } | NodeData::Comment { .. } | NodeData::ProcessingInstruction { .. } => {
            NodeContent::Nothing
        }
    })
}

impl MarkupTag {
    fn attribute(&self, name: &str) -> Option<&str> {
        let attribute = self.attributes.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        attribute.map(|(_, value)| value.trim())
    }

    fn is_one_of(&self, names: &[&str]) -> bool {
        names.contains(&self.key.as_str())
    }
}

impl<'a, 'r> PageWriter<'a, 'r> {
    fn new(inliner: &'a mut Inliner<'r>, syntax: MarkupSyntax) -> Self {
        Self { out: String::new(), inliner, syntax, page_url: "", bases: vec![None], body_start: None }
    }

    /// Creates a writer for the document at `page_url`.
    pub(super) fn page(inliner: &'a mut Inliner<'r>, page_url: &'a str, base: Option<Url>) -> Self {
        Self { page_url, bases: vec![base], ..Self::new(inliner, MarkupSyntax::Html) }
    }

    /// Writes the document.
    pub(super) fn write(mut self, document: &Document) -> WrittenMarkup {
        self.write_tree(document.root());
        let end = self.out.len();
        WrittenMarkup { html: self.out, body_start: self.body_start.unwrap_or(end) }
    }

    fn write_tree<'d>(&mut self, root: NodeRef<'d>) {
        let mut steps: Vec<TraversalStep<'d>> = vec![TraversalStep::Write(root)];
        while let Some(step) = steps.pop() {
            match step {
                TraversalStep::Close(name) => self.out.push_str(&format!("</{name}>")),
                TraversalStep::CloseFrame => {
                    self.bases.pop();
                }
                TraversalStep::CloseBody => {
                    let variables = self.inliner.variables();
                    if !variables.is_empty() {
                        self.out.push_str(&format!("<style>{variables}</style>"));
                    }
                }
                TraversalStep::Write(node) => match content_of(&node) {
                    NodeContent::Tag(tag) => self.write_element(&tag, node, &mut steps),
                    NodeContent::Text(text) => self.write_text(&text),
                    NodeContent::Children => push_children(node, &mut steps),
                    NodeContent::Nothing => {}
                },
            }
        }
    }

    fn write_text(&mut self, text: &str) {
        let is_valid = |c: &char| *c >= ' ' || matches!(c, '\t' | '\n' | '\r');
        let text: String = text.chars().filter(is_valid).collect();
        self.out.push_str(&escape(&text));
    }

    fn write_element<'d>(&mut self, tag: &MarkupTag, node: NodeRef<'d>, steps: &mut Vec<TraversalStep<'d>>) {
        let is_foreign = tag.is_html || tag.is_one_of(NOT_IN_VECTORS) || tag.is_one_of(FRAMES);
        match tag.key.as_str() {
            _ if self.syntax == MarkupSyntax::Svg && is_foreign => {}
            "style" => self.write_style(tag, &node.text()),
            "link" => self.write_linked_style(tag),
            "meta" => self.write_meta(tag),
            "template" => self.write_shadow_root(tag, node, steps),
            "audio" | "video" => self.write_media(tag),
            _ if tag.is_one_of(FRAMES) => {
                self.inliner.omissions.frames += 1;
                self.write_box("frame or object left out");
            }
            _ if tag.is_one_of(REMOVED) => {}
            _ => self.write_plain_element(tag, node, steps),
        }
    }

    /// Writes the tags and the content of an element.
    fn write_plain_element<'d>(
        &mut self,
        tag: &MarkupTag,
        node: NodeRef<'d>,
        steps: &mut Vec<TraversalStep<'d>>,
    ) {
        let name = match tag.key.as_str() {
            "frameset" => "div",
            _ if tag.is_one_of(RAW_TEXT) => "pre",
            _ if is_tag_name(&tag.name) => &tag.name,
            _ => "span",
        };
        self.out.push_str(&format!("<{name}"));
        if self.syntax == MarkupSyntax::Svg && tag.key == "svg" {
            self.out.push_str(" xmlns=\"http://www.w3.org/2000/svg\"");
        }
        self.write_attributes(tag);
        self.out.push('>');
        if tag.is_html && VOID.contains(&name) {
            return;
        }
        steps.push(TraversalStep::Close(name.to_owned()));
        if tag.is_html && name == "body" && self.body_start.is_none() {
            self.body_start = Some(self.out.len());
            steps.push(TraversalStep::CloseBody);
        }
        if tag.is_html && name == "head" {
            self.out.push_str(&format!(
                "<meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
                 <meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">\
                 <meta name=\"referrer\" content=\"no-referrer\">"
            ));
        }
        push_children(node, steps);
    }

    fn write_style(&mut self, tag: &MarkupTag, css: &str) {
        let css = styles::clean(css, self.inliner, self.bases.last().and_then(Option::as_ref));
        let media = tag.attribute("media").map(|media| format!(" media=\"{}\"", escape(media)));
        // HTML does not parse the content of the element as markup. SVG does.
        let css = if tag.is_html { css } else { escape(&css) };
        self.out.push_str(&format!("<style{}>{css}</style>", media.unwrap_or_default()));
    }

    /// Writes the style sheet to which a `link` element refers.
    fn write_linked_style(&mut self, tag: &MarkupTag) {
        let rel = tag.attribute("rel").unwrap_or_default().to_ascii_lowercase();
        let href = tag.attribute("href").filter(|_| tag.is_html);
        let Some(href) = href.filter(|_| rel.split_ascii_whitespace().any(|word| word == "stylesheet"))
        else {
            return;
        };
        let sheet = self.inliner.style_sheet(href, self.bases.last().and_then(Option::as_ref));
        let Some((css, base)) = sheet else {
            self.inliner.omissions.styles += 1;
            return;
        };
        self.bases.push(Some(base));
        self.write_style(tag, &css);
        self.bases.pop();
    }

    fn write_meta(&mut self, tag: &MarkupTag) {
        let name = tag.attribute("name").unwrap_or_default().to_ascii_lowercase();
        if APPEARANCE.contains(&name.as_str()) {
            let content = escape(tag.attribute("content").unwrap_or_default());
            self.out.push_str(&format!("<meta name=\"{name}\" content=\"{content}\">"));
        }
    }

    /// Writes a shadow root, or a frame, which is written as a shadow root. The content of other templates is
    /// not displayed.
    fn write_shadow_root<'d>(
        &mut self,
        tag: &MarkupTag,
        node: NodeRef<'d>,
        steps: &mut Vec<TraversalStep<'d>>,
    ) {
        let is_shadow_root = matches!(tag.attribute("shadowrootmode"), Some("open" | "closed"));
        let Some(id) = tag.template.filter(|_| is_shadow_root) else { return };
        let Some(content) = node.tree.get(&id) else { return };
        self.out.push_str("<template shadowrootmode=\"open\">");
        steps.push(TraversalStep::Close("template".to_owned()));
        if let Some(base) = tag.attribute(FRAME_BASE).and_then(|base| Url::parse(base).ok()) {
            self.bases.push(Some(base));
            steps.push(TraversalStep::CloseFrame);
        }
        push_children(content, steps);
    }

    /// Writes the poster of a video, and a note that the audio or video was left out.
    fn write_media(&mut self, tag: &MarkupTag) {
        self.inliner.omissions.media += 1;
        let base = self.bases.last().and_then(Option::as_ref);
        let poster = tag.attribute("poster").filter(|poster| !poster.is_empty());
        if let Some(data) = poster.and_then(|poster| self.inliner.picture(poster, base)) {
            self.out.push_str(&format!("<img alt=\"\" style=\"max-width:100%\" src=\"{data}\">"));
        }
        self.write_box("audio or video left out");
    }

    fn write_box(&mut self, text: &str) {
        let style = "display:inline-block;border:1px dashed #777;padding:4px 8px;font:14px sans-serif";
        self.out.push_str(&format!("<span style=\"{style}\">[{text}]</span>"));
    }

    fn write_attributes(&mut self, tag: &MarkupTag) {
        let mut names: Vec<String> = Vec::new();
        for (name, value) in &tag.attributes {
            let key = name.to_ascii_lowercase();
            let is_removed = key.starts_with("on")
                || REMOVED_ATTRIBUTES.contains(&key.as_str())
                || (key == "value" && is_secret_field(tag));
            if is_removed || !is_attribute_name(name) || names.contains(&key) {
                continue;
            }
            let base = self.bases.last().and_then(Option::as_ref);
            let value = match key.as_str() {
                "style" => Some(styles::clean(value, self.inliner, base)),
                "href" => self.reference(tag, value.trim()),
                "src" | "background" => self.picture(tag, &key, value),
                // Presentation attributes may refer to files.
                _ if !tag.is_html && value.contains(['(', '\\']) => {
                    Some(styles::clean(value, self.inliner, base))
                }
                _ => Some(value.clone()),
            };
            if let Some(value) = value {
                let value: String = value.chars().filter(|c| *c >= ' ' || *c == '\n' || *c == '\t').collect();
                self.out.push_str(&format!(" {name}=\"{}\"", escape(&value)));
                names.push(key);
            }
        }
    }

    /// Returns the picture of an element that displays one.
    fn picture(&mut self, tag: &MarkupTag, key: &str, value: &str) -> Option<String> {
        let is_picture = tag.is_html && (key == "background" || tag.is_one_of(&["img", "input"]));
        let is_picture = is_picture && !value.trim().is_empty();
        is_picture.then(|| self.inliner.picture(value, self.bases.last().and_then(Option::as_ref))).flatten()
    }

    /// Returns the value of `href`: the picture of a graphic, an element of the document, or a link that a person
    /// may follow.
    fn reference(&mut self, tag: &MarkupTag, value: &str) -> Option<String> {
        if is_fragment(value) {
            return Some(value.to_owned());
        }
        let base = self.bases.last().and_then(Option::as_ref);
        match tag.key.as_str() {
            "image" | "feimage" if !tag.is_html => self.inliner.picture(value, base),
            "a" | "area" if self.syntax == MarkupSyntax::Html => {
                let url = Url::options().base_url(base).parse(value).ok()?;
                if !matches!(url.scheme(), "http" | "https" | "mailto") {
                    return None;
                }
                let fragment = url.fragment().map(|fragment| format!("#{fragment}"));
                let is_on_page = url.as_str().split('#').next() == self.page_url.split('#').next();
                Some(fragment.filter(|_| is_on_page).unwrap_or_else(|| url.into()))
            }
            _ => None,
        }
    }
}

/// True if the value of the element is not displayed: a password, or a value that only scripts and servers read.
fn is_secret_field(tag: &MarkupTag) -> bool {
    let kind = tag.attribute("type").unwrap_or_default().trim().to_ascii_lowercase();
    tag.is_html && tag.key == "input" && matches!(kind.as_str(), "password" | "hidden")
}

fn push_children<'d>(node: NodeRef<'d>, steps: &mut Vec<TraversalStep<'d>>) {
    steps.extend(node.children_it(true).map(TraversalStep::Write));
}

/// True if a browser reads the name as the name of an element.
fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// True if a browser reads the name as the name of an attribute without a namespace.
fn is_attribute_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
