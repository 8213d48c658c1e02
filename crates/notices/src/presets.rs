//! Renders messages for each kind of channel. The text of a page has no effect in any of these services but
//! to be displayed.

use entities::channel::ChannelKind;
use serde_json::{Value, json};

use super::destination::Destination;
use super::mail_text;
use super::message::{Message, truncate};

/// Maximum length of a message's text, in characters: the smallest limit of these services.
const MAX_CHARS: usize = 1_800;
/// Discord flag that suppresses previews of links (`SUPPRESS_EMBEDS`).
const SUPPRESS_EMBEDS: u32 = 4;

/// Body of a message to a channel of `kind`.
pub(super) fn body(kind: ChannelKind, message: &Message, destination: &Destination) -> Vec<u8> {
    let recipient = destination.recipient.as_deref().unwrap_or_default();
    let plain = |text: &str| text.to_owned();
    let value = match kind {
        ChannelKind::Mail => mail_text::of(message),
        ChannelKind::Webhook => message.json(),
        ChannelKind::Slack => json!({
            "text": text(message, escape_slack),
            "mrkdwn": false,
            "unfurl_links": false,
            "unfurl_media": false,
        }),
        ChannelKind::Discord => json!({
            "content": text(message, escape_discord),
            "allowed_mentions": { "parse": [] },
            "flags": SUPPRESS_EMBEDS,
        }),
        ChannelKind::Telegram => json!({
            "chat_id": recipient,
            "text": text(message, plain),
            "link_preview_options": { "is_disabled": true },
        }),
        ChannelKind::Ntfy => ntfy(message, recipient),
    };
    value.to_string().into_bytes()
}

fn ntfy(message: &Message, topic: &str) -> Value {
    let words = text(message, |text: &str| text.to_owned());
    json!({
        "topic": topic,
        "title": truncate(&message.content.title, 120),
        "message": words,
        "click": message.content.link,
    })
}

/// Title, text and link on lines of their own, with the collected messages below. Text that is not ours
/// passes `escape`.
fn text(message: &Message, escape: impl Fn(&str) -> String) -> String {
    let content = &message.content;
    let mut lines = vec![escape(&content.title)];
    if !content.text.is_empty() && content.text != content.title {
        lines.push(escape(&content.text));
    }
    for (_, one) in &message.collected {
        lines.push(format!("• {}", escape(&truncate(&one.title, 120))));
    }
    if message.more > 0 {
        lines.push(format!("and {} more", message.more));
    }
    // The link is ours and is never cut.
    let max_length = MAX_CHARS.saturating_sub(content.link.chars().count());
    format!("{}\n{}", truncate(&lines.join("\n"), max_length), content.link)
}

/// Slack interprets `<!channel>` and `<http://…|words>`, and requires these three characters to be escaped.
fn escape_slack(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Discord interprets Markdown, including links behind words.
fn escape_discord(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\\' | '*' | '_' | '~' | '`' | '|' | '[' | ']' | '(' | ')' | '<' | '>' | '#') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
