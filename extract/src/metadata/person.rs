//! Extracts the names from an author value, without other words such as dates, handles, job titles and
//! reading times.

use super::{calendar, eastern_names, job_titles, references::unescape};
use crate::clean;

const MAX_AUTHOR_CHARS: usize = 120;
/// Maximum number of words in a name. A longer value is treated as a sentence.
const MAX_NAME_WORDS: usize = 14;

/// Phrases before a name, in lower case.
const OPENINGS: [&str; 94] = [
    "reporting by", "reported by", "written by", "words by", "story by", "text by", "article by",
    "review by", "post by", "posted by", "published by", "contributed by", "submitted by", "created by",
    "uploaded by", "asked by", "answered by", "started by", "opened by", "authored by", "a post by",
    "an article by", "more stories by", "more articles by", "more posts by", "more by", "more from",
    "read more from", "see all posts by", "view all posts by", "view posts by", "all posts by", "posts by",
    "articles by", "stories by", "author:", "authors:", "author", "by:", "by", "von:", "von", "text von",
    "ein beitrag von", "ein artikel von", "autor:", "autorin:", "autoren:", "par", "écrit par", "rédigé par",
    "publié par", "por", "escrito por", "publicado por", "di", "scritto da", "a cura di", "door",
    "geschreven door", "av", "af", "автор:", "yazan:", "text:", "texte:", "texto:", "testo:", "words:",
    "postado por", "veröffentlicht von", "geschrieben von", "geplaatst door", "pubblicato da", "skrevet av",
    "skrevet af", "skriven av", "tekst:", "kirjoittanut:", "vom", "verfasst von", "interview by",
    "contributors:", "contributor:", "autoren", "authors", "this post was written by",
    "this article was written by", "via", "authored and edited by", "post author", "topic author",
    "insights from", "guide by",
];

/// Values of author fields that are not names, in lower case.
const NOT_NAMES: [&str; 65] = [
    "admin", "administrator", "author", "authors", "editor", "editors", "staff", "webmaster", "null",
    "undefined", "guest", "unknown", "anonymous", "root", "user", "by", "and", "posted", "published",
    "updated", "see full bio", "full bio", "view bio", "read bio", "bio", "view profile", "profile",
    "see profile", "about the author", "about the authors", "about author", "about", "follow", "following",
    "contact", "share", "read more", "see all posts", "view all posts", "all posts", "more posts",
    "more stories", "more articles", "none", "n/a", "the author", "the authors", "posts", "post", "guide",
    "view more posts", "all articles", "alle artikel", "alle beiträge", "archiv anzeigen", "mehr lesen",
    "profil", "autor", "autorin", "autoren", "auteur", "veröffentlicht", "afficher mon profil complet",
    "voir le profil", "ver perfil",
];

/// Symbols and words between a name and other text after it.
const SEPARATORS: [&str; 11] =
    [" » ", " | ", " • ", " · ", " – ", " — ", " - ", " on ", " am ", " // ", "\n"];

/// Words that begin the credit of another person after a name, in lower case.
const OTHER_CREDITS: [&str; 18] = [
    "medically reviewed", "clinically reviewed", "reviewed by", "fact checked by", "fact-checked by",
    "edited by", "photos by", "photographs by", "illustrations by", "translated by", "foto:", "fotos:",
    "photo:", "photos:", "photography:", "illustration von", "illustrationen von", "fotos von",
];

/// Words between the last two names of a list.
const JOINTS: [&str; 9] = [" und ", " and ", " og ", " och ", " et ", " y ", " e ", " i ", " & "];

/// Academic degrees after a comma, in lower case and without the last period.
const DEGREES: [&str; 9] = ["phd", "ph.d", "md", "m.d", "rd", "rn", "mba", "dds", "esq"];

/// Last words of the names of newspapers, in lower case.
const NEWSPAPERS: [&str; 11] = [
    "news", "times", "post", "mail", "journal", "magazine", "mailonline", "today", "press", "tribune",
    "herald",
];

