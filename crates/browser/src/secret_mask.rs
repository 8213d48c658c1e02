//! Masks the secret texts of steps in the result of a page, which may repeat what was typed.

use fetch::Url;

use crate::page_step::PageStep;

/// Text that replaces a secret.
const MASK: &str = "•••";
/// Minimum number of characters of a text that is masked. A shorter text would be part of other words.
const MIN_CHARS: usize = 4;

/// Secret texts of the steps of a page.
#[derive(Clone)]
pub(crate) struct SecretMask(Vec<String>);

impl SecretMask {
    pub(crate) fn of(steps: &[PageStep]) -> Self {
        let texts = steps.iter().filter(|step| step.secret).filter_map(|step| step.text.clone());
        let mut texts: Vec<String> = texts.filter(|text| text.chars().count() >= MIN_CHARS).collect();
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
            for form in [in_attributes.as_str(), in_texts.as_str(), text.as_str()] {
                if masked.contains(form) {
                    masked = masked.replace(form, MASK);
                }
            }
        }
        masked
    }

    /// Removes the query of a URL that contains a secret, as that of a form does which is sent as a GET, and its path.
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
        PageStep {
            kind: StepKind::Type,
            selector: Some("#code".to_owned()),
            text: Some(text.to_owned()),
            wait_ms: None,
            secret,
        }
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
    fn secret_text_is_not_printed() {
        assert!(!format!("{:?}", step("lamp oil", true)).contains("lamp"));
        assert!(format!("{:?}", step("lamp oil", false)).contains("lamp"));
    }
}
