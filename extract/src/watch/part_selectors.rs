//! Selectors of the parts of a rendered page that a person can choose on its picture. The browser marked the
//! elements with numbers. Each selector matches only its element in the document that a monitor reads, and
//! its text is the text that the monitor would read. Fields and buttons without such a text can be chosen for
//! steps.

use std::collections::{HashMap, HashSet};

use dom_query::NodeId;
use serde::{Deserialize, Serialize};

use super::{
    blocks,
    observation::ObserveError,
    part::{self, PagePart},
    selectors,
    suggest::is_name,
    value_store::cut,
};
use crate::{
    document::Input,
    limits,
    page::{Id, Page, parse, xhtml},
};

/// Attribute with the number of a part.
const NUMBER: &str = "data-carrel-part";
/// Maximum number of steps from an element with a name to the selected element.
const MAX_STEPS: usize = 12;
/// Maximum number of characters in the text of a part.
const MAX_TEXT_CHARS: usize = 80;
/// Maximum number of blocks of a part that are read for its text.
const MAX_TEXT_BLOCKS: usize = 400;
/// Maximum number of parts. The browser marks fewer.
const MAX_PARTS: usize = 1_000;
/// Maximum number of characters in a selector.
const MAX_SELECTOR_CHARS: usize = 300;
/// Maximum number of bytes of a control's content that are read for its name.
const MAX_NAME_BYTES: usize = 400;
/// Maximum number of elements from a part to the button that contains it.
const MAX_BUTTON_DEPTH: usize = 4;

/// Use of a part of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// Text that a monitor can watch.
    #[default]
    Text,
    /// Button or link without a text that a monitor reads. A step can click it.
    Button,
    /// Field. A step can fill it in.
    Field,
    /// Field for a password. A step can fill in a secret text.
    SecretField,
}

/// Part of a page with its selector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartSelector {
    /// Number of the part in the document.
    pub number: u32,
    /// CSS selector that matches only this part.
    pub selector: String,
    /// Beginning of the text, or name of the field or button.
    pub text: String,
    pub kind: PartKind,
}

/// Returns the selectors of the marked parts of a page, in document order. Parts that are neither text nor a
/// control, parts that no short selector matches, and copies of a part that the parser creates for wrongly
/// nested markup are left out.
///
/// # Errors
/// Returns `TooComplex` if the page exceeds the limits on pages.
pub fn part_selectors(input: &Input) -> Result<Vec<PartSelector>, ObserveError> {
    let too_complex = |reason| ObserveError::TooComplex { reason };
    let markup = xhtml::decode(&input.bytes, input.content_type.as_deref());
    limits::check(&markup).map_err(too_complex)?;
    let document = parse::parse(&markup).map_err(too_complex)?;
    // The document node is not copied, so the node with the index 1 is the first.
    let mut nodes: Vec<NodeId> = Vec::new();
    let page = Page::new(&document, |_, node| nodes.push(node.id));
    let no_flags = vec![false; page.len()];
    let visible = part::selected(&page, &no_flags, &no_flags);
    let names = PageNames::of(&page);
    let labels = labels(&page);
    let mut reader = TextReader { page: &page, part: visible, positions: blocks::positions(&page) };
    let (mut parts, mut numbers) = (Vec::new(), HashSet::<u32>::new());
    for id in (1..page.len()).filter(|&id| page.is_element(id)) {
        let Some(number) = page.value(id, NUMBER).and_then(|number| number.parse().ok()) else { continue };
        if numbers.len() >= MAX_PARTS || !numbers.insert(number) {
            continue;
        }
        let kind = control_kind(&page, id);
        let is_field = matches!(kind, Some(PartKind::Field | PartKind::SecretField));
        let text = if is_field { None } else { reader.text(id) };
        let (kind, text) = match (text, kind) {
            (Some(text), _) => (PartKind::Text, text),
            (None, Some(kind)) => (kind, control_name(&page, id, &labels)),
            (None, None) => continue,
        };
        let node = id.checked_sub(1).and_then(|index| nodes.get(index));
        let Some(node) = node.and_then(|id| document.tree.get(id)) else { continue };
        let selector = names.selector(id).filter(|selector| {
            // Typed selectors pass the same check.
            selectors::css(selector).is_ok_and(|matcher| node.is_match(&matcher))
        });
        if let Some(selector) = selector {
            parts.push(PartSelector { number, selector, text, kind });
        }
    }
    Ok(parts)
}

