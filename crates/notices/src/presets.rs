//! Messages as services take them that are no webhooks of their owner's: none of them lets a page's words do more than
//! be read.

use entities::channel::ChannelKind;
use serde_json::{Value, json};

use super::destination::Destination;
use super::mail_text;
use super::message::{Message, cut};

/// The longest text of a message, in characters: the least of what these services take.
const MAX_CHARS: usize = 1_800;
/// Discord shows no previews of links (`SUPPRESS_EMBEDS`).
const WITHOUT_PREVIEWS: u32 = 4;

/// The bytes of a message to a channel of `kind`.
pub(super) fn body(kind: ChannelKind, message: &Message, destination: &Destination) -> Vec<u8> {
    let room = destination.room.as_deref().unwrap_or_default();
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
            "flags": WITHOUT_PREVIEWS,
        }),
        ChannelKind::Telegram => json!({
            "chat_id": room,
            "text": text(message, plain),
            "link_preview_options": { "is_disabled": true },
        }),
        ChannelKind::Ntfy => ntfy(message, room),
    };
    value.to_string().into_bytes()
}

fn ntfy(message: &Message, topic: &str) -> Value {
    let words = text(message, |text: &str| text.to_owned());
    json!({
        "topic": topic,
        "title": cut(&message.content.title, 120),
        "message": words,
        "click": message.content.link,
    })
}

/// Title, text and link on lines, and what is gathered below; what comes from elsewhere passes `escape`.
fn text(message: &Message, escape: impl Fn(&str) -> String) -> String {
    let content = &message.content;
    let mut lines = vec![escape(&content.title)];
    if !content.text.is_empty() && content.text != content.title {
        lines.push(escape(&content.text));
    }
    for (_, one) in &message.gathered {
        lines.push(format!("• {}", escape(&cut(&one.title, 120))));
    }
    if message.more > 0 {
        lines.push(format!("and {} more", message.more));
    }
    // The link is ours, and stands whole behind whatever is cut.
    let room = MAX_CHARS.saturating_sub(content.link.chars().count());
    format!("{}\n{}", cut(&lines.join("\n"), room), content.link)
}

/// Slack reads `<!channel>` and `<http://…|words>`; it asks for these three to be escaped.
fn escape_slack(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Discord reads Markdown, links behind words among it.
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
