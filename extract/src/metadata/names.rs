//! Author and publisher of a page.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{
    byline_text, calendar, eastern_names, forum_posters, late_bylines,
    person::{self, people},
    portraits,
    references::unescape,
    site_name::SiteNames,
    sources::MetadataSources,
};
use crate::{
    clean,
    page::{Id, Page, PageType, Types},
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

/// Maximum distance from the name of an author to the element of the author in a list, in ancestors.
const WRAPPERS: usize = 3;
/// Maximum number of nodes in an element that contains the name of an author.
const WRAPPER_NODES: usize = 40;
/// Maximum number of words next to the name of an author, such as a job title.
const WRAPPER_WORDS: usize = 6;
/// Maximum number of bytes that are read from an element with the name of an author.
const WRAPPER_BYTES: usize = 1024;

/// Substrings of the class names of elements that contain the author.
static AUTHOR_CLASSES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let marks = [
        "byline", "author-name", "author__name", "authorname", "post-author", "entry-author",
        "article-author", "article__author", "author_name", "authors-list", "author-list",
    ];
    AhoCorasick::builder().ascii_case_insensitive(true).build(marks).ok()
});

/// Attributes with the name of an element.
const NAMING_ATTRIBUTES: [&str; 7] =
    ["class", "id", "data-testid", "data-component", "data-test-id", "data-qa", "data-link-name"];

/// Labels of the author in the details of a link preview, in lower case.
const PREVIEW_LABELS: [&str; 14] = [
    "written by", "interview by", "verfasst von", "geschrieben von", "écrit par", "publié par",
    "escrito por", "scritto da", "geschreven door", "skrevet av", "skrevet af", "skriven av", "author",
    "autor",
];

/// Names of the authors, joined by `, `.
pub(super) fn author(
    sources: &MetadataSources<'_>,
    publisher: Option<&str>,
    types: &Types,
) -> Option<String> {
    let site = SiteNames::of(sources, publisher);
    let mut linked: Vec<Vec<String>> = sources.linked.authors.iter().map(|name| people(name)).collect();
    linked.retain(|names| names.iter().any(|name| !is_section(name, sources)));
    let mut declared = vec![linked];
    declared.extend(META_FIELDS.iter().map(|field| in_meta(sources, field)));
    declared.push(vec![in_preview(sources)]);
    declared.push(sources.linked.page_authors.iter().map(|name| people(name)).collect());
    for values in &mut declared {
        values.retain(|names| !names.is_empty());
    }
    let persons = |values: &Vec<Vec<String>>| {
        let is_site = |names: &Vec<String>| names.first().is_some_and(|name| site.contains(name));
        let first_is_site = values.first().is_some_and(is_site);
        let persons = values.iter().filter(|names| !(first_is_site && is_site(names)));
        joined(persons.flatten().take(MAX_AUTHORS).cloned().collect())
    };
    declared.iter().find_map(persons).or_else(|| {
        let visible = byline(sources.page);
        let names = visible.clone().filter(|names| !site.contains(names));
        in_page(sources, names, types)
            .or_else(|| joined(declared.iter().flatten().next()?.clone()))
            .or(visible)
    })
}

/// Names of the authors in the text of the page. `visible` contains the names in the byline element.
fn in_page(sources: &MetadataSources<'_>, visible: Option<String>, types: &Types) -> Option<String> {
    const COMMERCIAL: [PageType; 4] =
        [PageType::Product, PageType::Listing, PageType::Collection, PageType::Service];
    let page = sources.page;
    let is_forum = types.share(&[PageType::Forum]) > 0.5;
    let has_author = types.share(&COMMERCIAL) < 0.5;
    let after_heading = sources.main_heading.map_or(0, |heading| page.subtree(heading).end);
    forum_posters::declared(page)
        .or_else(|| is_forum.then(|| forum_posters::marked(page)).flatten())
        .or(visible)
        .or_else(|| line_near_heading(sources))
        .or_else(|| author_near_heading(sources))
        .or_else(|| linked_near_heading(sources))
        .or_else(|| has_author.then(|| portraits::author(sources)).flatten())
        .or_else(|| has_author.then(|| joined(late_bylines::marked(page))).flatten())
        .or_else(|| joined(late_bylines::worded(page, after_heading)))
        .or_else(|| sources.first(&["twitter:creator"]).and_then(person::single))
}

