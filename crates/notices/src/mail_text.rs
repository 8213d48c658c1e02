//! Renders a message, such as a daily digest, as a mail: plain text with links only to this service, and HTML if the
//! message contains the content of Today.

use entities::notice::NoticeKind;
use language::Key;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::mail_html;
use super::message::{Message, MessageContent};
use super::plain_text::{truncate, unlinked};
use super::template::TemplatedMessage;
use super::text::NOTICES;
use super::today::TodayDigest;
use super::unsubscribe::UnsubscribeScope;
use kernel::Language;

/// Maximum number of characters in a subject.
const MAX_SUBJECT_CHARS: usize = 120;

/// Mail as stored between attempts.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MailBody {
    /// Subject on a single line.
    pub(super) subject: String,
    /// Plain text.
    pub(super) text: String,
    /// Body of the HTML part, which is wrapped in a document when the mail is sent. `None` if the mail has no HTML
    /// part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) html: Option<String>,
    /// Scope of the unsubscribe link. `None` in mails that an older version of the program stored.
    #[serde(default, rename = "ends")]
    pub(super) unsubscribe_scope: Option<UnsubscribeScope>,
    /// Tag of the language. Empty in mails that an older version of the program stored, which are in English.
    #[serde(default)]
    pub(super) language: String,
}

/// Renders subject and text.
pub(super) fn of(templated: &TemplatedMessage) -> Value {
    let message = &templated.message;
    let content = &message.content;
    let subject = match &content.monitor {
        Some(name) if !templated.has_own_title => format!("{name}: {}", content.title),
        Some(_) | None => content.title.clone(),
    };
    let text = match &templated.text {
        None => usual_text(message),
        Some(Ok(text)) => {
            let today = message.today.as_ref().map(|today| today_text(today, message.language));
            format!("{text}\n{}", today.unwrap_or_default())
        }
        Some(Err(error)) => {
            let error =
                NOTICES.text(message.language, Key("template-failed")).with("error", error.to_string()).get();
            format!("{}\n{error}\n", usual_text(message))
        }
    };
    json!(MailBody {
        subject: truncate(&subject, MAX_SUBJECT_CHARS),
        text,
        html: if templated.text.is_none() { mail_html::content(message) } else { None },
        unsubscribe_scope: Some(UnsubscribeScope::of(message)),
        language: message.language.tag().to_owned(),
    })
}

fn usual_text(message: &Message) -> String {
    let content = &message.content;
    let mut text = format!("{}\n", unlinked(&content.title));
    if !content.text.is_empty() && content.text != content.title {
        text.push_str(&format!("\n{}\n", unlinked(&content.text)));
    }
    for (kind, one) in message.listed() {
        let name = one.monitor.as_ref().map(|name| format!("{}: ", unlinked(name))).unwrap_or_default();
        text.push_str(&format!("\n- {name}{}\n", unlinked(&one.title)));
        if matches!(*kind, NoticeKind::Entries | NoticeKind::Saved) {
            text.push_str(&entry_lines(one));
        }
        text.push_str(&format!("  {}\n", one.link));
    }
    if message.more > 0 {
        let more = NOTICES.text(message.language, Key("more")).with("count", message.more);
        text.push_str(&format!("\n{}\n", more.get()));
    }
    if let Some(today) = &message.today {
        text.push_str(&today_text(today, message.language));
    }
    text.push_str(&format!("\n{}\n", content.link));
    if let Some(link) = &content.snooze_link {
        let snooze = NOTICES.text(message.language, Key("snooze")).with("link", link.as_str());
        text.push_str(&format!("\n{}\n", snooze.get()));
    }
    text
}

/// Renders the text of a new entry, the tags of a saved item, or the titles that a collected message lists.
fn entry_lines(content: &MessageContent) -> String {
    let titles = content.new_entries.as_ref().filter(|list| list.single().is_none());
    let titles = titles.into_iter().flat_map(|list| &list.entries).map(|entry| entry.title.as_str());
    let items = content.saved_items.as_ref().filter(|list| list.single().is_none());
    let items = items.into_iter().flat_map(|list| &list.items).map(|item| item.title.as_str());
    let lines = titles.chain(items).chain(Some(content.text.as_str())).filter(|line| !line.is_empty());
    lines.fold(String::new(), |text, line| text + "  " + &unlinked(line) + "\n")
}

/// Renders the sections of Today.
fn today_text(today: &TodayDigest, language: Language) -> String {
    let mut text = String::new();
    for list in &today.lists {
        text.push_str(&format!("\n{}\n", unlinked(&list.heading(language))));
        for row in &list.rows {
            text.push_str(&format!("\n- {}\n", unlinked(row.title())));
            if !row.note().is_empty() {
                text.push_str(&format!("  {}\n", unlinked(row.note())));
            }
            text.push_str(&format!("  {}\n", row.link()));
        }
    }
    if today.due_highlights > 0 {
        let due = NOTICES.text(language, Key("today-review")).with("count", today.due_highlights).get();
        text.push_str(&format!("\n{due}\n{}\n", today.review_link));
    }
    text
}
