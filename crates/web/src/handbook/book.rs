//! Pages of the handbook in the order of `SUMMARY.md`: texts of `docs/handbook` with their pictures, and generated
//! pages.

use std::borrow::Cow;

use kernel::tiers::Tiers;

use super::tables;

/// Path of the first page.
pub(super) const PATH: &str = "/docs/handbook";

/// Name of the first page.
pub(super) const INDEX: &str = "index";

/// Table of contents in the form of mdBook.
const SUMMARY: &str = include_str!("../../../../docs/handbook/SUMMARY.md");

/// Settings of mdBook.
const BOOK: &str = include_str!("../../../../docs/handbook/book.toml");

macro_rules! texts {
    ($($slug:literal)+) => {
        /// Names and texts of the written pages.
        const TEXTS: &[(&str, &str)] =
            &[$(($slug, include_str!(concat!("../../../../docs/handbook/", $slug, ".md")))),+];
    };
}

texts! {
    "index" "start" "reading" "following" "saving" "searching" "rules" "extension" "watching" "steps" "notifications" "devices" "newsletters"
    "agents"
    "models" "moving" "notes-apps" "api" "recipes-curl" "recipes-python" "recipes-javascript" "recipes-rust" "install" "accounts"
    "single-sign-on" "proxy" "backup" "upgrade" "monitoring" "scaling" "troubleshooting" "security" "architecture"
}

macro_rules! pictures {
    ($($name:literal)+) => {
        /// Paths and contents of the pictures in WebP, which `tests/browser/run --handbook-pictures` writes.
        const PICTURES: &[(&str, &[u8])] = &[$((
            concat!("pictures/", $name, ".webp"),
            include_bytes!(concat!("../../../../docs/handbook/pictures/", $name, ".webp")),
        )),+];
    };
}

pictures! { "start" "reading" "following" "watching" }

/// Returns the content of the picture at a path such as `pictures/start.webp`.
pub(super) fn picture(path: &str) -> Option<&'static [u8]> {
    PICTURES.iter().find(|(known, _)| *known == path).map(|(_, content)| *content)
}

/// Functions that generate the Markdown of pages from crates above this one.
#[derive(Clone, Copy, Debug)]
pub struct CodeTables {
    /// Creates the page of the commands.
    pub commands: fn() -> String,
    /// Creates the page of the metrics.
    pub metrics: fn() -> String,
}

/// The handbook.
pub(super) struct HandbookContents {
    /// Pages in the order of the contents.
    pub(super) pages: Vec<HandbookPage>,
}

/// Page of the handbook.
pub(super) struct HandbookPage {
    /// Name of the page in its address, and of its file.
    pub(super) slug: String,
    pub(super) title: String,
    /// Title of its part in the contents. `None` for pages before the first part.
    part: Option<String>,
    pub(super) markdown: Cow<'static, str>,
}

/// Part of the table of contents.
pub(super) struct HandbookPart<'a> {
    pub(super) title: Option<&'a str>,
    /// Pages with their positions in the book.
    pub(super) pages: Vec<(usize, &'a HandbookPage)>,
}

impl HandbookContents {
    /// Collects all pages. The limits page contains the values of `tiers`.
    pub(super) fn new(tables: CodeTables, tiers: &Tiers) -> Self {
        let mut pages = Vec::new();
        for entry in summary_entries() {
            let written = TEXTS.iter().find(|(slug, _)| *slug == entry.slug).map(|(_, text)| *text);
            let markdown = match (written, entry.slug) {
                (Some(text), _) => Cow::Borrowed(text),
                (None, "settings") => tables::settings().into(),
                (None, "errors") => tables::errors().into(),
                (None, "limits") => tables::limits(tiers).into(),
                (None, "formats") => tables::formats().into(),
                (None, "commands") => (tables.commands)().into(),
                (None, "metrics") => (tables.metrics)().into(),
                (None, _) => continue,
            };
            let (slug, title) = (entry.slug.to_owned(), entry.title.to_owned());
            pages.push(HandbookPage { slug, title, part: entry.part.map(str::to_owned), markdown });
        }
        Self { pages }
    }

    /// Returns the parts of the contents.
    pub(super) fn parts(&self) -> Vec<HandbookPart<'_>> {
        let mut parts: Vec<HandbookPart<'_>> = Vec::new();
        for (position, page) in self.pages.iter().enumerate() {
            let title = page.part.as_deref();
            match parts.last_mut() {
                Some(part) if part.title == title => part.pages.push((position, page)),
                _ => parts.push(HandbookPart { title, pages: vec![(position, page)] }),
            }
        }
        parts
    }
}

