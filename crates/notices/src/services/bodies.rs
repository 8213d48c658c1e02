//! Renders messages for services. Text from pages is escaped, so that services display it and do not interpret it.

use entities::notice::NoticeKind;
use language::Key;
use serde_json::{Value, json};

use super::arguments::RenderedMessage;
use crate::message::{Message, MessageContent};
use crate::plain_text::truncate;
use crate::text::NOTICES;
use crate::today::TodayDigest;
use kernel::Language;

/// Discord flag that suppresses previews of links (`SUPPRESS_EMBEDS`).
const SUPPRESS_EMBEDS: u32 = 4;
/// Messages contain a second link, such as the snooze link, only if the service accepts at least this number of
/// characters.
const MIN_CHARS_WITH_SNOOZE: usize = 1_000;
/// Maximum number of characters in a title that is sent as a separate field.
const MAX_TITLE_CHARS: usize = 120;
/// Number of characters reserved for the number of entries that are not listed.
const MAX_MORE_CHARS: usize = 40;
/// Maximum number of characters in the key of an alert.
const MAX_ALERT_KEY_CHARS: usize = 255;

pub(super) fn plain(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "text": rendered.text })
}

pub(super) fn slack(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "text": rendered.text, "mrkdwn": false, "unfurl_links": false, "unfurl_media": false })
}

pub(super) fn discord(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "content": rendered.text, "allowed_mentions": { "parse": [] }, "flags": SUPPRESS_EMBEDS })
}

pub(super) fn telegram(rendered: &RenderedMessage<'_>) -> Value {
    json!({
        "chat_id": recipient(rendered),
        "text": rendered.text,
        "link_preview_options": { "is_disabled": true },
    })
}

pub(super) fn ntfy(rendered: &RenderedMessage<'_>) -> Value {
    json!({
        "topic": recipient(rendered),
        "title": title(rendered),
        "message": rendered.text,
        "click": rendered.message.content.link,
    })
}

/// Renders a message for Matrix. Its empty `m.mentions` prevents notifications of members whose names occur in the
/// text.
pub(super) fn matrix(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "msgtype": "m.text", "body": rendered.text, "m.mentions": {} })
}

pub(super) fn pushover(rendered: &RenderedMessage<'_>) -> Value {
    json!({
        "token": rendered.destination.token,
        "user": recipient(rendered),
        "title": title(rendered),
        "message": rendered.text,
    })
}

pub(super) fn gotify(rendered: &RenderedMessage<'_>) -> Value {
    let click = json!({ "client::notification": { "click": { "url": rendered.message.content.link } } });
    json!({ "title": title(rendered), "message": rendered.text, "priority": 5, "extras": click })
}

/// Renders an adaptive card with one block per line, because the service joins the lines of a block.
pub(super) fn teams(rendered: &RenderedMessage<'_>) -> Value {
    let line = |text: &str| json!({ "type": "TextBlock", "text": text, "wrap": true });
    let lines: Vec<Value> = rendered.text.lines().map(line).collect();
    let card = json!({
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": lines,
    });
    let attachment = json!({ "contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": null, "content": card });
    json!({ "type": "message", "attachments": [attachment] })
}

pub(super) fn sms(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "to": recipient(rendered), "text": rendered.text })
}

/// Renders the text of the template. Without a template, renders the same fields as for Home Assistant.
pub(super) fn mqtt(rendered: &RenderedMessage<'_>) -> Value {
    if rendered.is_templated { rendered.text.clone().into() } else { home_assistant(rendered) }
}

/// Renders the fields of a webhook, with title, text, and link at the top level for automations.
pub(super) fn home_assistant(rendered: &RenderedMessage<'_>) -> Value {
    let mut value = rendered.message.json();
    value["title"] = title(rendered).into();
    value["message"] = rendered.text.clone().into();
    value["link"] = rendered.message.content.link.clone().into();
    value
}

