//! Renders the handbook's Markdown as HTML: headings with anchors, links between pages, and the addresses of this
//! service instead of the address in the examples. The texts are part of this program; HTML in them is dropped.

use http_kit::config::Origins;
use maud::html;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use super::addresses::{SAMPLE_ORIGIN, with_own_origin};
use super::book::{PATH, page_path};

/// Languages of code blocks that contact the service as a client. Other blocks, such as the configuration of a proxy,
/// contain the address at which it listens.
const CLIENT_LANGUAGES: [&str; 5] = ["sh", "python", "javascript", "rust", "json"];

/// Page as HTML, with its text for the search.
pub(super) struct RenderedHandbookPage {
    pub(super) html: String,
    /// The text before the first heading of level 2, then one section for each such heading.
    pub(super) sections: Vec<HandbookSection>,
}

/// Section of a page.
#[derive(Debug, Default)]
pub(super) struct HandbookSection {
    /// Anchor. Empty for the start of the page.
    pub(super) id: String,
    pub(super) title: String,
    /// Text without markup.
    pub(super) text: String,
    /// The title and the text in lower case, with the same byte offsets: only ASCII letters are changed.
    pub(super) lower_title: String,
    pub(super) lower_text: String,
}

impl RenderedHandbookPage {
    /// Renders `text` for a service with these origins.
    pub(super) fn of(text: &str, origins: &Origins) -> Self {
        let mut writer = HandbookWriter::new(origins);
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            writer.event(event);
        }
        let mut sections = writer.sections;
        for section in &mut sections {
            section.lower_title = section.title.to_ascii_lowercase();
            section.lower_text = section.text.to_ascii_lowercase();
        }
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, writer.events.into_iter());
        Self { html, sections }
    }

    /// Returns anchors and titles of the sections after the start of the page.
    pub(super) fn headings(&self) -> impl Iterator<Item = (&str, &str)> {
        let sections = self.sections.iter().filter(|section| !section.id.is_empty());
        sections.map(|section| (section.id.as_str(), section.title.as_str()))
    }
}

/// Collects the Markdown events of a page, adapted to this service.
struct HandbookWriter<'a> {
    origins: &'a Origins,
    events: Vec<Event<'a>>,
    sections: Vec<HandbookSection>,
    /// Position of the open heading in `events`, and its words.
    heading: Option<(usize, String)>,
    /// Language and text of the open code block.
    code: Option<(String, String)>,
    /// True within a link whose text is its address.
    is_autolink: bool,
    /// Number of tables so far.
    tables: usize,
}

impl<'a> HandbookWriter<'a> {
    fn new(origins: &'a Origins) -> Self {
        Self {
            origins,
            events: Vec::new(),
            sections: vec![HandbookSection::default()],
            heading: None,
            code: None,
            is_autolink: false,
            tables: 0,
        }
    }

    fn event(&mut self, event: Event<'a>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code.is_some() => {
                if let Some((_, code)) = &mut self.code {
                    code.push_str(&text);
                }
            }
            Event::Text(text) => {
                let text = if self.is_autolink { with_own_origin(&text, self.origins).into() } else { text };
                self.word(&text);
                self.events.push(Event::Text(text));
            }
            Event::Code(code) => {
                let code: CowStr<'a> = with_own_origin(&code, self.origins).into();
                self.word(&code);
                self.events.push(Event::Code(code));
            }
            Event::SoftBreak | Event::HardBreak => {
                self.word(" ");
                self.events.push(event);
            }
            Event::Html(_) | Event::InlineHtml(_) => {}
            _ => self.events.push(event),
        }
    }

    fn start(&mut self, tag: Tag<'a>) {
        match tag {
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => info.split(' ').next().unwrap_or_default().to_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Tag::Heading { .. } => {
                self.heading = Some((self.events.len(), String::new()));
                self.events.push(Event::Start(tag));
            }
            Tag::Link { link_type, dest_url, title, id } => {
                self.is_autolink = link_type == LinkType::Autolink;
                let dest_url = self.target(&dest_url).into();
                self.events.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
            }
            Tag::Image { link_type, dest_url, title, id } => {
                let dest_url = format!("{PATH}/{dest_url}").into();
                self.events.push(Event::Start(Tag::Image { link_type, dest_url, title, id }));
            }
            Tag::Table(_) => {
                // A table can be wider than a phone. Landmarks need different names.
                self.tables += 1;
                let start = format!(
                    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table {}\">",
                    self.tables
                );
                self.events.push(Event::Html(start.into()));
                self.events.push(Event::Start(tag));
            }
            Tag::HtmlBlock => {}
            _ => self.events.push(Event::Start(tag)),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::Heading(level) => self.end_heading(level),
            TagEnd::Table => {
                self.events.push(Event::End(tag));
                self.events.push(Event::Html("</div>\n".into()));
            }
            TagEnd::HtmlBlock => {}
            TagEnd::Link => {
                self.is_autolink = false;
                self.events.push(Event::End(tag));
            }
            TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell => {
                self.word(" ");
                self.events.push(Event::End(tag));
            }
            _ => self.events.push(Event::End(tag)),
        }
    }

    fn end_code(&mut self) {
        let Some((language, code)) = self.code.take() else { return };
        let is_client = CLIENT_LANGUAGES.contains(&language.as_str());
        let code = if is_client { with_own_origin(&code, self.origins) } else { code };
        self.word(&code);
        let block = html! { pre tabindex="0" { code { (code) } } };
        self.events.push(Event::Html(block.into_string().into()));
    }

    fn end_heading(&mut self, level: HeadingLevel) {
        let Some((start, title)) = self.heading.take() else { return };
        let title = title.trim().to_owned();
        if level == HeadingLevel::H1 {
            if let Some(section) = self.sections.first_mut() {
                section.title = title;
            }
            self.events.push(Event::End(TagEnd::Heading(level)));
            return;
        }
        let id = anchor_of(&title);
        if let Some(Event::Start(Tag::Heading { id: attribute, .. })) = self.events.get_mut(start) {
            *attribute = Some(id.clone().into());
        }
        let link = html! { " " a.anchor href={ "#" (id) } aria-label={ "Link to " (title) } { "#" } };
        self.events.push(Event::InlineHtml(link.into_string().into()));
        self.events.push(Event::End(TagEnd::Heading(level)));
        if level == HeadingLevel::H2 {
            self.sections.push(HandbookSection { id, title, ..HandbookSection::default() });
        } else {
            self.word(&format!("{title} "));
        }
    }

    /// Adds words to the open heading, or to the text of the section.
    fn word(&mut self, text: &str) {
        if let Some((_, title)) = &mut self.heading {
            title.push_str(text);
        } else if let Some(section) = self.sections.last_mut() {
            section.text.push_str(&text.replace('\n', " "));
        }
    }

    /// Returns the address of a link: another page of the handbook, a page of this service, or any other.
    fn target(&self, target: &str) -> String {
        if target.starts_with(SAMPLE_ORIGIN) {
            return with_own_origin(target, self.origins);
        }
        let (file, anchor) =
            target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
        let Some(slug) = file.strip_suffix(".md").filter(|slug| !slug.contains('/')) else {
            return target.to_owned();
        };
        let path = page_path(slug);
        anchor.map_or_else(|| path.clone(), |anchor| format!("{path}#{anchor}"))
    }
}

