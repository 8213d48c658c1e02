//! Random ids of displayed forms, so that a form that is sent twice, as by a double click, creates one object.

use data_encoding::BASE64URL_NOPAD;
use maud::{Markup, html};
use sha2::{Digest, Sha256};

use super::request::PageRequest;

/// Name of the hidden field.
pub(crate) const FORM_ID: &str = "formId";

/// Renders the hidden field with a new id.
pub(crate) fn field(request: &PageRequest) -> Markup {
    let id = BASE64URL_NOPAD.encode(&request.app.domain.random::<16>());
    html! { input type="hidden" name=(FORM_ID) value=(id); }
}

/// Returns the client id of the object that a form creates. It depends on the content, too: if a person goes back to
/// a form and enters another text, the browser sends the same form id. `None` if the form has no id.
pub(crate) fn client_id(form_id: &str, content: &str) -> Option<String> {
    (!form_id.is_empty()).then(|| {
        let hash = Sha256::digest(format!("{form_id}\n{content}"));
        format!("form:{}", BASE64URL_NOPAD.encode(&hash))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_id_depends_on_the_form_and_the_content() {
        let id = client_id("a", "text");
        assert!(id.is_some());
        assert_eq!(client_id("a", "text"), id);
        assert_ne!(client_id("a", "other text"), id);
        assert_ne!(client_id("b", "text"), id);
        assert_eq!(client_id("", "text"), None);
    }
}
