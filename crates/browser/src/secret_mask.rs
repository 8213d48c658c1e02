//! Masks secrets in the result of a page, which may repeat typed and sent texts.

use fetch::Url;

use crate::page_step::PageStep;

/// Text that replaces a secret.
const MASK: &str = "•••";
/// Minimum number of characters of a text that is masked. A shorter text would be part of other words.
const MIN_CHARS: usize = 4;

/// Secret texts of the steps and of the credentials of a page.
#[derive(Clone)]
pub(crate) struct SecretMask(Vec<String>);

impl SecretMask {
    pub(crate) fn of(steps: &[PageStep]) -> Self {
        let texts = steps.iter().filter(|step| step.secret).filter_map(|step| step.text.clone());
        Self(Vec::new()).with(texts.collect())
    }

    /// Adds secret texts.
    pub(crate) fn with(self, texts: Vec<String>) -> Self {
        // Pages repeat texts without surrounding white space.
        let texts = texts.into_iter().map(|text| text.trim().to_owned());
        let mut texts: Vec<String> = self.0.into_iter().chain(texts).collect();
        texts.retain(|text| text.chars().count() >= MIN_CHARS);
        // A secret may be a part of another.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self(texts)
    }

    /// True if there is nothing to mask.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Masks the secrets in a serialised document, in its texts and attributes.
    pub(crate) fn mask_html(&self, html: String) -> String {
        let mut masked = html;
        for text in &self.0 {
            let in_attributes = text.replace('&', "&amp;").replace('"', "&quot;");
            let in_texts = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let [in_forms, in_links] = url_encoded(text);
            for form in [&in_attributes, &in_texts, text, &in_forms, &in_links] {
                if masked.contains(form.as_str()) {
                    masked = masked.replace(form.as_str(), MASK);
                }
            }
        }
        masked
    }

    /// Removes the query and the path of a URL if they contain a secret. A form that is sent with GET puts
    /// its values into the query.
    pub(crate) fn mask_url(&self, mut url: Url) -> Url {
        if self.is_in(url.query().unwrap_or_default()) {
            url.set_query(None);
        }
        if self.is_in(url.path()) {
            url.set_path("/");
        }
        url
    }

    /// True if an encoded part of a URL contains a secret.
    fn is_in(&self, part: &str) -> bool {
        let decoded = percent_decoded(part);
        let spaced = decoded.replace('+', " ");
        self.0.iter().any(|text| decoded.contains(text.as_str()) || spaced.contains(text.as_str()))
    }
}

/// Returns the two encodings of a text in URLs: by forms, and by the script function `encodeURIComponent`. The links of
/// a page may contain values of its form.
fn url_encoded(text: &str) -> [String; 2] {
    let in_form = percent_encoded(text, "*-._").replace("%20", "+");
    [in_form, percent_encoded(text, "-_.!~*'()")]
}

fn percent_encoded(text: &str, unchanged: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        let character = char::from(byte);
        if character.is_ascii_alphanumeric() || unchanged.contains(character) {
            encoded.push(character);
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

fn percent_decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |index: usize| after.get(index).and_then(|byte| char::from(*byte).to_digit(16));
        let decoded = digit(0).zip(digit(1)).and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        if let (b'%', Some(byte)) = (first, decoded) {
            bytes.push(byte);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_step::StepKind;

    fn step(text: &str, secret: bool) -> PageStep {
        PageStep { text: Some(text.to_owned()), secret, ..PageStep::on(StepKind::Type, "#code") }
    }

    #[test]
    fn secrets_are_masked_in_texts_attributes_and_urls() {
        let steps = [step("a<b&\"c", true), step("open", false), step("12", true)];
        let mask = SecretMask::of(&steps);
        let html = "<input value=\"a<b&amp;&quot;c\"><p>a&lt;b&amp;\"c is open at 12</p>".to_owned();
        assert_eq!(mask.mask_html(html), "<input value=\"•••\"><p>••• is open at 12</p>");
        let masked = |url: &str| mask.mask_url(Url::parse(url).unwrap()).to_string();
        assert_eq!(masked("https://a.example/in?code=a%3Cb%26%22c&x=1"), "https://a.example/in");
        assert_eq!(masked("https://a.example/a%3Cb&%22c/in"), "https://a.example/");
        assert_eq!(masked("https://a.example/in?code=open"), "https://a.example/in?code=open");
    }

    #[test]
    fn secrets_are_masked_in_encoded_links_and_without_surrounding_white_space() {
        let mask = SecretMask::of(&[step(" öl & lamp! ", true)]);
        let html = "<p>öl &amp; lamp!<a href=\"?c=%C3%B6l+%26+lamp%21&amp;page=2\"><a href=\"/%C3%B6l%20%26%20lamp!\">";
        let masked = "<p>•••<a href=\"?c=•••&amp;page=2\"><a href=\"/•••\">";
        assert_eq!(mask.mask_html(html.to_owned()), masked);
    }

    #[test]
    fn secrets_of_credentials_are_masked_with_those_of_steps() {
        let mask =
            SecretMask::of(&[step("oil lamp", true)]).with(vec!["big oil lamp".to_owned(), "12".to_owned()]);
        assert_eq!(mask.mask_html("<p>big oil lamp, oil lamp, 12".to_owned()), "<p>•••, •••, 12");
    }

    #[test]
    fn secret_text_is_not_printed() {
        assert!(!format!("{:?}", step("lamp oil", true)).contains("lamp"));
        assert!(format!("{:?}", step("lamp oil", false)).contains("lamp"));
    }
}
