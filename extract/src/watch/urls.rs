//! URL patterns that users write.
//!
//! `*` matches any characters. A pattern that begins with `/` must match at the start of the path and query.
//! A pattern with `://` must match at the start of the URL. Other patterns may match anywhere. `$` at the end
//! matches the end of the URL.

use url::Url;

/// Include and exclude patterns.
pub(super) struct Patterns {
    include: Vec<UrlPattern>,
    exclude: Vec<UrlPattern>,
}

struct UrlPattern {
    pieces: Vec<String>,
    scope: PatternScope,
    /// True if the first piece must be at the start of the text.
    from_start: bool,
    to_end: bool,
}

enum PatternScope {
    Path,
    Address,
}

impl Patterns {
    pub(super) fn new(include: &[String], exclude: &[String]) -> Self {
        let patterns = |texts: &[String]| texts.iter().map(|text| UrlPattern::new(text)).collect();
        Self { include: patterns(include), exclude: patterns(exclude) }
    }

    /// Checks a pattern. The error is a text for the user.
    pub(super) fn check(pattern: &str) -> Result<(), &'static str> {
        let pattern = pattern.trim();
        if pattern.contains(char::is_whitespace) {
            return Err("it contains white space");
        }
        if pattern.trim_matches(['*', '$']).is_empty() {
            return Err("it matches every URL");
        }
        if let Some((scheme, _)) = pattern.split_once("://")
            && !matches!(scheme, "http" | "https" | "*")
        {
            return Err("only http and https URLs are supported");
        }
        Ok(())
    }

    pub(super) fn keep(&self, url: &Url) -> bool {
        let address = url.as_str();
        let path = address.get(url[..url::Position::BeforePath].len()..).unwrap_or("/");
        let fits = |pattern: &UrlPattern| pattern.fits(address, path);
        (self.include.is_empty() || self.include.iter().any(fits)) && !self.exclude.iter().any(fits)
    }
}

impl UrlPattern {
    fn new(text: &str) -> Self {
        let text = text.trim();
        let (text, to_end) = text.strip_suffix('$').map_or((text, false), |text| (text, true));
        let is_path = text.starts_with('/');
        let from_start = is_path || text.contains("://");
        let scope = if is_path { PatternScope::Path } else { PatternScope::Address };
        Self { pieces: text.split('*').map(str::to_owned).collect(), scope, from_start, to_end }
    }

    fn fits(&self, address: &str, path: &str) -> bool {
        let mut rest = match self.scope {
            PatternScope::Path => path,
            PatternScope::Address => address,
        };
        let last = self.pieces.len() - 1;
        for (at, piece) in self.pieces.iter().enumerate() {
            if at == 0 && self.from_start {
                let Some(after) = rest.strip_prefix(piece.as_str()) else { return false };
                if at == last && self.to_end {
                    return after.is_empty();
                }
                rest = after;
            } else if at == last && self.to_end {
                return rest.ends_with(piece.as_str());
            } else {
                let Some(offset) = rest.find(piece.as_str()) else { return false };
                rest = &rest[offset + piece.len()..];
            }
        }
        true
    }
}