/// Fields of `meta` elements that contain the author.
const META_FIELDS: [&str; 14] = [
    "author",
    "article:author",
    "citation_author",
    "citation_authors",
    "bepress_citation_author",
    "dc.creator",
    "dcterms.creator",
    "dc:creator",
    "parsely-author",
    "sailthru.author",
    "byl",
    "twitter:creator_name",
    "cxenseparse:author",
    "shareaholic:article_author_name",
];

/// Names in each value of a `meta` field.
fn in_meta(sources: &MetadataSources<'_>, field: &str) -> Vec<Vec<String>> {
    let values = sources.meta.get(field).map(Vec::as_slice).unwrap_or_default();
    let lists_each = values.len() > 1;
    values
        .iter()
        .map(|value| if is_catalogued(field) { catalogued(value, lists_each) } else { people(value) })
        .collect()
}

/// Names in the details of a link preview, such as `twitter:label1` and `twitter:data1`.
fn in_preview(sources: &MetadataSources<'_>) -> Vec<String> {
    let fields = [("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2")];
    let of_author = fields.iter().find(|(label, _)| {
        sources.first(&[label]).is_some_and(|label| PREVIEW_LABELS.contains(&label.to_lowercase().as_str()))
    });
    of_author.and_then(|(_, data)| sources.first(&[data])).map(people).unwrap_or_default()
}

/// True for the section of the page in its URL, which some pages declare as an author.
fn is_section(name: &str, sources: &MetadataSources<'_>) -> bool {
    let section = sources.address.and_then(|address| address.path_segments()?.next());
    section == Some(name) && name.chars().all(char::is_lowercase)
}

/// Name of the site. The publisher in structured data takes precedence, because it describes this page and
/// not the whole site.
pub(super) fn publisher(sources: &MetadataSources<'_>) -> Option<String> {
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

/// Names without repetitions. `None` if there are none.
fn joined(names: Vec<String>) -> Option<String> {
    (!names.is_empty()).then(|| unique(names).join(", "))
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
        page.attributes(id).filter(|(name, _)| NAMING_ATTRIBUTES.contains(name)).any(|(_, value)| {
            AUTHOR_CLASSES.as_ref().is_some_and(|marks| marks.is_match(value))
                || value.split_ascii_whitespace().any(|class| {
                    ["author", "authors", "p-author"].iter().any(|name| class.eq_ignore_ascii_case(name))
                })
        })
    };
    let tests: [&dyn Fn(Id) -> bool; 2] = [&marked, &named];
    for test in tests {
        let mut names = Vec::new();
        let mut first = None;
        for id in (1..page.len()).filter(|&id| page.is_element(id) && !is_textless(page.tag(id))) {
            if !test(id) || first.is_some_and(|first| !are_of_one_byline(page, first, id)) {
                continue;
            }
            let mut of_element = names_of(page, name_element(page, id).unwrap_or(id));
            if first.is_some() {
                of_element.retain(|name| person::is_short_name(name));
            }
            if !of_element.is_empty() {
                first = first.or(Some(id));
                names.extend(of_element);
            }
            if names.len() >= MAX_AUTHORS {
                break;
            }
        }
        if !names.is_empty() {
            names.truncate(MAX_AUTHORS);
            return Some(unique(names).join(", "));
        }
    }
    None
}

/// True if two elements name authors of the same text: they have the same parent, or they are in adjacent
/// elements of the same form that contain little else.
fn are_of_one_byline(page: &Page, first: Id, other: Id) -> bool {
    let (one, two) = (page.parent(first), page.parent(other));
    if one == two {
        return true;
    }
    let form = |id: Id| (page.tag(id), page.class_names(id).next());
    let wrappers = page.self_and_ancestors(one).zip(page.self_and_ancestors(two)).take(WRAPPERS);
    let wrappers = wrappers.take_while(|&(one, two)| one != two);
    let Some((one, two)) = wrappers.last().filter(|&(one, two)| page.parent(one) == page.parent(two)) else {
        return false;
    };
    let text = |id: Id| page.folded_beginning(id, WRAPPER_BYTES);
    let is_small = |id: Id, author: Id| {
        page.subtree(id).len() <= WRAPPER_NODES
            && !page.descendants(id).any(|inner| page.is_heading(inner) || page.is(inner, "time"))
            && clean::words(&text(id)) <= clean::words(&text(author)) + WRAPPER_WORDS
    };
    form(one) == form(two) && is_small(one, first) && is_small(two, other)
}