pub(super) fn apprise(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "title": title(rendered), "body": rendered.text, "type": "info", "format": "text" })
}

pub(super) fn lark(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "msg_type": "text", "content": { "text": rendered.text } })
}

/// Renders a message for the robot of a group in `DingTalk` or `WeCom`.
pub(super) fn group_robot(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "msgtype": "text", "text": { "content": rendered.text } })
}

pub(super) fn line(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "to": recipient(rendered), "messages": [{ "type": "text", "text": rendered.text }] })
}

pub(super) fn pushbullet(rendered: &RenderedMessage<'_>) -> Value {
    let link = &rendered.message.content.link;
    json!({ "type": "link", "title": title(rendered), "body": rendered.text, "url": link })
}

pub(super) fn bark(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "title": title(rendered), "body": rendered.text, "url": rendered.message.content.link })
}

pub(super) fn ifttt(rendered: &RenderedMessage<'_>) -> Value {
    json!({ "value1": title(rendered), "value2": rendered.text, "value3": rendered.message.content.link })
}

/// Renders an alert. A repeated attempt has the same key, so it updates the existing alert.
pub(super) fn pager_duty(rendered: &RenderedMessage<'_>) -> Value {
    let link = &rendered.message.content.link;
    json!({
        "routing_key": rendered.destination.token,
        "event_action": "trigger",
        "dedup_key": truncate(link, MAX_ALERT_KEY_CHARS),
        "payload": {
            "summary": title(rendered),
            "source": "carrel",
            "severity": "info",
            "custom_details": { "message": rendered.text },
        },
        "links": [{ "href": link, "text": "Open" }],
    })
}

fn recipient<'a>(rendered: &'a RenderedMessage<'_>) -> &'a str {
    rendered.destination.recipient.as_deref().unwrap_or_default()
}

fn title(rendered: &RenderedMessage<'_>) -> String {
    truncate(&rendered.message.content.title, MAX_TITLE_CHARS)
}

/// Renders the title, text, and link on separate lines, with the collected messages, new entries, or saved items. Text
/// that comes from users or pages is passed through `escape`.
pub(super) fn text(message: &Message, escape: fn(&str) -> String, max_chars: usize) -> String {
    let content = &message.content;
    let mut lines = vec![escape(&content.title)];
    if !content.text.is_empty() && content.text != content.title {
        lines.push(escape(&content.text));
    }
    // Links are created by this service, and are never shortened. A service that accepts only short messages gets one
    // link.
    let snooze_link = content.snooze_link.as_ref().filter(|_| max_chars >= MIN_CHARS_WITH_SNOOZE);
    let mut links = content.link.clone();
    if let Some(link) = snooze_link {
        let text = NOTICES.text(message.language, Key("snooze-short")).with("link", link.as_str());
        links.push_str(&format!("\n{}", text.get()));
    }
    let today = message.today.as_ref().filter(|today| today.due_highlights > 0);
    if max_chars >= MIN_CHARS_WITH_SNOOZE
        && let Some(today) = today.filter(|today| today.review_link != content.link)
    {
        links.push_str(&format!("\n{}", today.review_link));
    }
    let max_length = max_chars.saturating_sub(links.chars().count() + 1);
    let more = if matches!(message.kind, NoticeKind::Entries | NoticeKind::Saved) {
        list_links(message, escape, max_length, &mut lines)
    } else {
        let title = |one: &MessageContent| format!("• {}", escape(&truncate(&one.title, MAX_TITLE_CHARS)));
        lines.extend(message.collected.iter().map(|(_, one)| title(one)));
        message.more
    };
    if more > 0 {
        lines.push(NOTICES.text(message.language, Key("more-short")).with("count", more).get());
    }
    if let Some(today) = today {
        list_highlights((today, message.language), escape, max_length, &mut lines);
    }
    format!("{}\n{links}", truncate(&lines.join("\n"), max_length))
}

