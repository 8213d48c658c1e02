//! Suggests targets on a page: prices, stock, lists and sections, each with its selector. They are recognised
//! by common names. The user selects a suggestion.

use super::{
    numbers::{self, NumberFormat},
    selectors,
    suggestion::{Suggestion, SuggestionKind},
    value_store::cut,
};
use crate::page::{Id, Page};

/// Maximum number of suggestions of each kind.
const MAX_PER_KIND: usize = 3;
/// Maximum number of characters in a text that may be a price or a stock level.
const MAX_VALUE_CHARS: usize = 60;
/// Maximum number of characters in the text of a suggestion.
const MAX_TEXT_CHARS: usize = 120;
/// Maximum number of elements that are inspected in detail.
const MAX_INSPECTED: usize = 200;
/// Minimum number of similar elements in a list.
const MIN_ITEMS: usize = 4;

/// Suggestions for a page.
pub(super) fn of(page: &Page) -> Vec<Suggestion> {
    let mut suggester = Suggester { page, all: Vec::new(), remaining: MAX_INSPECTED };
    for id in 0..page.len() {
        if page.is_element(id) {
            suggester.inspect(id);
        }
    }
    suggester.all.sort_by_key(|suggestion| suggestion.kind as u8);
    suggester.all
}

struct Suggester<'a> {
    page: &'a Page,
    all: Vec<Suggestion>,
    /// Number of elements that may still be inspected in detail. Each inspection visits the whole page.
    remaining: usize,
}

impl Suggester<'_> {
    fn inspect(&mut self, id: Id) {
        match self.page.tag(id) {
            "script" | "style" | "template" | "noscript" | "html" | "head" | "body" => return,
            "h1" | "h2" | "h3" => self.part(id),
            "ul" | "ol" | "tbody" | "div" | "section" | "main" => self.list(id),
            _ => {}
        }
        if self.remaining == 0 {
            return;
        }
        let names = self.names(id);
        if names.contains("price") {
            self.price(id);
        } else if names.contains("stock") || names.contains("availab") {
            self.stock(id);
        }
    }

    /// Names of an element: its id, classes and `itemprop`.
    fn names(&self, id: Id) -> String {
        let name = |attribute| self.page.value(id, attribute).unwrap_or_default();
        format!("{} {} {}", name("id"), name("class"), name("itemprop")).to_ascii_lowercase()
    }

    fn has_capacity(&self, kind: SuggestionKind) -> bool {
        self.all.iter().filter(|known| known.kind == kind).count() < MAX_PER_KIND
    }

    /// Adds a suggestion, unless it is a duplicate.
    fn add(&mut self, kind: SuggestionKind, selector: String, text: String, number: Option<String>) {
        let is_known = self
            .all
            .iter()
            .any(|known| known.kind == kind && (known.selector == selector || known.text == text));
        if !is_known && self.has_capacity(kind) && selectors::check_css(&selector).is_ok() {
            self.all.push(Suggestion { kind, selector, text, number, source: None });
        }
    }

    fn price(&mut self, id: Id) {
        self.remaining -= 1;
        let text = self.page.folded_text(id);
        if text.is_empty()
            || text.chars().count() > MAX_VALUE_CHARS
            || !self.has_capacity(SuggestionKind::Price)
        {
            return;
        }
        let amounts = numbers::amounts(&text, NumberFormat { is_money: true, ..NumberFormat::default() });
        let Some(amount) = amounts.first() else { return };
        let number = amount.number.to_string();
        if let Some(selector) = self.selector(id) {
            self.add(SuggestionKind::Price, selector, text, Some(number));
        }
    }

    fn stock(&mut self, id: Id) {
        self.remaining -= 1;
        let text = self.page.folded_text(id);
        let is_short = (3..=MAX_VALUE_CHARS).contains(&text.chars().count());
        if is_short
            && text.chars().any(char::is_alphabetic)
            && let Some(selector) = self.selector(id)
        {
            self.add(SuggestionKind::Stock, selector, text, None);
        }
    }

    /// Suggests the parent of a heading, if it has an id.
    fn part(&mut self, id: Id) {
        let parent = self.page.parent(id);
        let named = self.page.value(parent, "id").filter(|name| is_name(name));
        let Some(name) = named else { return };
        let text = self.page.folded_text(id);
        if !text.is_empty() {
            self.add(SuggestionKind::Part, format!("#{name}"), cut(&text, MAX_TEXT_CHARS), None);
        }
    }

    /// Suggests the children of an element, if most of them are similar and have links.
    fn list(&mut self, id: Id) {
        if !self.has_capacity(SuggestionKind::List) || self.remaining == 0 {
            return;
        }
        let children: Vec<Id> = self.page.element_children(id).collect();
        let Some(first) = children.first().copied().filter(|_| children.len() >= MIN_ITEMS) else { return };
        let (tag, class) = (self.page.tag(first), self.class(first));
        let is_alike = |child: &Id| self.page.is(*child, tag) && self.class(*child) == class;
        let alike: Vec<Id> = children.iter().copied().filter(is_alike).collect();
        let leads = alike.iter().filter(|child| self.page.find(**child, "a").is_some()).count();
        let is_navigation = self
            .page
            .ancestors(id)
            .chain([id])
            .any(|above| matches!(self.page.tag(above), "nav" | "header" | "footer" | "aside"));
        if alike.len() < MIN_ITEMS || leads < alike.len() || is_navigation {
            return;
        }
        let own = class.map(|class| format!("{tag}.{class}"));
        let selector = match (self.selector(id), own) {
            (_, Some(own)) if tag != "div" && tag != "li" && tag != "tr" => Some(own),
            (Some(parent), own) => Some(format!("{parent} > {}", own.unwrap_or_else(|| tag.to_owned()))),
            (None, own) => own,
        };
        self.remaining = self.remaining.saturating_sub(1);
        let text = self.page.folded_text(first);
        if let Some(selector) = selector.filter(|_| text.chars().count() > 3) {
            self.add(SuggestionKind::List, selector, cut(&text, MAX_TEXT_CHARS), None);
        }
    }

    /// First class that can be used in a selector.
    fn class(&self, id: Id) -> Option<&str> {
        self.page.value(id, "class").and_then(|classes| classes.split_whitespace().find(|name| is_name(name)))
    }

    /// Selector that uses the id, `itemprop` or class. `None` if the first match would be another element.
    fn selector(&self, id: Id) -> Option<String> {
        let value = |name| self.page.value(id, name).filter(|name| is_name(name));
        if let Some(name) = value("id") {
            return Some(format!("#{name}"));
        }
        if let Some(name) = value("itemprop") {
            return self.if_first(
                id,
                |other| self.page.value(other, "itemprop") == Some(name),
                format!("[itemprop={name}]"),
            );
        }
        let class = self.class(id)?;
        self.if_first(id, |other| self.page.has_class(other, class), format!(".{class}"))
    }

    fn if_first(&self, id: Id, is_such: impl Fn(Id) -> bool, selector: String) -> Option<String> {
        let first = (0..id).find(|other| self.page.is_element(*other) && is_such(*other));
        first.is_none().then_some(selector)
    }
}

