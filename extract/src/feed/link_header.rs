//! `Link` headers (RFC 8288).

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderLink {
    /// URL as written in the header. It may be relative.
    pub url: String,
    /// Parameters in the order of the header, with names in lower case.
    parameters: Vec<(String, String)>,
}

impl HeaderLink {
    /// Value of the first parameter with this name. Repeated parameters are ignored.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let parameter = self.parameters.iter().find(|(known, _)| known == name)?;
        Some(&parameter.1)
    }

    /// True if `rel` contains this relation.
    pub fn has_relation(&self, relation: &str) -> bool {
        let relations = self.parameter("rel").unwrap_or_default();
        relations.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(relation))
    }
}

/// Links of one header line. Text that is not a link is skipped.
pub fn parse(line: &str) -> Vec<HeaderLink> {
    let mut links = Vec::new();
    let mut rest = line;
    while let Some((url, after)) = rest.split_once('<').and_then(|(_, after)| after.split_once('>')) {
        let (parameters, after) = parameters(after);
        links.push(HeaderLink { url: url.trim().to_owned(), parameters });
        rest = after;
    }
    links
}

/// Parameters up to the comma that closes the link, and the text after it.
fn parameters(text: &str) -> (Vec<(String, String)>, &str) {
    let mut parameters = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ';']);
        if rest.is_empty() {
            return (parameters, rest);
        }
        if let Some(after) = rest.strip_prefix(',') {
            return (parameters, after);
        }
        let end = rest.find(['=', ';', ',']).unwrap_or(rest.len());
        let name = rest[..end].trim().to_ascii_lowercase();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            (value, rest) = parameter_value(after.trim_start());
        }
        parameters.push((name, value));
    }
}

/// Parses the value at the start of the text. Returns the value and the text after it.
fn parameter_value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ',']).unwrap_or(text.len());
        return (text[..end].trim().to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            _ => value.push(character),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_a_line_are_parsed_with_commas_and_quotes() {
        let line = "<https://s.example/a,b;c>; rel=\"next Alternate\"; title=\"A \\\"b\\\", <c>\";\
                    type = text/html ,\
                    </feed>;REL=alternate;rel=other,, junk, <x>";
        let links = parse(line);
        let urls: Vec<&str> = links.iter().map(|link| link.url.as_str()).collect();
        assert_eq!(urls, ["https://s.example/a,b;c", "/feed", "x"]);
        assert!(links[0].has_relation("alternate") && links[0].has_relation("next"));
        assert_eq!(
            (links[0].parameter("title"), links[0].parameter("type")),
            (Some("A \"b\", <c>"), Some("text/html"))
        );
        assert!(links[1].has_relation("alternate") && !links[1].has_relation("other"));
        assert_eq!(links[2].parameter("rel"), None);
    }

    #[test]
    fn broken_lines_yield_no_links_or_links_without_parameters() {
        for line in ["", "<", "<a", "a>; rel=hub", ">", ";;;,,,"] {
            assert!(parse(line).is_empty(), "{line}");
        }
        for line in ["<a>;=", "<a>;==,", "<a>; \"", "<a>;x=\"\\"] {
            let links = parse(line);
            assert_eq!((links.len(), links[0].has_relation("hub")), (1, false), "{line}");
        }
    }
}
