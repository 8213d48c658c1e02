//! Excludes parts next to an article that lead to other pages: tags, related articles, columns of teasers,
//! and newsletter forms. Most of these consist of links. A part with article text is retained.

use std::ops::Range;

use super::units::{Unit, Units, units_in};
use crate::{
    clean::is_eastern,
    page::{Id, Page},
};

/// Class names of lists of article tags.
const TAGS: [&str; 16] = [
    "tags", "tag-list", "taglist", "tags-list", "tagcloud", "tag-cloud", "post-tags", "post__tags",
    "entry-tags", "article-tags", "article__tags", "tags-links", "tag-links", "tag-container",
    "tags-container", "wp-block-tag-cloud",
];
/// Words in the class names and ids of parts with links to other articles.
const OTHERS: [&str; 14] = [
    "related", "recommended", "recommendations", "recommends", "trending", "popular", "mostread",
    "mostpopular", "taboola", "outbrain", "zergnet", "readnext", "teasers", "relatedposts",
];
/// Words in the class names and ids of newsletter forms.
const NEWSLETTERS: [&str; 5] = ["newsletter", "subscribe", "subscription", "signup", "mailchimp"];
/// Minimum share of linked characters in a list of tags.
const TAGS_SHARE: f64 = 0.7;
/// Minimum share of linked characters in a part with links to other articles.
const OTHERS_SHARE: f64 = 0.6;
/// Minimum share of linked characters in a column of teasers.
const COLUMN_SHARE: f64 = 0.8;
/// Maximum share of the selected characters of the page that a part may have.
const LARGEST_SHARE: f64 = 0.4;
/// Maximum number of selected characters of a newsletter form.
const NEWSLETTER_CHARS: f64 = 400.0;
/// Minimum number of linked lines of a column of teasers.
const COLUMN_LINES: usize = 15;
/// Minimum number of images in a column of teasers.
const COLUMN_IMAGES: usize = 5;
/// Minimum number of characters in a line of the article.
const LINE_CHARS: u32 = 80;
/// Maximum share of linked characters in a line of the article.
const LINE_SHARE: f64 = 0.3;
/// Minimum number of characters in all lines of the article. On a page with fewer characters, no part is
/// excluded.
const ARTICLE_CHARS: f64 = 600.0;

/// Minimum number of adjacent teasers that each have a linked heading.
const TEASERS: usize = 4;
/// Maximum number of nodes in a teaser.
const MAX_TEASER_NODES: usize = 60;

/// Excludes the parts next to an article.
pub(super) fn deselect(page: &Page, units: &Units, selected: &mut [bool]) {
    let sums = CharacterSums::new(units, selected);
    let all = sums.of(0..units.len());
    let is_article_line = |unit: &Unit| {
        weighted_chars(unit) >= LINE_CHARS && f64::from(unit.linked) <= f64::from(unit.chars) * LINE_SHARE
    };
    let article: f64 = units
        .iter()
        .zip(selected.iter())
        .filter(|(unit, selected)| **selected && is_article_line(unit))
        .map(|(unit, _)| f64::from(weighted_chars(unit)))
        .sum();
    if article < ARTICLE_CHARS {
        return;
    }
    let mut id: Id = 1;
    while id < page.len() {
        let inside = units_in(page, units, id);
        let chars = sums.of(inside.clone());
        let is_small = chars.selected <= all.selected * LARGEST_SHARE;
        let may_be_part = chars.selected > 0.0
            && matches!(
                page.tag(id),
                "div" | "section" | "aside" | "ul" | "ol" | "nav" | "p" | "footer" | "dl"
            );
        let is_part = may_be_part
            && (is_small
                && (page.class_names(id).any(|class| TAGS.contains(&class)) && chars.is_linked(TAGS_SHARE)
                    || has_name_of_others(page, id) && chars.is_linked(OTHERS_SHARE)
                    || chars.selected <= NEWSLETTER_CHARS
                        && has_word(page, id, &NEWSLETTERS)
                        && has_field(page, id))
                || chars.is_linked(COLUMN_SHARE) && is_column(page, units, id, inside.clone())
                || chars.is_linked(OTHERS_SHARE) && has_teasers(page, id))
            && !page.descendants(id).any(|inner| page.is(inner, "h1"))
            && !units[inside.clone()].iter().any(is_article_line);
        if is_part {
            selected[inside].fill(false);
            id = page.subtree(id).end;
        } else {
            id += 1;
        }
    }
}

/// Number of characters. Chinese, Japanese and Korean characters count twice, because each of them contains
/// more information.
fn weighted_chars(unit: &Unit) -> u32 {
    let eastern = unit.text.chars().filter(|c| is_eastern(*c)).count();
    unit.chars.saturating_add(u32::try_from(eastern).unwrap_or(u32::MAX))
}

/// True for an element whose children are teasers: each has a heading that is a link to another page.
fn has_teasers(page: &Page, id: Id) -> bool {
    let is_linked_heading = |heading: Id| {
        page.is_heading(heading)
            && page.descendants(heading).filter(|&text| page.is_nonblank_text(text)).all(|text| {
                page.ancestors(text).take(4).any(|above| {
                    page.is(above, "a")
                        && page.value(above, "href").is_some_and(|href| !href.starts_with('#'))
                })
            })
            && page.find(heading, "a").is_some()
    };
    let is_teaser = |child: Id| {
        page.subtree(child).len() <= MAX_TEASER_NODES && page.descendants(child).any(is_linked_heading)
    };
    page.element_children(id).take_while(|&child| is_teaser(child)).nth(TEASERS - 1).is_some()
        && page.element_children(id).all(is_teaser)
}