/// Words that announce a date after a name, in lower case.
const DATED: [&str; 20] = [
    "published", "posted", "updated", "last updated", "publié", "publié le", "mis à jour", "veröffentlicht",
    "aktualisiert", "publicado", "actualizado", "pubblicato", "aggiornato", "gepubliceerd", "opublikowano",
    "发布", "發布", "發佈", "公開", "更新",
];

/// Button labels that follow an author name, in lower case.
const BUTTONS: [&str; 7] = [
    "see full bio", "full bio", "view bio", "view profile", "follow", "contact the author",
    "opens in new window",
];

/// Short words before a date, in lower case.
const DATE_PREPOSITIONS: [&str; 16] =
    ["on", "at", "am", "um", "le", "el", "il", "op", "den", "the", "in", "dne", "em", "på", "d.", "le:"];

/// Weekdays, in lower case.
const DAYS: [&str; 23] = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "wed", "thu",
    "fri", "sat", "sun", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
    "today", "yesterday",
];

/// News agencies, in lower case.
const AGENCIES: [&str; 14] = [
    "dpa", "dpa-afx", "afp", "ap", "apa", "reuters", "sid", "kna", "epd", "ansa", "efe", "pti", "ani", "tass",
];

/// Month names that are not also first names, in lower case.
const MONTHS: [&str; 30] = [
    "january", "february", "march", "july", "september", "october", "november", "december", "feb", "sept",
    "oct", "nov", "dec", "januar", "februar", "märz", "oktober", "dezember", "janvier", "février", "juillet",
    "septembre", "octobre", "novembre", "décembre", "enero", "febrero", "septiembre", "noviembre",
    "diciembre",
];

/// Returns the names in a value. Short names that are joined by a word like "and" are separated.
/// Abbreviations in brackets after a name, credits in brackets after a comma, and the editors of a text are
/// dropped.
pub(super) fn people(raw: &str) -> Vec<String> {
    let raw = clean::fold(&unescape(raw));
    let eastern = eastern_names::in_line(&raw);
    if !eastern.is_empty() {
        return eastern;
    }
    let mut names = Vec::new();
    for part in raw.split([';', '；']).filter(|part| !credits_others(part)) {
        names.extend(joined(part));
    }
    names
}

/// True for the credit of a person who did not write the text.
fn credits_others(part: &str) -> bool {
    const CREDITS: [&str; 10] = [
        "editing by", "edited by", "photo by", "photos by", "photography by", "photographs by",
        "illustration by", "illustrations by", "translated by", "translation by",
    ];
    let part = part.trim().to_lowercase();
    CREDITS.iter().any(|credit| part.starts_with(credit))
}

/// Returns the names in a value that contains no semicolon.
fn joined(raw: &str) -> Vec<String> {
    let Some(all) = single(raw) else { return Vec::new() };
    let mut names = Vec::new();
    let is_other = |part: &str| part.starts_with('(') || job_titles::is_title(part) || is_degree(part);
    for part in all.split(", ").filter(|part| !is_other(part)) {
        let is_short = |text: &str| text.chars().count() <= 4 && text.chars().all(char::is_lowercase);
        let bare = part.strip_suffix(')').or_else(|| part.strip_suffix(".)"));
        let bare = bare.map(|part| part.trim_end_matches('.')).and_then(|part| part.rsplit_once(" ("));
        let part = bare.filter(|(_, text)| is_short(text)).map_or(part, |(name, _)| name);
        let part = JOINTS.iter().find_map(|joint| part.strip_prefix(&joint[1..])).unwrap_or(part);
        let mut several = vec![part];
        for joint in JOINTS {
            several = several.iter().flat_map(|names| names.split(joint)).collect();
        }
        if several.len() > 1 && several.iter().all(|name| is_short_name(plain_name(name))) {
            names.extend(several.into_iter().map(|name| plain_name(name).to_owned()));
        } else {
            names.push(plain_name(part).to_owned());
        }
    }
    let is_name = !job_titles::is_title(&all) && !all.starts_with('(');
    if names.is_empty() && is_name { vec![all] } else { names }
}