/// Kind of a control. `None` for other elements. An element inside a button is a button.
fn control_kind(page: &Page, id: Id) -> Option<PartKind> {
    let role = |id: Id| page.value(id, "role").unwrap_or_default();
    let is_press = |kind: &str| {
        ["button", "submit", "reset", "image", "checkbox", "radio"]
            .iter()
            .any(|own| kind.eq_ignore_ascii_case(own))
    };
    match page.tag(id) {
        "input" if is_press(page.value(id, "type").unwrap_or_default()) => return Some(PartKind::Button),
        "input" if page.value(id, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("password")) => {
            return Some(PartKind::SecretField);
        }
        "input" | "select" | "textarea" => return Some(PartKind::Field),
        _ if matches!(role(id), "textbox" | "searchbox" | "combobox") => return Some(PartKind::Field),
        _ => {}
    }
    let is_button = |id: Id| {
        matches!(page.tag(id), "a" | "button" | "summary")
            || matches!(role(id), "button" | "link" | "tab" | "menuitem" | "checkbox" | "switch" | "option")
    };
    page.self_and_ancestors(id).take(MAX_BUTTON_DEPTH).any(is_button).then_some(PartKind::Button)
}

/// Texts of the labels of a page, by the ids of their fields.
fn labels(page: &Page) -> HashMap<&str, String> {
    let is_label = |id: &Id| page.is(*id, "label");
    let label = |id: Id| {
        let text = page.folded_beginning(id, MAX_NAME_BYTES).trim().to_owned();
        page.value(id, "for").filter(|_| !text.is_empty()).map(|field| (field, text))
    };
    (1..page.len()).filter(is_label).take(MAX_PARTS).filter_map(label).collect()
}

/// Name of a control, for the person who chooses it. Values that were typed are not names.
fn control_name(page: &Page, id: Id, labels: &HashMap<&str, String>) -> String {
    let label = page.value(id, "id").and_then(|id| labels.get(id)).cloned();
    let content = || {
        let text = page.folded_beginning(id, MAX_NAME_BYTES).trim().to_owned();
        (!text.is_empty()).then_some(text)
    };
    let is_field = matches!(control_kind(page, id), Some(PartKind::Field | PartKind::SecretField));
    let pressed = || page.value(id, "value").filter(|_| !is_field);
    let attributes = ["aria-label", "placeholder", "title", "alt"];
    let named = || attributes.into_iter().find_map(|name| page.value(id, name)).or_else(pressed);
    let picture = || page.find(id, "img").and_then(|picture| page.value(picture, "alt"));
    let technical = || page.value(id, "name").or_else(|| page.value(id, "id"));
    let name = label
        .or_else(|| named().map(str::to_owned))
        .or_else(|| content().filter(|_| !is_field))
        .or_else(|| picture().or_else(technical).map(str::to_owned));
    cut(&name.unwrap_or_else(|| page.tag(id).to_owned()), MAX_TEXT_CHARS)
}

/// Reads the texts of elements as monitors do.
struct TextReader<'p> {
    page: &'p Page,
    /// Part whose root is the element to read.
    part: PagePart,
    positions: Vec<u32>,
}

impl TextReader<'_> {
    /// Beginning of the text of an element. `None` if a monitor would read no text.
    fn text(&mut self, id: Id) -> Option<String> {
        if self.part.excluded.get(id).copied().unwrap_or(true) {
            return None;
        }
        self.part.roots = vec![id];
        let blocks = blocks::beginning(self.page, &self.part, &self.positions, MAX_TEXT_BLOCKS);
        let lines = blocks.iter().map(|block| block.text.as_str()).filter(|text| !text.is_empty());
        let text = lines.take(MAX_TEXT_CHARS).collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then(|| cut(&text, MAX_TEXT_CHARS))
    }
}

/// Names of the elements of a page, each with the number of elements that have it.
struct PageNames<'p> {
    page: &'p Page,
    counts: HashMap<String, u32>,
}

