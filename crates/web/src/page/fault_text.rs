//! Texts of English messages about values: what is wrong with a value, or why a row was not imported.
//!
//! The crates of the domain state a fault in English, for programs and for pages in English. The English texts in
//! `faults.ftl` are these messages, with arguments where a message names values. Pages in other languages display the
//! text of the message.

use std::sync::LazyLock;

use crate::language::text::Text;

/// Names of the arguments, in their order in the English texts.
const ARGUMENTS: [&str; 2] = ["value", "other"];

/// Texts of messages. If a message has the words of several texts, the first one applies.
const TEXTS: &[Text] = &[
    Text("fault-credential-printable"),
    Text("fault-blank"),
    Text("fault-missing"),
    Text("fault-characters"),
    Text("fault-characters-line"),
    Text("fault-characters-most"),
    Text("fault-too-long"),
    Text("fault-longer"),
    Text("fault-title-line"),
    Text("fault-times-distance"),
    Text("fault-number-least"),
    Text("fault-selectors-most"),
    Text("fault-tags-list"),
    Text("fault-number-most"),
    Text("fault-one-line"),
    Text("fault-one-line-ascii"),
    Text("fault-items-most"),
    Text("fault-control"),
    Text("fault-unknown"),
    Text("fault-not-of-type"),
    Text("fault-rendered-body"),
    Text("fault-rendered-proxy"),
    Text("fault-time-of-day"),
    Text("fault-time-zone"),
    Text("fault-hours-same"),
    Text("fault-hours-and-times"),
    Text("fault-plan-feed"),
    Text("fault-plan-monitor"),
    Text("fault-url-long"),
    Text("fault-url-absolute"),
    Text("fault-url-user"),
    Text("fault-url-secret-seen"),
    Text("fault-url-secret"),
    Text("fault-secret-in"),
    Text("fault-email"),
    Text("fault-sign-in-wrong"),
    Text("fault-password-wrong"),
    Text("fault-password-short"),
    Text("fault-password-long"),
    Text("fault-password-repeated"),
    Text("fault-password-email"),
    Text("fault-email-taken"),
    Text("fault-email-other"),
    Text("fault-email-same"),
    Text("fault-code-wrong"),
    Text("fault-sign-in-late"),
    Text("fault-passkey-name"),
    Text("fault-set-up-late"),
    Text("fault-language-unknown"),
    Text("fault-link-used"),
    Text("fault-link-hour"),
    Text("fault-invitation-used"),
    Text("fault-permission"),
    Text("fault-days"),
    Text("fault-minutes"),
    Text("fault-whole-number"),
    Text("fault-file-none"),
    Text("fault-file-empty"),
    Text("fault-file-partial"),
    Text("fault-form-unread"),
    Text("fault-tag-none"),
    Text("fault-tags-many"),
    Text("fault-tag-long"),
    Text("fault-monitor-address"),
    Text("fault-monitor-value"),
    Text("fault-monitor-condition"),
    Text("fault-monitor-compared"),
    Text("fault-monitor-secret"),
    Text("fault-monitor-name"),
    Text("fault-monitor-text"),
    Text("fault-monitor-number"),
    Text("fault-monitor-share"),
    Text("fault-monitor-parts-none"),
    Text("fault-monitor-picture-late"),
    Text("fault-headers"),
    Text("fault-monitor-same"),
    Text("fault-credential-colon"),
    Text("fault-credential-token"),
    Text("fault-media-type"),
    Text("fault-rule-characters"),
    Text("fault-rule-letter"),
    Text("fault-rule-expression"),
    Text("fault-rule-costly"),
    Text("fault-search-parenthesis"),
    Text("fault-search-operator"),
    Text("fault-search-nested"),
    Text("fault-search-words"),
    Text("fault-search-date"),
    Text("fault-search-filter"),
    Text("fault-channel-name"),
    Text("fault-channel-time"),
    Text("fault-channel-mail-time"),
    Text("fault-channel-zone"),
    Text("fault-channel-line"),
    Text("fault-channel-token"),
    Text("fault-channel-password-tls"),
    Text("fault-channel-phone"),
    Text("fault-channel-webhook"),
    Text("fault-channel-webhook-begin"),
    Text("fault-channel-topic"),
    Text("fault-model-busy"),
    Text("fault-model-silent"),
    Text("fault-model-none"),
    Text("fault-model-refused"),
    Text("fault-model-unusable"),
    Text("fault-model-off"),
    Text("fault-model-cancelled"),
    Text("fault-model-day"),
    Text("fault-model-plan"),
    Text("fault-model-waiting"),
    Text("fault-model-unread"),
    Text("fault-row-url"),
    Text("fault-row-tags"),
    Text("fault-row-tags-out"),
    Text("fault-row-cut"),
    Text("fault-row-user"),
    Text("fault-row-address-unread"),
    Text("fault-row-address-scheme"),
    Text("fault-row-address-unusable"),
    Text("fault-row-feed-network"),
    Text("fault-row-feed-room"),
    Text("fault-row-feed-url"),
    Text("fault-row-feed-secret"),
    Text("fault-row-feed-failed"),
    Text("fault-row-deleted"),
    Text("fault-row-further"),
    Text("fault-file-opml"),
    Text("fault-jobs-choice"),
    Text("fault-jobs-state"),
    Text("fault-file-json"),
    Text("fault-file-no-text"),
    Text("fault-file-no-bookmarks"),
    Text("fault-file-format"),
    Text("fault-row-feed-nameless"),
    Text("fault-passkey-refused"),
    Text("fault-passkey-failed"),
    Text("fault-tags-twelve"),
    Text("fault-tag-blank"),
    Text("fault-shared-saved"),
    Text("fault-server-address"),
    Text("fault-server-url"),
    Text("fault-row-encoding"),
    Text("fault-row-highlights"),
    Text("fault-briefing-none"),
    Text("fault-monitor-list"),
    Text("fault-monitor-nothing"),
    Text("fault-condition-line"),
    Text("fault-step-line"),
    Text("fault-template-webhook"),
    Text("fault-channel-inactive"),
    Text("fault-channel-confirm"),
    Text("fault-channel-zulip"),
    Text("fault-channel-bot-token"),
    Text("fault-channel-chat"),
    Text("fault-channel-topic-wrong"),
    Text("fault-export-daily"),
    Text("fault-export-starts"),
];

