//! Translations of English messages about values: why a value is invalid, or why a row was not imported.
//!
//! The domain crates describe faults in English, for programs and for pages in English. The English texts in
//! `faults.ftl` and `messages.ftl` are these messages, with arguments where a message names values. Pages in other
//! languages display the translation of the message. Lists of names in the domain have separate tables.

use std::sync::OnceLock;

use language::values_between;

use crate::language::formats;
use crate::language::text::Text;

/// Names of the arguments, in their order in the English texts.
const ARGUMENTS: [&str; 2] = ["value", "other"];

/// Messages whose value is a list of parts.
const LISTS: [Text; 2] = [Text("fault-row-cut"), Text("fault-row-not-imported")];

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
    Text("fault-prompts-long"),
    Text("fault-prompts-incomplete"),
    Text("fault-prompts-name-long"),
    Text("fault-prompts-names-equal"),
    Text("fault-prompts-most"),
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
    Text("fault-number-range"),
    Text("fault-file-none"),
    Text("fault-file-empty"),
    Text("fault-file-partial"),
    Text("fault-form-unread"),
    Text("fault-address-encoding"),
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
    Text("fault-rule-channel"),
    Text("fault-rule-expression"),
    Text("fault-rule-costly"),
    Text("fault-rule-date"),
    Text("fault-rule-date-expression"),
    Text("fault-rewrite-expression"),
    Text("fault-rewrite-selector"),
    Text("fault-rewrite-length"),
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
    Text("fault-app-unknown"),
    Text("fault-app-unusable"),
    Text("fault-app-redirect"),
    Text("fault-app-client-id"),
    Text("fault-app-return"),
    Text("fault-consent-answered"),
    Text("fault-session-ended"),
    Text("fault-address-private"),
    Text("fault-address-no-tls"),
    Text("fault-address-certificate"),
    Text("fault-address-no-answer"),
    Text("fault-address-other"),
    Text("fault-remedy-private"),
    Text("fault-remedy-tls"),
    Text("fault-remedy-certificate"),
    Text("fault-remedy-no-answer"),
    Text("fault-remedy-other"),
    Text("fault-address-document"),
    Text("fault-database"),
    Text("fault-internal"),
    Text("fault-files-unavailable"),
    Text("fault-files-full"),
    Text("fault-limit-running"),
    Text("fault-limit-starts"),
    Text("fault-limit-seconds"),
    Text("fault-quota-count"),
    Text("fault-quota-size"),
    Text("fault-calls-per-day"),
    Text("fault-group-choice"),
    Text("fault-values-line"),
    Text("fault-filters-line"),
    Text("fault-list-size"),
    Text("fault-step-selector"),
    Text("fault-step-text"),
    Text("fault-step-seconds"),
    Text("fault-step-key"),
    Text("fault-step-awaited"),
    Text("fault-step-address"),
    Text("fault-step-none"),
    Text("fault-step-choose"),
    Text("fault-steps-full"),
    Text("fault-step-secret"),
    Text("fault-step-empty"),
    Text("fault-offline-choice"),
    Text("fault-change-invalid"),
    Text("fault-change-elsewhere"),
    Text("fault-form-field"),
    Text("fault-form-fields"),
    Text("fault-files-together"),
    Text("fault-files-most"),
    Text("fault-file-slow"),
    Text("fault-mail-none-link"),
    Text("fault-mail-none-operator"),
    Text("fault-mail-none-settings"),
    Text("fault-second-factor-has"),
    Text("fault-passkeys-most"),
    Text("fault-passkey-known"),
    Text("fault-sign-up-invitation"),
    Text("fault-sign-up-used"),
    Text("fault-sign-up-closed"),
    Text("fault-team-own"),
    Text("fault-feed-unfetched"),
    Text("fault-rewrite-unfetched"),
    Text("fault-rewrite-late"),
    Text("fault-rewrite-gone"),
    Text("fault-feed-moved"),
    Text("fault-feed-other-login"),
    Text("fault-selectors-used"),
    Text("fault-selector-unusable"),
    Text("fault-expression-large"),
    Text("fault-preview-entry"),
    Text("fault-empty"),
    Text("fault-more"),
    Text("fault-css"),
    Text("fault-xpath"),
    Text("fault-jq"),
    Text("fault-json-path"),
    Text("fault-regex"),
    Text("fault-url-pattern"),
    Text("fault-header-name"),
    Text("fault-header-region"),
    Text("fault-header-own"),
    Text("fault-field-repeated"),
    Text("fault-selectors-mixed"),
    Text("fault-trigger-required"),
    Text("fault-trigger-unused"),
    Text("fault-number"),
    Text("fault-number-percent"),
    Text("fault-number-days"),
    Text("fault-number-hundred"),
    Text("fault-number-zero"),
    Text("fault-number-order"),
    Text("fault-number-share"),
    Text("fault-number-hours"),
    Text("fault-number-missing"),
    Text("fault-field-unknown"),
    Text("fault-line"),
    Text("fault-wait-total"),
    Text("fault-step-plain-secret"),
    Text("fault-step-address-secret"),
    Text("fault-step-foreign"),
    Text("fault-step-css"),
    Text("fault-credentials-only"),
    Text("fault-one-of"),
    Text("fault-secret-previous"),
    Text("fault-secret-missing"),
    Text("fault-secrets-previous"),
    Text("fault-picture-none"),
    Text("fault-picture-large"),
    Text("fault-file-costly"),
    Text("fault-entry-unreadable"),
    Text("fault-channel-address"),
    Text("fault-channel-bot-url"),
    Text("fault-channel-bark"),
    Text("fault-channel-device"),
    Text("fault-channel-pushbullet"),
    Text("fault-channel-line-token"),
    Text("fault-channel-line-wrong"),
    Text("fault-channel-line-id"),
    Text("fault-channel-pager-url"),
    Text("fault-channel-pager-wrong"),
    Text("fault-channel-pager-key"),
    Text("fault-channel-teams"),
    Text("fault-channel-teams-wrong"),
    Text("fault-channel-gotify"),
    Text("fault-channel-gotify-token"),
    Text("fault-channel-pushover"),
    Text("fault-channel-matrix"),
    Text("fault-channel-matrix-token"),
    Text("fault-channel-room"),
    Text("fault-channel-broker"),
    Text("fault-channel-mqtt-topic"),
    Text("fault-channel-mqtt-wrong"),
    Text("fault-channel-user"),
    Text("fault-channel-webhook-wrong"),
    Text("fault-channel-webhook-start"),
    Text("fault-channel-bot"),
    Text("fault-channel-chat-none"),
    Text("fault-channel-unusable"),
    Text("fault-url-own-key"),
    Text("fault-url-https"),
    Text("fault-url-private"),
    Text("fault-url-host-private"),
    Text("fault-channel-today"),
    Text("fault-channel-confirmed"),
    Text("fault-template"),
    Text("fault-template-line"),
    Text("fault-template-empty"),
    Text("fault-template-length"),
    Text("fault-template-tag"),
    Text("fault-template-statement"),
    Text("fault-template-character"),
    Text("fault-card-words"),
    Text("fault-card-gap"),
    Text("fault-card-all"),
    Text("fault-item-no-source"),
    Text("fault-item-no-page"),
    Text("fault-quote-private"),
    Text("fault-copy-pixels"),
    Text("fault-columns-late"),
    Text("fault-columns-kind"),
    Text("fault-import-not-started"),
    Text("fault-import-rows-gone"),
    Text("fault-import-dry"),
    Text("fault-import-running"),
    Text("fault-import-cancel"),
    Text("fault-import-list-size"),
    Text("fault-import-files"),
    Text("fault-import-formats"),
    Text("fault-import-opml"),
    Text("fault-import-feed"),
    Text("fault-import-document"),
    Text("fault-server-needed"),
    Text("fault-server-unused"),
    Text("fault-row-values"),
    Text("fault-row-not-imported"),
    Text("fault-row-storage"),
    Text("fault-row-nothing"),
    Text("fault-row-no-file"),
    Text("fault-row-checksum"),
    Text("fault-row-card"),
    Text("fault-row-no-copy"),
    Text("fault-row-item"),
    Text("fault-row-annotations-deleted"),
    Text("fault-row-metadata"),
    Text("fault-row-metadata-user"),
    Text("fault-row-deleted-keys"),
    Text("fault-row-copy-other"),
    Text("fault-row-other-collection"),
    Text("fault-row-part"),
    Text("fault-row-feed-refused"),
    Text("fault-row-date"),
    Text("fault-row-date-month"),
    Text("fault-row-long"),
    Text("fault-row-malformed"),
    Text("fault-row-empty"),
    Text("fault-row-feed-entry"),
    Text("fault-row-page-mark"),
    Text("fault-row-subscription"),
    Text("fault-row-annotation"),
    Text("fault-row-trash"),
    Text("fault-row-archive-entry"),
    Text("fault-row-archive-more"),
    Text("fault-row-responses"),
    Text("fault-row-quote"),
    Text("fault-row-database"),
    Text("fault-row-database-damaged"),
    Text("fault-row-database-slow"),
    Text("fault-row-truncated"),
    Text("fault-question-empty"),
    Text("fault-question-entry"),
    Text("fault-tags-most"),
    Text("fault-integer"),
    Text("fault-between"),
    Text("fault-choice-none"),
    Text("fault-episode-time"),
    Text("fault-browser-none"),
    Text("fault-browser-none-install"),
    Text("fault-export-daily"),
    Text("fault-export-starts"),
    Text("fault-oidc-expired"),
    Text("fault-oidc-denied"),
    Text("fault-oidc-refused"),
    Text("fault-oidc-unknown"),
    Text("fault-oidc-unverified"),
    Text("fault-oidc-email-taken"),
    Text("fault-oidc-silent"),
    Text("fault-oidc-taken"),
    Text("fault-oidc-other-person"),
    Text("fault-oidc-only-way"),
    Text("fault-oidc-unknown-only"),
    Text("fault-oidc-unconnected"),
    Text("fault-oidc-silent-only"),
    Text("fault-oidc-last-way"),
    Text("fault-passkey-last-way"),
    Text("fault-passwords-refused"),
    Text("fault-proxy-unusable"),
    Text("fault-proxy-unknown"),
    Text("fault-proxy-reserved"),
    Text("fault-no-password"),
    Text("fault-sign-in-old"),
];