impl<'p> PageNames<'p> {
    fn of(page: &'p Page) -> Self {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for id in (1..page.len()).filter(|&id| page.is_element(id)) {
            for name in selectors_of(page, id) {
                *counts.entry(name).or_default() += 1;
            }
        }
        Self { page, counts }
    }

    /// Selector that matches only this element: its own name, or the path from the nearest ancestor with a name.
    /// `None` if the path is too long.
    fn selector(&self, id: Id) -> Option<String> {
        let mut steps: Vec<String> = Vec::new();
        let mut at = id;
        while at != 0 && steps.len() <= MAX_STEPS {
            let name = self.own_name(at).or_else(|| self.page.is(at, "body").then(|| "body".to_owned()));
            if let Some(name) = name {
                let selector =
                    [name].into_iter().chain(steps.into_iter().rev()).collect::<Vec<_>>().join(" > ");
                return (selector.chars().count() <= MAX_SELECTOR_CHARS).then_some(selector);
            }
            steps.push(self.step(at)?);
            at = self.page.parent(at);
        }
        None
    }

    /// Selector of the element's id, `itemprop` or class, if no other element has it.
    fn own_name(&self, id: Id) -> Option<String> {
        selectors_of(self.page, id).into_iter().find(|name| self.counts.get(name) == Some(&1))
    }

    /// Selector of an element among its siblings.
    fn step(&self, id: Id) -> Option<String> {
        let (page, tag) = (self.page, self.page.tag(id));
        if !tag.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
            return None;
        }
        let mut position = None;
        let mut count = 0_u32;
        for sibling in page.element_children(page.parent(id)).filter(|&sibling| page.is(sibling, tag)) {
            count += 1;
            if sibling == id {
                position = Some(count);
            }
        }
        let position = position?;
        Some(if count == 1 { tag.to_owned() } else { format!("{tag}:nth-of-type({position})") })
    }
}

