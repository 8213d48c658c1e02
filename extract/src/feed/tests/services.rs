//! Responses of services. The address that a person pastes leads to the source; the entries of the source are
//! read, and the next poll recognises them. `extract/tests/services/README.md` lists the public sources that
//! document the format of each response.

use super::super::bridges::{SERVICES, site_rules};
use super::super::{EntryState, FeedInput, KnownEntry, ParsedEntry, ParsedFeed, discover, parse};

macro_rules! answer {
    ($name:literal) => {
        include_str!(concat!("../../../tests/services/", $name))
    };
}

/// Response of a service to a request for a source.
struct Answer {
    service: &'static str,
    /// Address that a person pastes.
    address: &'static str,
    /// Address and body of the document that contains the address of the source.
    named_by: Option<(&'static str, &'static str)>,
    /// Address of the source.
    source: &'static str,
    media_type: &'static str,
    body: &'static str,
    entries: usize,
    newest: Expected,
}

/// Values of the newest entry.
struct Expected {
    id: &'static str,
    title: &'static str,
    url: &'static str,
    /// Time of publication, or else of the last update.
    time: &'static str,
    author: &'static str,
    /// Media types and URLs of all enclosures.
    files: &'static [&'static str],
    picture: &'static str,
    /// Part of the text as markup.
    text: &'static str,
}

const RSS: &str = "application/rss+xml; charset=utf-8";
const ATOM: &str = "application/atom+xml; charset=utf-8";
const XML: &str = "text/xml; charset=UTF-8";
const JSON: &str = "application/json; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
/// Time of the newest entry in most responses.
const TIME: &str = "2026-11-03T10:00:00Z";