/// Texts about monitor settings of other programs.
const SETTING_TEXTS: &[Text] = &[
    Text("setting-no-browser"),
    Text("setting-credentials"),
    Text("setting-interval-plan"),
    Text("setting-tags"),
    Text("setting-selector-length"),
    Text("setting-shortened"),
    Text("setting-more-steps"),
    Text("setting-browser"),
    Text("setting-loading"),
    Text("setting-browser-steps"),
    Text("setting-browser-address"),
    Text("setting-delay"),
    Text("setting-area"),
    Text("setting-area-tracking"),
    Text("setting-threshold"),
    Text("setting-selector"),
    Text("setting-ignored"),
    Text("setting-trigger"),
    Text("setting-differences"),
    Text("setting-method"),
    Text("setting-body"),
    Text("setting-headers"),
    Text("setting-proxy"),
    Text("setting-script"),
    Text("setting-detection"),
    Text("setting-extracted"),
    Text("setting-conditions"),
    Text("setting-notice-addresses"),
    Text("setting-notice-text"),
    Text("setting-notice-title"),
    Text("setting-muted"),
    Text("setting-unique"),
    Text("setting-sorted"),
    Text("setting-duplicates"),
    Text("setting-schedule"),
    Text("setting-command"),
    Text("setting-other"),
    Text("setting-filter"),
];

