//! Form fields for the user agent and the headers of a feed's requests.

use feeds::{RequestHeader, RequestUpdate, Subscription};
use kernel::{Code, Error};
use maud::{Markup, html};

use crate::language::text::Text;
use crate::page::displayed::{displayed_field, displayed_value};
use crate::page::form::{Form, FormError, FormField};

/// Form values of the request. Values of stored headers are never displayed.
#[derive(Default)]
pub(super) struct FeedRequestInput {
    user_agent: String,
    /// User agent that the form displayed before it was edited.
    displayed_user_agent: String,
    headers: String,
    removes_headers: bool,
}

impl FeedRequestInput {
    /// Returns the values for a new form.
    pub(super) fn of_feed(feed: &Subscription) -> Self {
        let user_agent = feed.user_agent.clone().unwrap_or_default();
        Self { displayed_user_agent: user_agent.clone(), user_agent, ..Self::default() }
    }

    /// Reads the values of a submitted form.
    pub(super) fn of_form(form: &Form, feed: Option<&Subscription>) -> Self {
        let current = feed.and_then(|feed| feed.user_agent.as_deref()).unwrap_or_default();
        Self {
            user_agent: form.get("userAgent").trim().to_owned(),
            displayed_user_agent: displayed_value(form, "userAgent", current),
            headers: form.get("headers").trim().to_owned(),
            removes_headers: form.get("removeHeaders") == "on",
        }
    }

    /// Returns true if a user agent or headers are set.
    pub(super) fn is_set(&self) -> bool {
        !self.user_agent.is_empty() || !self.headers.is_empty()
    }

    /// Returns the changes to the feed's request settings. If no headers are typed, the stored headers are
    /// not changed, unless the form removes them.
    ///
    /// # Errors
    /// `invalid_request` if a line of the headers has no colon.
    pub(super) fn update(&self) -> Result<RequestUpdate, Error> {
        let user_agent = Some(self.user_agent.clone()).filter(|text| !text.is_empty());
        let headers = match (self.headers.is_empty(), self.removes_headers) {
            (false, _) => Some(self.headers.lines().map(header).collect::<Result<Vec<_>, Error>>()?),
            (true, true) => Some(Vec::new()),
            (true, false) => None,
        };
        let is_changed = self.user_agent != self.displayed_user_agent;
        Ok(RequestUpdate { user_agent: is_changed.then_some(user_agent), headers })
    }

    /// Renders the fields. `stored` are the names of the stored headers.
    pub(super) fn fields(&self, stored: &[String], form_error: &FormError) -> Markup {
        let wrong = form_error.at("headers");
        let (label, hint) = (Text("request-agent").get(), Text("request-agent-hint").get());
        let user_agent = FormField {
            name: "userAgent",
            label: &label,
            hint: &hint,
            kind: "text",
            value: &self.user_agent,
            autocomplete: "off",
            required: false,
        };
        let is_open = wrong.is_some()
            || form_error.at("userAgent").is_some()
            || !stored.is_empty()
            || !self.user_agent.is_empty();
        html! {
            details open[is_open] { summary { (Text("monitor-request")) }
                p { (Text("feed-request-words")) }
                (displayed_field("userAgent", &self.displayed_user_agent))
                (user_agent.show(form_error))
                div {
                    label for="headers" { (Text("monitor-headers")) }
                    p.rule #headers-rule {
                        (Text("feed-request-headers-hint"))
                        @if !stored.is_empty() { " " (Text("feed-request-stored").with("names", stored.join(", "))) }
                    }
                    textarea #headers name="headers" rows="3" spellcheck="false" aria-describedby="headers-rule" aria-invalid=[wrong.map(|_| "true")] { (self.headers) }
                    (form_error.on_group("headers"))
                }
                @if !stored.is_empty() {
                    label.choice { input type="checkbox" name="removeHeaders" checked[self.removes_headers]; span { (Text("feed-request-remove")) } }
                }
            }
        }
    }
}

/// Parses a header: `Name: value`.
fn header(line: &str) -> Result<RequestHeader, Error> {
    let Some((name, value)) = line.split_once(':') else {
        let message = "Enter each header as: Name: value.";
        return Err(Error::new(Code::InvalidRequest, message).at("headers", message));
    };
    Ok(RequestHeader { name: name.trim().to_owned(), value: value.trim().to_owned() })
}
