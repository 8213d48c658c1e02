//! Issues and pull requests of GitHub, and of Forgejo and Gitea, which have the same API.

use pulldown_cmark::{Options, Parser};
use serde_json::{Map, Value};

use super::super::bridges::page_address::PageAddress;
use super::super::builder::{RawEntry, RawFeed};
use super::super::json::text;
use super::parts;

/// Converts a list of issues or pull requests.
pub(super) fn issues(source: &str, page: &PageAddress) -> Option<RawFeed> {
    let answer: Value = serde_json::from_str(source.trim()).ok()?;
    let list = if answer.is_array() { Some(&answer) } else { answer.get("items") };
    let scope = IssueScope::of(page)?;
    let mut feed = parts::feed(&scope.title, &scope.page);
    feed.entries = parts::objects(list)?.filter(|issue| scope.includes(issue)).filter_map(entry).collect();
    Some(feed)
}

/// Selection of the issues in a list.
struct IssueScope {
    title: String,
    page: String,
    /// True if pull requests are omitted. GitHub includes them in the issues of a repository.
    is_without_pulls: bool,
}

impl IssueScope {
    fn of(page: &PageAddress) -> Option<Self> {
        let path = page.path();
        let (origin, owner, name, is_pulls) = match path.as_slice() {
            ["search", "issues"] => {
                let query = page.parameter("q").unwrap_or_default();
                let title = format!("GitHub: {query}");
                return Some(Self { title, page: "https://github.com/".to_owned(), is_without_pulls: false });
            }
            ["repos", owner, name, list] => ("https://github.com".to_owned(), owner, name, *list == "pulls"),
            ["api", "v1", "repos", owner, name, _] => {
                (page.origin(), owner, name, page.parameter("type").as_deref() == Some("pulls"))
            }
            _ => return None,
        };
        let (words, list) = if is_pulls { ("pull requests", "pulls") } else { ("issues", "issues") };
        Some(Self {
            title: format!("{owner}/{name}: {words}"),
            page: format!("{origin}/{owner}/{name}/{list}"),
            is_without_pulls: !is_pulls,
        })
    }

    fn includes(&self, issue: &Map<String, Value>) -> bool {
        let is_pull = issue.get("pull_request").is_some_and(|pull| !pull.is_null());
        !(self.is_without_pulls && is_pull)
    }
}

fn entry(issue: &Map<String, Value>) -> Option<RawEntry> {
    let (page, title) = (text(issue, "html_url")?, text(issue, "title")?);
    let user = issue.get("user").and_then(Value::as_object);
    let time = |name: &str| text(issue, name).and_then(|time| parts::time(&time));
    Some(RawEntry {
        authors: parts::author(user.and_then(|user| text(user, "login"))),
        published: time("created_at"),
        updated: time("updated_at"),
        content: text(issue, "body").and_then(|body| parts::markup(rendered(&body), &page)),
        ..parts::entry(page.clone(), &title, &page)
    })
}

/// Renders Markdown to HTML.
fn rendered(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut markup = String::new();
    pulldown_cmark::html::push_html(&mut markup, Parser::new_ext(markdown, options));
    markup
}