static ANSWERS: &[Answer] = &[
    Answer {
        service: "YouTube",
        address: "https://www.youtube.com/channel/UCharbour_1-abc/videos",
        named_by: None,
        source: "https://www.youtube.com/feeds/videos.xml?channel_id=UCharbour_1-abc",
        media_type: XML,
        body: answer!("youtube_channel.xml"),
        entries: 2,
        newest: YOUTUBE_VIDEO,
    },
    Answer {
        service: "YouTube",
        address: "https://www.youtube.com/playlist?list=PLharbour_2",
        named_by: None,
        source: "https://www.youtube.com/feeds/videos.xml?playlist_id=PLharbour_2",
        media_type: XML,
        body: answer!("youtube_playlist.xml"),
        entries: 2,
        newest: YOUTUBE_VIDEO,
    },
    Answer {
        service: "YouTube",
        address: "https://m.youtube.com/@harbourfilms/videos",
        named_by: Some(("https://www.youtube.com/@harbourfilms", answer!("youtube_handle.html"))),
        source: "https://www.youtube.com/feeds/videos.xml?channel_id=UCharbour_1-abc",
        media_type: XML,
        body: answer!("youtube_channel.xml"),
        entries: 2,
        newest: YOUTUBE_VIDEO,
    },
    Answer {
        service: "Reddit",
        address: "https://old.reddit.com/r/harbour/",
        named_by: None,
        source: "https://www.reddit.com/r/harbour/.rss",
        media_type: ATOM,
        body: answer!("reddit.xml"),
        entries: 2,
        newest: Expected {
            id: "t3_1abc2d",
            title: "Low tide",
            url: "https://www.reddit.com/r/harbour/comments/1abc2d/low_tide/",
            time: TIME,
            author: "/u/ann_boats",
            files: &[],
            picture: "https://b.thumbs.redditmedia.com/tide.jpg",
            text: "<p>The water's out until ten.</p>",
        },
    },
    Answer {
        service: "Mastodon",
        address: "https://social.example/@ann",
        named_by: None,
        source: "https://social.example/@ann.rss",
        media_type: RSS,
        body: answer!("mastodon.xml"),
        entries: 2,
        newest: Expected {
            id: "https://social.example/@ann/113400000000000002",
            title: "",
            url: "https://social.example/@ann/113400000000000002",
            time: TIME,
            author: "",
            files: &["video/mp4 https://files.social.example/media/2.mp4"],
            picture: "https://files.social.example/media/1.jpg",
            text: "<img src=\"https://files.social.example/media/1.jpg\" alt=\"A boat on the sand\">",
        },
    },
    Answer {
        service: "Bluesky",
        address: "https://bsky.app/profile/ann.example",
        named_by: None,
        source: "https://bsky.app/profile/ann.example/rss",
        media_type: XML,
        body: answer!("bluesky.xml"),
        entries: 2,
        newest: Expected {
            id: "at://did:plc:harbour/app.bsky.feed.post/3kabc2",
            title: "",
            url: "https://bsky.app/profile/ann.example/post/3kabc2",
            time: TIME,
            author: "",
            files: &[],
            picture: "",
            text: "Low tide at ten.<br><br>Bring boots &amp; a lamp &lt; 2 kg.",
        },
    },
    Answer {
        service: "Lemmy",
        address: "https://lemmy.example/c/boats",
        named_by: None,
        source: "https://lemmy.example/feeds/c/boats.xml?sort=New",
        media_type: RSS,
        body: answer!("lemmy.xml"),
        entries: 2,
        newest: Expected {
            id: "https://lemmy.example/post/7",
            title: "Low tide",
            url: "https://news.example/low-tide",
            time: TIME,
            author: "ann",
            files: &[],
            picture: "",
            text: "<p>Out until ten.</p>",
        },
    },
    Answer {
        service: "GitHub",
        address: "https://github.com/harbour/tide",
        named_by: None,
        source: "https://github.com/harbour/tide/releases.atom",
        media_type: ATOM,
        body: answer!("github_releases.atom"),
        entries: 2,
        newest: Expected {
            id: "tag:github.com,2008:Repository/90976281/v1.2.0",
            title: "1.2.0: low tide",
            url: "https://github.com/harbour/tide/releases/tag/v1.2.0",
            time: TIME,
            author: "ann",
            files: &[],
            picture: "",
            text: "<h2>Changes</h2>",
        },
    },
    Answer {
        service: "GitHub",
        address: "https://github.com/harbour/tide/commits/main",
        named_by: None,
        source: "https://github.com/harbour/tide/commits/main.atom",
        media_type: ATOM,
        body: answer!("github_commits.atom"),
        entries: 2,
        newest: Expected {
            id: "tag:github.com,2008:Grit::Commit/394ee852b18c5e3bca536b585cbb95d32ce77057",
            title: "fix(net): mend the hole",
            url: "https://github.com/harbour/tide/commit/394ee852b18c5e3bca536b585cbb95d32ce77057",
            time: TIME,
            author: "ann",
            files: &[],
            picture: "",
            text: "Fish swam through it.</pre>",
        },
    },
    Answer {
        service: "GitHub",
        address: "https://github.com/harbour/tide/issues",
        named_by: None,
        source: "https://api.github.com/repos/harbour/tide/issues?state=all&sort=created&direction=desc&per_page=50",
        media_type: JSON,
        body: answer!("github_issues.json"),
        entries: 2,
        newest: Expected {
            id: "https://github.com/harbour/tide/issues/12",
            title: "The boat leaks",
            url: "https://github.com/harbour/tide/issues/12",
            time: TIME,
            author: "ann",
            files: &[],
            picture: "",
            text: "<strong>here</strong>",
        },
    },
    Answer {
        service: "GitLab",
        address: "https://gitlab.com/harbour/tide/-/releases",
        named_by: None,
        source: "https://gitlab.com/harbour/tide/-/releases.atom",
        media_type: ATOM,
        body: answer!("gitlab_releases.atom"),
        entries: 2,
        newest: Expected {
            id: "https://gitlab.com/harbour/tide/-/releases/v1.2.0",
            title: "1.2.0: low tide",
            url: "https://gitlab.com/harbour/tide/-/releases/v1.2.0",
            time: TIME,
            author: "Ann Quill",
            files: &[],
            picture: "",
            text: "Tables of <strong>tides</strong>",
        },
    },
    Answer {
        service: "PyPI",
        address: "https://pypi.org/project/tide/#history",
        named_by: None,
        source: "https://pypi.org/rss/project/tide/releases.xml",
        media_type: XML,
        body: answer!("pypi.xml"),
        entries: 2,
        newest: Expected {
            id: "https://pypi.org/project/tide/1.2.0/",
            title: "1.2.0",
            url: "https://pypi.org/project/tide/1.2.0/",
            time: TIME,
            author: "ann@harbour.example",
            files: &[],
            picture: "",
            text: "Tables of tides &amp; boats",
        },
    },
    Answer {
        service: "npm",
        address: "https://www.npmjs.com/package/tide?activeTab=versions",
        named_by: None,
        source: "https://registry.npmjs.org/tide",
        media_type: JSON,
        body: answer!("npm.json"),
        entries: 2,
        newest: Expected {
            id: "tide@1.2.0",
            title: "tide 1.2.0",
            url: "https://www.npmjs.com/package/tide/v/1.2.0",
            time: TIME,
            author: "",
            files: &[],
            picture: "",
            text: "",
        },
    },
    Answer {
        service: "crates.io",
        address: "https://crates.io/crates/tide-tables",
        named_by: None,
        source: "https://static.crates.io/rss/crates/tide-tables.xml",
        media_type: XML,
        body: answer!("crates_io.xml"),
        entries: 2,
        newest: Expected {
            id: "https://crates.io/crates/tide-tables/1.2.0",
            title: "New crate version published: tide-tables v1.2.0",
            url: "https://crates.io/crates/tide-tables/1.2.0",
            time: TIME,
            author: "",
            files: &[],
            picture: "",
            text: "",
        },
    },
    Answer {
        service: "Docker Hub",
        address: "https://hub.docker.com/r/harbour/tide",
        named_by: None,
        source: "https://hub.docker.com/v2/repositories/harbour/tide/tags?page_size=50&ordering=last_updated",
        media_type: JSON,
        body: answer!("docker_hub.json"),
        entries: 2,
        newest: Expected {
            id: "harbour/tide:1.2.0@sha256-091eb826823b707f",
            title: "harbour/tide:1.2.0",
            url: "https://hub.docker.com/r/harbour/tide/tags?name=1.2.0#sha256-091eb826823b707f",
            time: TIME,
            author: "",
            files: &[],
            picture: "",
            text: "sha256:091eb826823b707f",
        },
    },
    Answer {
        service: "arXiv",
        address: "https://arxiv.org/list/cs.CL/recent",
        named_by: None,
        source: "https://rss.arxiv.org/atom/cs.CL",
        media_type: ATOM,
        body: answer!("arxiv.atom"),
        entries: 2,
        newest: Expected {
            id: "oai:arXiv.org:2611.00002v1",
            title: "Words for $n$ tides",
            url: "https://arxiv.org/abs/2611.00002",
            time: "2026-11-03T05:00:00Z",
            author: "Ann Quill, Ben Oar (Harbour Institute)",
            files: &[],
            picture: "",
            text: "Announce Type: new<br>Abstract: Many words name the tide, if x &lt; y.",
        },
    },
    Answer {
        service: "Hacker News",
        address: "https://news.ycombinator.com/",
        named_by: None,
        source: "https://news.ycombinator.com/rss",
        media_type: RSS,
        body: answer!("hacker_news.xml"),
        entries: 2,
        newest: Expected {
            id: "https://tide.example/no",
            title: "I don't like tides",
            url: "https://tide.example/no",
            time: TIME,
            author: "",
            files: &[],
            picture: "",
            text: "https://news.ycombinator.com/item?id=49681152",
        },
    },
    Answer {
        service: "Hacker News",
        address: "https://news.ycombinator.com/submitted?id=ann",
        named_by: None,
        source: "https://hn.algolia.com/api/v1/search_by_date?tags=story%2Cauthor_ann&hitsPerPage=50",
        media_type: JSON,
        body: answer!("hacker_news_user.json"),
        entries: 2,
        newest: Expected {
            id: "https://news.ycombinator.com/item?id=49681152",
            title: "Low tide",
            url: "https://tide.example/low",
            time: TIME,
            author: "ann",
            files: &[],
            picture: "",
            text: "",
        },
    },
    Answer {
        service: "Substack",
        address: "https://harbour.substack.com/p/low-tide",
        named_by: None,
        source: "https://harbour.substack.com/feed",
        media_type: XML,
        body: answer!("substack.xml"),
        entries: 2,
        newest: Expected {
            id: "https://harbour.substack.com/p/low-tide",
            title: "Low tide",
            url: "https://harbour.substack.com/p/low-tide",
            time: TIME,
            author: "Ann Quill",
            files: &["image/jpeg https://substackcdn.com/image/fetch/h_600/low-tide.jpeg"],
            picture: "https://substackcdn.com/image/fetch/h_600/low-tide.jpeg",
            text: "<p>Dear reader, the water was out at ten.</p>",
        },
    },
    Answer {
        service: "Medium",
        address: "https://medium.com/@annquill/how-to-read-a-tide-table-4c57cf14bce5",
        named_by: None,
        source: "https://medium.com/feed/@annquill",
        media_type: XML,
        body: answer!("medium.xml"),
        entries: 2,
        newest: Expected {
            id: "https://medium.com/p/4c57cf14bce5",
            title: "How to read a tide table",
            url: "https://medium.com/@annquill/how-to-read-a-tide-table-4c57cf14bce5?source=rss-310eb3bcba4c------2",
            time: TIME,
            author: "Ann Quill",
            files: &[],
            picture: "https://cdn-images-1.medium.com/max/1024/table.png",
            text: "<p>Find the day.</p>",
        },
    },
    Answer {
        service: "Tumblr",
        address: "https://www.tumblr.com/harbour",
        named_by: None,
        source: "https://harbour.tumblr.com/rss",
        media_type: XML,
        body: answer!("tumblr.xml"),
        entries: 2,
        newest: Expected {
            id: "https://harbour.tumblr.com/post/736098070263218176",
            title: "Low tide at ten. I didn't...",
            url: "https://harbour.tumblr.com/post/736098070263218176",
            time: TIME,
            author: "",
            files: &[],
            picture: "https://64.media.tumblr.com/tide/s640x960/boat.jpg",
            text: "<p>Low tide at ten. I didn't see it.</p>",
        },
    },
    Answer {
        service: "Vimeo",
        address: "https://vimeo.com/harbour",
        named_by: None,
        source: "https://vimeo.com/harbour/videos/rss",
        media_type: RSS,
        body: answer!("vimeo.xml"),
        entries: 2,
        newest: Expected {
            id: "tag:vimeo,2026-11-03:clip1013595996",
            title: "Low tide",
            url: "https://vimeo.com/1013595996",
            time: TIME,
            author: "Harbour Films",
            files: &[],
            picture: "https://i.vimeocdn.com/video/1931613648-d_960",
            text: "The day you'll want to see<br>Filmed at ten.",
        },
    },
    Answer {
        service: "SoundCloud",
        address: "https://soundcloud.com/harbour-radio/low-tide",
        named_by: Some(("https://soundcloud.com/harbour-radio", answer!("soundcloud_user.html"))),
        source: "https://feeds.soundcloud.com/users/soundcloud:users:96052562/sounds.rss",
        media_type: RSS,
        body: answer!("soundcloud.xml"),
        entries: 2,
        newest: Expected {
            id: "tag:soundcloud,2010:tracks/2400217815",
            title: "Low tide & talk",
            url: "https://soundcloud.com/harbour-radio/low-tide",
            time: TIME,
            author: "Harbour Radio",
            files: &["audio/mpeg https://feeds.soundcloud.com/stream/2400217815-harbour-radio-low-tide.mp3"],
            picture: "https://i1.sndcdn.com/artworks-tide-t3000x3000.jpg",
            text: "Tides and talk.<br><br>00:00 Start",
        },
    },
    Answer {
        service: "Bandcamp",
        address: "https://harbour.bandcamp.com/",
        named_by: None,
        source: "https://harbour.bandcamp.com/music",
        media_type: HTML,
        body: answer!("bandcamp.html"),
        entries: 3,
        newest: Expected {
            id: "https://harbour.bandcamp.com/album/low-tide?label=42&tab=music",
            title: "Low tide",
            url: "https://harbour.bandcamp.com/album/low-tide?label=42&tab=music",
            time: "",
            author: "Ann Quill",
            files: &[],
            picture: "https://f4.bcbits.com/img/a1463768112_2.jpg",
            text: "",
        },
    },
    Answer {
        service: "Steam",
        address: "https://store.steampowered.com/app/620/Harbour_Simulator/",
        named_by: None,
        source: "https://store.steampowered.com/feeds/news/app/620/",
        media_type: XML,
        body: answer!("steam.xml"),
        entries: 2,
        newest: Expected {
            id: "https://store.steampowered.com/news/app/620/view/518333333333333333",
            title: "Patch 1.2: nets & knots",
            url: "https://store.steampowered.com/news/app/620/view/518333333333333333",
            time: TIME,
            author: "Harbour Games",
            files: &["image/jpeg https://clan.akamai.steamstatic.com/images/620/cover.jpg"],
            picture: "https://clan.akamai.steamstatic.com/images/620/cover.jpg",
            text: "Nets <b>hold</b> now.",
        },
    },
    Answer {
        service: "Telegram",
        address: "https://t.me/harbour_news",
        named_by: None,
        source: "https://t.me/s/harbour_news",
        media_type: HTML,
        body: answer!("telegram.html"),
        entries: 2,
        newest: Expected {
            id: "harbour_news/11",
            title: "",
            url: "https://t.me/harbour_news/11",
            time: TIME,
            author: "Ann",
            files: &["video/mp4 https://cdn4.cdn-telegram.org/file/tide.mp4"],
            picture: "https://cdn4.cdn-telegram.org/file/boat.jpg",
            text: "href=\"https://tide.example/?day=3&amp;port=2\"",
        },
    },
    Answer {
        service: "PeerTube",
        address: "https://tube.example/c/harbour/videos",
        named_by: None,
        source: "https://tube.example/feeds/videos.xml?videoChannelName=harbour",
        media_type: RSS,
        body: answer!("peertube.xml"),
        entries: 2,
        newest: Expected {
            id: "https://tube.example/w/bUrNgv89egmbvC5Ht6z7G9",
            title: "Low tide on film",
            url: "https://tube.example/w/bUrNgv89egmbvC5Ht6z7G9",
            time: TIME,
            author: "Ann Quill",
            files: &[
                "video/mp4 https://tube.example/download/videos/generate/584df607?videoFileIds=936523",
                "video/mp4 https://media.tube.example/videos/e5ae90de-2160.mp4",
                "video/mp4 https://media.tube.example/videos/428992cc-1080.mp4",
            ],
            picture: "https://tube.example/lazy-static/thumbnails/2145486d.jpg",
            text: "<p>The harbour at ten.</p>",
        },
    },
    Answer {
        service: "WordPress.com",
        address: "https://harbour.wordpress.com/2026/11/03/low-tide/",
        named_by: None,
        source: "https://harbour.wordpress.com/feed/",
        media_type: RSS,
        body: answer!("wordpress.xml"),
        entries: 2,
        newest: Expected {
            id: "https://harbour.wordpress.com/?p=12",
            title: "Low tide \u{2013} a walk",
            url: "https://harbour.wordpress.com/2026/11/03/low-tide/",
            time: TIME,
            author: "Ann Quill",
            files: &[],
            picture: "",
            text: "The water was out at ten.</p>",
        },
    },
    Answer {
        service: "Codeberg and Gitea",
        address: "https://codeberg.org/harbour/tide/issues",
        named_by: None,
        source: "https://codeberg.org/api/v1/repos/harbour/tide/issues?type=issues&state=all&limit=50",
        media_type: JSON,
        body: answer!("codeberg_issues.json"),
        entries: 2,
        newest: Expected {
            id: "https://codeberg.org/harbour/tide/issues/12",
            title: "The boat leaks",
            url: "https://codeberg.org/harbour/tide/issues/12",
            time: TIME,
            author: "ann",
            files: &[],
            picture: "",
            text: "<strong>here</strong>",
        },
    },
    Answer {
        service: "Wikipedia",
        address: "https://en.wikipedia.org/wiki/Tide",
        named_by: None,
        source: "https://en.wikipedia.org/w/index.php?title=Tide&action=history&feed=atom",
        media_type: ATOM,
        body: answer!("wikipedia.atom"),
        entries: 2,
        newest: Expected {
            id: "https://en.wikipedia.org/w/index.php?title=Tide&diff=1320000002&oldid=prev",
            title: "Ann: /* Low water */ the hour was wrong",
            url: "https://en.wikipedia.org/w/index.php?title=Tide&diff=1320000002&oldid=prev",
            time: TIME,
            author: "Ann",
            files: &[],
            picture: "",
            text: "<td>at ten</td>",
        },
    },
    Answer {
        service: "Apple Podcasts",
        address: "https://podcasts.apple.com/us/podcast/harbour-talk/id1477431807",
        named_by: Some((
            "https://itunes.apple.com/lookup?id=1477431807&entity=podcast",
            answer!("apple_podcasts.json"),
        )),
        source: "https://feeds.talk.example/harbour-talk",
        media_type: XML,
        body: answer!("podcast.xml"),
        entries: 2,
        newest: Expected {
            id: "f59c0c51-94a1-415e-9d9e-739f5132aac4",
            title: "Low tide",
            url: "https://share.talk.example/s/59bf46b3",
            time: TIME,
            author: "Harbour Radio",
            files: &["audio/mpeg https://media.talk.example/59bf46b3/4999626b.mp3"],
            picture: "https://img.talk.example/low-tide.jpg",
            text: "<p>Out until ten.</p>",
        },
    },
];