/// Line of `SUMMARY.md` that names a page.
#[derive(Debug, Clone, Copy)]
struct SummaryEntry {
    part: Option<&'static str>,
    title: &'static str,
    slug: &'static str,
}

fn summary_entries() -> Vec<SummaryEntry> {
    let (mut part, mut entries) = (None, Vec::new());
    for line in SUMMARY.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            part = Some(title).filter(|title| *title != "Summary");
        }
        let link = line.trim_start_matches("- ").strip_prefix('[');
        let parts = link.and_then(|link| link.strip_suffix(".md)")).and_then(|link| link.split_once("]("));
        if let Some((title, slug)) = parts {
            entries.push(SummaryEntry { part, title, slug });
        }
    }
    entries
}

/// Returns the path of a page on the reader's host.
pub(super) fn page_path(slug: &str) -> String {
    if slug == INDEX { PATH.to_owned() } else { format!("{PATH}/{slug}") }
}

/// Returns the files of the handbook as the source of an mdBook: paths and contents. The limits page contains the
/// values of `tiers`.
pub fn handbook_files(tables: CodeTables, tiers: &Tiers) -> Vec<(String, Cow<'static, [u8]>)> {
    let book = HandbookContents::new(tables, tiers);
    let bytes = |text: Cow<'static, str>| match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    };
    let pages = book.pages.into_iter().map(|page| (format!("{}.md", page.slug), bytes(page.markdown)));
    let texts = [("SUMMARY.md", SUMMARY.as_bytes()), ("book.toml", BOOK.as_bytes())];
    let files = texts.iter().chain(PICTURES);
    let files = files.map(|(path, content)| ((*path).to_owned(), Cow::Borrowed(*content)));
    files.chain(pages).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Maximum number of words of a written page.
    const MAX_WORDS: usize = 1_200;
    /// Maximum size of a picture.
    const MAX_PICTURE_BYTES: usize = 40_000;

    fn book() -> HandbookContents {
        let tables = CodeTables { commands: || "# Commands\n".into(), metrics: || "# Metrics\n".into() };
        HandbookContents::new(tables, &Tiers::default())
    }

    #[test]
    fn summary_lists_every_file_and_every_listed_page_has_a_text() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/handbook");
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        let written: BTreeSet<&str> = names
            .iter()
            .filter_map(|name| name.strip_suffix(".md"))
            .filter(|name| *name != "SUMMARY")
            .collect();
        let embedded: BTreeSet<&str> = TEXTS.iter().map(|(slug, _)| *slug).collect();
        assert_eq!(embedded, written, "the macro `texts!` lists the files of docs/handbook");
        let listed: Vec<&str> = summary_entries().iter().map(|entry| entry.slug).collect();
        assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "a page is listed twice");
        assert!(embedded.iter().all(|slug| listed.contains(slug)), "{listed:?}");
        assert_eq!(book().pages.len(), listed.len(), "a listed page has neither a file nor a generator");
    }

    #[test]
    fn every_picture_is_small_and_is_on_one_page() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/handbook/pictures");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), PICTURES.len(), "`pictures!` lists the files");
        for (path, content) in PICTURES {
            assert!(content.len() <= MAX_PICTURE_BYTES, "{path} has {} bytes", content.len());
            assert!(content.starts_with(b"RIFF"), "{path}");
            let pages = TEXTS.iter().filter(|(_, text)| text.contains(&format!("]({path})")));
            assert_eq!(pages.count(), 1, "{path}");
        }
    }

    #[test]
    fn pages_begin_with_their_title_and_are_short() {
        for page in book().pages {
            let first = page.markdown.lines().next().unwrap_or_default();
            assert!(first.starts_with("# ") && !first[2..].trim().is_empty(), "{}: {first}", page.slug);
            let words = page.markdown.split_whitespace().count();
            // Generated pages are reference lists.
            let is_written = TEXTS.iter().any(|(slug, _)| *slug == page.slug);
            assert!(words <= MAX_WORDS || !is_written, "{} has {words} words", page.slug);
        }
    }

    #[test]
    fn handbook_parts_list_the_pages_of_the_summary_in_order() {
        let book = book();
        let parts = book.parts();
        assert_eq!(parts[0].title, None);
        assert_eq!(parts[0].pages[0].1.slug, INDEX);
        let positions: Vec<usize> =
            parts.iter().flat_map(|part| part.pages.iter().map(|page| page.0)).collect();
        assert_eq!(positions, (0..book.pages.len()).collect::<Vec<_>>());
        assert!(parts.len() > 3);
    }
}
