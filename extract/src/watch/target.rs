//! Targets and ignore rules as configured by users, and their validation.

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::{
    invalid::{Invalid, InvalidReason, text},
    selectors::{self, Selector},
    urls::Patterns,
};

/// Names of the fields of a product.
pub(super) const PRODUCT_FIELDS: [&str; 4] = ["name", "price", "currency", "availability"];
/// Names of the fields of an event.
pub(super) const EVENT_FIELDS: [&str; 6] = ["title", "start", "end", "location", "status", "repeats"];
/// Names of the fields of a file.
pub(super) const FILE_FIELDS: [&str; 2] = ["size", "sha256"];
/// Name of the field of a picture.
pub(super) const IMAGE_FIELD: &str = "picture";
/// Name of the field with the status of a response.
pub(super) const STATUS: &str = "status";
/// Maximum size of a header name, in bytes.
const MAX_HEADER_BYTES: usize = 100;
/// Maximum number of bytes of a regular expression.
const MAX_REGEX_BYTES: usize = 512;
/// Maximum number of bytes of a compiled regular expression.
const REGEX_SIZE_BYTES: usize = 256 * 1024;
/// Maximum nesting depth of a regular expression.
const REGEX_NESTING: u32 = 50;
/// Maximum number of fields in an extract target.
pub const MAX_FIELDS: usize = 20;
/// Maximum number of ignore rules.
pub const MAX_IGNORES: usize = 20;
/// Maximum number of include patterns, and of exclude patterns.
pub const MAX_PATTERNS: usize = 50;

/// Watched part of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Target {
    /// Blocks of the main text of a page, or of the elements that a selector matches.
    Page {
        /// CSS, XPath (`/…` or `xpath:…`), JSONPath (`$…`), or jq (`jq:…`). There may be several selectors,
        /// one per line. If there are several, a change is also reported when one of them starts or stops
        /// matching.
        #[serde(default)]
        selector: Option<String>,
    },
    /// URLs of a sitemap.
    Sitemap {
        /// URL patterns to include. If empty, all URLs are included.
        #[serde(default)]
        include: Vec<String>,
        /// URL patterns to exclude. They take precedence over `include`.
        #[serde(default)]
        exclude: Vec<String>,
    },
    /// Named values of one or many items.
    Extract {
        /// Selector of the repeated element. If `None`, the whole source is one item.
        #[serde(default)]
        items: Option<String>,
        /// Values to read from each item.
        fields: Vec<WatchedField>,
    },
    /// Name, price, currency and availability of a product, for each variant.
    Product,
    /// Events of an iCalendar file.
    Calendar,
    /// Size and SHA-256 of a file of any format.
    File,
    /// Appearance of a picture.
    Image,
    /// Appearance of a page in a browser.
    Visual {
        /// CSS selector of the watched part. `None` for the whole page.
        #[serde(default)]
        selector: Option<String>,
    },
    /// Status and headers of the response.
    Headers {
        /// Headers to read. The selector of a field is the name of its header. If the selector is empty, the
        /// name of the field is used. If there are no fields, all headers are read except those that differ
        /// between responses.
        #[serde(default)]
        fields: Vec<WatchedField>,
    },
}

/// Named value of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedField {
    /// Name under which changes are reported.
    pub name: String,
    /// CSS within the item, or XPath, JSONPath or jq that starts at the item. If empty, the item itself is
    /// selected. To read an attribute, append `@name` to CSS.
    pub selector: String,
    /// True if the value identifies the item.
    #[serde(default)]
    pub key: bool,
    /// Selection of the number to read if the value contains several numbers.
    #[serde(default, skip_serializing_if = "NumberChoice::is_first")]
    pub number: NumberChoice,
}

impl WatchedField {
    /// Creates a field that is not part of the key. The first number of its value is read.
    pub fn new(name: &str, selector: &str) -> Self {
        Self { name: name.to_owned(), selector: selector.to_owned(), key: false, number: NumberChoice::First }
    }
}

/// Selection of one of several numbers in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NumberChoice {
    /// First number. Amounts of money take precedence. A list price, a previous price or a saving is skipped
    /// if there is another price.
    #[default]
    First,
    /// Last number.
    Last,
    /// Smallest number.
    Least,
    /// Largest number.
    Greatest,
}

impl NumberChoice {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_first(&self) -> bool {
        *self == Self::First
    }
}

/// Rule for content that is ignored in comparisons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ignore {
    /// Ignores blocks that contain this text, in any letter case.
    Text(String),
    /// Ignores the parts of a block that match the regular expression.
    Regex(String),
    /// Ignores elements that CSS or XPath selects. The rule takes effect at the next fetch.
    Selector(String),
}

