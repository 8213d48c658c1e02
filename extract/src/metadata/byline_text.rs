//! Text of a byline element. Often only a style sheet separates its parts, and only the first parts are
//! names.

use super::{job_titles, person};
use crate::page::{Id, Page};

/// Words in the class names of byline elements that do not contain a name.
const ASIDES: [&str; 24] = [
    "job", "position", "role", "title", "occupation", "handle", "twitter", "social", "date", "time",
    "timestamp", "published", "updated", "read", "reading", "follow", "bio", "avatar", "count", "email",
    "reputation", "location", "badge", "separator",
];

/// Words and symbols that may be between two names.
const JOINTS: [&str; 13] = ["and", "und", "et", "y", "e", "og", "och", "en", "&", ",", "+", "with", "mit"];

/// Words that begin a byline. They may occur in the element of each author.
const OPENINGS: [&str; 4] = ["by", "par", "por", "von"];
/// Minimum number of words in a full name. First name and family name may be in separate elements.
const MIN_NAME_WORDS: usize = 2;

/// Returns the names in a byline element and the words between them, with a space between parts. Job titles,
/// dates and handles in separate elements are omitted.
pub(super) fn of_element(page: &Page, id: Id) -> String {
    let parts = parts(page, id);
    let mut line = String::new();
    for part in &parts {
        if !line.is_empty() && is_complete(&line) && !continues(&line, part) {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(part);
    }
    line.replace(" , ", ", ").replace(" ,", ",")
}

/// Text parts of a byline element, in page order.
fn parts(page: &Page, id: Id) -> Vec<String> {
    let is_list = page.class(id).is_some_and(|class| {
        class.split_ascii_whitespace().any(|class| class.contains("authors") || class.contains("author-list"))
    });
    let (mut all, mut names): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let end = page.subtree(id).end;
    let (mut at, mut aside_end, mut last) = (id + 1, id, None);
    while at < end {
        if let Some(text) = page.text(at) {
            let text = crate::clean::fold(text);
            let follows_comma = names.last().is_some_and(|last| last == ",");
            let is_opening = follows_comma && OPENINGS.contains(&text.to_lowercase().as_str());
            if !(text.is_empty() || is_opening) {
                if at >= aside_end {
                    let is_whole = |name: &String| crate::clean::words(name) >= MIN_NAME_WORDS;
                    if last.is_some_and(|last| are_alike(page, last, page.parent(at)))
                        && is_whole(&text)
                        && names.last().is_some_and(is_whole)
                    {
                        names.push(",".to_owned());
                    }
                    names.push(text.clone());
                    last = Some(page.parent(at));
                }
                all.push(text);
            }
        } else if matches!(page.tag(at), "script" | "style" | "svg" | "template" | "noscript")
            || page.is(at, "button") && !names.last().is_some_and(|last| person::is_framing(last))
        {
            at = page.subtree(at).end;
            continue;
        } else if page.is(at, "li") && is_list && !names.is_empty() {
            names.push(",".to_owned());
        } else if page.is(at, "time") || is_aside(page, at) {
            aside_end = aside_end.max(page.subtree(at).end);
        }
        at += 1;
    }
    if names.iter().any(|name| person::single(name).is_some()) { names } else { all }
}

/// True for siblings with the same tag and class, such as the elements of several authors.
fn are_alike(page: &Page, one: Id, other: Id) -> bool {
    let class = page.class(one);
    one != other
        && class.is_some()
        && page.tag(one) == page.tag(other)
        && page.parent(one) == page.parent(other)
        && class == page.class(other)
}

fn is_aside(page: &Page, id: Id) -> bool {
    let is_word = |word: &str| ASIDES.iter().any(|known| word.eq_ignore_ascii_case(known));
    page.tag(id).ends_with("-time")
        || page.class(id).is_some_and(|class| class.split(|c: char| !c.is_ascii_alphanumeric()).any(is_word))
}

/// True if the last words of a line are a full name, so that the next part does not complete the name.
fn is_complete(line: &str) -> bool {
    let last = line.rsplit([',', '&']).next().unwrap_or(line);
    person::single(last).is_some_and(|name| !person::is_framing(&name))
}

/// True if a part continues the names in the line before it.
fn continues(line: &str, part: &str) -> bool {
    let first = part.split_whitespace().next().unwrap_or_default().to_lowercase();
    let last = line.split_whitespace().next_back().unwrap_or_default();
    let is_joint = |word: &str| JOINTS.contains(&word);
    if is_joint(&first) || part.starts_with(',') || last.ends_with(',') || is_joint(&last.to_lowercase()) {
        return true;
    }
    // The first name and the family name may be in separate elements.
    let is_capital = |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(is_of_a_word);
    let is_initial = last.ends_with('.') && last.chars().count() <= 3;
    let name = person::single(line).unwrap_or_default();
    let is_rest_of_name = !name.contains(' ') && name.is_ascii() || is_initial;
    is_rest_of_name
        && is_capital(last.trim_end_matches('.'))
        && part.split_whitespace().count() <= 2
        && part.split_whitespace().all(is_capital)
        && !job_titles::is_title(part)
}

fn is_of_a_word(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.')
}