/// Texts of parts of imported rows.
const PART_TEXTS: &[Text] = &[
    Text("part-title"),
    Text("part-author"),
    Text("part-note"),
    Text("part-highlight"),
    Text("part-highlight-note"),
    Text("part-highlight-tags"),
    Text("part-more"),
    Text("part-tags"),
    Text("part-folders"),
    Text("part-highlights"),
    Text("part-tags-of-highlights"),
    Text("part-values"),
    Text("part-others"),
    Text("part-encrypted"),
    Text("part-resources"),
    Text("part-embedded"),
    Text("part-attributes"),
    Text("part-rest"),
    Text("part-deep-folders"),
];

/// Texts of messages about values, and of other messages of the domain.
static FAULTS: MessageTexts = MessageTexts::new(TEXTS);
/// Texts about monitor settings of other programs.
static SETTINGS: MessageTexts = MessageTexts::new(SETTING_TEXTS);
/// Texts of parts of imported rows.
static PARTS: MessageTexts = MessageTexts::new(PART_TEXTS);

/// Texts whose English words are messages of the domain.
struct MessageTexts {
    texts: &'static [Text],
    patterns: OnceLock<Vec<MessagePattern>>,
}

/// Text, and the words of its English message before, between, and after the arguments.
struct MessagePattern {
    text: Text,
    words: Vec<String>,
}

