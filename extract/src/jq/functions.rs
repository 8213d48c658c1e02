//! Functions that programs can call: the pure functions of `jaq`, and regular expressions with limits.

use std::cell::RefCell;

use jaq_core::{
    Cv, Error, Exn, RunPtr, ValT, ValXs,
    data::JustLut,
    load::parse::Def,
    native::{self, Fun, v},
};
use jaq_json::Val;
use regex::{Captures, Regex, RegexBuilder};

/// Types with which the generic code of `jaq` is instantiated.
pub(super) type JaqData = JustLut<Val>;

/// Maximum size of a compiled regular expression, in bytes.
const REGEX_SIZE_BYTES: usize = 256 * 1024;
/// Maximum nesting depth of a regular expression.
const REGEX_NESTING: u32 = 50;

/// Definitions of `jaq` that are omitted, because they need log output, mathematics, the clock or encodings.
const LEFT_OUT: [&str; 19] = [
    "stderr", "debug", "halt", "halt_error", "logb", "significand", "pow10", "drem", "nexttoward", "scalb",
    "gamma", "todate", "fromdate", "html", "htmld", "uri", "urid", "base64", "base64d",
];

/// Functions that are defined in jq itself.
pub(super) fn definitions() -> impl Iterator<Item = Def<&'static str>> {
    let is_usable =
        |definition: &Def<&'static str>| !LEFT_OUT.contains(&definition.name.trim_start_matches('@'));
    jaq_core::defs().chain(jaq_std::defs().filter(is_usable)).chain(jaq_json::defs())
}

/// Functions that are implemented in Rust, without `halt`.
pub(super) fn in_rust() -> impl Iterator<Item = Fun<JaqData>> {
    let regular: [native::Filter<RunPtr<JaqData>>; 3] =
        [("matches", v(2), matches), ("split_matches", v(2), split_matches), ("split_", v(2), split)];
    let pure = jaq_std::base_funs::<JaqData>().filter(|(name, _, _)| *name != "halt");
    jaq_core::funs::<JaqData>()
        .chain(pure)
        .chain(jaq_json::funs::<JaqData>())
        .chain(regular.into_iter().map(native::run::<JaqData>))
}

/// Selection of the parts of a text that a function returns: matches of a regular expression, the texts
/// between them, or both.
#[derive(Clone, Copy)]
struct MatchParts {
    matches: bool,
    rest: bool,
}

fn matches(cv: Cv<'_, JaqData>) -> ValXs<'_, Val> {
    parts(cv, MatchParts { matches: true, rest: false })
}

fn split_matches(cv: Cv<'_, JaqData>) -> ValXs<'_, Val> {
    parts(cv, MatchParts { matches: true, rest: true })
}

fn split(cv: Cv<'_, JaqData>) -> ValXs<'_, Val> {
    parts(cv, MatchParts { matches: false, rest: true })
}

fn parts(mut cv: Cv<'_, JaqData>, parts: MatchParts) -> ValXs<'_, Val> {
    let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
    Box::new(std::iter::once(read_parts(&cv.1, &pattern, &flags, parts).map_err(Exn::from)))
}

fn read_parts(value: &Val, pattern: &Val, flags: &Val, parts: MatchParts) -> Result<Val, Error<Val>> {
    let (text, pattern, flags) = (text_of(value)?, text_of(pattern)?, text_of(flags)?);
    let regex = compiled(&pattern, &flags).map_err(Error::str)?;
    let mut read: Vec<Val> = Vec::new();
    let (mut end, mut characters) = (0, 0_usize);
    for captures in regex.captures_iter(&text) {
        let Some(whole) = captures.get(0) else { continue };
        if flags.contains('n') && whole.is_empty() {
            continue;
        }
        let between = &text[end..whole.start()];
        characters += between.chars().count();
        if parts.rest {
            read.push(Val::from(between.to_owned()));
        }
        if parts.matches {
            read.push(groups(&regex, &captures, characters)?);
        }
        characters += whole.as_str().chars().count();
        end = whole.end();
        if !flags.contains('g') {
            break;
        }
    }
    if parts.rest {
        read.push(Val::from(text[end..].to_owned()));
    }
    Ok(read.into_iter().collect())
}

/// Objects for a match and its groups. `offset` is the number of characters before the match.
fn groups(regex: &Regex, captures: &Captures<'_>, offset: usize) -> Result<Val, Error<Val>> {
    let start = captures.get(0).map_or(0, |whole| whole.start());
    let whole = captures.get(0).map_or("", |whole| whole.as_str());
    let mut groups = Vec::new();
    for (group, name) in captures.iter().zip(regex.capture_names()) {
        let Some(group) = group else { continue };
        let before = whole.get(..group.start() - start).unwrap_or_default();
        let key = |name: &str| Val::from(name.to_owned());
        let mut fields = vec![
            (key("offset"), Val::from(offset + before.chars().count())),
            (key("length"), Val::from(group.as_str().chars().count())),
            (key("string"), key(group.as_str())),
        ];
        fields.extend(name.map(|name| (key("name"), key(name))));
        groups.push(Val::from_map(fields)?);
    }
    Ok(groups.into_iter().collect())
}

fn text_of(value: &Val) -> Result<String, Error<Val>> {
    match value {
        Val::TStr(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
        other => Err(Error::typ(other.clone(), "string")),
    }
}

/// Compiled regular expression, with its pattern and flags as the key.
type Compiled = (String, String, Regex);

thread_local! {
    /// Last used regular expression. Programs usually apply the same regular expression to many values.
    static LAST: RefCell<Option<Compiled>> = const { RefCell::new(None) };
}

fn compiled(pattern: &str, flags: &str) -> Result<Regex, String> {
    LAST.with_borrow_mut(|last| {
        if let Some((known_pattern, known_flags, regex)) = &*last
            && known_pattern == pattern
            && known_flags == flags
        {
            return Ok(regex.clone());
        }
        if let Some(flag) = flags.chars().find(|flag| !"gnimslxp".contains(*flag)) {
            return Err(format!("there is no flag {flag:?}"));
        }
        let has = |flag: char| flags.contains(flag);
        let regex = RegexBuilder::new(pattern)
            .case_insensitive(has('i'))
            .multi_line(has('m') || has('p'))
            .dot_matches_new_line(has('s') || has('p'))
            .swap_greed(has('l'))
            .ignore_whitespace(has('x'))
            .size_limit(REGEX_SIZE_BYTES)
            .nest_limit(REGEX_NESTING)
            .build();
        let regex = regex.map_err(|_| format!("{pattern:?} is not a usable regular expression"))?;
        *last = Some((pattern.to_owned(), flags.to_owned(), regex.clone()));
        Ok(regex)
    })
}