/// Renders the number of due highlights, their page, and the quotes that fit into `max_chars` characters. `None` if the
/// message has none.
pub(super) fn highlights(message: &Message, escape: fn(&str) -> String, max_chars: usize) -> Option<String> {
    let today = message.today.as_ref().filter(|today| today.due_highlights > 0)?;
    let mut lines = Vec::new();
    let max_length = max_chars.saturating_sub(today.review_link.chars().count() + 1);
    list_highlights((today, message.language), escape, max_length, &mut lines);
    Some(format!("{}\n{}", truncate(&lines.join("\n"), max_length), today.review_link))
}

/// Adds the number of due highlights, and the quotes that fit into `max_length` characters, under the names of themed
/// reviews.
fn list_highlights(
    (today, language): (&TodayDigest, Language),
    escape: fn(&str) -> String,
    max_length: usize,
    lines: &mut Vec<String>,
) {
    lines.push(NOTICES.text(language, Key("today-review")).with("count", today.due_highlights).get());
    let used: usize = lines.iter().map(|line| line.chars().count() + 1).sum();
    let mut left = max_length.saturating_sub(used);
    for list in &today.lists {
        let name = list.name.as_ref().map(|_| escape(&list.heading(language)));
        let quotes =
            list.rows.iter().map(|row| format!("• {}", escape(&truncate(row.title(), MAX_TITLE_CHARS))));
        for line in name.into_iter().chain(quotes) {
            let Some(rest) = left.checked_sub(line.chars().count() + 1) else { return };
            left = rest;
            lines.push(line);
        }
    }
}

/// Adds the new entries or saved items, with their links, that fit into `max_length` characters. Returns the number of
/// entries or items that do not fit. Returns 0 if none fits, because the title states the total number.
fn list_links(
    message: &Message,
    escape: fn(&str) -> String,
    max_length: usize,
    lines: &mut Vec<String>,
) -> u64 {
    let length_of = |line: &str| line.chars().count() + 1;
    let mut left =
        max_length.saturating_sub(MAX_MORE_CHARS + lines.iter().map(|line| length_of(line)).sum::<usize>());
    let listed = message.listed();
    for (index, (_, one)) in listed.iter().enumerate() {
        let line = format!("• {}\n{}", escape(&truncate(&one.title, MAX_TITLE_CHARS)), one.link);
        let Some(rest) = left.checked_sub(length_of(&line)) else {
            return if index == 0 { 0 } else { message.more + (listed.len() - index) as u64 };
        };
        left = rest;
        lines.push(line);
    }
    message.more
}

/// Escapes `&`, `<`, and `>`, because Slack interprets `<!channel>` and `<http://…|words>`.
pub(super) fn escape_slack(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Escapes Markdown, which Discord and Teams interpret, including links whose text differs from their URL.
pub(super) fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\\' | '*' | '_' | '~' | '`' | '|' | '[' | ']' | '(' | ')' | '<' | '>' | '#') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// Escapes Markdown and mentions: Mattermost and Rocket.Chat notify everyone if a text contains `@all`, which a
/// zero-width character after `@` prevents.
pub(super) fn escape_chat(text: &str) -> String {
    escape_markdown(text).replace('@', "@\u{200b}")
}

/// Replaces angle brackets. Google Chat interprets `<users/all>` and `<http://…|words>`, and has no escape syntax; Lark
/// and `WeCom` groups also interpret mentions in angle brackets.
pub(super) fn escape_google_chat(text: &str) -> String {
    text.replace('<', "‹").replace('>', "›")
}

/// Splits the marks of mentions and links with a zero-width character. Zulip interprets `@**all**`, Slack links in
/// angle brackets, and Markdown links.
pub(super) fn escape_zulip(text: &str) -> String {
    escape_google_chat(text).replace('@', "@\u{200b}").replace("](", "]\u{200b}(")
}
