//! Catalogue of texts: Fluent messages, parsed when the first page in their language is rendered.

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use kernel::Language;
use unic_langid::LanguageIdentifier;

type Bundle = FluentBundle<FluentResource>;

/// Parsed messages, in the order of [`Language::ALL`].
static BUNDLES: [OnceLock<Bundle>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];

/// Files of one language.
macro_rules! files {
    ($tag:literal) => {
        &[
            include_str!(concat!("../../locales/", $tag, "/shell.ftl")),
            include_str!(concat!("../../locales/", $tag, "/sign_in.ftl")),
            include_str!(concat!("../../locales/", $tag, "/settings.ftl")),
            include_str!(concat!("../../locales/", $tag, "/model.ftl")),
            include_str!(concat!("../../locales/", $tag, "/consent.ftl")),
            include_str!(concat!("../../locales/", $tag, "/security.ftl")),
            include_str!(concat!("../../locales/", $tag, "/keys.ftl")),
            include_str!(concat!("../../locales/", $tag, "/apps.ftl")),
            include_str!(concat!("../../locales/", $tag, "/channels.ftl")),
            include_str!(concat!("../../locales/", $tag, "/channel_guide.ftl")),
            include_str!(concat!("../../locales/", $tag, "/notice_links.ftl")),
            include_str!(concat!("../../locales/", $tag, "/plan.ftl")),
            include_str!(concat!("../../locales/", $tag, "/teams.ftl")),
            include_str!(concat!("../../locales/", $tag, "/inbox.ftl")),
            include_str!(concat!("../../locales/", $tag, "/reading.ftl")),
            include_str!(concat!("../../locales/", $tag, "/home.ftl")),
            include_str!(concat!("../../locales/", $tag, "/today.ftl")),
            include_str!(concat!("../../locales/", $tag, "/lists.ftl")),
            include_str!(concat!("../../locales/", $tag, "/feeds.ftl")),
            include_str!(concat!("../../locales/", $tag, "/save.ftl")),
            include_str!(concat!("../../locales/", $tag, "/item.ftl")),
            include_str!(concat!("../../locales/", $tag, "/entry.ftl")),
            include_str!(concat!("../../locales/", $tag, "/monitor_form.ftl")),
            include_str!(concat!("../../locales/", $tag, "/monitors.ftl")),
            include_str!(concat!("../../locales/", $tag, "/monitor.ftl")),
        ]
    };
}

/// Returns the files of a language.
fn files(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => files!("en"),
        Language::German => files!("de"),
        Language::French => files!("fr"),
        Language::Spanish => files!("es"),
        Language::Portuguese => files!("pt"),
        Language::Italian => files!("it"),
        Language::Dutch => files!("nl"),
        Language::Polish => files!("pl"),
        Language::Ukrainian => files!("uk"),
        Language::Japanese => files!("ja"),
        Language::Chinese => files!("zh-Hans"),
        Language::Arabic => files!("ar"),
    }
}

/// Formats the message with this key. A message that the language lacks is English; a test checks that no language
/// lacks one.
pub(super) fn format(language: Language, key: &str, arguments: Option<&FluentArgs<'_>>) -> String {
    message(language, key, arguments)
        .or_else(|| message(Language::English, key, arguments))
        .unwrap_or_else(|| key.to_owned())
}

fn message(language: Language, key: &str, arguments: Option<&FluentArgs<'_>>) -> Option<String> {
    let position = Language::ALL.iter().position(|known| *known == language)?;
    let bundle = BUNDLES.get(position)?.get_or_init(|| parse(language));
    let message = bundle.get_message(key)?;
    let mut errors = Vec::new();
    let text = bundle.format_pattern(message.value()?, arguments, &mut errors).into_owned();
    for error in errors {
        tracing::error!(%error, key, language = language.tag(), "text of a page was formatted incompletely");
    }
    Some(text)
}

