//! Files of a page as `data:` URLs. Their types are identified from their bytes, and their number and total size
//! are limited.

use std::borrow::Cow;
use std::collections::HashMap;

use data_encoding::{BASE64, BASE64_NOPAD};
use percent_encoding::percent_decode_str;
use url::Url;

use super::omissions::Omissions;
use super::source::PageResource;
use crate::{charset, picture};

/// Maximum number of bytes that the files add to a copy.
const MAX_BYTES: usize = 20 << 20;
/// Maximum number of files in a copy. A file is counted each time that it is inserted.
const MAX_FILES: usize = 2_000;
/// Maximum size of a vector graphic, in bytes.
const MAX_VECTOR_BYTES: usize = 1 << 20;
/// Maximum number of bytes of vector graphics that are parsed. A graphic is parsed each time that it is used.
const MAX_PARSED_BYTES: usize = 20 << 20;
/// Maximum length of a picture in a CSS variable. Chromium ignores declarations that get more than 2 MiB from
/// variables.
const MAX_VARIABLE_BYTES: usize = 512 << 10;
/// URL of an empty file, which no browser loads.
pub(super) const NOTHING: &str = "url(\"data:,\")";

/// Files of a page that are written into its copy.
pub(super) struct Inliner<'r> {
    resources: HashMap<&'r str, &'r PageResource>,
    /// Removes scripts and references from a vector graphic. Returns `None` if it is invalid.
    clean_vector: fn(&str) -> Option<String>,
    bytes: usize,
    files: usize,
    /// Number of bytes of vector graphics that were parsed.
    parsed_bytes: usize,
    /// Numbers of the CSS variables that contain the pictures of styles, by URL.
    variables: HashMap<String, usize>,
    /// Declarations of these variables.
    declarations: String,
    /// Maximum length of a picture in a CSS variable. 0 if the document cannot declare variables.
    pub(super) max_variable_bytes: usize,
    pub(super) omissions: Omissions,
}

enum FileKind {
    Picture,
    Font,
}

enum Inlined {
    Data(FileKind, String),
    /// The browser has not loaded the file.
    Absent,
    /// The file has an unknown format, or exceeds a limit.
    Rejected(FileKind),
}

impl<'r> Inliner<'r> {
    pub(super) fn new(resources: &'r [PageResource], clean_vector: fn(&str) -> Option<String>) -> Self {
        // Elements contain the first URL of a file, but scripts may have inserted its final URL.
        let by_final_url = resources.iter().map(|resource| (resource.final_url.as_str(), resource));
        let by_url = resources.iter().map(|resource| (resource.url.as_str(), resource));
        Self {
            resources: by_final_url.chain(by_url).collect(),
            clean_vector,
            bytes: 0,
            files: 0,
            parsed_bytes: 0,
            variables: HashMap::new(),
            declarations: String::new(),
            max_variable_bytes: MAX_VARIABLE_BYTES,
            omissions: Omissions::default(),
        }
    }

    /// Returns the `data:` URL of a picture of an element. A missing picture is counted as left out.
    pub(super) fn picture(&mut self, url: &str, base: Option<&Url>) -> Option<String> {
        if let Inlined::Data(FileKind::Picture, data) = self.inline(url, base) {
            return Some(data);
        }
        self.omissions.pictures += 1;
        None
    }

    /// Returns the value that replaces a URL in a style. A picture that is not too long is put into a CSS variable, so
    /// that it is written once even if many rules use it.
    pub(super) fn style_value(&mut self, url: &str, base: Option<&Url>) -> String {
        let url = url.trim();
        if is_fragment(url) {
            return format!("url(\"{url}\")");
        }
        let key = resolved(url, base).map_or_else(|| url.to_owned(), String::from);
        if let Some(index) = self.variables.get(&key) {
            return format!("var(--carrel-picture-{index})");
        }
        match self.inline(url, base) {
            Inlined::Data(FileKind::Font, data) => format!("url(\"{data}\")"),
            Inlined::Data(FileKind::Picture, data) => {
                let fragment = key.split_once('#').map(|(_, fragment)| fragment).filter(|name| is_name(name));
                let fragment = fragment.map(|name| format!("#{name}")).unwrap_or_default();
                let value = format!("url(\"{data}{fragment}\")");
                if value.len() > self.max_variable_bytes {
                    return value;
                }
                let index = self.variables.len();
                self.declarations.push_str(&format!("--carrel-picture-{index}:{value};"));
                self.variables.insert(key, index);
                format!("var(--carrel-picture-{index})")
            }
            // A browser does not load the files of rules that do not apply.
            Inlined::Absent => NOTHING.to_owned(),
            Inlined::Rejected(kind) => {
                match kind {
                    FileKind::Picture => self.omissions.pictures += 1,
                    FileKind::Font => self.omissions.fonts += 1,
                }
                NOTHING.to_owned()
            }
        }
    }

