//! Players of videos. In a text, a paragraph that contains only a link to a video of a known service gets a button
//! that loads the player of the service into the page. Before it is pressed, and without scripts, the paragraph is
//! the link, and the browser requests nothing from the service.
//!
//! `PeerTube` is not a known service: any host can be one, so a link to one cannot be distinguished from other links.

use maud::html;
use poem::Response;
use poem::http::{HeaderValue, header};
use url::Url;

use super::language::text::Text;
use super::pictures::{attribute, original_image, tag_length};
use extract::render::escape;
use http_kit::page_language;

/// Maximum number of players on a page. Further videos stay links.
const MAX_PLAYERS: usize = 100;

/// Service whose videos can be played in a page.
#[derive(Debug)]
struct VideoService {
    name: &'static str,
    /// Forms of the addresses of its videos, without `www.` and `m.`. `ID` is the id of a video, `KEY` the key of a video
    /// that is not public, and `*` any part.
    addresses: &'static [&'static str],
    /// Returns true if a text has the form of an id. An id contains only letters, digits, `-`, and `_`.
    is_id: fn(&str) -> bool,
    /// Origin of the player, for the content security policy.
    origin: &'static str,
    /// Path and query of the player.
    player: &'static str,
    /// Parameter of the player for the key of a video.
    key_parameter: &'static str,
}

static SERVICES: [VideoService; 3] = [
    VideoService {
        name: "YouTube",
        addresses: &[
            "youtube.com/watch?v=ID",
            "music.youtube.com/watch?v=ID",
            "youtube.com/embed/ID",
            "youtube.com/shorts/ID",
            "youtube.com/live/ID",
            "youtube.com/v/ID",
            "youtube-nocookie.com/embed/ID",
            "youtu.be/ID",
        ],
        is_id: is_youtube_id,
        origin: "https://www.youtube-nocookie.com",
        player: "/embed/ID?autoplay=1",
        key_parameter: "",
    },
    VideoService {
        name: "Vimeo",
        addresses: &[
            "player.vimeo.com/video/ID?h=KEY",
            "player.vimeo.com/video/ID",
            "vimeo.com/ID/KEY",
            "vimeo.com/ID",
            "vimeo.com/channels/*/ID",
            "vimeo.com/groups/*/videos/ID",
        ],
        is_id: is_vimeo_id,
        origin: "https://player.vimeo.com",
        player: "/video/ID?dnt=1&autoplay=1",
        key_parameter: "h",
    },
    VideoService {
        name: "Dailymotion",
        addresses: &[
            "dailymotion.com/video/ID",
            "dailymotion.com/embed/video/ID",
            "geo.dailymotion.com/player.html?video=ID",
            "geo.dailymotion.com/player/*?video=ID",
            "dai.ly/ID",
        ],
        is_id: is_dailymotion_id,
        origin: "https://geo.dailymotion.com",
        player: "/player.html?video=ID",
        key_parameter: "",
    },
];