fn parse(language: Language) -> Bundle {
    let locale = language.tag().parse::<LanguageIdentifier>().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![locale]);
    // Latin names in a right-to-left text would change the order of the words next to them, so marks isolate them.
    // Other languages do not need the marks.
    bundle.set_use_isolating(language.is_right_to_left());
    for file in files(language) {
        let resource = FluentResource::try_new((*file).to_owned()).unwrap_or_else(|(readable, _)| readable);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use super::*;

    /// Messages of a language by their keys.
    fn messages(language: Language) -> BTreeMap<&'static str, String> {
        let mut messages = BTreeMap::<&str, String>::new();
        for file in files(language) {
            let parsed = FluentResource::try_new((*file).to_owned());
            assert!(parsed.is_ok(), "{}: {:?}", language.tag(), parsed.err().map(|(_, errors)| errors));
            let mut key = None;
            for line in file.lines().filter(|line| !line.starts_with('#')) {
                if line.starts_with(|first: char| first.is_ascii_lowercase()) {
                    let name = line.split(' ').next().unwrap();
                    let before = messages.insert(name, String::new());
                    assert!(before.is_none(), "{} has {name} twice", language.tag());
                    key = Some(name);
                }
                if let Some(text) = key.and_then(|key| messages.get_mut(key)) {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        messages
    }

    /// Returns the arguments and the numbered links of a message.
    fn slots(text: &str) -> BTreeSet<String> {
        let arguments = text.split('$').skip(1).map(|rest| {
            let end = rest.find(|one: char| !one.is_ascii_alphanumeric()).unwrap_or(rest.len());
            format!("${}", &rest[..end])
        });
        let links = text.split('<').skip(1).filter_map(|rest| Some(format!("<{}>", rest.split_once('>')?.0)));
        arguments.chain(links).collect()
    }

    /// Source text of this crate.
    fn sources(folder: &Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, text);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                text.push_str(&std::fs::read_to_string(&path).unwrap());
            }
        }
    }

    /// Keys with which the code creates texts.
    fn used_keys(text: &str) -> BTreeSet<&str> {
        text.split("Text(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }

    #[test]
    fn every_language_has_every_text_with_the_same_arguments_and_links() {
        let english = messages(Language::English);
        assert!(english.len() > 20, "the catalogue is read");
        for language in Language::ALL {
            let own = messages(language);
            for (key, text) in &english {
                let translated = own.get(key).unwrap_or_else(|| panic!("{} lacks {key}", language.tag()));
                assert_eq!(slots(translated), slots(text), "{key} in {}", language.tag());
            }
            for key in own.keys() {
                assert!(
                    english.contains_key(key),
                    "{} has {key}, which English does not have",
                    language.tag()
                );
            }
        }
    }

    #[test]
    fn code_uses_every_text_and_no_other() {
        let mut text = String::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut text);
        let english = messages(Language::English);
        let used = used_keys(&text);
        let known: BTreeSet<&str> = english.keys().copied().collect();
        let missing: Vec<_> = used.difference(&known).collect();
        assert!(missing.is_empty(), "the catalogue lacks {missing:?}");
        let unused: Vec<_> = known.difference(&used).collect();
        assert!(unused.is_empty(), "no page uses {unused:?}");
    }

    #[test]
    fn plural_forms_follow_the_rules_of_the_language() {
        let ago = |language: Language, count: i64| {
            let mut arguments = FluentArgs::new();
            arguments.set("count", count);
            format(language, "time-days-ago", Some(&arguments))
        };
        assert_eq!([1, 2].map(|count| ago(Language::English, count)), ["1 day ago", "2 days ago"]);
        assert_eq!(
            [1, 2, 5, 22].map(|count| ago(Language::Polish, count)),
            ["1 dzień temu", "2 dni temu", "5 dni temu", "22 dni temu"]
        );
        assert_eq!(
            [1, 3, 11, 21].map(|count| ago(Language::Ukrainian, count)),
            ["1 день тому", "3 дні тому", "11 днів тому", "21 день тому"]
        );
        let arabic: BTreeSet<String> = [1, 2, 3, 11].map(|count| ago(Language::Arabic, count)).into();
        assert_eq!(arabic.len(), 4, "{arabic:?}");
    }
}
