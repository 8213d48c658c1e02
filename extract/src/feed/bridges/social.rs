//! Social networks and messengers.

use super::page_address::{PageAddress, is_number, with_parameters};
use super::service::{Bridge, Service, ServiceHosts, atom, converted, converted_of, feed_of, rss};

/// First path segments that are not names of channels.
const TELEGRAM_PAGES: &[&str] = &[
    "addemoji", "addlist", "addstickers", "addtheme", "boost", "confirmphone", "contact", "giftcode",
    "invoice", "joinchat", "login", "proxy", "setlanguage", "share", "socks",
];
/// Query parameters of Reddit's lists that also apply to their feeds.
const REDDIT_PARAMETERS: [&str; 5] = ["q", "restrict_sr", "sort", "t", "type"];

pub(super) const REDDIT: Service = Service {
    name: "Reddit",
    hosts: ServiceHosts::Below(&["reddit.com"]),
    rule: reddit,
    forms: &[
        feed_of("subreddit", "https://www.reddit.com/r/rust/", "https://www.reddit.com/r/rust/.rss"),
        feed_of(
            "several subreddits",
            "https://old.reddit.com/r/rust+sea",
            "https://www.reddit.com/r/rust+sea/.rss",
        ),
        feed_of(
            "best posts",
            "https://www.reddit.com/r/rust/top/?t=week",
            "https://www.reddit.com/r/rust/top/.rss?t=week",
        ),
        feed_of("user", "https://www.reddit.com/u/ann/", "https://www.reddit.com/user/ann/.rss"),
        feed_of(
            "custom feed",
            "https://www.reddit.com/user/ann/m/boats/",
            "https://www.reddit.com/user/ann/m/boats/.rss",
        ),
        feed_of(
            "search",
            "https://www.reddit.com/search/?q=low+tide&utm_source=share",
            "https://www.reddit.com/search.rss?q=low+tide&sort=new",
        ),
        feed_of(
            "search of a subreddit",
            "https://www.reddit.com/r/sea/search/?q=tide&restrict_sr=1",
            "https://www.reddit.com/r/sea/search.rss?q=tide&restrict_sr=1&sort=new",
        ),
        feed_of(
            "comments of a post",
            "https://www.reddit.com/r/sea/comments/abc123/low_tide/",
            "https://www.reddit.com/r/sea/comments/abc123/low_tide/.rss",
        ),
    ],
};

fn reddit(page: &PageAddress) -> Vec<Bridge> {
    let path = page.path();
    let path: Vec<&str> = match path.as_slice() {
        // A share link redirects to the post.
        ["r" | "u" | "user", _, "s", ..] | ["s", ..] => return Vec::new(),
        ["u", rest @ ..] => ["user"].into_iter().chain(rest.iter().copied()).collect(),
        path => path.to_vec(),
    };
    let mut parameters: Vec<(&str, String)> =
        REDDIT_PARAMETERS.iter().filter_map(|name| Some((*name, page.parameter(name)?))).collect();
    let joined: String = path.iter().flat_map(|part| ["/", *part]).collect();
    let feed = if path.last() == Some(&"search") {
        if !parameters.iter().any(|(name, _)| *name == "sort") {
            parameters.push(("sort", "new".to_owned()));
        }
        format!("https://www.reddit.com{joined}.rss")
    } else {
        format!("https://www.reddit.com{joined}/.rss")
    };
    if parameters.is_empty() {
        return vec![atom(feed)];
    }
    vec![atom(with_parameters(&feed, &parameters))]
}

pub(super) const MASTODON: Service = Service {
    name: "Mastodon",
    hosts: ServiceHosts::Any,
    rule: mastodon,
    forms: &[
        feed_of("user", "https://social.example/@ann", "https://social.example/@ann.rss"),
        feed_of(
            "user of another server",
            "https://social.example/@ann@boats.example",
            "https://boats.example/@ann.rss",
        ),
        feed_of(
            "post of a user",
            "https://social.example/@ann/113000000000000000",
            "https://social.example/@ann.rss",
        ),
        feed_of(
            "tag of a user",
            "https://social.example/@ann/tagged/tide",
            "https://social.example/@ann/tagged/tide.rss",
        ),
        feed_of("tag", "https://social.example/tags/tide", "https://social.example/tags/tide.rss"),
    ],
};

fn mastodon(page: &PageAddress) -> Vec<Bridge> {
    let origin = page.origin();
    match page.path().as_slice() {
        [name] | [name, "with_replies" | "media"] => profile(&origin, name).into_iter().collect(),
        [name, post] if is_number(post) => profile(&origin, name).into_iter().collect(),
        [name, "tagged", tag] if name.starts_with('@') => {
            vec![rss(format!("{origin}/{name}/tagged/{tag}.rss"))]
        }
        ["users", name] => vec![rss(format!("{origin}/users/{name}.rss"))],
        ["tags", tag] => vec![rss(format!("{origin}/tags/{tag}.rss"))],
        _ => Vec::new(),
    }
}

/// Feed of a profile: `@name`, or `@name@host`, whose feed is on its own server.
fn profile(origin: &str, handle: &str) -> Option<Bridge> {
    let name = handle.strip_prefix('@').filter(|name| !name.is_empty())?;
    match name.split_once('@') {
        None => Some(rss(format!("{origin}/@{name}.rss"))),
        Some((name, host)) if !name.is_empty() && host.contains('.') && !host.contains('@') => {
            Some(rss(format!("https://{host}/@{name}.rss")))
        }
        Some(_) => None,
    }
}