/// Running sums of the characters of the selected units.
struct CharacterSums(Vec<Chars>);

/// Selected and linked characters of the selected units of a part.
#[derive(Clone, Copy, Default)]
struct Chars {
    selected: f64,
    linked: f64,
}

impl CharacterSums {
    fn new(units: &Units, selected: &[bool]) -> Self {
        let mut sum = Chars::default();
        let mut sums = vec![sum];
        for (unit, is_selected) in units.iter().zip(selected) {
            if *is_selected {
                sum.selected += f64::from(unit.chars);
                sum.linked += f64::from(unit.linked);
            }
            sums.push(sum);
        }
        Self(sums)
    }

    fn of(&self, range: Range<usize>) -> Chars {
        let (from, to) = (self.0[range.start], self.0[range.end]);
        Chars { selected: to.selected - from.selected, linked: to.linked - from.linked }
    }
}

impl Chars {
    fn is_linked(&self, share: f64) -> bool {
        self.linked >= self.selected * share
    }
}

fn has_images(page: &Page, id: Id) -> bool {
    page.descendants(id).filter(|&inner| page.is(inner, "img")).nth(COLUMN_IMAGES - 1).is_some()
}

/// True for an element with many linked lines and images.
fn is_column(page: &Page, units: &Units, id: Id, inside: Range<usize>) -> bool {
    matches!(page.tag(id), "div" | "aside" | "section")
        && units[inside].iter().filter(|unit| unit.linked > 0).nth(COLUMN_LINES - 1).is_some()
        && has_images(page, id)
}

/// True if a part has an input field for an e-mail address.
fn has_field(page: &Page, id: Id) -> bool {
    page.descendants(id).any(|inner| {
        page.is(inner, "input") && matches!(page.attribute(inner, "type"), None | Some("email" | "text"))
    })
}

/// True if the class or id of a part names links to other articles.
pub(super) fn has_name_of_others(page: &Page, id: Id) -> bool {
    has_word(page, id, &OTHERS)
}

/// True if the class or id of a part contains one of the words.
fn has_word(page: &Page, id: Id, words: &[&str]) -> bool {
    ["class", "id"]
        .into_iter()
        .filter_map(|name| page.attribute(id, name))
        .flat_map(|value| value.split(|c: char| !c.is_ascii_alphanumeric()))
        .any(|word| words.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    const TEXT: &str = "<p>The lighthouse keeper counted the ships before dawn and noted each of them in the long green ledger by the window, \
        and whoever walks there today hears the sea breathe in and out through a thousand holes.</p>";

    /// Texts outside the article that remain selected, given that the classifier selected all texts of the
    /// page.
    fn rest_of(part: &str) -> Vec<String> {
        let page = parse_page(&format!("<h1>Lamps</h1><main>{}{part}</main>", TEXT.repeat(5))).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let mut selected = vec![true; units.len()];
        deselect(&page, &units, &mut selected);
        let rest = units.iter().zip(&selected).filter(|(unit, selected)| **selected && unit.words < 20);
        rest.map(|(unit, _)| unit.text.trim().to_owned()).skip(1).collect()
    }

    #[test]
    fn tags_and_links_to_other_articles_are_dropped() {
        let links = "<a href=/1>Lamps of the north</a> <a href=/2>Buoys</a> <a href=/3>A ferry in winter</a>";
        let teaser = |number: u32| {
            format!("<div><a href=/{number}><img src={number}.jpg>Teaser of another story {number}</a></div>")
        };
        let column: String = (0..20).map(teaser).collect();
        for part in [
            format!("<div class=tags>Tags: {links}</div>"),
            format!("<ul class='post-tags wide'><li>{links}</li></ul>"),
            format!("<aside class=related-articles><h3>Related</h3><ul><li>{links}</li></ul></aside>"),
            format!("<div id=taboola-below><div>{links}</div></div>"),
            format!("<div class=beta>{column}</div>"),
            format!("<div>{}</div>", "<div class=item><h3><a href=/9>Another story</a></h3><time>22:53</time></div>".repeat(5)),
            "<div class=newsletter-box><h3>Newsletter</h3><p>Lamps in your inbox.</p><form><input type=email></form></div>".to_owned(),
        ] {
            assert_eq!(rest_of(&part), Vec::<String>::new(), "{part}");
        }
    }

    #[test]
    fn lists_of_the_article_are_retained() {
        let link = |number: u32| format!("<li><a href=/{number}>Source {number} of the text</a></li>");
        let list: String = (0..30).map(link).collect();
        for part in [
            format!("<ul>{list}</ul>"),
            "<div class=newsletter><p>The newsletter of May.</p></div>".to_owned(),
            format!(
                "<section class=newsletter>{}<input type=email></section>",
                "<p>The boats, the buoys and the lamps of the harbour.</p>".repeat(11)
            ),
            format!("<div class=sources><h2>Sources</h2><ul>{list}</ul></div>"),
            "<div class=tags>In this part we explain the tags of a page, with one <a href=/1>link</a>.</div>".to_owned(),
            "<section class=related><h2>Related work</h2><p>Doe counts boats, and <a href=/1>Roe</a> counts buoys.</p></section>".to_owned(),
        ] {
            assert!(!rest_of(&part).is_empty(), "{part}");
        }
    }
}
