//! Visible dates of a page: in elements that are marked as dates, near the heading, and after words that
//! announce a date.

use std::{cell::OnceCell, sync::LazyLock};

use aho_corasick::AhoCorasick;
use chrono::{DateTime, FixedOffset, NaiveDate};

use super::{
    calendar::{self, DayMonthOrder},
    date_words::{ANNOUNCING, CHANGING},
    sources::MetadataSources,
    written_date::{format_date, normal},
};
use crate::page::{Id, Page};

/// Maximum number of bytes of a date, including the surrounding words.
const MAX_DATE_TEXT: usize = 120;
/// Maximum number of bytes of a text that consists of a date and at most a few other words.
const MAX_BARE_DATE_TEXT: usize = 40;
/// Number of texts before and after the heading that are searched.
const NEAR_HEADING: (usize, usize) = (6, 14);

/// Finds the visible dates of a page.
pub(super) struct VisibleDates<'p> {
    page: &'p Page,
    heading: Option<Id>,
    order: DayMonthOrder,
    /// Cumulative length of the texts before each node.
    sizes: OnceCell<Vec<usize>>,
    /// Elements that may contain a date, in page order.
    marked: OnceCell<Vec<(Id, Strength)>>,
}

/// Certainty that an element contains the date of publication. The smallest value is the most certain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Element that is marked as the date of publication.
    Strong,
    /// Machine-readable time.
    Time,
    /// Element that may contain a date and other text.
    Weak,
}

impl<'p> VisibleDates<'p> {
    pub(super) fn new(sources: &MetadataSources<'p>) -> Self {
        Self {
            page: sources.page,
            heading: sources.main_heading,
            order: order(sources),
            sizes: OnceCell::new(),
            marked: OnceCell::new(),
        }
    }

    fn sizes(&self) -> &[usize] {
        let page = self.page;
        self.sizes.get_or_init(|| {
            let mut sizes = vec![0; page.len() + 1];
            for id in 0..page.len() {
                let silent = matches!(page.tag(page.parent(id)), "script" | "style" | "noscript");
                sizes[id + 1] =
                    sizes[id] + page.text(id).filter(|_| !silent).map_or(0, |text| text.trim().len());
            }
            sizes
        })
    }

    /// Date of the first element that is marked as the date of publication.
    pub(super) fn published(&self) -> Option<String> {
        self.elements(Strength::Strong)
            .find(|&id| !self.is_aside(id, true))
            .and_then(|id| self.of_element(id))
    }

    /// Common date of all elements that are marked as the date of publication. `None` if their days differ.
    pub(super) fn only_published(&self) -> Option<String> {
        self.agreed(Strength::Strong)
    }

    /// Common date of all machine-readable times. `None` if their days differ.
    pub(super) fn only_timed(&self) -> Option<String> {
        self.agreed(Strength::Time)
    }

    fn agreed(&self, least: Strength) -> Option<String> {
        let mut dates = self.elements(least).filter_map(|id| self.of_element(id));
        let first = dates.next()?;
        dates.all(|date| date.get(..10) == first.get(..10)).then_some(first)
    }

    /// Date of the first machine-readable time after the heading.
    pub(super) fn timed(&self) -> Option<String> {
        let from = self.heading.unwrap_or(0);
        self.elements(Strength::Time)
            .filter(|&id| id > from && !self.is_aside(id, true))
            .find_map(|id| self.of_element(id))
    }

    /// Date of the first element after the heading that may contain a date, or else of the first such element
    /// before the heading.
    pub(super) fn marked(&self) -> Option<String> {
        let from = self.heading.unwrap_or(0);
        let is_main = |id: &Id| !self.is_aside(*id, false);
        let after = self.elements(Strength::Weak).filter(|&id| id > from).filter(is_main);
        let before = self.elements(Strength::Weak).filter(|&id| id < from).filter(is_main);
        after.chain(before).find_map(|id| self.of_element(id))
    }