pub(super) const BLUESKY: Service = Service {
    name: "Bluesky",
    hosts: ServiceHosts::Named(&["bsky.app"]),
    rule: bluesky,
    forms: &[
        feed_of("user", "https://bsky.app/profile/ann.example", "https://bsky.app/profile/ann.example/rss"),
        feed_of(
            "post of a user",
            "https://bsky.app/profile/ann.example/post/3kabc",
            "https://bsky.app/profile/ann.example/rss",
        ),
    ],
};

fn bluesky(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        // Lists and custom feeds are not published as RSS.
        ["profile", user, rest @ ..] if !matches!(rest.first(), Some(&("feed" | "lists"))) => {
            vec![rss(format!("https://bsky.app/profile/{user}/rss"))]
        }
        _ => Vec::new(),
    }
}

pub(super) const LEMMY: Service = Service {
    name: "Lemmy",
    hosts: ServiceHosts::Any,
    rule: lemmy,
    forms: &[
        feed_of(
            "community",
            "https://lemmy.example/c/boats",
            "https://lemmy.example/feeds/c/boats.xml?sort=New",
        ),
        feed_of(
            "community of another server",
            "https://lemmy.example/c/boats@sea.example",
            "https://sea.example/feeds/c/boats.xml?sort=New",
        ),
        feed_of("user", "https://lemmy.example/u/ann", "https://lemmy.example/feeds/u/ann.xml?sort=New"),
    ],
};

fn lemmy(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        [kind @ ("c" | "u"), name] => {
            let origin = page.origin();
            let (name, origin) = match name.split_once('@') {
                Some((name, host)) => (name, format!("https://{host}")),
                None => (*name, origin),
            };
            vec![rss(format!("{origin}/feeds/{kind}/{name}.xml?sort=New"))]
        }
        _ => Vec::new(),
    }
}

pub(super) const TELEGRAM: Service = Service {
    name: "Telegram",
    hosts: ServiceHosts::Named(&["t.me", "telegram.me", "telegram.dog"]),
    rule: telegram,
    forms: &[
        converted_of("channel", "https://t.me/harbour_news", "https://t.me/s/harbour_news"),
        converted_of(
            "post of a channel",
            "https://telegram.me/s/harbour_news/12",
            "https://t.me/s/harbour_news",
        ),
    ],
};

fn telegram(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["s", channel, ..] | [channel, ..] if is_channel(channel) => {
            vec![converted(format!("https://t.me/s/{channel}"))]
        }
        _ => Vec::new(),
    }
}

fn is_channel(name: &str) -> bool {
    (4..=32).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !TELEGRAM_PAGES.contains(&name)
}

pub(super) const TUMBLR: Service = Service {
    name: "Tumblr",
    hosts: ServiceHosts::Below(&["tumblr.com"]),
    rule: tumblr,
    forms: &[
        feed_of("blog", "https://www.tumblr.com/harbour", "https://harbour.tumblr.com/rss"),
        feed_of(
            "blog with a host",
            "https://harbour.tumblr.com/post/12/tide",
            "https://harbour.tumblr.com/rss",
        ),
        feed_of(
            "tag of a blog",
            "https://harbour.tumblr.com/tagged/tide",
            "https://harbour.tumblr.com/tagged/tide/rss",
        ),
    ],
};

fn tumblr(page: &PageAddress) -> Vec<Bridge> {
    const PAGES: &[&str] = &[
        "about", "communities", "dashboard", "explore", "help", "jobs", "likes", "login", "policy",
        "privacy", "register", "search", "settings", "tagged", "tips",
    ];
    let path = page.path();
    let (blog, rest) = match (page.host(), path.as_slice()) {
        ("tumblr.com", ["blog", "view", blog, rest @ ..] | ["blog", blog, rest @ ..]) => (*blog, rest),
        ("tumblr.com", [blog, rest @ ..]) if !PAGES.contains(blog) => (*blog, rest),
        ("tumblr.com", _) => return Vec::new(),
        (host, rest) => (host.trim_end_matches(".tumblr.com"), rest),
    };
    match rest {
        ["tagged", tag, ..] => vec![rss(format!("https://{blog}.tumblr.com/tagged/{tag}/rss"))],
        _ => vec![rss(format!("https://{blog}.tumblr.com/rss"))],
    }
}

pub(super) const LETTERBOXD: Service = Service {
    name: "Letterboxd",
    hosts: ServiceHosts::Named(&["letterboxd.com"]),
    rule: letterboxd,
    forms: &[feed_of("user", "https://letterboxd.com/ann/films/", "https://letterboxd.com/ann/rss/")],
};

fn letterboxd(page: &PageAddress) -> Vec<Bridge> {
    const PAGES: &[&str] = &[
        "about", "activity", "actor", "director", "film", "films", "journal", "lists", "members", "pro",
        "search", "settings", "tag",
    ];
    match page.path().as_slice() {
        [user, ..] if !PAGES.contains(user) => vec![rss(format!("https://letterboxd.com/{user}/rss/"))],
        _ => Vec::new(),
    }
}