impl MessageTexts {
    const fn new(texts: &'static [Text]) -> Self {
        Self { texts, patterns: OnceLock::new() }
    }

    /// Returns the translation of an English message to the language of the page. `None` if none exists. Values that
    /// are themselves messages are translated, too.
    fn of_message(&self, message: &str) -> Option<String> {
        let (text, values) = self.find(message)?;
        let of_value = |value: &str| {
            if LISTS.contains(&text) { Some(part_list(value)) } else { self.of_message(value) }
        };
        let values = values.into_iter().map(|value| of_value(value).unwrap_or_else(|| value.to_owned()));
        Some(with_values(text, values))
    }

    /// Returns the text of an English message with its values. If a message has the words of several texts, the text
    /// with the most words applies.
    fn find<'a>(&self, message: &'a str) -> Option<(Text, Vec<&'a str>)> {
        let matching = self.patterns().iter().filter_map(|pattern| {
            Some((pattern.length(), pattern.text, values_between(message, &pattern.words)?))
        });
        matching.max_by_key(|(length, ..)| *length).map(|(_, text, values)| (text, values))
    }

    fn patterns(&self) -> &[MessagePattern] {
        let pattern = |text: &Text| MessagePattern { text: *text, words: text.english_words(&ARGUMENTS) };
        self.patterns.get_or_init(|| self.texts.iter().map(pattern).collect())
    }
}

impl MessagePattern {
    /// Returns the length of the words, in bytes.
    fn length(&self) -> usize {
        self.words.iter().map(String::len).sum()
    }
}

/// Returns the translation of an English message to the language of the page. `None` if none exists.
pub(super) fn of_message(message: &str) -> Option<String> {
    FAULTS.of_message(message)
}

/// Returns the translation of the name of a setting that was not imported. `None` if none exists.
pub(super) fn of_setting(setting: &str) -> Option<String> {
    SETTINGS.of_message(setting)
}

/// Returns the names of parts in the language of the page.
fn part_list(names: &str) -> String {
    let part = |name: &str| PARTS.of_message(name);
    // The name of a part can contain commas.
    part(names).unwrap_or_else(|| {
        let parts: Vec<String> =
            names.split(", ").map(|name| part(name).unwrap_or_else(|| name.to_owned())).collect();
        formats::list(&parts)
    })
}

fn with_values(text: Text, values: impl Iterator<Item = String>) -> String {
    text.with_values(ARGUMENTS.into_iter().zip(values))
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
        for folder in ["..", "../../extract/src", "../../fetch/src", "../../jobs/src"] {
            read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut code);
        }
        let tables = [&FAULTS, &SETTINGS, &PARTS];
        for pattern in tables.iter().flat_map(|table| table.patterns()) {
            for words in pattern.words.iter().map(|words| written(words.trim_matches([':', ' ', '.']))) {
                assert!(code.contains(&words), "{}: no message has the words {words:?}", pattern.text.0);
            }
        }
    }

    /// Returns the words unchanged: these messages are composed of words in the code.
    fn written(words: &str) -> String {
        let words = words.strip_prefix("must be a number").unwrap_or(words);
        words.replace("the day first", "the {part} first").replace("the month first", "the {part} first")
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
        for table in [&FAULTS, &SETTINGS, &PARTS] {
            for text in table.texts {
                let message = with_values(*text, ["7", "8"].map(str::to_owned).into_iter());
                assert_eq!(table.find(&message).map(|(found, _)| found), Some(*text), "{message}");
                assert_eq!(table.of_message(&message), Some(message.clone()));
            }
        }
    }
}
