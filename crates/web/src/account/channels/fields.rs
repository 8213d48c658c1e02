//! The fields of a channel's settings.

use maud::{Markup, html};
use notices::{Channel, MAX_NAME_CHARS, Settings};

use super::super::form::{Field, Form, FormError};

/// What the fields hold, as it was typed.
pub(super) struct SettingsInput {
    name: String,
    digest: String,
    zone: String,
    account_news: bool,
}

impl SettingsInput {
    /// The fields of a channel that is not there yet.
    pub(super) fn empty() -> Self {
        Self { name: String::new(), digest: String::new(), zone: "UTC".to_owned(), account_news: true }
    }

    /// The settings of a channel as they stand.
    pub(super) fn of_channel(channel: &Channel) -> Self {
        Self {
            name: channel.name.clone(),
            digest: channel.digest.map(|digest| digest.to_string()).unwrap_or_default(),
            zone: channel.zone.clone(),
            account_news: channel.account_news,
        }
    }

    /// What was sent.
    pub(super) fn of(form: &Form) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            name: text("name"),
            digest: text("digest"),
            zone: text("zone"),
            account_news: form.get("accountNews") == "1",
        }
    }

    /// The same for the rules.
    pub(super) fn settings(&self) -> Settings<'_> {
        let Self { name, digest, zone, account_news } = self;
        Settings { name, digest, zone, account_news: *account_news }
    }

    /// The fields.
    pub(super) fn show(&self, form_error: &FormError) -> Markup {
        let rule = format!("What you call it, such as \"My phone\"; at most {MAX_NAME_CHARS} characters.");
        html! {
            (Field { required: true, ..text("name", "Name of the channel", &rule, &self.name) }.show(form_error))
            label.choice { input type="checkbox" name="accountNews" value="1" checked[self.account_news]; span { "Also tell it what happens to my account: " span.soft { "credits running out, sign-ins at browsers that were not known, new keys and apps" } } }
            details open[!self.digest.is_empty() || form_error.at("digest").is_some() || form_error.at("zone").is_some()] {
                summary { "One message a day instead of one for each change" }
                (text("digest", "At", "A time such as 08:00. Leave it empty to be told of each change at once. News of your account comes at once either way.", &self.digest).show(form_error))
                (text("zone", "Time zone", "Its name, such as Europe/Berlin or America/New_York.", &self.zone).show(form_error))
            }
        }
    }
}

/// A field for a line of text.
pub(super) fn text<'a>(name: &'a str, label: &'a str, rule: &'a str, value: &'a str) -> Field<'a> {
    Field { name, label, rule, kind: "text", value, autocomplete: "off", required: false }
}
