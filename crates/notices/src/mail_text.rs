//! A message as a letter: plain text in which every link is ours.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::message::{Message, cut};
use super::stop::Scope;

/// The longest subject, in characters.
const MAX_SUBJECT_CHARS: usize = 120;

/// A letter as it is kept between its tries.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MailBody {
    /// One line.
    pub(super) subject: String,
    /// Plain text.
    pub(super) text: String,
    /// What its link ends; none in those that an earlier version made.
    #[serde(default)]
    pub(super) ends: Option<Scope>,
}

/// Subject and text.
pub(super) fn of(message: &Message) -> Value {
    let content = &message.content;
    let subject = match &content.monitor {
        Some(name) => format!("{name}: {}", content.title),
        None => content.title.clone(),
    };
    let mut text = format!("{}\n", unlinked(&content.title));
    if !content.text.is_empty() && content.text != content.title {
        text.push_str(&format!("\n{}\n", unlinked(&content.text)));
    }
    for (_, one) in &message.gathered {
        let name = one.monitor.as_ref().map(|name| format!("{}: ", unlinked(name))).unwrap_or_default();
        text.push_str(&format!("\n- {name}{}\n  {}\n", unlinked(&one.title), one.link));
    }
    if message.more > 0 {
        text.push_str(&format!("\nAnd {} more.\n", message.more));
    }
    text.push_str(&format!("\n{}\n", content.link));
    json!(MailBody { subject: cut(&subject, MAX_SUBJECT_CHARS), text, ends: Some(Scope::of(message)) })
}

/// A text of which no mail program makes a link: what looks like an address has its dots in brackets.
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
    let mut ends = names.map(|end| end.chars().take_while(|c| c.is_alphabetic()).count());
    word.contains("://") || word.contains('@') || ends.any(|letters| letters >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_page_make_no_link() {
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