impl Target {
    /// Problems of the target. Empty if the target is valid.
    pub fn check(&self) -> Vec<Invalid> {
        let mut problems = Vec::new();
        match self {
            Self::Page { selector } => {
                if let Some(selector) = selector {
                    push_problem(&mut problems, "/selector".to_owned(), selectors::check_page(selector));
                }
            }
            Self::Sitemap { include, exclude } => {
                check_patterns(&mut problems, "/include", include);
                check_patterns(&mut problems, "/exclude", exclude);
            }
            Self::Extract { items, fields } => check_extract(&mut problems, items.as_deref(), fields),
            Self::Headers { fields } => check_headers(&mut problems, fields),
            Self::Visual { selector } => {
                if let Some(selector) = selector {
                    push_problem(&mut problems, "/selector".to_owned(), text(selector));
                }
            }
            Self::Product | Self::Calendar | Self::File | Self::Image => {}
        }
        problems
    }

    /// True if the target has a field with this name.
    pub(super) fn has_field(&self, name: &str) -> bool {
        match self {
            Self::Extract { fields, .. } => fields.iter().any(|field| field.name == name),
            Self::Product => PRODUCT_FIELDS.contains(&name),
            Self::Calendar => EVENT_FIELDS.contains(&name),
            Self::File => FILE_FIELDS.contains(&name),
            Self::Image => name == IMAGE_FIELD,
            Self::Headers { fields } if fields.is_empty() => is_header(name),
            Self::Headers { fields } => name == STATUS || fields.iter().any(|field| field.name == name),
            Self::Page { .. } | Self::Sitemap { .. } | Self::Visual { .. } => false,
        }
    }

    /// Reason why the target, or its field with this name, has no number to compare. `None` if it may have a
    /// number.
    pub(super) fn without_number(&self, field: Option<&str>) -> Option<&'static str> {
        match self {
            Self::Extract { fields, .. } if fields.len() > 1 && field.is_none() => {
                Some("name one of the fields")
            }
            Self::Product | Self::Calendar | Self::File | Self::Headers { .. } if field.is_none() => {
                Some("name one of the fields")
            }
            Self::Page { selector: None } => Some("a page needs a selector"),
            Self::Page { selector: Some(_) } if self.has_several_selectors() => {
                Some("a page with several selectors has none")
            }
            Self::Sitemap { .. } => Some("a sitemap has none"),
            Self::Image | Self::Visual { .. } => Some("a picture has none"),
            Self::Extract { .. }
            | Self::Product
            | Self::Calendar
            | Self::File
            | Self::Headers { .. }
            | Self::Page { selector: Some(_) } => None,
        }
    }

    /// True if the selectors of the target read JSON.
    pub fn is_json(&self) -> bool {
        self.selectors().into_iter().any(is_json)
    }

    /// True if the target contains a jq program, whose running time is not limited by its length.
    pub fn is_program(&self) -> bool {
        self.selectors().into_iter().any(|selector| matches!(Selector::of(selector), Selector::Jq(_)))
    }

    /// True if the target is a page with several selectors.
    pub fn has_several_selectors(&self) -> bool {
        matches!(self, Self::Page { selector: Some(selector) } if selectors::of_page(selector).len() > 1)
    }

    fn selectors(&self) -> Vec<&str> {
        match self {
            Self::Page { selector } => {
                let lines = selector.as_deref().map(selectors::of_page).unwrap_or_default();
                lines.into_iter().map(|line| line.text).collect()
            }
            Self::Extract { items, fields } => items
                .as_deref()
                .into_iter()
                .chain(fields.iter().map(|field| field.selector.as_str()))
                .collect(),
            Self::Sitemap { .. }
            | Self::Product
            | Self::Calendar
            | Self::File
            | Self::Image
            | Self::Visual { .. }
            | Self::Headers { .. } => Vec::new(),
        }
    }
}

fn is_json(selector: &str) -> bool {
    Selector::of(selector).is_json()
}

fn check_extract(problems: &mut Vec<Invalid>, items: Option<&str>, fields: &[WatchedField]) {
    let json = items.into_iter().chain(fields.iter().map(|field| field.selector.as_str()));
    let json: Vec<bool> = json.filter(|text| !text.is_empty()).map(is_json).collect();
    if json.windows(2).any(|pair| pair[0] != pair[1]) {
        problems.push(Invalid::new("/fields", InvalidReason::Mixed));
    }
    if let Some(items) = items {
        push_problem(problems, "/items".to_owned(), selectors::check_items(items));
    }
    if fields.is_empty() {
        problems.push(Invalid::new("/fields", InvalidReason::Empty));
    }
    check_names(problems, fields);
    for (at, field) in fields.iter().enumerate().take(MAX_FIELDS) {
        let checked = if items.is_some() {
            selectors::check_field_of_item(&field.selector)
        } else {
            selectors::check_field(&field.selector)
        };
        push_problem(problems, format!("/fields/{at}/selector"), checked);
    }
}