/// Removes a job title and the city of a correspondent from a name.
fn plain_name(name: &str) -> &str {
    let name = job_titles::without_title(name);
    let is_city = |city: &str| {
        city.split(' ').count() <= 3 && city.split(' ').all(|word| word.starts_with(char::is_uppercase))
    };
    name.split_once(" in ")
        .filter(|&(person, city)| is_short_name(person) && is_city(city))
        .map_or(name, |(person, _)| person)
}

fn is_degree(part: &str) -> bool {
    DEGREES.contains(&part.trim().trim_end_matches('.').to_lowercase().as_str())
}

/// Removes the words that surround the names in a value. `None` if the value is not a name.
pub(super) fn single(raw: &str) -> Option<String> {
    let raw = without_address(&clean::fold(&unescape(raw)));
    let mut name = raw.trim_matches(is_edge);
    loop {
        let shorter = without_opening(name).trim_matches(is_edge);
        if shorter.len() == name.len() {
            break;
        }
        name = shorter;
    }
    // Text after a separator or a date is not part of the name.
    for separator in SEPARATORS {
        name = before(name, name.find(separator));
    }
    name = before(name, name.find(['|', '｜']));
    name = before(name, handle(name));
    if let Some(at) = other_credit(name) {
        name = before(name, Some(at)).trim_end_matches('.');
    }
    name = before(name, newspaper(name));
    let reading = reading_time(name);
    if reading == Some(0) {
        return None;
    }
    name = before(name, reading);
    name = before(name, announced_date(name));
    name = before_date(name)?;
    if NOT_NAMES.contains(&name.to_lowercase().as_str()) {
        return None;
    }
    name = without_button(name);
    let name = job_titles::without_title(name).trim_matches(is_edge);
    let lower = name.to_lowercase();
    let useless = lower.is_empty()
        || lower.starts_with("http")
        || lower.starts_with('@')
        || lower.contains("://")
        || lower.starts_with("www.")
        || is_framing(&lower)
        || is_placeholder(name)
        || NOT_NAMES.contains(&lower.as_str())
        || DAYS.contains(&lower.as_str())
        || MONTHS.contains(&lower.as_str());
    (!useless
        && name.chars().count() <= MAX_AUTHOR_CHARS
        && name.chars().any(char::is_alphabetic)
        // A list of names may be longer than a single name.
        && name.split(',').all(|name| clean::words(name) <= MAX_NAME_WORDS))
    .then(|| name.to_owned())
}

/// True for a value that consists only of words that precede a name.
pub(super) fn is_framing(value: &str) -> bool {
    let value = value.trim_matches(is_edge).to_lowercase();
    OPENINGS.iter().any(|opening| opening.trim_end_matches(':') == value)
}

/// True for a news agency. Bylines often append one to the author's name.
pub(super) fn is_agency(name: &str) -> bool {
    AGENCIES.contains(&name.to_lowercase().as_str())
}

/// True for a template variable that the page failed to replace, a rule of a style sheet, and
/// buttons of social networks.
fn is_placeholder(name: &str) -> bool {
    const NETWORKS: [&str; 8] =
        ["facebook", "twitter", "linkedin", "instagram", "whatsapp", "pinterest", "youtube", "x"];
    let is_network = |word: &str| NETWORKS.iter().any(|network| word.eq_ignore_ascii_case(network));
    name.contains(['{', '}'])
        || name.matches('.').count() > 1 && name.ends_with("author")
        || name.split([' ', ',']).all(is_network)
}

fn is_edge(c: char) -> bool {
    matches!(c, ' ' | ',' | '|' | '•' | '·' | ':' | '-' | '–' | '—' | '\u{a0}' | '/' | '▪' | '●')
}

/// Part of a name before a position, or the whole name if that part is empty.
fn before(name: &str, at: Option<usize>) -> &str {
    let cut = at.map_or(name, |at| name[..at].trim_end_matches(is_edge));
    if cut.is_empty() { name } else { cut }
}

fn without_opening(name: &str) -> &str {
    let opening = OPENINGS.iter().filter_map(|opening| {
        let (start, rest) = name.split_at_checked(opening.len())?;
        let is_whole = opening.ends_with(':') || rest.starts_with([' ', ':']);
        (is_whole && start.to_lowercase() == **opening).then_some(rest)
    });
    opening.min_by_key(|rest| rest.len()).unwrap_or(name)
}

