//! Renders a message as a mail: plain text with links of this service only.

use language::Key;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::message::{Message, truncate};
use super::template;
use super::text::NOTICES;
use super::unsubscribe::UnsubscribeScope;

/// Maximum number of characters in a subject.
const MAX_SUBJECT_CHARS: usize = 120;

/// Mail as it is stored between attempts.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MailBody {
    /// Subject on a single line.
    pub(super) subject: String,
    /// Plain text.
    pub(super) text: String,
    /// Scope of the unsubscribe link. `None` in mails that an older version of the program stored.
    #[serde(default, rename = "ends")]
    pub(super) unsubscribe_scope: Option<UnsubscribeScope>,
    /// Tag of the language. Empty in mails that an older version of the program stored: they are English.
    #[serde(default)]
    pub(super) language: String,
}

/// Renders subject and text. If there is a template, it renders the text.
pub(super) fn of(message: &Message, template: Option<&str>) -> Value {
    let content = &message.content;
    let subject = match &content.monitor {
        Some(name) => format!("{name}: {}", content.title),
        None => content.title.clone(),
    };
    let text = match template.map(|template| template::render(template, message, unlinked)) {
        None => usual_text(message),
        Some(Ok(text)) => format!("{text}\n"),
        Some(Err(error)) => {
            let error =
                NOTICES.text(message.language, Key("template-failed")).with("error", error.to_string()).get();
            format!("{}\n{error}\n", usual_text(message))
        }
    };
    json!(MailBody {
        subject: truncate(&subject, MAX_SUBJECT_CHARS),
        text,
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
    for (_, one) in &message.collected {
        let name = one.monitor.as_ref().map(|name| format!("{}: ", unlinked(name))).unwrap_or_default();
        text.push_str(&format!("\n- {name}{}\n  {}\n", unlinked(&one.title), one.link));
    }
    if message.more > 0 {
        let more = NOTICES.text(message.language, Key("more")).with("count", message.more);
        text.push_str(&format!("\n{}\n", more.get()));
    }
    text.push_str(&format!("\n{}\n", content.link));
    if let Some(link) = &content.snooze_link {
        let snooze = NOTICES.text(message.language, Key("snooze")).with("link", link.as_str());
        text.push_str(&format!("\n{}\n", snooze.get()));
    }
    text
}

/// Changes a text so that mail programs create no links: dots in words that resemble a URL are put in
/// brackets.
fn unlinked(text: &str) -> String {
    let word = |word: &str| {
        if looks_like_a_link(word) {
            word.replace("://", "[:]//").replace('.', "[.]")
        } else {
            word.to_owned()
        }
    };
    text.split_inclusive(char::is_whitespace).map(word).collect()
}

fn looks_like_a_link(word: &str) -> bool {
    let names = word.split('.').skip(1);
    let mut suffix_lengths = names.map(|end| end.chars().take_while(|c| c.is_alphabetic()).count());
    word.contains("://") || word.contains('@') || suffix_lengths.any(|letters| letters >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_page_contains_no_link() {
        for (page, mail) in [
            ("costs 3.50 now", "costs 3.50 now"),
            ("see https://evil.example/x now", "see https[:]//evil[.]example/x now"),
            ("evil.example", "evil[.]example"),
            ("e.g. this. And that", "e.g. this. And that"),
            ("me@evil.example", "me@evil[.]example"),
        ] {
            assert_eq!(unlinked(page), mail);
        }
    }
}