/// Selectors of the names of an element, the most specific first: id, `itemprop`, classes. Names that a program
/// probably generated are left out, because they would change.
fn selectors_of(page: &Page, id: Id) -> Vec<String> {
    let value = |attribute| page.value(id, attribute).filter(|name| is_name(name));
    let mut names: Vec<String> = value("id").map(|name| format!("#{name}")).into_iter().collect();
    names.extend(value("itemprop").map(|name| format!("[itemprop={name}]")));
    for class in page.class_names(id).filter(|name| is_name(name)) {
        let name = format!(".{class}");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::{ObservationPurpose, ObserveInput, Snapshot, Target, observe_input};

    fn input(body: &str) -> Input {
        Input {
            bytes: format!("<!doctype html><html><head><title>Shop</title></head><body>{body}</body></html>")
                .into_bytes(),
            content_type: Some("text/html; charset=utf-8".to_owned()),
            url: Some("https://shop.example/".to_owned()),
        }
    }

    /// Marks each element of a body with a number.
    fn marked(body: &str) -> String {
        let mut number = 0;
        let mut pieces = body.split('<');
        let mut marked = pieces.next().unwrap().to_owned();
        for piece in pieces {
            let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap();
            let (tag, rest) = piece.split_at(end);
            if tag.is_empty() {
                marked.push_str(&format!("<{piece}"));
                continue;
            }
            number += 1;
            marked.push_str(&format!("<{tag} {NUMBER}={number}{rest}"));
        }
        marked
    }

    /// Beginning of the text that a monitor with this selector reads.
    fn watched(input: &Input, selector: &str) -> String {
        let result = observe_input(&ObserveInput {
            bytes: input.bytes.clone(),
            content_type: input.content_type.clone(),
            url: input.url.clone(),
            target: Target::Page { selector: Some(selector.to_owned()) },
            ignore: Vec::new(),
            filters: Vec::new(),
            purpose: ObservationPurpose::Run,
        });
        let Snapshot::Blocks(blocks) = result.unwrap().snapshot else { panic!("blocks") };
        let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
        cut(&texts.join(" "), MAX_TEXT_CHARS)
    }

    /// Selectors and texts of all parts. A monitor must read the same text with each selector.
    fn parts(body: &str) -> Vec<(String, String)> {
        let input = input(&marked(body));
        let parts = part_selectors(&input).unwrap();
        for part in parts.iter().filter(|part| part.kind == PartKind::Text) {
            assert_eq!(watched(&input, &part.selector), part.text, "{}", part.selector);
            let target = Target::Page { selector: Some(part.selector.clone()) };
            assert!(target.check().is_empty(), "{}", part.selector);
        }
        parts.into_iter().map(|part| (part.selector, part.text)).collect()
    }

    fn is(selector: &str, text: &str) -> (String, String) {
        (selector.to_owned(), text.to_owned())
    }

    #[test]
    fn unique_names_are_preferred_to_positions() {
        let body = "<div id=product><h1>Lamp</h1><b itemprop=price>90 EUR</b><p class=\"css-1x9a2b3 stock\">In stock</p></div>";
        let expected = [
            is("#product", "Lamp 90 EUR In stock"),
            is("#product > h1", "Lamp"),
            is("[itemprop=price]", "90 EUR"),
            is(".stock", "In stock"),
        ];
        assert_eq!(parts(body), expected);
    }

    #[test]
    fn repeated_element_is_selected_by_its_position_below_a_named_ancestor() {
        let body = "<table id=times><tr><td>9:00</td><td>Tower</td></tr><tr><td>10:00</td><td>Pier</td></tr></table>\
            <p class=note>One</p><p class=note>Two</p>";
        let all = parts(body);
        for part in [
            is("#times > tbody > tr:nth-of-type(2) > td:nth-of-type(2)", "Pier"),
            is("body > p:nth-of-type(2)", "Two"),
        ] {
            assert!(all.contains(&part), "{part:?}: {all:?}");
        }
    }

    #[test]
    fn ambiguous_hostile_and_invisible_parts_do_not_yield_wrong_selectors() {
        let body = "<p id=twice>First</p><p id=twice>Second</p><p id='a\"]{}'>Odd</p><p hidden>Hidden</p><p></p>\
            <my-part>Element of its own</my-part><script>text</script><p>&lt;b&gt;Markup&lt;/b&gt;</p>";
        let all = parts(body);
        let texts: Vec<&str> = all.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["First", "Second", "Odd", "Element of its own", "<b>Markup</b>"]);
        assert!(all.iter().all(|(selector, _)| selector.starts_with("body > ")), "{all:?}");
    }

    #[test]
    fn controls_have_names_and_typed_values_are_not_names() {
        let body = "<label for=query>Search <b>words</b></label><input id=query value=typed><input type=submit value=Go class=go>\
            <button class=close aria-label=Close></button><textarea name=note>typed</textarea>\
            <input type=password class=pass placeholder=Password value=typed>\
            <select class=size><option>S</option><option>M</option></select>\
            <dialog open><p>Cookies</p><button class=accept><i>Accept all</i></button></dialog>";
        let parts = part_selectors(&input(&marked(body))).unwrap();
        let of = |selector: &str| {
            let part = parts.iter().find(|part| part.selector == selector);
            let part = part.unwrap_or_else(|| panic!("{selector}: {parts:?}"));
            (part.text.as_str(), part.kind)
        };
        assert_eq!(of("#query"), ("Search words", PartKind::Field));
        assert_eq!(of(".close"), ("Close", PartKind::Text), "a monitor reads labels of buttons");
        assert_eq!(of(".size"), ("select", PartKind::Field));
        assert_eq!(of(".pass"), ("Password", PartKind::SecretField));
        assert_eq!(of(".accept"), ("Accept all", PartKind::Button));
        assert_eq!(of(".accept > i"), ("Accept all", PartKind::Button));
        assert_eq!(of("body > textarea"), ("note", PartKind::Field));
        assert!(!parts.iter().any(|part| part.text == "Cookies"), "no monitor reads a dialog: {parts:?}");
    }

    #[test]
    fn copies_of_a_part_are_omitted() {
        let page = input("<p data-carrel-part=1 id=first>First</p><p data-carrel-part=1>Copy</p>");
        let parts = part_selectors(&page).unwrap();
        let parts: Vec<_> = parts.iter().map(|part| (part.number, &*part.selector, &*part.text)).collect();
        assert_eq!(parts, [(1, "#first", "First")]);
    }

    #[test]
    fn deep_parts_without_a_name_are_omitted_and_long_texts_are_truncated() {
        let deep = format!("{}<b>Deep</b>{}", "<div>".repeat(20), "</div>".repeat(20));
        let all = parts(&format!("{deep}<p class=long>{}</p>", "é".repeat(100)));
        assert!(!all.iter().any(|(selector, _)| selector.ends_with('b')), "{all:?}");
        assert!(all.contains(&is(".long", &format!("{}…", "é".repeat(80)))), "{all:?}");
    }
}