/// True for elements without text for readers, and for the whole page.
fn is_textless(tag: &str) -> bool {
    matches!(tag, "meta" | "link" | "body" | "script" | "style" | "template")
}

/// Element in a byline that contains only the name.
fn name_element(page: &Page, byline: Id) -> Option<Id> {
    let declared = page.descendants(byline).find(|&inner| page.attribute(inner, "itemprop") == Some("name"));
    declared.or_else(|| page.descendants(byline).find(|&inner| page.has_class(inner, "username")))
}

/// Names in a byline element. Empty if the text of the element is too long.
fn names_of(page: &Page, id: Id) -> Vec<String> {
    if page.is(id, "meta") {
        return page.value(id, "content").map(people).unwrap_or_default();
    }
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
fn line_near_heading(sources: &MetadataSources<'_>) -> Option<String> {
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
fn local_opening(sources: &MetadataSources<'_>) -> Option<&'static str> {
    match sources.language()?.get(..2)?.to_ascii_lowercase().as_str() {
        "it" => Some("di "),
        "nl" => Some("door "),
        "no" | "nb" | "nn" | "sv" => Some("av "),
        "da" => Some("af "),
        _ => None,
    }
}

/// Names in a line that begins like a byline. `stated` is the text of its names, with the words between them.
/// `local` is an additional word that may begin the byline.
fn line_names(line: &str, stated: &str, local: Option<&str>) -> Vec<String> {
    const NAMED: [&str; 17] = [
        "by ", "by: ", "written by ", "par ", "von ", "por ", "text by ", "words by ", "story by ",
        "a cura di ", "author:", "autor:", "autorin:", "автор:", "text:", "words:", "tekst:",
    ];
    /// Maximum number of words in the name of a city.
    const CITY_WORDS: usize = 2;
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
        return dated_names(line);
    }
    let mut names = people(stated);
    if names.len() > 1 {
        names.retain(|name| !person::is_agency(name));
    }
    let is_user = begins(&USED) || is_dated && begins(&["by ", "von ", "par ", "por "]);
    let is_name = |name: &String| person::is_short_name(name) || is_user && person::is_user_name(name);
    // The city of a correspondent may follow the names.
    let is_city = |name: &String| {
        clean::words(name) <= CITY_WORDS && name.split(' ').all(|word| word.starts_with(char::is_uppercase))
    };
    if names.len() > 1 && !names.last().is_some_and(is_name) && names.last().is_some_and(is_city) {
        names.pop();
    }
    if names.iter().all(is_name) { names } else { Vec::new() }
}

/// Names after the date in a line such as `Posted on May 3, 2024 by Julia Doe`.
fn dated_names(line: &str) -> Vec<String> {
    /// Maximum number of words in the date.
    const DATE_WORDS: usize = 7;
    let Some((date, rest)) =
        [" by ", " von ", " par ", " por "].iter().find_map(|word| line.split_once(word))
    else {
        return Vec::new();
    };
    let is_date = clean::words(date) <= DATE_WORDS
        && calendar::first_date(date, calendar::DayMonthOrder::DayFirst).is_some();
    let names = if is_date { people(rest) } else { Vec::new() };
    names.into_iter().take_while(|name| person::is_short_name(name)).collect()
}

/// Authors whose pages are linked from the first texts after the heading.
fn linked_near_heading(sources: &MetadataSources<'_>) -> Option<String> {
    const PATHS: [&str; 12] = [
        "/author/", "/authors/", "/autor/", "/auteur/", "/autore/", "/autoren/", "/contributor/", "/staff/",
        "/producers/", "/profile/", "/profil/", "/redaktion/",
    ];
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
fn author_near_heading(sources: &MetadataSources<'_>) -> Option<String> {
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