const YOUTUBE_VIDEO: Expected = Expected {
    id: "yt:video:aB3-x_9kQ1w",
    title: "Low tide in the harbour",
    url: "https://www.youtube.com/watch?v=aB3-x_9kQ1w",
    time: TIME,
    author: "Harbour Films",
    files: &[],
    picture: "https://i2.ytimg.com/vi/aB3-x_9kQ1w/hqdefault.jpg",
    text: "We walk out at low tide.<br><br>00:00 Start<br>01:30 Boats &amp; nets",
};

impl Answer {
    /// Parses the response after `known` entries were stored.
    fn parsed(&self, known: Vec<KnownEntry>) -> ParsedFeed {
        parse(&FeedInput {
            body: self.body.as_bytes().to_vec(),
            content_type: Some(self.media_type.to_owned()),
            base_url: Some(self.source.to_owned()),
            was_read: !known.is_empty(),
            known,
            ..FeedInput::default()
        })
    }

    fn about(&self) -> String {
        format!("{}: {}", self.service, self.address)
    }
}

/// Time of an entry as written in [`Expected::time`].
fn time(entry: &ParsedEntry) -> String {
    let time = entry.published.or(entry.updated).and_then(chrono::DateTime::from_timestamp_millis);
    time.map(|time| time.format("%Y-%m-%dT%H:%M:%SZ").to_string()).unwrap_or_default()
}

