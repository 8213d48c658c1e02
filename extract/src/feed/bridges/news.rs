//! Services for news, questions, papers and games.

use super::page_address::{PageAddress, decoded, is_number, is_plain_id, with_parameters};
use super::service::{Bridge, Service, ServiceHosts, atom, converted, converted_of, feed_of, rss};

/// Search of Hacker News, the newest results first.
const HACKER_NEWS_SEARCH: &str = "https://hn.algolia.com/api/v1/search_by_date";
/// Maximum number of words in a search query that are passed on.
const MAX_WORDS: usize = 20;

pub(super) const HACKER_NEWS: Service = Service {
    name: "Hacker News",
    hosts: ServiceHosts::Named(&["news.ycombinator.com", "hn.algolia.com"]),
    rule: hacker_news,
    forms: &[
        feed_of("front page", "https://news.ycombinator.com/", "https://news.ycombinator.com/rss"),
        converted_of(
            "newest, Ask, Show, jobs",
            "https://news.ycombinator.com/ask",
            "https://hn.algolia.com/api/v1/search_by_date?tags=ask_hn&hitsPerPage=50",
        ),
        converted_of(
            "submissions of a user",
            "https://news.ycombinator.com/user?id=ann",
            "https://hn.algolia.com/api/v1/search_by_date?tags=story%2Cauthor_ann&hitsPerPage=50",
        ),
        converted_of(
            "comments of a user",
            "https://news.ycombinator.com/threads?id=ann",
            "https://hn.algolia.com/api/v1/search_by_date?tags=comment%2Cauthor_ann&hitsPerPage=50",
        ),
        converted_of(
            "thread",
            "https://news.ycombinator.com/item?id=8863",
            "https://hn.algolia.com/api/v1/search_by_date?tags=comment%2Cstory_8863&hitsPerPage=50",
        ),
        converted_of(
            "site",
            "https://news.ycombinator.com/from?site=example.com",
            "https://hn.algolia.com/api/v1/search_by_date?query=example.com&restrictSearchableAttributes=url&tags=story&hitsPerPage=50",
        ),
        converted_of(
            "search",
            "https://hn.algolia.com/?q=low+tide",
            "https://hn.algolia.com/api/v1/search_by_date?query=low+tide&tags=story&hitsPerPage=50",
        ),
    ],
};

