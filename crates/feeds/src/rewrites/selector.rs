//! Selectors of elements of an entry's markup: the name, classes, ids, and attributes of one element, with commas between
//! alternatives. Relations between elements are refused, because elements are matched one at a time.

use super::attributes::is_name_character;
use super::markup::Element;

/// Reason why other selectors are refused.
const SUPPORTED: &str =
    "use the name, .class, #id or [attribute] of one element, and commas between alternatives";

/// Alternatives, one of which must match.
#[derive(Debug)]
pub(super) struct Selectors(Vec<Compound>);

/// Tests of one element, all of which must pass.
#[derive(Debug, Default)]
struct Compound {
    name: Option<String>,
    tests: Vec<ElementTest>,
}

#[derive(Debug)]
enum ElementTest {
    Class(String),
    Id(String),
    Attribute { name: String, comparison: AttributeComparison },
}

#[derive(Debug)]
enum AttributeComparison {
    Present,
    Equals(String),
    Contains(String),
    Prefix(String),
    Suffix(String),
}

impl Selectors {
    /// Parses a selector. The error is the reason why it is refused.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (mut alternatives, mut rest) = (Vec::new(), text.trim());
        loop {
            let (compound, after) = Compound::parse(rest).ok_or(SUPPORTED)?;
            alternatives.push(compound);
            let after = after.trim_start();
            match after.strip_prefix(',') {
                Some(next) => rest = next.trim_start(),
                None if after.is_empty() => return Ok(Self(alternatives)),
                None => return Err(SUPPORTED.to_owned()),
            }
        }
    }

    pub(super) fn matches(&self, element: &Element<'_>) -> bool {
        self.0.iter().any(|compound| compound.matches(element))
    }
}

impl Compound {
    /// Parses the tests at the start of a text, and returns the remaining text. `None` if there are none.
    fn parse(text: &str) -> Option<(Self, &str)> {
        let (mut compound, mut rest) = (Self::default(), text);
        if rest.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let (name, after) = word(rest)?;
            compound.name = Some(name.to_ascii_lowercase());
            rest = after;
        }
        loop {
            let (test, after) = if let Some(after) = rest.strip_prefix('.') {
                let (class, after) = word(after)?;
                (ElementTest::Class(class.to_owned()), after)
            } else if let Some(after) = rest.strip_prefix('#') {
                let (id, after) = word(after)?;
                (ElementTest::Id(id.to_owned()), after)
            } else if let Some(after) = rest.strip_prefix('[') {
                attribute_test(after)?
            } else {
                break;
            };
            compound.tests.push(test);
            rest = after;
        }
        let is_empty = compound.name.is_none() && compound.tests.is_empty();
        (!is_empty).then_some((compound, rest))
    }

    fn matches(&self, element: &Element<'_>) -> bool {
        self.name.as_deref().is_none_or(|name| name.eq_ignore_ascii_case(element.name))
            && self.tests.iter().all(|test| test.passes(element))
    }
}

impl ElementTest {
    fn passes(&self, element: &Element<'_>) -> bool {
        match self {
            Self::Class(class) => element.marks().any(|mark| mark.strip_prefix('.') == Some(class)),
            Self::Id(id) => element.marks().any(|mark| mark.strip_prefix('#') == Some(id)),
            Self::Attribute { name, comparison } => {
                element.value(name).is_some_and(|value| comparison.holds(&value))
            }
        }
    }
}

impl AttributeComparison {
    fn holds(&self, value: &str) -> bool {
        match self {
            Self::Present => true,
            Self::Equals(text) => value == text,
            Self::Contains(text) => value.contains(text),
            Self::Prefix(text) => value.starts_with(text),
            Self::Suffix(text) => value.ends_with(text),
        }
    }
}

/// Splits the name at the start of a text from the remaining text. `None` if there is none.
fn word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|character| !is_name_character(character)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Parses the test of an attribute after its opening bracket, and returns the remaining text.
fn attribute_test(text: &str) -> Option<(ElementTest, &str)> {
    let (name, rest) = word(text.trim_start())?;
    let (name, rest) = (name.to_ascii_lowercase(), rest.trim_start());
    if let Some(after) = rest.strip_prefix(']') {
        return Some((ElementTest::Attribute { name, comparison: AttributeComparison::Present }, after));
    }
    let (operator, rest) = rest.split_once('=')?;
    let (value, rest) = attribute_value(rest.trim_start())?;
    let after = rest.trim_start().strip_prefix(']')?;
    let comparison = match operator.trim() {
        "" => AttributeComparison::Equals(value),
        _ if value.is_empty() => return None,
        "*" => AttributeComparison::Contains(value),
        "^" => AttributeComparison::Prefix(value),
        "$" => AttributeComparison::Suffix(value),
        _ => return None,
    };
    Some((ElementTest::Attribute { name, comparison }, after))
}

/// Parses the value of an attribute, with or without quotation marks, and returns the remaining text.
fn attribute_value(text: &str) -> Option<(String, &str)> {
    for quote in ['"', '\''] {
        if let Some(inside) = text.strip_prefix(quote) {
            return inside.split_once(quote).map(|(value, after)| (value.to_owned(), after));
        }
    }
    let end = text.find(']')?;
    let (value, after) = text.split_at(end);
    Some((value.trim().to_owned(), after))
}

#[cfg(test)]
mod tests {
    use super::super::markup::Element;
    use super::*;

    fn matches(selector: &str, name: &str, attributes: &str) -> bool {
        Selectors::parse(selector).unwrap().matches(&Element { name, attributes, raw: "" })
    }

    #[test]
    fn selector_matches_names_classes_ids_and_attributes() {
        let ad = " lang=\".ad .wide #top\" href=\"https://ads.example/a?b=1&amp;c=2\"";
        for selector in [
            "a", "A", ".ad", "a.ad.wide", "#top", "p, .ad", "[href]", "a[href*=\"ads.example\"]",
            "[href^='https://ads']", "[href$=\"&c=2\"]", ".none,#top",
        ] {
            assert!(matches(selector, "a", ad), "{selector}");
        }
        for selector in ["p", ".top", "a.none", "[src]", "[href=\"https://ads.example/\"]", "#ad"] {
            assert!(!matches(selector, "a", ad), "{selector}");
        }
    }

    #[test]
    fn unsupported_selectors_are_refused() {
        for selector in
            ["", " ", ".", "a b", "a > b", "*", "p:first-child", "[href", "a[href~=x]", "a,", "[a*='']"]
        {
            assert_eq!(Selectors::parse(selector).unwrap_err(), SUPPORTED, "{selector}");
        }
    }
}