/// Excludes two names that have the form of an id: they select a playlist and the current broadcast of a channel.
fn is_youtube_id(text: &str) -> bool {
    let is_name = matches!(text, "videoseries" | "live_stream");
    text.len() == 11
        && !is_name
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn is_vimeo_id(text: &str) -> bool {
    (5..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_dailymotion_id(text: &str) -> bool {
    (5..=20).contains(&text.len())
        && text.starts_with(['x', 'k'])
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_key(text: &str) -> bool {
    (8..=16).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Parts of the address of a video.
#[derive(Debug, Default)]
struct AddressParts {
    id: String,
    key: Option<String>,
}

impl AddressParts {
    /// Reads the parts of an address of this form. `None` if the address has another form.
    fn of(form: &str, host: &str, url: &Url) -> Option<Self> {
        let (path, query) = form.split_once('?').unwrap_or((form, ""));
        let address = format!("{host}{}", url.path().trim_end_matches('/'));
        let (expected, actual): (Vec<&str>, Vec<&str>) =
            (path.split('/').collect(), address.split('/').collect());
        let mut parts = Self::default();
        let is_path = expected.len() == actual.len()
            && expected.iter().zip(&actual).all(|(form, part)| parts.read(form, part));
        if !is_path {
            return None;
        }
        if let Some((name, form)) = query.split_once('=') {
            let (_, value) = url.query_pairs().find(|(own, _)| own == name)?;
            parts.read(form, &value);
        }
        Some(parts)
    }

    /// Reads a part of an address. Returns false if it differs from its form.
    fn read(&mut self, form: &str, part: &str) -> bool {
        match form {
            "ID" => part.clone_into(&mut self.id),
            "KEY" => self.key = Some(part.to_owned()),
            "*" => {}
            _ => return form == part,
        }
        true
    }
}

/// Video at a known video service.
#[derive(Debug, Clone)]
struct Video {
    service: &'static VideoService,
    /// Address of the player.
    player: String,
}

impl Video {
    /// Returns the video with this address. `None` unless it is the address of a video of a known service.
    fn of(address: &str) -> Option<Self> {
        let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let host = url.host_str()?;
        let host = host.strip_prefix("www.").or_else(|| host.strip_prefix("m.")).unwrap_or(host);
        SERVICES.iter().find_map(|service| {
            let parts_of_form = |form: &&str| {
                let parts = AddressParts::of(form, host, &url)?;
                let is_valid = (service.is_id)(&parts.id) && parts.key.as_deref().is_none_or(is_key);
                is_valid.then_some(parts)
            };
            let parts = service.addresses.iter().find_map(parts_of_form)?;
            let key = parts.key.map(|key| format!("&{}={key}", service.key_parameter)).unwrap_or_default();
            let path = service.player.replace("ID", &parts.id);
            Some(Self { service, player: format!("{}{path}{key}", service.origin) })
        })
    }
}

/// Renders a paragraph with a link to the video at `address`, for the page of that video. Its picture has its
/// original address. Empty unless it is the address of a video of a known service.
pub(super) fn paragraph(address: &str, title: &str, picture: Option<&str>) -> String {
    if Video::of(address).is_none() {
        return String::new();
    }
    let address = escape(address);
    let content = picture.map_or_else(|| escape(title), |picture| original_image(picture, title));
    format!("<p class=\"image\"><a href=\"{address}\" rel=\"noopener nofollow external\">{content}</a></p>")
}

/// Players of one page.
#[derive(Debug, Default)]
pub(super) struct VideoPlayers {
    videos: Vec<Video>,
}

impl VideoPlayers {
    /// Adds a player to each paragraph of `html` that contains only a link to a video. The first link to a video gets
    /// the player. `html` must be the output of a sanitiser, in which `<` and `>` outside quoted values delimit tags.
    pub(super) fn add_to(&mut self, html: &str) -> String {
        let mut out = String::with_capacity(html.len());
        let (mut at, mut copied) = (0, 0);
        let mut current: Option<OpenParagraph> = None;
        while let Some(open) = html[at..].find('<').map(|length| at + length) {
            let close = open + tag_length(&html[open..]);
            let (text, tag) = (&html[at..open], &html[open..close]);
            at = close;
            if tag == "<p>" || tag.starts_with("<p ") {
                current = Some(OpenParagraph { start: open, ..OpenParagraph::default() });
            } else if let Some(paragraph) = &mut current {
                paragraph.read_text(text);
                paragraph.read_tag(tag);
            }
            if tag == "</p>"
                && let Some(paragraph) = current.take()
                && let Some((video, title)) = paragraph.video_and_title()
                && self.add(video)
            {
                let start = paragraph.start;
                out.push_str(&html[copied..start]);
                out.push_str(&with_player(&html[start..close], video, &title));
                copied = close;
            }
        }
        out.push_str(&html[copied..]);
        out
    }

    /// Returns the content security policy of a page with these players, based on that of a page without players.
    pub(super) fn policy(&self, policy: &str) -> String {
        let mut origins: Vec<&str> = self.videos.iter().map(|video| video.service.origin).collect();
        origins.sort_unstable();
        origins.dedup();
        if origins.is_empty() {
            policy.to_owned()
        } else {
            format!("{policy}; frame-src {}", origins.join(" "))
        }
    }

    /// Allows the page of a response to load these players.
    pub(super) fn allow_in(&self, mut response: Response) -> Response {
        let policy = response.headers().get(header::CONTENT_SECURITY_POLICY);
        let policy = policy.and_then(|policy| policy.to_str().ok()).map(|policy| self.policy(policy));
        if let Some(Ok(policy)) = policy.map(|policy| HeaderValue::from_str(&policy)) {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        response
    }

    /// Adds the player of a video. Returns false if it was added before, or if the page has too many players.
    fn add(&mut self, video: &Video) -> bool {
        let is_new = self.videos.iter().all(|known| known.player != video.player);
        let is_added = is_new && self.videos.len() < MAX_PLAYERS;
        if is_added {
            self.videos.push(video.clone());
        }
        is_added
    }
}

/// Paragraph of a text, up to the current tag.
#[derive(Default)]
struct OpenParagraph {
    /// Position of the opening tag.
    start: usize,
    link_count: usize,
    /// Video of the last link.
    video: Option<Video>,
    /// Words of the link, as markup without tags.
    title: String,
    is_in_link: bool,
    /// True inside a control that a page added: the link to the paragraph, or the button that highlights a picture.
    is_in_control: bool,
    /// True if the paragraph has content outside its links.
    has_more: bool,
}

impl OpenParagraph {
    fn read_text(&mut self, text: &str) {
        if self.is_in_link {
            self.title.push_str(text);
        } else if !self.is_in_control {
            self.has_more |= !text.trim().is_empty();
        }
    }

    fn read_tag(&mut self, tag: &str) {
        match tag {
            "</a>" | "</button>" => (self.is_in_link, self.is_in_control) = (false, false),
            tag if tag.starts_with("<a class=\"pil\"") || tag.starts_with("<button ") => {
                self.is_in_control = true;
            }
            tag if tag.starts_with("<a ") => {
                self.link_count += 1;
                self.video = attribute(tag, "href").as_deref().and_then(Video::of);
                self.is_in_link = true;
            }
            tag if tag.starts_with("<img ") && self.is_in_link => {
                self.title.push_str(&escape(&attribute(tag, "alt").unwrap_or_default()));
            }
            tag if tag.starts_with("<img ") => self.has_more = true,
            _ => {}
        }
    }

    /// Returns the video and its title, which is escaped for an attribute. `None` if the paragraph has other content.
    fn video_and_title(&self) -> Option<(&Video, String)> {
        let video = self.video.as_ref().filter(|_| self.link_count == 1 && !self.has_more)?;
        let title = match self.title.trim() {
            "" => video.service.name.to_owned(),
            title => title.replace('"', "&quot;"),
        };
        Some((video, title))
    }
}

/// Renders a paragraph with the button that loads the player. Scripts show the button.
fn with_player(paragraph: &str, video: &Video, title: &str) -> String {
    let own = page_language::current().content;
    let button = html! {
        p.row.small.noprint lang=(own.tag()) dir=(own.direction()) hidden {
            button.secondary type="button" { (Text("video-play")) }
            span.soft { (Text("video-service").with("service", video.service.name)) }
        }
    };
    let player = escape(&video.player);
    format!(
        "<div class=\"video\" data-player=\"{player}\" data-title=\"{title}\">{paragraph}{}</div>",
        button.into_string()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(address: &str) -> Option<String> {
        Video::of(address).map(|video| video.player)
    }

    #[test]
    fn addresses_of_each_service_lead_to_its_player() {
        const YOUTUBE: &str = "https://www.youtube-nocookie.com/embed/aB3-x_9kQ1w?autoplay=1";
        const VIMEO: &str = "https://player.vimeo.com/video/76979871?dnt=1&autoplay=1";
        const DAILYMOTION: &str = "https://geo.dailymotion.com/player.html?video=x8abcde";
        let keyed = format!("{VIMEO}&h=8272103f6e");
        for (address, expected) in [
            ("https://www.youtube.com/watch?v=aB3-x_9kQ1w", YOUTUBE),
            ("http://m.youtube.com/watch?list=PLx&v=aB3-x_9kQ1w&t=42", YOUTUBE),
            ("https://music.youtube.com/watch?v=aB3-x_9kQ1w", YOUTUBE),
            ("https://youtube.com/shorts/aB3-x_9kQ1w/", YOUTUBE),
            ("https://www.youtube.com/embed/aB3-x_9kQ1w?rel=0", YOUTUBE),
            ("https://www.youtube.com/live/aB3-x_9kQ1w", YOUTUBE),
            ("https://www.youtube.com/v/aB3-x_9kQ1w", YOUTUBE),
            ("https://www.youtube-nocookie.com/embed/aB3-x_9kQ1w", YOUTUBE),
            ("https://youtu.be/aB3-x_9kQ1w?t=42#x", YOUTUBE),
            ("https://vimeo.com/76979871", VIMEO),
            ("https://vimeo.com/channels/staffpicks/76979871", VIMEO),
            ("https://vimeo.com/groups/boats/videos/76979871", VIMEO),
            ("https://player.vimeo.com/video/76979871?title=0", VIMEO),
            ("https://player.vimeo.com/video/76979871?h=8272103f6e", keyed.as_str()),
            ("https://vimeo.com/76979871/8272103f6e", keyed.as_str()),
            ("https://player.vimeo.com/video/76979871?h=%26evil%3D1", VIMEO),
            ("https://www.dailymotion.com/video/x8abcde", DAILYMOTION),
            ("https://www.dailymotion.com/embed/video/x8abcde?mute=1", DAILYMOTION),
            ("https://geo.dailymotion.com/player.html?video=x8abcde", DAILYMOTION),
            ("https://geo.dailymotion.com/player/xabc.html?video=x8abcde", DAILYMOTION),
            ("https://dai.ly/x8abcde", DAILYMOTION),
        ] {
            assert_eq!(player(address).as_deref(), Some(expected), "{address}");
        }
    }

    #[test]
    fn other_addresses_and_invalid_ids_have_no_player() {
        for address in [
            "https://www.youtube.com/",
            "https://www.youtube.com/@harbourfilms",
            "https://www.youtube.com/harbourfilm",
            "https://www.youtube.com/watch",
            "https://www.youtube.com/watch?v=short",
            "https://www.youtube.com/watch?v=aB3-x_9kQ1w2",
            "https://www.youtube.com/watch?v=aB3%22x_9kQ1w",
            "https://www.youtube.com/embed/videoseries?list=PLx",
            "https://www.youtube.com/embed/live_stream?channel=UCx",
            "https://youtu.be/aB3-x_9kQ1w/more",
            "https://youtu.be/aB3-x_9kQ%2F",
            "https://youtube.com.example/watch?v=aB3-x_9kQ1w",
            "https://example.com/watch?v=aB3-x_9kQ1w",
            "javascript:youtube.com/watch?v=aB3-x_9kQ1w",
            "ftp://youtu.be/aB3-x_9kQ1w",
            "https://vimeo.com/about",
            "https://vimeo.com/76979871/settings",
            "https://vimeo.com/ID",
            "https://www.dailymotion.com/video/8abcdef",
            "https://www.dailymotion.com/video/x8abc_de",
            "https://peertube.example/w/kkGMgK9ZtnKfYAgnEtQxbv",
            "/entries/3",
        ] {
            assert_eq!(player(address), None, "{address}");
        }
    }

    #[test]
    fn paragraph_with_only_a_link_to_a_video_gets_a_player() {
        let mut players = VideoPlayers::default();
        let link =
            "<a href=\"https://youtu.be/aB3-x_9kQ1w\" rel=\"nofollow\">Low \"tide\" &amp; <em>nets</em></a>";
        let own = "<p id=\"p2\"><a class=\"pil\" href=\"#p2\" aria-label=\"2\">\u{b6}</a>";
        let html = players.add_to(&format!("<p>One</p>{own}{link}</p><p>Two</p>"));
        let start = "<p>One</p><div class=\"video\" \
            data-player=\"https://www.youtube-nocookie.com/embed/aB3-x_9kQ1w?autoplay=1\" \
            data-title=\"Low &quot;tide&quot; &amp; nets\">";
        assert!(html.starts_with(&format!("{start}{own}{link}</p><p class=\"row small noprint\"")), "{html}");
        assert!(
            html.contains(" hidden><button class=\"secondary\" type=\"button\">Play video here</button>"),
            "{html}"
        );
        assert!(html.contains("YouTube") && html.ends_with("</div><p>Two</p>"), "{html}");
        let again = format!("<p>{link}</p>");
        assert_eq!(players.add_to(&again), again, "the first link has the player");
        assert_eq!(players.policy("x"), "x; frame-src https://www.youtube-nocookie.com");
    }

    #[test]
    fn video_title_is_the_alternative_text_of_the_linked_picture() {
        let mut players = VideoPlayers::default();
        let html = players.add_to(
            "<p class=\"image\"><a href=\"https://vimeo.com/76979871\"><picture><img src=\"/pictures/x\" alt=\"A > \
             <p>&quot;boat\"></picture></a><button class=\"mark-picture\" type=\"submit\"><svg></svg></button></p>",
        );
        assert!(html.contains("data-title=\"A &gt; &lt;p&gt;&quot;boat\""), "{html}");
        let untitled = players.add_to("<p><a href=\"https://dai.ly/x8abcde\"></a></p>");
        assert!(untitled.contains("data-title=\"Dailymotion\""), "{untitled}");
        assert_eq!(players.policy("x"), "x; frame-src https://geo.dailymotion.com https://player.vimeo.com");
    }

    #[test]
    fn links_among_other_content_have_no_player() {
        let link = "<a href=\"https://youtu.be/aB3-x_9kQ1w\">Tide</a>";
        let other = "<a href=\"https://example.com/\">Other</a>";
        for html in [
            format!("<p>See {link}</p>"),
            format!("<p>{link}.</p>"),
            format!("<p>{link}{other}</p>"),
            format!("<p>{other}{link}</p>"),
            format!("<p>{link}<img src=\"/pictures/x\" alt=\"\"></p>"),
            format!("<li>{link}</li>"),
            format!("<pre>{link}</pre>"),
            format!("<p>{other}</p>"),
            format!("<p>{link}"),
            "<p><a href=\"https://youtu.be/aB3-x_9kQ1w\"".to_owned(),
            "<p><img alt=\"<p><a href='https://youtu.be/aB3-x_9kQ1w'>x</a></p>\"></p>".to_owned(),
        ] {
            let mut players = VideoPlayers::default();
            assert_eq!(players.add_to(&html), html);
            assert_eq!(players.policy("x"), "x");
        }
    }

    #[test]
    fn videos_beyond_the_maximum_number_stay_links() {
        let link = |number| format!("<p><a href=\"https://vimeo.com/{number}\">x</a></p>");
        let links = (100_000..).take(MAX_PLAYERS + 1).map(link).collect::<Vec<_>>().concat();
        let html = VideoPlayers::default().add_to(&links);
        assert_eq!(html.matches("<div class=\"video\"").count(), MAX_PLAYERS);
        assert_eq!(html.matches("<a ").count(), MAX_PLAYERS + 1);
    }

    #[test]
    fn page_of_a_video_begins_with_its_link() {
        let address = "https://youtu.be/aB3-x_9kQ1w?a=1&b=2";
        assert_eq!(
            paragraph(address, "A <b>", None),
            "<p class=\"image\"><a href=\"https://youtu.be/aB3-x_9kQ1w?a=1&amp;b=2\" rel=\"noopener nofollow external\">A &lt;b&gt;</a></p>"
        );
        let pictured = paragraph(address, "Tide", Some("https://i.example/x.jpg"));
        assert!(pictured.contains("><img src=\"https://i.example/x.jpg\" alt=\"Tide\"></a>"), "{pictured}");
        assert_eq!(paragraph("https://example.com/", "Tide", None), "");
    }
}