fn hacker_news(page: &PageAddress) -> Vec<Bridge> {
    let search = |parameters: &[(&str, &str)]| {
        let parameters: Vec<_> = parameters.iter().copied().chain([("hitsPerPage", "50")]).collect();
        vec![converted(with_parameters(HACKER_NEWS_SEARCH, &parameters))]
    };
    let tagged = |tags: &str| search(&[("tags", tags)]);
    let id = page.parameter("id").filter(|id| is_plain_id(id)).unwrap_or_default();
    match page.path().as_slice() {
        [] if page.host() == "hn.algolia.com" => {
            let query = page.parameter("q").or(page.parameter("query"));
            query.map(|query| search(&[("query", query.as_str()), ("tags", "story")])).unwrap_or_default()
        }
        _ if page.host() == "hn.algolia.com" => Vec::new(),
        [] | ["news" | "front"] => vec![rss("https://news.ycombinator.com/rss")],
        ["newest"] => tagged("story"),
        ["ask"] => tagged("ask_hn"),
        ["show" | "shownew"] => tagged("show_hn"),
        ["jobs"] => tagged("job"),
        ["user" | "submitted"] if !id.is_empty() => tagged(&format!("story,author_{id}")),
        ["threads"] if !id.is_empty() => tagged(&format!("comment,author_{id}")),
        ["item"] if !id.is_empty() => tagged(&format!("comment,story_{id}")),
        ["from"] => {
            let of_site = |site: String| {
                search(&[
                    ("query", site.as_str()),
                    ("restrictSearchableAttributes", "url"),
                    ("tags", "story"),
                ])
            };
            page.parameter("site").map(of_site).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

pub(super) const LOBSTERS: Service = Service {
    name: "Lobsters",
    hosts: ServiceHosts::Named(&["lobste.rs"]),
    rule: lobsters,
    forms: &[
        feed_of("front page", "https://lobste.rs/", "https://lobste.rs/rss"),
        feed_of("tag", "https://lobste.rs/t/rust", "https://lobste.rs/t/rust.rss"),
    ],
};

fn lobsters(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["t", tags] => vec![rss(format!("https://lobste.rs/t/{tags}.rss"))],
        ["domains", domain] => vec![rss(format!("https://lobste.rs/domains/{domain}.rss"))],
        ["newest"] => vec![rss("https://lobste.rs/newest.rss")],
        [] => vec![rss("https://lobste.rs/rss")],
        _ => Vec::new(),
    }
}

pub(super) const STACK_EXCHANGE: Service = Service {
    name: "Stack Exchange",
    hosts: ServiceHosts::Below(&[
        "stackoverflow.com", "stackexchange.com", "superuser.com", "serverfault.com", "askubuntu.com",
        "mathoverflow.net", "stackapps.com",
    ]),
    rule: stack_exchange,
    forms: &[
        feed_of("site", "https://superuser.com/", "https://superuser.com/feeds"),
        feed_of(
            "tag",
            "https://stackoverflow.com/questions/tagged/rust",
            "https://stackoverflow.com/feeds/tag/rust",
        ),
        feed_of(
            "question",
            "https://sailing.stackexchange.com/questions/123/low-tide",
            "https://sailing.stackexchange.com/feeds/question/123",
        ),
        feed_of(
            "user",
            "https://stackoverflow.com/users/22656/ann",
            "https://stackoverflow.com/feeds/user/22656",
        ),
    ],
};

fn stack_exchange(page: &PageAddress) -> Vec<Bridge> {
    let feeds = format!("https://{}/feeds", page.host());
    match page.path().as_slice() {
        ["questions", "tagged", tag] => vec![atom(format!("{feeds}/tag/{tag}"))],
        ["questions" | "q", id, ..] if is_number(id) => vec![atom(format!("{feeds}/question/{id}"))],
        ["users", id, ..] if is_number(id) => vec![atom(format!("{feeds}/user/{id}"))],
        ["feeds", ..] => Vec::new(),
        _ => vec![atom(feeds)],
    }
}

pub(super) const ARXIV: Service = Service {
    name: "arXiv",
    hosts: ServiceHosts::Named(&["arxiv.org", "export.arxiv.org"]),
    rule: arxiv,
    forms: &[
        feed_of("category", "https://arxiv.org/list/cs.CL/recent", "https://rss.arxiv.org/atom/cs.CL"),
        feed_of("author", "https://arxiv.org/a/warner_s_1", "https://arxiv.org/a/warner_s_1.atom"),
        feed_of(
            "search",
            "https://arxiv.org/search/?query=low+tide&searchtype=all",
            "https://export.arxiv.org/api/query?search_query=all%3Alow+AND+all%3Atide&sortBy=submittedDate&sortOrder=descending&max_results=50",
        ),
        feed_of(
            "search for an author",
            "https://arxiv.org/search/cs?searchtype=author&query=Quill%2C+A",
            "https://export.arxiv.org/api/query?search_query=au%3AQuill+AND+au%3AA&sortBy=submittedDate&sortOrder=descending&max_results=50",
        ),
        feed_of(
            "versions of a paper",
            "https://arxiv.org/abs/2401.12345v2",
            "https://export.arxiv.org/api/query?id_list=2401.12345",
        ),
    ],
};

fn arxiv(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["list" | "archive", category, ..] => vec![atom(arxiv_category(category))],
        ["a", author] => vec![atom(format!("https://arxiv.org/a/{author}.atom"))],
        ["search", ..] => arxiv_search(page).into_iter().collect(),
        ["abs" | "pdf", id @ ..] if !id.is_empty() => vec![atom(arxiv_paper(&id.join("/")))],
        _ => Vec::new(),
    }
}

/// Feed of the new papers in a category.
pub(crate) fn arxiv_category(category: &str) -> String {
    format!("https://rss.arxiv.org/atom/{category}")
}

/// Id of a paper without its version.
pub(crate) fn arxiv_number(id: &str) -> &str {
    let id = id.strip_suffix(".pdf").unwrap_or(id);
    id.rsplit_once('v').filter(|(_, version)| is_number(version)).map_or(id, |(id, _)| id)
}

/// Feed of a paper. The URL of its entry contains the newest version.
pub(crate) fn arxiv_paper(id: &str) -> String {
    format!("https://export.arxiv.org/api/query?id_list={}", arxiv_number(id))
}

fn arxiv_search(page: &PageAddress) -> Option<Bridge> {
    let field = match page.parameter("searchtype").as_deref() {
        Some("author") => "au",
        Some("title") => "ti",
        Some("abstract") => "abs",
        _ => "all",
    };
    let query = page.parameter("query")?;
    let words = query.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let terms: Vec<String> = words.take(MAX_WORDS).map(|word| format!("{field}:{word}")).collect();
    let query = terms.join(" AND ");
    let parameters = [
        ("search_query", query.as_str()),
        ("sortBy", "submittedDate"),
        ("sortOrder", "descending"),
        ("max_results", "50"),
    ];
    (!terms.is_empty()).then(|| atom(with_parameters("https://export.arxiv.org/api/query", &parameters)))
}

pub(super) const WIKIPEDIA: Service = Service {
    name: "Wikipedia",
    hosts: ServiceHosts::Below(&["wikipedia.org"]),
    rule: wikipedia,
    forms: &[feed_of(
        "article: history",
        "https://en.wikipedia.org/wiki/Tide",
        "https://en.wikipedia.org/w/index.php?title=Tide&action=history&feed=atom",
    )],
};

fn wikipedia(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["wiki", title @ ..] if !title.is_empty() => {
            let title = title.join("/");
            let title = decoded(&title);
            let parameters = [("title", &*title), ("action", "history"), ("feed", "atom")];
            vec![atom(with_parameters(&format!("https://{}/w/index.php", page.host()), &parameters))]
        }
        _ => Vec::new(),
    }
}

pub(super) const STEAM: Service = Service {
    name: "Steam",
    hosts: ServiceHosts::Named(&["store.steampowered.com", "steamcommunity.com"]),
    rule: steam,
    forms: &[
        feed_of(
            "app: news",
            "https://store.steampowered.com/app/620/Portal_2/",
            "https://store.steampowered.com/feeds/news/app/620/",
        ),
        feed_of(
            "group",
            "https://steamcommunity.com/groups/harbour#announcements",
            "https://steamcommunity.com/groups/harbour/rss/",
        ),
    ],
};

fn steam(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["app" | "games", id, ..] | ["news", "app", id, ..] if is_number(id) => {
            vec![rss(format!("https://store.steampowered.com/feeds/news/app/{id}/"))]
        }
        ["groups", name, ..] => vec![rss(format!("https://steamcommunity.com/groups/{name}/rss/"))],
        _ => Vec::new(),
    }
}