    /// Converts a time to the time zone of the page, if another time on the page is the same moment.
    pub(super) fn same_moment(&self, time: DateTime<FixedOffset>) -> Option<DateTime<FixedOffset>> {
        let local = |id: Id| {
            let value = self.page.value(id, "datetime")?;
            let form = "%Y-%m-%dT%H:%M:%S%z";
            DateTime::parse_from_rfc3339(value).or_else(|_| DateTime::parse_from_str(value, form)).ok()
        };
        let times = (1..self.page.len()).filter(|&id| self.page.is(id, "time"));
        times.filter_map(local).find(|local| *local == time && local.offset() != time.offset())
    }

    /// Elements with at least this certainty, in page order.
    fn elements(&self, least: Strength) -> impl Iterator<Item = Id> + '_ {
        let marked = self.marked.get_or_init(|| {
            let elements = (1..self.page.len()).filter(|&id| self.page.is_element(id));
            elements.filter_map(|id| Some((id, strength(self.page, id)?))).collect()
        });
        marked.iter().filter(move |(_, strength)| *strength <= least).map(|(id, _)| *id)
    }

    /// Date in an attribute of the element, or else in its text.
    fn of_element(&self, id: Id) -> Option<String> {
        const HOLDERS: [&str; 6] =
            ["datetime", "content", "data-datetime", "data-date", "created-timestamp", "ts"];
        let page = self.page;
        if let Some(date) = HOLDERS.iter().find_map(|name| page.value(id, name).and_then(normal)) {
            return Some(date);
        }
        if page.is(id, "abbr")
            && let Some(date) = page.value(id, "title").and_then(normal)
        {
            return Some(date);
        }
        // Long containers are skipped, because the small elements inside them are checked, too.
        let size = self.size(id);
        if size == 0 || size > MAX_DATE_TEXT {
            return None;
        }
        calendar::first_date(&page.folded_text(id), self.order).map(format_date)
    }

    fn size(&self, id: Id) -> usize {
        let sizes = self.sizes();
        sizes[self.page.subtree(id).end] - sizes[id]
    }

    /// True for comments, teasers of other pages and sidebars. An element that contains the heading or most
    /// of the page is not one of these.
    fn is_aside(&self, id: Id, in_foot: bool) -> bool {
        const MARKS: [&str; 12] = [
            "related", "sidebar", "comment", "widget", "recommend", "popular", "trending", "teaser",
            "latest", "footer", "recent", "more-",
        ];
        let page = self.page;
        let holds_all = |above: Id| {
            self.heading.is_some_and(|heading| page.subtree(above).contains(&heading))
                || self.size(above) * 2 > self.size(0)
        };
        page.self_and_ancestors(id).take_while(|&above| !holds_all(above)).any(|above| {
            if matches!(page.tag(above), "aside" | "nav" | "footer") && above != id {
                // The footer of an article is part of the article.
                return !(in_foot && page.is(above, "footer") && self.is_in_article(above));
            }
            [page.class(above), page.attribute(above, "id")].into_iter().flatten().any(|words| {
                let words = words.to_ascii_lowercase();
                MARKS.iter().any(|mark| words.contains(mark))
                    && !(in_foot && words.contains("footer") && self.is_in_article(above))
            })
        })
    }

    fn is_in_article(&self, id: Id) -> bool {
        self.page.ancestors(id).take(3).any(|above| {
            self.page.is(above, "article")
                || self.page.class(above).is_some_and(|classes| {
                    classes
                        .split_ascii_whitespace()
                        .any(|class| matches!(class, "article" | "hentry" | "post"))
                })
        })
    }

    fn date_of(&self, id: Id) -> Option<NaiveDate> {
        let text =
            self.page.text(id).map(str::trim).filter(|text| (6..=MAX_DATE_TEXT).contains(&text.len()))?;
        calendar::may_contain_date(text).then_some(())?;
        if is_unrelated_date(text) {
            return None;
        }
        calendar::first_date(text, self.order)
    }

    /// Date of the short text that is nearest to the heading. The distance of texts before the heading is
    /// doubled.
    pub(super) fn near_heading(&self) -> Option<NaiveDate> {
        let page = self.page;
        let heading = self.heading?;
        let worded = |id: &Id| page.is_nonblank_text(*id);
        let after = (page.subtree(heading).end..page.len()).filter(worded).take(NEAR_HEADING.1);
        let before = (1..heading).rev().filter(worded).take(NEAR_HEADING.0);
        let after = after.enumerate().find_map(|(at, id)| Some((at, self.date_of(id)?)));
        let before = before.enumerate().find_map(|(at, id)| Some((at * 2 + 1, self.date_of(id)?)));
        after.into_iter().chain(before).min_by_key(|(distance, _)| *distance).map(|(_, date)| date)
    }

    /// Date near the heading, if its text contains at most a few other words and the date is not the date of
    /// a change.
    pub(super) fn dated_at_heading(&self) -> Option<NaiveDate> {
        let page = self.page;
        let date = self.near_heading()?;
        let heading = self.heading?;
        let worded = |id: &Id| page.is_nonblank_text(*id);
        let after = (page.subtree(heading).end..page.len()).filter(worded).take(NEAR_HEADING.1);
        let before = (1..heading).rev().filter(worded).take(NEAR_HEADING.0);
        let holder = after.chain(before).find(|&id| self.date_of(id) == Some(date))?;
        let text = page.text(holder)?.trim();
        let around = page.ancestors(holder).find(|&above| self.size(above) > text.len());
        let around = around.filter(|&above| self.size(above) <= MAX_DATE_TEXT);
        let words = around.map_or_else(|| text.to_owned(), |above| page.folded_text(above)).to_lowercase();
        let is_of_a_change = CHANGING.iter().any(|word| words.contains(word));
        (text.len() <= MAX_BARE_DATE_TEXT && !is_of_a_change).then_some(date)
    }

    /// Date after a word that announces it, in any part of the body.
    pub(super) fn announced(&self) -> Option<NaiveDate> {
        let page = self.page;
        (1..page.len()).filter(|&id| page.text(id).is_some()).find_map(|id| {
            let text = page.text(id)?.trim();
            if text.len() < 4 || text.len() > 3 * MAX_DATE_TEXT {
                return None;
            }
            if !announces(text) || self.is_aside(id, false) {
                return None;
            }
            // The date is often in the element after the word.
            let around = page.ancestors(id).find(|&above| self.size(above) > text.len());
            calendar::first_date(text, self.order).or_else(|| {
                let around = around.filter(|&above| self.size(above) <= 2 * MAX_DATE_TEXT)?;
                calendar::first_date(&page.folded_text(around), self.order)
            })
        })
    }

    /// Date of the first short text with a date after the heading, or else before the heading.
    pub(super) fn anywhere(&self) -> Option<NaiveDate> {
        let page = self.page;
        let date = |id: Id| {
            let silent = matches!(page.tag(page.parent(id)), "script" | "style" | "option" | "title");
            let day = if silent { None } else { self.date_of(id) }?;
            (!self.is_aside(id, false)).then_some(day)
        };
        let from = self.heading.unwrap_or(1);
        (from..page.len()).find_map(date).or_else(|| (1..from).find_map(date))
    }
}

