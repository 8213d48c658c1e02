//! Addresses with a text fragment, to which browsers scroll and which they highlight.

/// Number of words at the beginning and at the end of a long quote that select it in a page.
const FRAGMENT_WORDS: usize = 6;
/// Maximum number of words of a quote that the fragment contains in full.
const MAX_WHOLE_WORDS: usize = 16;

/// Returns the address of a page with a text fragment that selects a quote. `None` unless the address is `http` or
/// `https`.
pub(crate) fn fragment_url(url: &str, quote: &str) -> Option<String> {
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return None;
    }
    let page = url.split('#').next().unwrap_or_default();
    Some(format!("{page}#{}", text_fragment(quote)?))
}

/// Returns the text fragment that selects a quote, without the number sign.
pub(crate) fn text_fragment(quote: &str) -> Option<String> {
    let words: Vec<&str> = quote.split_whitespace().collect();
    let fragment = if words.len() <= MAX_WHOLE_WORDS {
        escaped(&words.join(" "))
    } else {
        let (start, end) = (words.first_chunk::<FRAGMENT_WORDS>()?, words.last_chunk::<FRAGMENT_WORDS>()?);
        format!("{},{}", escaped(&start.join(" ")), escaped(&end.join(" ")))
    };
    Some(format!(":~:text={fragment}"))
}

/// Escapes everything except ASCII letters and digits, because `-`, `,` and `&` are special in text fragments.
fn escaped(text: &str) -> String {
    let escaped = |byte: u8| {
        if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    text.bytes().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragment_selects_the_quote() {
        let url = |quote| fragment_url("https://example.org/a#top", quote).unwrap();
        assert_eq!(
            url("a well-known\n end, é"),
            "https://example.org/a#:~:text=a%20well%2Dknown%20end%2C%20%C3%A9"
        );
        let long: Vec<String> = (1..=20).map(|number| format!("w{number}")).collect();
        assert_eq!(
            url(&long.join(" ")),
            "https://example.org/a#:~:text=w1%20w2%20w3%20w4%20w5%20w6,w15%20w16%20w17%20w18%20w19%20w20"
        );
        assert_eq!(fragment_url("urn:uuid:7", "words"), None);
    }
}