/// Removes e-mail addresses, as in `julia@example.org (Julia Doe)` and `Julia Doe <julia@example.org>`.
fn without_address(name: &str) -> String {
    let is_address = |word: &str| {
        let word = word.trim_matches(['<', '>', '(', ')', '[', ']', ',', ';']);
        let (user, host) = word.trim_start_matches("mailto:").split_once('@').unwrap_or(("", ""));
        !user.is_empty() && host.contains('.') && !host.starts_with('.') && word.is_ascii()
    };
    if !name.split(' ').any(is_address) {
        return name.to_owned();
    }
    let words: Vec<&str> = name.split(' ').filter(|word| !is_address(word)).collect();
    let rest = words.join(" ");
    rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&rest).to_owned()
}

/// Position of the handle in `Aja Romano@ajaromano` or `Ann (@ann)`.
fn handle(name: &str) -> Option<usize> {
    let at = name.find('@').filter(|&at| at > 0)?;
    let open = name[..at].trim_end();
    Some(open.strip_suffix('(').map_or(at, str::len))
}

/// Position of the credit of another person.
fn other_credit(name: &str) -> Option<usize> {
    let lower = name.to_ascii_lowercase();
    let starts = OTHER_CREDITS.iter().filter_map(|credit| lower.find(credit));
    starts.min().filter(|&at| lower[..at].ends_with(' '))
}

/// Position of the newspaper name in `Julia Doe for Example News`.
fn newspaper(name: &str) -> Option<usize> {
    let at = name.find(" for ").or_else(|| name.find(" For "))?;
    let rest = &name[at + " for ".len()..];
    let last = rest.rsplit(' ').next().unwrap_or(rest).to_lowercase();
    let is_newspaper = NEWSPAPERS.contains(&last.as_str()) || last.contains('.') && !last.ends_with('.');
    (is_newspaper && is_short_name(&name[..at])).then_some(at)
}

/// Position of a reading time such as `5 min read`.
fn reading_time(name: &str) -> Option<usize> {
    /// Number of characters in the longest word for a minute.
    const UNIT_CHARS: usize = 3;
    let mut at = 0;
    loop {
        let digits = at + name[at..].find(|c: char| c.is_ascii_digit())?;
        let after = digits + name[digits..].find(|c: char| !c.is_ascii_digit())?;
        let unit = name[after..].trim_start_matches([' ', '-', '–', '\u{a0}']).chars().take(UNIT_CHARS);
        let unit = unit.collect::<String>().to_lowercase();
        if ["min", "分钟", "分鐘", "分で", "мин"].iter().any(|word| unit.starts_with(word)) {
            return Some(digits);
        }
        at = after;
    }
}

/// Position of words that announce a date.
fn announced_date(name: &str) -> Option<usize> {
    let lower = name.to_lowercase();
    let starts = DATED.iter().filter_map(|word| {
        let at = lower.find(word)?;
        let is_word = !word.is_ascii() || lower[..at].ends_with(' ');
        // Text in lower case may have a different length.
        (is_word && name.is_char_boundary(at) && at > 0).then_some(at)
    });
    starts.min()
}

/// Part of a name before a date. `None` if the value is only a date.
fn before_date(name: &str) -> Option<&str> {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    let Some(first) = name.find(|c: char| c.is_ascii_digit()) else { return Some(name) };
    let is_joined_date = || {
        let date = &name.as_bytes()[first..];
        let year = date.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let separator = name[first + year..].chars().next();
        (year == 4 || year <= 2 && first > 0)
            && matches!(separator, Some('-' | '/' | '.' | '年' | ':'))
            && name[first + year..].chars().nth(1).is_some_and(|c| c.is_ascii_digit())
    };
    let cut = if is_joined_date() {
        first
    } else if name[..first].contains(' ') && digits(&name[first..]) >= 3 {
        name[..first].rfind(' ').unwrap_or(first)
    } else {
        return Some(name);
    };
    let rest = without_last_words(&name[..cut], accompanies_date);
    // Removes the month in values such as `Ada Feb 1, 2026`.
    let rest = match rest.rsplit_once(' ') {
        Some((before, last)) if calendar::is_month(last.trim_matches(['.', ','])) => before,
        _ => rest,
    };
    let rest = without_last_words(rest, accompanies_date);
    let is_date = rest.is_empty() || accompanies_date(&rest.to_lowercase()) || calendar::is_month(rest);
    (!is_date).then_some(rest)
}