/// Returns the anchor of a heading, as GitHub and mdBook derive it.
fn anchor_of(title: &str) -> String {
    let characters = title.trim().chars().filter_map(|character| match character {
        ' ' | '-' => Some('-'),
        '_' => Some('_'),
        _ => Some(character).filter(|character| character.is_alphanumeric()),
    });
    characters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use http_kit::config::{Settings, Variables};

    use super::*;

    fn render(text: &str) -> RenderedHandbookPage {
        let pairs = [
            ("CARREL_BASE_URL", "https://api.example.org"),
            ("CARREL_READER_URL", "https://read.example.org"),
            ("CARREL_AUTH_URL", "https://my.example.org"),
        ];
        let settings = Settings::read(&mut Variables::of_pairs(pairs)).unwrap();
        RenderedHandbookPage::of(text, &settings.origins)
    }

    #[test]
    fn headings_have_anchors_and_sections_have_search_words() {
        let page =
            render("# The `page`\n\nStart.\n\n## Keys & limits\n\nOne\ntwo.\n\n### `CARREL_LISTEN`\n\nx");
        assert!(page.html.contains("<h2 id=\"keys--limits\">Keys &amp; limits"), "{}", page.html);
        assert!(page.html.contains("<h3 id=\"carrel_listen\">"), "{}", page.html);
        assert!(page.html.contains("href=\"#keys--limits\""), "{}", page.html);
        assert_eq!(page.headings().collect::<Vec<_>>(), [("keys--limits", "Keys & limits")]);
        assert_eq!((page.sections[0].title.as_str(), page.sections[0].text.trim()), ("The page", "Start."));
        assert_eq!(page.sections[1].text.trim(), "One two. CARREL_LISTEN x");
    }

    #[test]
    fn links_lead_to_pages_of_this_service() {
        let text = "[a](backup.md#verify) [b](index.md) [c](http://127.0.0.1:8080/settings/keys?x=1) \
            <http://127.0.0.1:8080/docs> [d](https://example.com/x.md)";
        let html = render(text).html;
        for link in [
            "href=\"/docs/handbook/backup#verify\"",
            "href=\"/docs/handbook\"",
            "href=\"https://my.example.org/settings/keys?x=1\"",
            "href=\"https://read.example.org/docs\">https://read.example.org/docs<",
            "href=\"https://example.com/x.md\"",
        ] {
            assert!(html.contains(link), "{link} is missing in {html}");
        }
    }

    #[test]
    fn pictures_are_below_the_path_of_the_handbook() {
        let html = render("![A \"list\"](pictures/start.webp)").html;
        let picture = "<img src=\"/docs/handbook/pictures/start.webp\" alt=\"A &quot;list&quot;\" />";
        assert!(html.contains(picture), "{html}");
    }

    #[test]
    fn client_code_blocks_contain_the_address_of_their_surface() {
        let html = render(
            "```sh\ncurl \"http://127.0.0.1:8080/v1/me\" 'http://127.0.0.1:8080/https://a.example/'\n\
             A=http://127.0.0.1:8080\n```\n\n```nginx\nproxy_pass http://127.0.0.1:8080;\n```\n",
        )
        .html;
        assert!(html.contains("https://api.example.org/v1/me"), "{html}");
        assert!(html.contains("https://read.example.org/https://a.example/"), "{html}");
        assert!(html.contains("A=https://api.example.org\n"), "{html}");
        assert!(html.contains("proxy_pass http://127.0.0.1:8080;"), "{html}");
    }

    #[test]
    fn html_is_dropped_and_tables_scroll() {
        let html =
            render("<script>x</script>\n\n<!-- c -->\n\na <b>b</b> \\<c>\n\n| a |\n|---|\n| `<d>` |\n").html;
        assert!(!html.contains("<script") && !html.contains("<!--") && !html.contains("<b>"), "{html}");
        assert!(html.contains("&lt;c&gt;") && html.contains("<code>&lt;d&gt;</code>"), "{html}");
        assert!(html.contains("<div class=\"scroll\" tabindex=\"0\""), "{html}");
    }
}