static ANNOUNCERS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(ANNOUNCING).ok());

/// True if a text contains a word that announces a date.
fn announces(text: &str) -> bool {
    let Some(known) = &*ANNOUNCERS else { return false };
    if text.is_ascii() { known.is_match(text) } else { known.is_match(&text.to_lowercase()) }
}

/// True for dates that do not concern the page, such as the start of a membership or a copyright.
fn is_unrelated_date(text: &str) -> bool {
    let start: String = text.chars().take(20).flat_map(char::to_lowercase).collect();
    [
        "joined", "join date", "member since", "registered", "registriert", "beigetreten", "born", "©",
        "copyright",
    ]
    .iter()
    .any(|word| start.starts_with(word))
}

/// Words in class names and ids, with the kind of date that they indicate.
const CLASS_WORDS: [(&str, u8); 30] = [
    ("pubdate", PUBLISHED),
    ("publishdate", PUBLISHED),
    ("publish-date", PUBLISHED),
    ("published", PUBLISHED),
    ("post-date", PUBLISHED),
    ("post_date", PUBLISHED),
    ("postdate", PUBLISHED),
    ("entry-date", PUBLISHED),
    ("date-published", PUBLISHED),
    ("article-date", PUBLISHED),
    ("article__date", PUBLISHED),
    ("posted-on", PUBLISHED),
    ("post__date", PUBLISHED),
    ("date-posted", PUBLISHED),
    ("news-date", PUBLISHED),
    ("artikel-datum", PUBLISHED),
    ("publish", PUBLISHED_IF_TIME),
    ("created", PUBLISHED_IF_TIME),
    ("posted", PUBLISHED_IF_TIME | DATED),
    ("updat", CHANGED),
    ("modif", CHANGED),
    ("date", DATED),
    ("time", DATED),
    ("datum", DATED),
    ("fecha", DATED),
    ("byline", DATED),
    ("meta", DATED),
    ("dateline", DATED),
    ("info", DATED),
    ("veröffentlich", PUBLISHED_IF_TIME),
];
const PUBLISHED: u8 = 1;
/// Date of publication, if the element is a `time` element.
const PUBLISHED_IF_TIME: u8 = 2;
const CHANGED: u8 = 4;
const DATED: u8 = 8;

