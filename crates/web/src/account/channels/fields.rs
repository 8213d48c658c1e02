//! Form fields of a channel's settings.

use maud::{Markup, html};
use notices::{
    Channel, ChannelKind, ChannelSettings, MAX_ENTRY_TEXT_BYTES, MAX_MESSAGE_TEXT_BYTES, MAX_NAME_CHARS,
    MAX_SAVED_MESSAGES_PER_DAY,
};

use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField};

/// Field values as typed.
#[expect(clippy::struct_excessive_bools, reason = "each field is an independent setting")]
pub(super) struct SettingsInput {
    name: String,
    digest: String,
    zone: String,
    account_news: bool,
    digest_today: bool,
    digest_review: bool,
    entry_texts: bool,
    saved_items: bool,
}

impl SettingsInput {
    /// Returns the values for a new channel.
    pub(super) fn empty() -> Self {
        Self {
            name: String::new(),
            digest: String::new(),
            zone: "UTC".to_owned(),
            account_news: true,
            digest_today: false,
            digest_review: false,
            entry_texts: false,
            saved_items: false,
        }
    }

    /// Returns the values of an existing channel.
    pub(super) fn of_channel(channel: &Channel) -> Self {
        Self {
            name: channel.name.clone(),
            digest: channel.digest.map(|digest| digest.to_string()).unwrap_or_default(),
            zone: channel.zone.clone(),
            account_news: channel.account_news,
            digest_today: channel.digest_today,
            digest_review: channel.digest_review,
            entry_texts: channel.entry_texts,
            saved_items: channel.saved_items,
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
            digest_today: form.get("digestToday") == "1",
            digest_review: form.get("digestReview") == "1",
            entry_texts: form.get("entryTexts") == "1",
            saved_items: form.get("savedItems") == "1",
        }
    }

    /// Converts the values to channel settings.
    pub(super) fn settings(&self) -> ChannelSettings<'_> {
        ChannelSettings {
            name: &self.name,
            digest: &self.digest,
            zone: &self.zone,
            account_news: self.account_news,
            digest_today: self.digest_today,
            digest_review: self.digest_review,
            entry_texts: self.entry_texts,
            saved_items: self.saved_items,
        }
    }

    /// Renders the checkboxes that include the content of Today and the due highlights in the daily digest.
    fn daily_choices(&self, kind: ChannelKind) -> Markup {
        let words = html! { span.soft { (Text("channel-today-words")) } };
        html! {
            @if kind == ChannelKind::Mail { label.choice { input type="checkbox" name="digestToday" value="1" checked[self.digest_today]; span { (Text("channel-today").markup(&[("words", words)])) } } }
            label.choice { input type="checkbox" name="digestReview" value="1" checked[self.digest_review]; span { (Text("channel-review")) } }
        }
    }

    /// Renders the checkboxes for messages about the account and about saved items and, for a webhook, the checkbox
    /// that includes the texts of new entries.
    fn message_choices(&self, kind: ChannelKind) -> Markup {
        let news = html! { span.soft { (Text("channel-account-news-words")) } };
        let texts = Text("channel-entry-texts")
            .with("entry", MAX_ENTRY_TEXT_BYTES / 1024)
            .with("message", MAX_MESSAGE_TEXT_BYTES / 1024);
        html! {
            label.choice { input type="checkbox" name="accountNews" value="1" checked[self.account_news]; span { (Text("channel-account-news").markup(&[("words", news)])) } }
            label.choice { input type="checkbox" name="savedItems" value="1" checked[self.saved_items]; span { (Text("channel-saved-items").with("most", MAX_SAVED_MESSAGES_PER_DAY)) } }
            @if kind == ChannelKind::Webhook {
                label.choice { input type="checkbox" name="entryTexts" value="1" checked[self.entry_texts]; span { (texts) } }
            }
        }
    }

    /// Renders the fields of a channel of this kind.
    pub(super) fn show(&self, kind: ChannelKind, form_error: &FormError) -> Markup {
        let (name, at, zone) =
            (Text("channel-name").get(), Text("channel-digest-at").get(), Text("channel-zone").get());
        let name_hint = Text("channel-name-hint").with("most", MAX_NAME_CHARS).get();
        let (at_hint, zone_hint) = (Text("channel-digest-at-hint").get(), Text("channel-zone-hint").get());
        html! {
            (FormField { required: true, ..text("name", &name, &name_hint, &self.name) }.show(form_error))
            (self.message_choices(kind))
            details open[!self.digest.is_empty() || form_error.at("digest").is_some() || form_error.at("zone").is_some()] {
                summary { (Text("channel-digest")) }
                (text("digest", &at, &at_hint, &self.digest).show(form_error))
                (text("zone", &zone, &zone_hint, &self.zone).show(form_error))
                (self.daily_choices(kind))
            }
        }
    }
}

/// Returns a field for one line of text.
pub(super) fn text<'a>(name: &'a str, label: &'a str, hint: &'a str, value: &'a str) -> FormField<'a> {
    FormField { name, label, hint, kind: "text", value, autocomplete: "off", required: false }
}
