//! Translates the `XPath` expressions that browsers and visual selectors write to CSS, and those that select
//! by a text. Other expressions have no translation.

/// CSS selector that matches the same elements; `None` if there is none.
pub(crate) fn to_css(path: &str) -> Option<String> {
    let mut rest = path.trim();
    let mut css = String::new();
    while !rest.is_empty() {
        let combinator = if let Some(after) = rest.strip_prefix("//") {
            rest = after;
            " "
        } else if let Some(after) = rest.strip_prefix('/') {
            rest = after;
            " > "
        } else if css.is_empty() {
            ""
        } else {
            return None;
        };
        let (step, after) = rest.split_at(step_length(rest)?);
        if !css.is_empty() {
            css.push_str(combinator);
        }
        css.push_str(&step_css(step)?);
        rest = after;
    }
    (!css.is_empty()).then_some(css)
}

/// Bytes before the next `/` outside of predicates; `None` if a predicate is not closed.
fn step_length(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[') => depth += 1,
            (None, ']') => depth = depth.checked_sub(1)?,
            (None, '/') if depth == 0 => return Some(at),
            _ => {}
        }
    }
    (depth == 0 && quote.is_none()).then_some(text.len())
}

fn step_css(step: &str) -> Option<String> {
    let (name, mut predicates) = step.split_at(step.find('[').unwrap_or(step.len()));
    if name != "*" && !is_name(name) {
        return None;
    }
    let mut css = name.to_owned();
    let mut is_first = true;
    while let Some(after) = predicates.strip_prefix('[') {
        let (predicate, after) = after.split_at(predicate_length(after)?);
        css.push_str(&predicate_css(predicate.trim(), name, is_first)?);
        predicates = after.strip_prefix(']')?;
        is_first = false;
    }
    predicates.is_empty().then_some(css)
}

/// Bytes before the `]` that closes a predicate.
fn predicate_length(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, ']') => return Some(at),
            (None, '[') => return None,
            _ => {}
        }
    }
    None
}

fn predicate_css(predicate: &str, name: &str, is_first: bool) -> Option<String> {
    if let Ok(number) = predicate.parse::<u32>() {
        // After another predicate, a number counts the elements that the predicate left.
        let kind = if name == "*" { "child" } else { "of-type" };
        return (is_first && number > 0).then(|| format!(":nth-{kind}({number})"));
    }
    if let Some(attribute) = predicate.strip_prefix('@') {
        let Some((attribute, value)) = attribute.split_once('=') else {
            return is_name(attribute).then(|| format!("[{attribute}]"));
        };
        return attribute_css(attribute, "=", value);
    }
    for (function, operator) in [("contains(", "*="), ("starts-with(", "^=")] {
        if let Some(arguments) = predicate.strip_prefix(function) {
            let (attribute, value) = arguments.strip_suffix(')')?.split_once(',')?;
            if attribute.trim() == "." && operator == "*=" {
                return unquoted(value.trim()).map(|text| format!(":contains(\"{text}\")"));
            }
            return attribute_css(attribute.trim().strip_prefix('@')?, operator, value);
        }
    }
    None
}

fn attribute_css(attribute: &str, operator: &str, value: &str) -> Option<String> {
    let (attribute, value) = (attribute.trim(), unquoted(value.trim())?);
    is_name(attribute).then(|| format!("[{attribute}{operator}\"{value}\"]"))
}

/// Text between quotes, if it needs no escapes.
fn unquoted(value: &str) -> Option<&str> {
    let quoted = |quote: char| value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote));
    let value = quoted('"').or_else(|| quoted('\''))?;
    (!value.is_empty() && !value.contains(['"', '\\', '\'', '\n'])).then_some(value)
}

fn is_name(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    text.starts_with(|letter: char| letter.is_ascii_alphabetic()) && text.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xpath_is_translated_or_refused() {
        for (path, css) in [
            ("/html/body/div[1]/p", "html > body > div:nth-of-type(1) > p"),
            ("//div[@class='a b']//span", "div[class=\"a b\"] span"),
            ("//*[contains(@class, \"price\")]", "*[class*=\"price\"]"),
            ("//a[starts-with(@href,'/x/')][@rel]", "a[href^=\"/x/\"][rel]"),
            ("//*[2]", "*:nth-child(2)"),
            ("//tr[contains(., 'North quay')]", "tr:contains(\"North quay\")"),
        ] {
            assert_eq!(to_css(path).as_deref(), Some(css), "{path}");
        }
        for path in [
            "", "//", "//a/text()", "//a/@href", "//a[@x][2]", "//a[last()]", "//a[", "//a[@x='a\"b']",
            "//ä", "string(//a)",
        ] {
            assert_eq!(to_css(path), None, "{path}");
        }
    }
}