/// Text, and the words of its English message before, between, and after the arguments.
struct Pattern {
    text: Text,
    words: Vec<String>,
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    TEXTS.iter().map(|text| Pattern { text: *text, words: text.english_words(&ARGUMENTS) }).collect()
});

/// Returns the text of an English message in the language of the page. `None` if the message has none.
pub(super) fn of_message(message: &str) -> Option<String> {
    let (text, values) = find(message)?;
    Some(text.with_values(ARGUMENTS.into_iter().zip(values.into_iter().map(str::to_owned))))
}

/// Returns the text of an English message with its values.
fn find(message: &str) -> Option<(Text, Vec<&str>)> {
    PATTERNS.iter().find_map(|pattern| Some((pattern.text, values(message, &pattern.words)?)))
}

/// Returns the values in a message, which are between `words`. `None` if the message has other words.
fn values<'a>(message: &'a str, words: &[String]) -> Option<Vec<&'a str>> {
    let (first, rest) = words.split_first()?;
    let mut message = message.strip_prefix(first.as_str())?;
    let Some((last, middle)) = rest.split_last() else { return message.is_empty().then(Vec::new) };
    let mut values = Vec::new();
    for words in middle {
        let (value, after) = message.split_once(words.as_str())?;
        values.push(value);
        message = after;
    }
    values.push(message.strip_suffix(last.as_str())?);
    Some(values)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use http_kit::page_language::{PageLanguages, with_sync};
    use kernel::Language;

    use super::*;

    const GERMAN: PageLanguages = PageLanguages { shell: Language::German, content: Language::German };

    #[test]
    fn messages_with_values_are_translated_with_their_values() {
        let german = |message: &str| with_sync(GERMAN, || of_message(message));
        assert_eq!(german("must have 1 to 80 characters").as_deref(), Some("muss 1 bis 80 Zeichen haben"));
        assert_eq!(
            german("must have 1 to 80 characters on one line").as_deref(),
            Some("muss 1 bis 80 Zeichen in einer Zeile haben")
        );
        let tags = "must be at most 12, each of at most 50 characters";
        assert_eq!(german(tags).as_deref(), Some("höchstens 12, jedes mit höchstens 50 Zeichen"));
        assert_eq!(german("Choose a file.").as_deref(), Some("Wähle eine Datei."));
        for unknown in ["", "Choose a file", "Choose a file.\n", "must have 1 to 80"] {
            assert_eq!(german(unknown), None, "{unknown:?}");
        }
    }

    #[test]
    fn every_english_text_is_a_message_in_the_code() {
        let mut code = String::new();
        read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut code);
        for pattern in PATTERNS.iter() {
            for words in pattern.words.iter().map(|words| words.trim_matches([':', ' '])) {
                assert!(code.contains(words), "{}: no message has the words {words:?}", pattern.text.0);
            }
        }
    }

    /// Reads the Rust files in the folders `src` of crates. Strings on several lines are joined.
    fn read_sources(folder: &Path, code: &mut String) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                read_sources(&path, code);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && !path.ends_with("fault_text.rs")
            {
                for line in std::fs::read_to_string(&path).unwrap().lines() {
                    match line.trim().strip_suffix('\\') {
                        Some(beginning) => code.push_str(beginning),
                        None => code.extend([line.trim(), "\n"]),
                    }
                }
            }
        }
    }

    #[test]
    fn english_texts_equal_the_messages_they_replace() {
        for text in TEXTS {
            let values = ["7", "8"].map(str::to_owned);
            let message = text.with_values(ARGUMENTS.into_iter().zip(values));
            assert_eq!(find(&message).map(|(found, _)| found), Some(*text), "{message}");
            assert_eq!(of_message(&message), Some(message.clone()));
        }
    }
}