static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder().ascii_case_insensitive(true).build(CLASS_WORDS.iter().map(|(word, _)| word)).ok()
});

fn class_flags(words: &str) -> u8 {
    let Some(known) = WORDS.as_ref().filter(|_| !words.is_empty()) else { return 0 };
    known
        .find_overlapping_iter(words)
        .fold(0, |all, matched| all | CLASS_WORDS[matched.pattern().as_usize()].1)
}

/// Certainty that an element contains the date of publication. `None` if the element does not indicate a
/// date.
fn strength(page: &Page, id: Id) -> Option<Strength> {
    let item = page.attribute(id, "itemprop").unwrap_or("");
    let names = |expected: &[&str]| {
        item.split_ascii_whitespace().any(|name| expected.iter().any(|one| name.eq_ignore_ascii_case(one)))
    };
    let tag = page.tag(id);
    if matches!(tag, "meta" | "body" | "script" | "html") {
        return names(&["datepublished"]).then_some(Strength::Strong);
    }
    if names(&["datepublished", "datecreated"]) || page.attribute(id, "pubdate").is_some() {
        return Some(Strength::Strong);
    }
    let mut says =
        class_flags(page.class(id).unwrap_or("")) | class_flags(page.attribute(id, "id").unwrap_or(""));
    if names(&["datemodified"]) {
        says |= CHANGED;
    }
    let is_changed = says & CHANGED != 0;
    let timed = tag == "time"
        || tag.contains('-') && (tag.contains("time") || page.attribute(id, "created-timestamp").is_some());
    if timed {
        return Some(match (says & (PUBLISHED_IF_TIME | PUBLISHED) != 0, is_changed) {
            (true, false) => Strength::Strong,
            (false, false) => Strength::Time,
            (_, true) => Strength::Weak,
        });
    }
    if says & PUBLISHED != 0 && !is_changed {
        return Some(Strength::Strong);
    }
    (says & DATED != 0).then_some(Strength::Weak)
}

/// Order of day and month in numeric dates. In American English, the month comes first.
fn order(sources: &MetadataSources<'_>) -> DayMonthOrder {
    let language = sources.language().unwrap_or_default();
    let national = sources
        .address
        .and_then(url::Url::host_str)
        .is_some_and(|host| [".uk", ".au", ".in", ".ie", ".nz", ".za"].iter().any(|end| host.ends_with(end)));
    let english = language.is_empty() || language.starts_with("en");
    let abroad = ["en-GB", "en-AU", "en-IN", "en-IE", "en-NZ", "en-ZA"].contains(&language.as_str());
    if english && !national && !abroad { DayMonthOrder::MonthFirst } else { DayMonthOrder::DayFirst }
}