    /// Returns the text and the final URL of a style sheet. `None` if the browser has not loaded it, or if
    /// the copy would exceed a limit.
    pub(super) fn style_sheet(&mut self, url: &str, base: Option<&Url>) -> Option<(String, Url)> {
        let url = resolved(url, base)?;
        let resource = *self.resources.get(without_fragment(url.as_str()))?;
        self.count_file(resource.bytes.len()).then_some(())?;
        let base = Url::parse(&resource.final_url).unwrap_or(url);
        Some((charset::decode(&resource.bytes, Some(&resource.media_type)), base))
    }

    /// Rule with the variables of the pictures that styles use. Empty if there are none.
    pub(super) fn variables(&self) -> String {
        if self.declarations.is_empty() { String::new() } else { format!(":root{{{}}}", self.declarations) }
    }

    fn inline(&mut self, url: &str, base: Option<&Url>) -> Inlined {
        let (declared, bytes) = if is_data(url) {
            let Some((declared, bytes)) = decode_data(url) else {
                return Inlined::Rejected(FileKind::Picture);
            };
            (declared, Cow::Owned(bytes))
        } else {
            let url = resolved(url, base);
            let resource = url.and_then(|url| self.resources.get(without_fragment(url.as_str())).copied());
            let Some(resource) = resource else { return Inlined::Absent };
            (resource.media_type.clone(), Cow::Borrowed(resource.bytes.as_slice()))
        };
        let Some((kind, media_type, bytes)) = self.identify(&declared, bytes) else {
            let is_font = declared.to_ascii_lowercase().contains("font");
            return Inlined::Rejected(if is_font { FileKind::Font } else { FileKind::Picture });
        };
        if !self.count_file(bytes.len().div_ceil(3) * 4) {
            return Inlined::Rejected(kind);
        }
        Inlined::Data(kind, format!("data:{media_type};base64,{}", BASE64.encode(&bytes)))
    }

    fn identify<'b>(
        &mut self,
        declared: &str,
        bytes: Cow<'b, [u8]>,
    ) -> Option<(FileKind, &'static str, Cow<'b, [u8]>)> {
        if let Ok(info) = picture::identify(&bytes) {
            return Some((FileKind::Picture, info.media_type, bytes));
        }
        if let Some(media_type) = font_type(&bytes) {
            return Some((FileKind::Font, media_type, bytes));
        }
        let is_vector = declared.to_ascii_lowercase().contains("svg") && bytes.len() <= MAX_VECTOR_BYTES;
        if !is_vector || self.parsed_bytes + bytes.len() > MAX_PARSED_BYTES {
            return None;
        }
        self.parsed_bytes += bytes.len();
        let vector = (self.clean_vector)(&charset::decode(&bytes, Some("image/svg+xml; charset=utf-8")))?;
        Some((FileKind::Picture, "image/svg+xml", Cow::Owned(vector.into_bytes())))
    }

    /// Counts a file of `bytes` bytes. False if the file exceeds a limit.
    fn count_file(&mut self, bytes: usize) -> bool {
        let is_within = self.files < MAX_FILES && self.bytes.saturating_add(bytes) <= MAX_BYTES;
        if is_within {
            self.files += 1;
            self.bytes += bytes;
        }
        is_within
    }
}

/// True if the URL consists of a fragment, which denotes an element in the same document.
pub(super) fn is_fragment(url: &str) -> bool {
    url.strip_prefix('#').is_some_and(is_name)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

fn is_data(url: &str) -> bool {
    url.trim_start().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

fn resolved(url: &str, base: Option<&Url>) -> Option<Url> {
    Url::options().base_url(base).parse(url.trim()).ok()
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}

/// Media type and content of a `data:` URL.
fn decode_data(url: &str) -> Option<(String, Vec<u8>)> {
    let (head, content) = url.trim_start().get(5..)?.split_once(',')?;
    let head = head.trim().to_ascii_lowercase();
    // Content has no literal `#`: base64 does not use it, and other content must escape it.
    let content: Vec<u8> = percent_decode_str(without_fragment(content)).collect();
    match head.strip_suffix("base64") {
        Some(media_type) => {
            let digits: Vec<u8> =
                content.into_iter().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=').collect();
            Some((media_type.trim_end().to_owned(), BASE64_NOPAD.decode(&digits).ok()?))
        }
        None => Some((head, content)),
    }
}

/// Media type of a font, from its first bytes.
fn font_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes.get(..4)? {
        b"wOF2" => Some("font/woff2"),
        b"wOFF" => Some("font/woff"),
        b"OTTO" => Some("font/otf"),
        b"\0\x01\0\0" | b"true" => Some("font/ttf"),
        _ => None,
    }
}