/// Removes the last words of a text as long as `is_of_kind` is true for them in lower case. The first word is
/// retained.
fn without_last_words(text: &str, is_of_kind: fn(&str) -> bool) -> &str {
    let mut rest = text.trim_end_matches(is_edge);
    while let Some((before, last)) = rest.rsplit_once(' ')
        && is_of_kind(&last.trim_matches(['.', ',']).to_lowercase())
    {
        rest = before.trim_end_matches(is_edge);
    }
    rest
}

/// True for a weekday or a short word before a date, in lower case.
fn accompanies_date(word: &str) -> bool {
    DAYS.contains(&word) || DATE_PREPOSITIONS.contains(&word)
}

fn without_button(name: &str) -> &str {
    let button = BUTTONS.iter().find_map(|button| {
        let start = name.len().checked_sub(button.len()).filter(|&start| start > 0)?;
        name.get(start..)?.eq_ignore_ascii_case(button).then_some(start)
    });
    before(name, button)
}

/// True for two to four words that have the form of a name.
pub(super) fn is_short_name(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    let capital = words.iter().filter(|word| word.starts_with(char::is_uppercase)).count();
    (2..=4).contains(&words.len())
        && capital + 1 >= words.len()
        && capital >= 2
        && !name
            .contains(|c: char| c.is_ascii_digit() || matches!(c, '.' | '!' | '?') && !name.contains(". "))
}

/// True for a user name, which identifies a person on a site.
pub(super) fn is_user_name(name: &str) -> bool {
    const WORDS: [&str; 12] =
        ["the", "a", "an", "our", "my", "your", "this", "that", "us", "me", "in", "default"];
    (2..=30).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/'))
        && name.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !WORDS.contains(&name.to_lowercase().as_str())
}