/// True for a name that can be used in a selector and was probably chosen by a person. Generated names would
/// change.
pub(super) fn is_name(name: &str) -> bool {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    (2..=60).contains(&name.len())
        && is_plain
        && name.as_bytes()[0].is_ascii_alphabetic()
        && digits * 3 <= name.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::{Observation, ObservationPurpose, ObserveInput, Target, observe_input};

    fn suggested(body: &str) -> Vec<(SuggestionKind, String, String)> {
        let markup = format!("<html><body>{body}<p>Some words so that there is a text.</p></body></html>");
        let input = ObserveInput {
            bytes: markup.into_bytes(),
            content_type: Some("text/html".to_owned()),
            url: Some("https://shop.example/".to_owned()),
            target: Target::Page { selector: None },
            ignore: Vec::new(),
            filters: Vec::new(),
            purpose: ObservationPurpose::Preview,
        };
        let Observation { suggestions, .. } = observe_input(&input).unwrap();
        suggestions
            .into_iter()
            .map(|suggestion| (suggestion.kind, suggestion.selector, suggestion.text))
            .collect()
    }

    #[test]
    fn prices_stock_lists_and_sections_are_suggested() {
        let items: String =
            [1, 2, 3, 4, 5].map(|n| format!("<li class=job><a href=/{n}>Job {n}</a></li>")).concat();
        let body = format!(
            "<nav><ul class=menu>{items}</ul></nav><main><h1>Lamp</h1><span class=\"price old\">120,00 €</span>\
             <b itemprop=price>90,00 €</b><span class=stock-level>In stock</span>\
             <section id=news><h2>News</h2><p>Soon.</p></section><ul id=jobs>{items}</ul></main>"
        );
        let suggestions = suggested(&body);
        let is = |kind, selector: &str, text: &str| (kind, selector.to_owned(), text.to_owned());
        assert_eq!(
            suggestions,
            [
                is(SuggestionKind::Price, ".price", "120,00 €"),
                is(SuggestionKind::Price, "[itemprop=price]", "90,00 €"),
                is(SuggestionKind::Stock, ".stock-level", "In stock"),
                is(SuggestionKind::List, "#jobs > li.job", "Job 1"),
                is(SuggestionKind::Part, "#news", "News"),
            ]
        );
    }

    #[test]
    fn plain_text_and_generated_names_do_not_yield_suggestions() {
        assert_eq!(suggested("<h1>Title</h1><p>A text about prices of 12 €.</p>"), []);
        assert_eq!(suggested("<b class=css-1x9a2b3>12 €</b><b class=price-19283746>12 €</b>"), []);
    }
}