fn check_names(problems: &mut Vec<Invalid>, fields: &[WatchedField]) {
    if fields.len() > MAX_FIELDS {
        problems.push(Invalid::new("/fields", InvalidReason::TooMany(MAX_FIELDS)));
    }
    for (at, field) in fields.iter().enumerate().take(MAX_FIELDS) {
        push_problem(problems, format!("/fields/{at}/name"), text(&field.name));
        if fields[..at].iter().any(|other| other.name == field.name) {
            problems.push(Invalid::new(format!("/fields/{at}/name"), InvalidReason::Repeated));
        }
    }
}

fn check_headers(problems: &mut Vec<Invalid>, fields: &[WatchedField]) {
    check_names(problems, fields);
    for (at, field) in fields.iter().enumerate().take(MAX_FIELDS) {
        if field.name == STATUS {
            problems.push(Invalid::new(format!("/fields/{at}/name"), InvalidReason::Repeated));
        }
        if !is_header(header_of(field)) {
            problems.push(Invalid::new(format!("/fields/{at}/selector"), InvalidReason::Header));
        }
    }
}

/// Name of the header that a field reads.
pub(super) fn header_of(field: &WatchedField) -> &str {
    let selector = field.selector.trim();
    if selector.is_empty() { field.name.trim() } else { selector }
}

/// True for the name of a header (RFC 9110, section 5.1).
fn is_header(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    (1..=MAX_HEADER_BYTES).contains(&name.len()) && name.bytes().all(is_token)
}

fn check_patterns(problems: &mut Vec<Invalid>, pointer: &str, patterns: &[String]) {
    if patterns.len() > MAX_PATTERNS {
        problems.push(Invalid::new(pointer, InvalidReason::TooMany(MAX_PATTERNS)));
    }
    for (at, pattern) in patterns.iter().enumerate().take(MAX_PATTERNS) {
        let checked = text(pattern).and_then(|()| Patterns::check(pattern).map_err(InvalidReason::Pattern));
        push_problem(problems, format!("{pointer}/{at}"), checked);
    }
}

/// Problems of a list of ignore rules. Pointers are relative to the list (`/0/regex`).
pub fn check_ignores(rules: &[Ignore]) -> Vec<Invalid> {
    let mut problems = Vec::new();
    if rules.len() > MAX_IGNORES {
        problems.push(Invalid::new("", InvalidReason::TooMany(MAX_IGNORES)));
    }
    for (at, rule) in rules.iter().enumerate().take(MAX_IGNORES) {
        match rule {
            Ignore::Text(words) => push_problem(&mut problems, format!("/{at}/text"), text(words)),
            Ignore::Regex(pattern) => {
                push_problem(&mut problems, format!("/{at}/regex"), regex(pattern).map(drop));
            }
            Ignore::Selector(selector) => {
                push_problem(&mut problems, format!("/{at}/selector"), selectors::check_ignored(selector));
            }
        }
    }
    problems
}

/// Compiles the pattern of an ignore rule, within the size limits.
pub(super) fn regex(pattern: &str) -> Result<Regex, InvalidReason> {
    if pattern.trim().is_empty() {
        return Err(InvalidReason::Empty);
    }
    if pattern.len() > MAX_REGEX_BYTES {
        return Err(InvalidReason::TooLong(MAX_REGEX_BYTES));
    }
    let compiled = RegexBuilder::new(pattern).size_limit(REGEX_SIZE_BYTES).nest_limit(REGEX_NESTING).build();
    match compiled {
        // Such a pattern matches the empty string between all characters, so it would not mask any text.
        Ok(regex) if regex.is_match("") && regex.find("a").is_some_and(|hit| hit.is_empty()) => {
            Err(InvalidReason::Regex("it matches the empty text".to_owned()))
        }
        Ok(regex) => Ok(regex),
        Err(regex::Error::CompiledTooBig(_)) => Err(InvalidReason::Regex("it is too big".to_owned())),
        Err(error) => {
            let text = error.to_string();
            let reason = text.lines().last().unwrap_or("it does not parse");
            Err(InvalidReason::Regex(reason.trim_start_matches("error: ").to_owned()))
        }
    }
}

fn push_problem(problems: &mut Vec<Invalid>, pointer: String, checked: Result<(), InvalidReason>) {
    if let Err(problem) = checked {
        problems.push(Invalid { pointer, problem });
    }
}
