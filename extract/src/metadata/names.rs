//! Author and publisher of a page.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{
    byline_text, calendar, eastern_names,
    person::{self, people},
    references::unescape,
    sources::Sources,
};
use crate::{
    clean,
    page::{Id, Page},
};

/// Maximum number of words in a byline element.
const BYLINE_WORDS: usize = 24;
/// Maximum number of words in the names in a byline, unless all of them have the form of a person's name.
const NAME_WORDS: usize = 8;
/// Maximum number of authors of a page.
const MAX_AUTHORS: usize = 20;
/// Number of lines after the heading that are searched for a byline.
const BYLINE_LINES: usize = 10;
/// Number of texts after the heading that are searched for a link to the author's page.
const LINKED_TEXTS: usize = 8;

/// Substrings of the class names of elements that contain the author.
static AUTHOR_CLASSES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let marks = [
        "byline", "author-name", "author__name", "authorname", "post-author", "entry-author",
        "article-author", "article__author", "author_name", "authors-list", "author-list",
    ];
    AhoCorasick::builder().ascii_case_insensitive(true).build(marks).ok()
});

/// Names of the authors, joined by `, `.
pub(super) fn author(sources: &Sources<'_>, publisher: Option<&str>) -> Option<String> {
    let linked: Vec<String> = sources.linked.authors.iter().flat_map(|name| people(name)).collect();
    let linked = unique(linked);
    if !linked.is_empty() && !is_publisher(&linked[0], publisher) {
        return Some(linked.join(", "));
    }
    let metas = [
        "author", "article:author", "citation_author", "citation_authors", "bepress_citation_author",
        "dc.creator", "dcterms.creator", "dc:creator", "parsely-author", "sailthru.author", "byl",
        "twitter:creator_name", "cxenseparse:author",
    ];
    for name in metas {
        let values = sources.meta.get(name).map(Vec::as_slice).unwrap_or_default();
        let lists_each = values.len() > 1;
        let names: Vec<String> = values
            .iter()
            .flat_map(|value| if is_catalogued(name) { catalogued(value, lists_each) } else { people(value) })
            .take(MAX_AUTHORS)
            .collect();
        if let Some(first) = names.first()
            && !is_publisher(first, publisher)
        {
            return Some(unique(names).join(", "));
        }
    }
    byline(sources.page)
        .or_else(|| line_near_heading(sources))
        .or_else(|| author_near_heading(sources))
        .or_else(|| linked_near_heading(sources))
        .or_else(|| sources.first(&["twitter:creator"]).and_then(person::single))
        .or_else(|| linked.first().cloned())
}

/// Name of the site. The publisher in structured data takes precedence, because it describes this page and
/// not the whole site.
pub(super) fn publisher(sources: &Sources<'_>) -> Option<String> {
    let meta = |names: &[&str]| sources.first(names).map(unescape).map(|name| clean::fold(&name));
    sources
        .linked
        .publisher
        .clone()
        .or_else(|| meta(&["og:site_name"]))
        .or_else(|| sources.linked.site.clone())
        .or_else(|| meta(&["citation_journal_title", "dc.publisher", "dc:publisher", "publisher"]))
        .filter(|name| !name.is_empty() && name.chars().count() <= 120)
}

fn is_publisher(name: &str, publisher: Option<&str>) -> bool {
    publisher.is_some_and(|publisher| publisher.eq_ignore_ascii_case(name))
}

