//! Forms that clients send. They are small, are UTF-8, and may repeat only one parameter.

use poem::{Request, RequestBody};

use super::fault::OAuthRefusal;
use http_kit::http::body::{FORM, bytes_of, essence};

/// Maximum body size in bytes.
pub(super) const MAX_BYTES: usize = 16 * 1024;
/// The only parameter that may be repeated (RFC 8707, section 2).
const REPEATED: &str = "resource";

pub(super) struct RequestForm(Vec<(String, String)>);

impl RequestForm {
    /// Reads the form of a request.
    ///
    /// # Errors
    /// `invalid_request` if the body is missing, too large, or not a valid form.
    pub(super) async fn read(request: &Request, body: &mut RequestBody) -> Result<Self, OAuthRefusal> {
        if essence(request.content_type().unwrap_or_default()) != FORM {
            return Err(OAuthRefusal::malformed("Send a form: application/x-www-form-urlencoded."));
        }
        let (bytes, _memory_permit) = bytes_of(request, body, MAX_BYTES).await.map_err(|_| {
            OAuthRefusal::malformed("The form is missing, incomplete, or larger than 16384 bytes.")
        })?;
        Self::parse(&bytes)
    }

    fn parse(bytes: &[u8]) -> Result<Self, OAuthRefusal> {
        let not_text = || OAuthRefusal::malformed("The form is not UTF-8.");
        let mut pairs: Vec<(String, String)> = Vec::new();
        for pair in std::str::from_utf8(bytes).map_err(|_| not_text())?.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decoded(name).ok_or_else(not_text)?;
            // A parameter without a value counts as omitted (RFC 6749, section 3.2).
            let value = decoded(value).ok_or_else(not_text)?;
            if value.is_empty() {
                continue;
            }
            if name != REPEATED && pairs.iter().any(|(known, _)| *known == name) {
                return Err(OAuthRefusal::malformed("A parameter was sent more than once."));
            }
            pairs.push((name, value));
        }
        Ok(Self(pairs))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Decodes a name or value of a form, or a part of `Basic` credentials. Returns `None` if the result is not
/// UTF-8.
pub(super) fn decoded(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    percent_encoding::percent_decode_str(&spaced).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_resource_parameter_may_be_repeated() {
        let form = RequestForm::parse(b"a=1+%26&resource=x&resource=y&empty=&a%20b=2").unwrap();
        assert_eq!((form.get("a"), form.get("empty"), form.get("a b")), (Some("1 &"), None, Some("2")));
        assert_eq!(form.all("resource").collect::<Vec<_>>(), ["x", "y"]);
        assert!(RequestForm::parse(b"a=1&a=2").is_err() && RequestForm::parse(b"a=1&%61=1").is_err());
        assert!(RequestForm::parse(b"a=%ff").is_err() && RequestForm::parse(b"\xff").is_err());
        assert!(RequestForm::parse(b"").unwrap().get("").is_none());
    }
}
