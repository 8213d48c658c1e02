//! Checks of a catalogue, for tests of its crate. Each check returns the faults.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fluent_bundle::FluentResource;

use kernel::Language;

use crate::catalogue::Catalogue;

/// Plural categories of CLDR.
const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// Checks that every language has every text, with the same arguments and numbered links, and with the plural forms
/// that the language needs.
pub fn faults_of_languages(catalogue: &Catalogue) -> Vec<String> {
    let mut faults = Vec::new();
    let english = messages(catalogue, Language::English, &mut faults);
    for language in Language::ALL {
        let (translations, tag) = (messages(catalogue, language, &mut faults), language.tag());
        for (key, text) in &english {
            match translations.get(key) {
                None => faults.push(format!("{tag} lacks {key}")),
                Some(translated) if slots(translated) != slots(text) => {
                    faults.push(format!("{key} in {tag} has other arguments or links"));
                }
                Some(translated) => {
                    let of_forms = faults_of_forms(language, translated);
                    faults.extend(of_forms.iter().map(|fault| format!("{key} in {tag} {fault}")));
                }
            }
        }
        let extra_keys = translations.keys().filter(|key| !english.contains_key(*key));
        faults.extend(extra_keys.map(|key| format!("{tag} has {key}, which English does not have")));
    }
    faults
}

/// Checks that the Rust files in a folder use every text and no other. `mark` is the text before the keys in the
/// code, such as `Key("`.
pub fn faults_of_keys(catalogue: &Catalogue, folder: &Path, mark: &str) -> Vec<String> {
    let (mut faults, mut code) = (Vec::new(), String::new());
    read_sources(folder, &mut code, &mut faults);
    let english = messages(catalogue, Language::English, &mut faults);
    let used: BTreeSet<&str> = code.split(mark).skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let missing = used.iter().filter(|key| !english.contains_key(*key));
    faults.extend(missing.map(|key| format!("the catalogue lacks {key}")));
    let unused = english.keys().filter(|key| !used.contains(*key));
    faults.extend(unused.map(|key| format!("no code uses {key}")));
    faults
}

/// Returns the messages of a language by their keys.
fn messages(
    catalogue: &Catalogue,
    language: Language,
    faults: &mut Vec<String>,
) -> BTreeMap<&'static str, String> {
    let mut messages = BTreeMap::<&str, String>::new();
    for file in catalogue.files(language) {
        if let Err((_, errors)) = FluentResource::try_new((*file).to_owned()) {
            faults.push(format!("{}: {errors:?}", language.tag()));
        }
        let mut key = None;
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            if line.starts_with(|first: char| first.is_ascii_lowercase()) {
                let name = line.split(' ').next().unwrap_or_default();
                if messages.insert(name, String::new()).is_some() {
                    faults.push(format!("{} has {name} twice", language.tag()));
                }
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

/// Checks the forms of a message that depends on a number: each form is for a number or for a plural category, and
/// languages with more categories than English have forms for small numbers. The last form is for large numbers.
fn faults_of_forms(language: Language, text: &str) -> Vec<String> {
    let forms: Vec<&str> = text.lines().filter_map(form).collect();
    let is_known = |form: &str| CATEGORIES.contains(&form) || form.bytes().all(|byte| byte.is_ascii_digit());
    let unknown = forms.iter().filter(|form| !is_known(form)).map(|form| format!("has the form {form}"));
    let needed: &[&str] = match language {
        Language::Polish | Language::Ukrainian => &["few"],
        Language::Arabic => &["two", "few"],
        _ => &[],
    };
    let needed = needed.iter().filter(|needed| forms.contains(&"one") && !forms.contains(needed));
    unknown.chain(needed.map(|form| format!("lacks the form {form}"))).collect()
}

/// Returns the name of the form in a line of a message: `few` in `[few] { $count } pliki`.
fn form(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (form, _) = line.strip_prefix('*').unwrap_or(line).strip_prefix('[')?.split_once(']')?;
    Some(form)
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

/// Reads the Rust files in a folder.
fn read_sources(folder: &Path, code: &mut String, faults: &mut Vec<String>) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return faults.push(format!("{}: {error}", folder.display())),
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            read_sources(&path, code, faults);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            match std::fs::read_to_string(&path) {
                Ok(text) => code.push_str(&text),
                Err(error) => faults.push(format!("{}: {error}", path.display())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Files;

    #[test]
    fn missing_and_unknown_plural_forms_are_faults() {
        fn files(language: Language) -> Files {
            match language {
                Language::Polish => {
                    &["days =\n    { $count ->\n        [one] dzień\n       *[ohter] { $count } dni\n    }\n"]
                }
                Language::Arabic | Language::Ukrainian => &["days = { $count }\n"],
                _ => &["days =\n    { $count ->\n        [1] day\n       *[other] { $count } days\n    }\n"],
            }
        }
        static DAYS: Catalogue = Catalogue::new(files);
        let expected = ["days in pl has the form ohter", "days in pl lacks the form few"];
        assert_eq!(faults_of_languages(&DAYS), expected);
    }
}
