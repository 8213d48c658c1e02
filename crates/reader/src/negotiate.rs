//! Negotiation of the response format: the `format` parameter, otherwise `Accept` (RFC 9110, section 12.5.1).

use std::str::FromStr;

use poem::Request;

/// Response format of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResponseFormat {
    /// JSON with all fields.
    Json,
    /// Plain text: a header and numbered paragraphs.
    Text,
    /// Front matter and Markdown.
    Markdown,
    /// The reading page, for browsers.
    Html,
}

impl ResponseFormat {
    /// Returns the value of the `format` parameter.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }

    /// Returns the value of `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain; charset=utf-8",
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
        }
    }

    /// Returns the format that `accept` prefers. Returns plain text if the header is missing, is only `*/*`,
    /// or accepts no supported format.
    pub fn accepted(accept: Option<&str>) -> Self {
        let ranges: Vec<MediaRange<'_>> =
            accept.unwrap_or_default().split(',').filter_map(MediaRange::parse).collect();
        let mut best: Option<(Rank, Self)> = None;
        for format in [Self::Text, Self::Json, Self::Markdown, Self::Html] {
            if let Some(rank) = rank(&ranges, format)
                && best.is_none_or(|(known, _)| rank > known)
            {
                best = Some((rank, format));
            }
        }
        best.map_or(Self::Text, |(_, format)| format)
    }

    fn media_types(self) -> &'static [&'static str] {
        match self {
            Self::Json => &["application/json"],
            Self::Text => &["text/plain"],
            Self::Markdown => &["text/markdown", "text/x-markdown"],
            Self::Html => &["text/html", "application/xhtml+xml"],
        }
    }
}

/// Returns the format that the request's `Accept` prefers.
pub(super) fn accepted(request: &Request) -> ResponseFormat {
    let lines: Vec<&str> =
        request.headers().get_all("accept").iter().filter_map(|value| value.to_str().ok()).collect();
    ResponseFormat::accepted((!lines.is_empty()).then(|| lines.join(",")).as_deref())
}

/// Returns the format of a response to POST: JSON, unless the caller names a text type in `Accept`.
pub(super) fn accepted_or_json(request: &Request) -> ResponseFormat {
    let named = request.header("accept").is_some_and(|accept| accept.contains("text/"));
    if named { accepted(request) } else { ResponseFormat::Json }
}

impl FromStr for ResponseFormat {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        [Self::Json, Self::Text, Self::Markdown, Self::Html]
            .into_iter()
            .find(|format| format.as_str() == word)
            .ok_or("must be one of json, text, markdown, html")
    }
}

/// Quality in thousandths, specificity of the range, and position of the range (earlier is better).
type Rank = (u16, u8, std::cmp::Reverse<usize>);

struct MediaRange<'a> {
    name: &'a str,
    quality: u16,
}

impl<'a> MediaRange<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';');
        let name = parts.next()?.trim();
        if name.is_empty() {
            return None;
        }
        let quality = parts.find_map(|part| {
            let (key, value) = part.trim().split_once('=')?;
            key.trim().eq_ignore_ascii_case("q").then(|| thousandths(value.trim()))
        });
        Some(Self { name, quality: quality.unwrap_or(1000) })
    }
}

/// Parses a quality value as thousandths. Invalid values count as 0.
fn thousandths(text: &str) -> u16 {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > 3 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return 0;
    }
    let part: u16 = format!("{part:0<3}").parse().unwrap_or(0);
    match whole {
        "1" => 1000,
        "0" => part,
        _ => 0,
    }
}

/// Returns the rank of a format. The most specific matching range determines the rank. Returns `None` if no
/// range matches or its quality is 0.
fn rank(ranges: &[MediaRange<'_>], format: ResponseFormat) -> Option<Rank> {
    let mut best: Option<(u8, u16, usize)> = None;
    for (position, range) in ranges.iter().enumerate() {
        let exactness = exactness(range.name, format);
        if exactness > 0 && best.is_none_or(|(known, ..)| exactness > known) {
            best = Some((exactness, range.quality, position));
        }
    }
    let (exactness, quality, position) = best?;
    (quality > 0).then_some((quality, exactness, std::cmp::Reverse(position)))
}

fn exactness(range: &str, format: ResponseFormat) -> u8 {
    let kinds = format.media_types();
    if kinds.iter().any(|kind| kind.eq_ignore_ascii_case(range)) {
        return 3;
    }
    let Some(group) = range.strip_suffix("/*") else { return 0 };
    if group == "*" {
        return 1;
    }
    let same =
        kinds.iter().any(|kind| kind.split('/').next().is_some_and(|own| own.eq_ignore_ascii_case(group)));
    u8::from(same) * 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_header_selects_the_preferred_format() {
        let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
        for (accept, format) in [
            (None, ResponseFormat::Text),
            (Some(""), ResponseFormat::Text),
            (Some("*/*"), ResponseFormat::Text),
            (Some("text/*"), ResponseFormat::Text),
            (Some("application/json"), ResponseFormat::Json),
            (Some("application/json, text/plain, */*"), ResponseFormat::Json),
            (Some("text/plain;q=0.5, application/json;q=0.4"), ResponseFormat::Text),
            (Some("text/markdown, text/html;q=0.9"), ResponseFormat::Markdown),
            (Some(browser), ResponseFormat::Html),
            (Some("image/png"), ResponseFormat::Text),
            (Some("text/plain;q=0, */*;q=0.1"), ResponseFormat::Json),
            (Some("TEXT/HTML"), ResponseFormat::Html),
            (Some("text/html;q=2"), ResponseFormat::Text),
            (Some("application/*"), ResponseFormat::Json),
            (Some(",,;q=1,a;b;c"), ResponseFormat::Text),
        ] {
            assert_eq!(ResponseFormat::accepted(accept), format, "{accept:?}");
        }
    }
}
