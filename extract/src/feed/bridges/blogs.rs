//! Services that host blogs and newsletters.

use super::page_address::PageAddress;
use super::service::{Bridge, Service, ServiceHosts, feed_of, rss};

/// First path segments that are not names of publications or users.
const MEDIUM_PAGES: &[&str] = &[
    "about", "creators", "explore-topics", "feed", "jobs-at-medium", "m", "me", "membership", "new-story",
    "p", "plans", "search", "topic",
];
const DEV_PAGES: &[&str] =
    &["about", "contact", "enter", "feed", "latest", "search", "settings", "tags", "top"];

pub(super) const SUBSTACK: Service = Service {
    name: "Substack",
    hosts: ServiceHosts::Below(&["substack.com"]),
    rule: substack,
    forms: &[
        feed_of("newsletter", "https://harbour.substack.com/p/low-tide", "https://harbour.substack.com/feed"),
        feed_of(
            "shared post",
            "https://open.substack.com/pub/harbour/p/low-tide?r=1",
            "https://harbour.substack.com/feed",
        ),
    ],
};

fn substack(page: &PageAddress) -> Vec<Bridge> {
    match (page.host(), page.path().as_slice()) {
        ("open.substack.com", ["pub", name, ..]) => vec![rss(format!("https://{name}.substack.com/feed"))],
        (host, _) if !matches!(host, "substack.com" | "open.substack.com") => {
            vec![rss(format!("https://{host}/feed"))]
        }
        _ => Vec::new(),
    }
}

pub(super) const MEDIUM: Service = Service {
    name: "Medium",
    hosts: ServiceHosts::Below(&["medium.com"]),
    rule: medium,
    forms: &[
        feed_of("user", "https://medium.com/@ann/low-tide-1a2b", "https://medium.com/feed/@ann"),
        feed_of("user with a host", "https://ann.medium.com/low-tide-1a2b", "https://ann.medium.com/feed"),
        feed_of("publication", "https://medium.com/harbour", "https://medium.com/feed/harbour"),
        feed_of(
            "tag of a publication",
            "https://medium.com/harbour/tagged/tide",
            "https://medium.com/feed/harbour/tagged/tide",
        ),
        feed_of("tag", "https://medium.com/tag/boats/archive", "https://medium.com/feed/tag/boats"),
    ],
};

fn medium(page: &PageAddress) -> Vec<Bridge> {
    if page.host() != "medium.com" {
        return vec![rss(format!("https://{}/feed", page.host()))];
    }
    match page.path().as_slice() {
        ["tag", tag, ..] => vec![rss(format!("https://medium.com/feed/tag/{tag}"))],
        [publication, "tagged", tag, ..] => {
            vec![rss(format!("https://medium.com/feed/{publication}/tagged/{tag}"))]
        }
        [name, ..] if !MEDIUM_PAGES.contains(name) => vec![rss(format!("https://medium.com/feed/{name}"))],
        _ => Vec::new(),
    }
}

pub(super) const BLOGGER: Service = Service {
    name: "Blogger",
    hosts: ServiceHosts::Below(&[
        "blogspot.com", "blogspot.co.uk", "blogspot.de", "blogspot.fr", "blogspot.in", "blogspot.jp",
    ]),
    rule: blogger,
    forms: &[
        feed_of(
            "blog",
            "https://harbour.blogspot.com/2026/11/low-tide.html",
            "https://harbour.blogspot.com/feeds/posts/default?alt=rss",
        ),
        feed_of(
            "label of a blog",
            "https://harbour.blogspot.com/search/label/tide",
            "https://harbour.blogspot.com/feeds/posts/default/-/tide?alt=rss",
        ),
    ],
};

fn blogger(page: &PageAddress) -> Vec<Bridge> {
    let feed = format!("https://{}/feeds/posts/default", page.host());
    match page.path().as_slice() {
        ["feeds", ..] => Vec::new(),
        ["search", "label", label, ..] => vec![rss(format!("{feed}/-/{label}?alt=rss"))],
        _ => vec![rss(format!("{feed}?alt=rss"))],
    }
}

pub(super) const WORDPRESS: Service = Service {
    name: "WordPress.com",
    hosts: ServiceHosts::Below(&["wordpress.com"]),
    rule: wordpress,
    forms: &[
        feed_of(
            "blog",
            "https://harbour.wordpress.com/2026/11/20/low-tide/",
            "https://harbour.wordpress.com/feed/",
        ),
        feed_of(
            "tag, category or author of a blog",
            "https://harbour.wordpress.com/tag/tide/",
            "https://harbour.wordpress.com/tag/tide/feed/",
        ),
    ],
};

fn wordpress(page: &PageAddress) -> Vec<Bridge> {
    let host = page.host();
    match page.path().as_slice() {
        _ if host == "wordpress.com" => Vec::new(),
        [list @ ("tag" | "category" | "author"), name, ..] => {
            vec![rss(format!("https://{host}/{list}/{name}/feed/"))]
        }
        _ => vec![rss(format!("https://{host}/feed/"))],
    }
}

pub(super) const DEV: Service = Service {
    name: "DEV",
    hosts: ServiceHosts::Named(&["dev.to"]),
    rule: dev,
    forms: &[
        feed_of("user", "https://dev.to/ann/low-tide-1a2b", "https://dev.to/feed/ann"),
        feed_of("tag", "https://dev.to/t/rust", "https://dev.to/feed/tag/rust"),
    ],
};

fn dev(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["t", tag, ..] => vec![rss(format!("https://dev.to/feed/tag/{tag}"))],
        [user, ..] if !DEV_PAGES.contains(user) => vec![rss(format!("https://dev.to/feed/{user}"))],
        [] => vec![rss("https://dev.to/feed")],
        _ => Vec::new(),
    }
}

pub(super) const HASHNODE: Service = Service {
    name: "Hashnode",
    hosts: ServiceHosts::Below(&["hashnode.dev"]),
    rule: hashnode,
    forms: &[feed_of(
        "blog",
        "https://harbour.hashnode.dev/low-tide",
        "https://harbour.hashnode.dev/rss.xml",
    )],
};

fn hashnode(page: &PageAddress) -> Vec<Bridge> {
    vec![rss(format!("https://{}/rss.xml", page.host()))]
}