fn unique(names: Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// True for fields of library catalogues, in which the family name comes first.
fn is_catalogued(field: &str) -> bool {
    field.contains("citation") || field.starts_with("dc")
}

/// Names in a field of a library catalogue. `lists_each` is true if the page has a separate field for each
/// author.
fn catalogued(value: &str, lists_each: bool) -> Vec<String> {
    let value = unescape(value);
    let several = value.contains(';');
    let names = value.split(';').map(|name| person::in_usual_order(name.trim(), lists_each || several));
    names.flat_map(|name| people(&name)).collect()
}

/// Authors in the visible byline.
fn byline(page: &Page) -> Option<String> {
    let marked = |id: Id| {
        page.attribute(id, "rel").is_some_and(|rel| rel.split_ascii_whitespace().any(|one| one == "author"))
            || page
                .attribute(id, "itemprop")
                .is_some_and(|prop| prop.split_ascii_whitespace().any(|one| one == "author"))
    };
    let named = |id: Id| {
        page.attributes(id).filter(|(name, _)| matches!(*name, "class" | "id" | "data-testid")).any(
            |(_, value)| {
                AUTHOR_CLASSES.as_ref().is_some_and(|marks| marks.is_match(value))
                    || value.split_ascii_whitespace().any(|class| {
                        ["author", "authors", "p-author"].iter().any(|name| class.eq_ignore_ascii_case(name))
                    })
            },
        )
    };
    let tests: [&dyn Fn(Id) -> bool; 2] = [&marked, &named];
    for test in tests {
        let mut names = Vec::new();
        let mut parent = None;
        for id in
            (1..page.len()).filter(|&id| page.is_element(id) && !page.is(id, "meta") && !page.is(id, "body"))
        {
            // Further authors have the same parent element as the first author.
            if !test(id) || parent.is_some_and(|parent| parent != page.parent(id)) {
                continue;
            }
            let inner = page.descendants(id).find(|&inner| page.attribute(inner, "itemprop") == Some("name"));
            let mut of_element = names_of(page, inner.unwrap_or(id));
            if parent.is_some() {
                of_element.retain(|name| person::is_short_name(name));
            }
            if !of_element.is_empty() {
                parent = Some(page.parent(id));
                names.extend(of_element);
            }
        }
        if !names.is_empty() {
            names.truncate(MAX_AUTHORS);
            return Some(unique(names).join(", "));
        }
    }
    None
}

/// Names in a byline element. Empty if the text of the element is too long.
fn names_of(page: &Page, id: Id) -> Vec<String> {
    if clean::words(&page.folded_text(id)) > BYLINE_WORDS {
        return Vec::new();
    }
    let names = people(&byline_text::of_element(page, id));
    let words: usize = names.iter().map(|name| clean::words(name)).sum();
    // A longer text is either a list of names or a sentence.
    let is_byline = words <= NAME_WORDS || names.iter().all(|name| person::is_short_name(name));
    if is_byline { names } else { Vec::new() }
}

/// Authors in a short line near the heading that begins like a byline.
fn line_near_heading(sources: &Sources<'_>) -> Option<String> {
    let page = sources.page;
    let heading = sources.main_heading?;
    let mut seen = Vec::new();
    for text in (page.subtree(heading).end..page.len()).filter(|&id| page.is_nonblank_text(id)) {
        let block = page.ancestors(text).find(|&above| !page.is_inline(above)).unwrap_or(0);
        if seen.last() == Some(&block) || matches!(page.tag(block), "script" | "style") {
            continue;
        }
        if seen.len() == BYLINE_LINES {
            return None;
        }
        seen.push(block);
        let line = text_without_buttons(page, block);
        if clean::words(&line) > BYLINE_WORDS {
            continue;
        }
        let names = line_names(&line, &byline_text::of_element(page, block), local_opening(sources));
        if !names.is_empty() {
            return Some(unique(names).join(", "));
        }
    }
    None
}

/// Text of a line, without the buttons in it.
fn text_without_buttons(page: &Page, block: Id) -> String {
    let is_other = |id: Id| matches!(page.tag(id), "button" | "script" | "style" | "template" | "noscript");
    let mut line = String::new();
    for id in page.descendants_without(block, is_other) {
        match page.text(id) {
            Some(text) => clean::push_folded(&mut line, text),
            None if page.is_inline(id) => {}
            None => clean::push_folded(&mut line, " "),
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// Word in the language of the page that precedes a name. In other languages, the word has other meanings.
fn local_opening(sources: &Sources<'_>) -> Option<&'static str> {
    let language = sources.page.attribute(sources.html?, "lang")?;
    match language.get(..2)?.to_ascii_lowercase().as_str() {
        "it" => Some("di "),
        "nl" => Some("door "),
        "no" | "nb" | "sv" => Some("av "),
        "da" => Some("af "),
        _ => None,
    }
}

/// Names in a line that begins like a byline. `stated` is the text of its names, with the words between them.
/// `local` is an additional word that may begin the byline.
fn line_names(line: &str, stated: &str, local: Option<&str>) -> Vec<String> {
    const NAMED: [&str; 16] = [
        "by ", "written by ", "par ", "von ", "por ", "text by ", "words by ", "story by ", "a cura di ",
        "author:", "autor:", "autorin:", "автор:", "text:", "words:", "tekst:",
    ];
    const USED: [&str; 18] = [
        "posted by ", "asked by ", "submitted by ", "published by ", "uploaded by ", "created by ",
        "started by ", "opened by ", "publicado por ", "postado por ", "escrito por ", "publié par ",
        "veröffentlicht von ", "geschrieben von ", "scritto da ", "pubblicato da ", "geplaatst door ",
        "geschreven door ",
    ];
    let eastern = eastern_names::in_line(line);
    if !eastern.is_empty() {
        return eastern;
    }
    let lower = line.to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    let is_dated = calendar::may_contain_date(line);
    let is_local = local.is_some_and(|opening| lower.starts_with(opening));
    if !begins(&NAMED) && !begins(&USED) && !is_local {
        return Vec::new();
    }
    let names = people(stated);
    let is_user = begins(&USED) || is_dated && lower.starts_with("by ");
    let is_name = |name: &String| person::is_short_name(name) || is_user && person::is_user_name(name);
    if names.iter().all(is_name) { names } else { Vec::new() }
}

/// Authors whose pages are linked from the first texts after the heading.
fn linked_near_heading(sources: &Sources<'_>) -> Option<String> {
    const PATHS: [&str; 7] =
        ["/author/", "/authors/", "/autor/", "/auteur/", "/autore/", "/autoren/", "/contributor/"];
    let page = sources.page;
    let heading = sources.main_heading?;
    let texts =
        (page.subtree(heading).end..page.len()).filter(|&id| page.is_nonblank_text(id)).take(LINKED_TEXTS);
    let links = texts.filter_map(|text| page.ancestors(text).take(3).find(|&above| page.is(above, "a")));
    let of_author = links.filter(|&link| {
        // A path without a further segment leads to the list of all authors.
        page.value(link, "href").is_some_and(|href| {
            let mut rests = PATHS.iter().filter_map(|path| Some(href.split_once(path)?.1));
            rests.any(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
        })
    });
    let names = of_author.filter_map(|link| person::single(&page.folded_text(link)));
    let names = unique(names.filter(|name| person::is_short_name(name)).collect());
    (!names.is_empty()).then(|| names.join(", "))
}

/// Author in a text such as `By Name` in the lines after the heading. The name is often a separate link.
fn author_near_heading(sources: &Sources<'_>) -> Option<String> {
    const WORDS: &[&str] = &[
        "by", "written by", "posted by", "words by", "text by", "author", "authors", "von", "text", "autor",
        "autorin", "par", "por", "di", "door", "av", "af", "автор", "yazan", "作者", "文",
    ];
    let page = sources.page;
    let heading = sources.main_heading?;
    let is_in_button = |id: Id| page.ancestors(id).take(2).any(|above| page.is(above, "button"));
    let worded = |id: &Id| page.is_nonblank_text(*id) && !is_in_button(*id);
    let texts: Vec<&str> = (page.subtree(heading).end..page.len())
        .filter(worded)
        .take(16)
        .filter_map(|id| page.text(id))
        .map(str::trim)
        .collect();
    for (index, text) in texts.iter().enumerate() {
        let lower = text.to_lowercase();
        if WORDS.contains(&lower.trim_end_matches([':', ' '])) {
            let name = texts
                .get(index + 1)
                .copied()
                .and_then(person::single)
                .filter(|name| person::is_short_name(name));
            if name.is_some() {
                return name;
            }
        }
        let openings = [
            "by ", "written by ", "posted by ", "words by ", "text by ", "von ", "par ", "por ", "author: ",
            "text: ", "words: ",
        ];
        let rest = openings
            .iter()
            .find_map(|word| lower.starts_with(word).then(|| text.get(word.len()..)).flatten());
        if let Some(name) = rest.and_then(person::single).filter(|name| person::is_short_name(name)) {
            return Some(name);
        }
    }
    None
}
