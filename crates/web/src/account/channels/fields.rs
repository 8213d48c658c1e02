//! Form fields of a channel's settings.

use maud::{Markup, html};
use notices::{Channel, ChannelSettings, MAX_NAME_CHARS};

use crate::page::form::{Field, Form, FormError};

/// Field values as typed.
pub(super) struct SettingsInput {
    name: String,
    digest: String,
    zone: String,
    account_news: bool,
}

impl SettingsInput {
    /// Returns the values for a new channel.
    pub(super) fn empty() -> Self {
        Self { name: String::new(), digest: String::new(), zone: "UTC".to_owned(), account_news: true }
    }

    /// Returns the values of an existing channel.
    pub(super) fn of_channel(channel: &Channel) -> Self {
        Self {
            name: channel.name.clone(),
            digest: channel.digest.map(|digest| digest.to_string()).unwrap_or_default(),
            zone: channel.zone.clone(),
            account_news: channel.account_news,
        }
    }

    /// Reads the values of a submitted form.
    pub(super) fn of(form: &Form) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            name: text("name"),
            digest: text("digest"),
            zone: text("zone"),
            account_news: form.get("accountNews") == "1",
        }
    }

    /// Returns the settings for the domain.
    pub(super) fn settings(&self) -> ChannelSettings<'_> {
        let Self { name, digest, zone, account_news } = self;
        ChannelSettings { name, digest, zone, account_news: *account_news }
    }

    /// Renders the fields.
    pub(super) fn show(&self, form_error: &FormError) -> Markup {
        let hint =
            format!("A name for this channel, such as \"My phone\". At most {MAX_NAME_CHARS} characters.");
        html! {
            (Field { required: true, ..text("name", "Channel name", &hint, &self.name) }.show(form_error))
            label.choice { input type="checkbox" name="accountNews" value="1" checked[self.account_news]; span { "Also send account messages: " span.soft { "credits running out, sign-ins from new browsers, new keys and apps" } } }
            details open[!self.digest.is_empty() || form_error.at("digest").is_some() || form_error.at("zone").is_some()] {
                summary { "One message a day instead of one per change" }
                (text("digest", "At", "A time such as 08:00. Leave empty to send each change immediately. Account messages are always sent immediately.", &self.digest).show(form_error))
                (text("zone", "Time zone", "Such as Europe/Berlin or America/New_York.", &self.zone).show(form_error))
            }
        }
    }
}

/// Returns a field for one line of text.
pub(super) fn text<'a>(name: &'a str, label: &'a str, hint: &'a str, value: &'a str) -> Field<'a> {
    Field { name, label, hint, kind: "text", value, autocomplete: "off", required: false }
}