#[test]
fn responses_of_at_least_twenty_five_services_are_tested() {
    let mut names: Vec<&str> = ANSWERS.iter().map(|answer| answer.service).collect();
    names.dedup();
    for name in &names {
        assert!(SERVICES.iter().any(|service| service.name == *name), "{name}");
    }
    assert!(names.len() >= 25, "{}", names.len());
}

#[test]
fn pasted_address_leads_to_the_source_of_every_response() {
    for answer in ANSWERS {
        let rules = site_rules(answer.address);
        let feeds = match answer.named_by {
            Some((document, body)) => {
                assert_eq!(rules.naming_document.as_deref(), Some(document), "{}", answer.about());
                discover::in_page(body.as_bytes(), None, document)
            }
            None => rules.feeds,
        };
        let first = feeds.first().map(|feed| feed.feed_url.as_str());
        assert_eq!(first, Some(answer.source), "{}", answer.about());
    }
}

#[test]
fn entries_of_responses_have_identity_title_link_time_author_and_files() {
    for answer in ANSWERS {
        let (feed, about) = (answer.parsed(Vec::new()), answer.about());
        assert!(!feed.repaired && feed.title.is_some(), "{about}: {feed:?}");
        assert_eq!(feed.entries.len(), answer.entries, "{about}: {feed:?}");
        let entry = feed.entries.iter().find(|entry| entry.rank == 0).unwrap();
        let expected = &answer.newest;
        assert_eq!(entry.id, expected.id, "{about}");
        assert_eq!(entry.title.as_deref().unwrap_or_default(), expected.title, "{about}");
        assert_eq!(entry.url.as_deref().unwrap_or_default(), expected.url, "{about}");
        assert_eq!(time(entry), expected.time, "{about}");
        assert_eq!(entry.author.as_deref().unwrap_or_default(), expected.author, "{about}");
        let files: Vec<String> =
            entry.enclosures.iter().map(|file| format!("{} {}", file.media_type, file.url)).collect();
        assert_eq!(files, expected.files, "{about}");
        assert_eq!(entry.image_url.as_deref().unwrap_or_default(), expected.picture, "{about}");
        let text = [&entry.summary_html, &entry.content_html].map(|text| text.clone().unwrap_or_default());
        assert!(text.concat().contains(expected.text), "{about}: {text:?}");
    }
}

#[test]
fn entries_of_responses_are_recognised_by_the_next_poll() {
    for answer in ANSWERS {
        let first = answer.parsed(Vec::new());
        let ids = 1_i64..;
        let known: Vec<KnownEntry> =
            ids.zip(&first.entries).map(|(id, entry)| KnownEntry { id, marks: entry.marks }).collect();
        let again = answer.parsed(known);
        assert_eq!(again.trust, first.trust, "{}", answer.about());
        assert_eq!(again.entries.len(), answer.entries, "{}", answer.about());
        for entry in &again.entries {
            assert!(matches!(entry.state, EntryState::Same { .. }), "{}: {entry:?}", answer.about());
        }
    }
}

#[test]
fn voice_message_of_telegram_is_a_recording() {
    let answer = ANSWERS.iter().find(|answer| answer.service == "Telegram").unwrap();
    let feed = answer.parsed(Vec::new());
    let voice = feed.entries.iter().find(|entry| entry.id == "harbour_news/10").unwrap();
    assert_eq!(voice.enclosures[0].url, "https://cdn4.cdn-telegram.org/file/talk.ogg");
    assert!(voice.enclosures[0].is_played() && !voice.enclosures[0].is_video());
}