/// Returns a name in the usual order: `Julia Doe` for `Doe, Julia`. `is_certain` is true if the value
/// contains only one name.
pub(super) fn in_usual_order(value: &str, is_certain: bool) -> String {
    let Some((family, first)) = value.split_once(',').filter(|(_, first)| !first.contains(',')) else {
        return value.to_owned();
    };
    let (family, first) = (family.trim(), first.trim());
    let is_one_name = clean::words(first) <= 1
        || clean::words(family) <= 1
        || first.split(' ').skip(1).all(|word| word.trim_end_matches('.').chars().count() == 1)
        || family.starts_with(char::is_lowercase);
    let is_name = !family.is_empty() && !first.is_empty() && clean::words(value) <= MAX_NAME_WORDS;
    if is_name && (is_certain || is_one_name) { format!("{first} {family}") } else { value.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surrounding_words_are_removed_from_names() {
        for (value, names) in [
            ("By Julia Doe and Max Roe | May 3, 2024", "Julia Doe, Max Roe"),
            ("Par Julia Doe - Publié le 3 mai 2024", "Julia Doe"),
            ("Posted by jdoe99 on May 3, 2024", "jdoe99"),
            ("Reporting by Julia Doe; Editing by Max Roe", "Julia Doe"),
            ("More stories by Julia Doe", "Julia Doe"),
            ("Julia Doe 5 minute Read", "Julia Doe"),
            ("Julia Doe5 min read", "Julia Doe"),
            ("Julia Doe · 12 Minuten Lesezeit", "Julia Doe"),
            ("Aja Romano@ajaromano", "Aja Romano"),
            ("Ann Example (@ann.example)", "Ann Example"),
            ("谢若2017-03-01 14:27:02", "谢若"),
            ("julia@example.org (Julia Doe)", "Julia Doe"),
            ("Julia Doe <julia@example.org>", "Julia Doe"),
            ("Julia Doe julia@example.org", "Julia Doe"),
            ("Julia Doe, Staff Writer", "Julia Doe"),
            ("Julia Doe, Max Roe, and Ada Poe", "Julia Doe, Max Roe, Ada Poe"),
            ("Par Julia Doe, et Max Roe", "Julia Doe, Max Roe"),
            ("Por Ana Prueba e Max Roe", "Ana Prueba, Max Roe"),
            ("Von Eva Beispiel am 3. Mai 2024", "Eva Beispiel"),
            ("Por Ana Prueba, 3 de mayo de 2024", "Ana Prueba"),
            ("Julia Doe Published Monday", "Julia Doe"),
            ("Written by: Julia Doe", "Julia Doe"),
            ("Julia Doe Follow", "Julia Doe"),
            ("Written by: Julia Doe, PhD. Medically reviewed by Max Roe, MD", "Julia Doe"),
            ("By Julia Doe for Example News", "Julia Doe"),
            ("By Julia Doe For Dailymail.com", "Julia Doe"),
            ("Text: Julia Doe | Fotos: Max Roe", "Julia Doe"),
            ("Publicado por Julia da Silva em 3 de maio de 2024", "Julia da Silva"),
            ("National Center for Science", "National Center for Science"),
            ("Julia Doe in London and Max Roe in New York", "Julia Doe, Max Roe"),
            ("Women in Tech", "Women in Tech"),
            ("Skrevet av Julia Doe", "Julia Doe"),
            ("Words: Julia Doe. Photography: Max Roe", "Julia Doe"),
            ("Tekst: Julia Doe Foto: Max Roe", "Julia Doe"),
            ("Julia Doe, Ph.D., Max Roe", "Julia Doe, Max Roe"),
            ("文/王小明", "王小明"),
            ("vom Support Team", "Support Team"),
            ("Julia Doe (cog.)", "Julia Doe"),
            ("Text von Julia Doe Illustration von Max Roe", "Julia Doe"),
            ("April Smith", "April Smith"),
            ("Bylan Author", "Bylan Author"),
            ("Ursula K. Le Guin", "Ursula K. Le Guin"),
            ("Ludwig van Beethoven", "Ludwig van Beethoven"),
            ("The Editorial Board", "The Editorial Board"),
            ("50 Cent", "50 Cent"),
            ("deadmau5", "deadmau5"),
        ] {
            assert_eq!(people(value).join(", "), names, "{value}");
        }
    }

    #[test]
    fn long_value_is_searched_for_a_reading_time() {
        let long = "1 a ".repeat(250_000);
        assert_eq!(reading_time(&long), None);
        assert_eq!(reading_time(&format!("{long}5 – Minuten")), Some(long.len()));
    }

    #[test]
    fn author_values_without_a_name_are_ignored() {
        for value in [
            "Dec 1st 2016 1:01PM", "December", "See full bio", "May 3, 2024", "2024-05-03",
            "Monday, May 3, 2024", "By", "julia@example.org", "@julia", "5 min read",
            "https://example.org/julia", "|", "", "Sat", "Written by", "Post author", "Alle Artikel",
            "(Image: Some Agency)", "Twitter Facebook", "Post author By", "page.head.extra.author",
            ".author{color:red}",
        ] {
            assert_eq!(people(value), Vec::<String>::new(), "{value}");
        }
    }

    #[test]
    fn family_name_before_a_comma_is_moved_after_the_first_name() {
        for (value, is_certain, name) in [
            ("Doe, Julia", false, "Julia Doe"),
            ("van der Berg, Jan", false, "Jan van der Berg"),
            ("Garcia Lopez, Maria Jose", true, "Maria Jose Garcia Lopez"),
            ("Julia Doe, Max Roe", false, "Julia Doe, Max Roe"),
            ("Doe, Julia A.", false, "Julia A. Doe"),
            ("Julia Doe", true, "Julia Doe"),
            ("Doe, Julia, Roe, Max", true, "Doe, Julia, Roe, Max"),
        ] {
            assert_eq!(in_usual_order(value, is_certain), name);
        }
    }
}
