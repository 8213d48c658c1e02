//! Formulas as images of services that render TeX. The TeX is in an attribute or in the URL of the image.

use percent_encoding::percent_decode_str;
use url::form_urlencoded;

use super::formula::{Formula, TEX_ATTRIBUTES, clean_tex, is_tex};
use crate::page::{Id, Page};

/// Class names of formula images. A name with a hyphen at its end is a prefix.
const CLASSES: [&str; 8] =
    ["tex", "latex", "latexcenter", "math", "eeimg", "equation_image", "mwe-math", "ql-img-"];
/// Class names of formulas on a separate line.
const DISPLAY_CLASSES: [&str; 3] =
    ["latexcenter", "ql-img-displayed-equation", "mwe-math-fallback-image-display"];
/// Substrings of URLs in which the whole query is TeX.
const QUERY_SERVICES: [&str; 4] = ["codecogs.com/", "mathtex.cgi", "mimetex.cgi", "texrendr"];
/// Substrings of URLs in which the following part of the path is TeX.
const PATH_SERVICES: [&str; 4] =
    ["i.upmath.me/svg/", "i.upmath.me/png/", "tex.s2cms.ru/svg/", "tex.s2cms.ru/png/"];
/// Query parameters that contain TeX, if the URL also contains one of `ADDRESS_WORDS`.
const PARAMETERS: [&str; 6] = ["latex", "tex", "math", "formula", "equation", "chl"];
const ADDRESS_WORDS: [&str; 6] = ["latex", "tex", "math", "equation", "formula", "chart"];
/// Maximum number of letters in a variable name.
const MAX_NAME_CHARS: usize = 2;
/// Commands that set the size and colour of an image.
const SETTINGS: [&str; 9] =
    ["\\inline", "\\dpi{", "\\bg_", "\\fn_", "\\large", "\\Large", "\\LARGE", "\\huge", "\\displaystyle"];

/// Formula of an image, or `None` if the image is not a formula or its TeX is unknown.
pub(in crate::html) fn of_image(page: &Page, id: Id) -> Option<Formula> {
    let source = ["src", "data-src", "data-lazy-src"].iter().find_map(|name| tex_in(page.value(id, name)?));
    let is_named = names_formula(page, id);
    // Some generators declare the formula on the element that contains the image.
    let formula = page.ancestors(id).take(2).find(|&above| page.has_class(above, "math"));
    if !is_named && source.is_none() && formula.is_none() {
        return None;
    }
    let stated = TEX_ATTRIBUTES.iter().find_map(|name| page.value(id, name));
    let alternative =
        page.value(id, "alt").filter(|alt| if is_named { is_tex(alt) } else { is_certainly_tex(alt) });
    let tex = stated.or(alternative).map(clean_tex).filter(|tex| !tex.is_empty()).or(source)?;
    let is_display = DISPLAY_CLASSES.iter().any(|class| page.has_class(id, class))
        || formula.is_some_and(|formula| page.is(formula, "div"));
    Formula::new(tex, is_display)
}

/// True for a text with a TeX command, or with a TeX symbol and without words.
fn is_certainly_tex(alt: &str) -> bool {
    let begins_command = |c: char| c.is_ascii_alphabetic() || matches!(c, '(' | '[');
    let has_command = alt.match_indices('\\').any(|(at, _)| alt[at + 1..].starts_with(begins_command));
    let is_word = |word: &str| word.chars().count() > MAX_NAME_CHARS;
    has_command
        || ["^{", "_{"].iter().any(|group| alt.contains(group))
        || alt.contains(['^', '_']) && !alt.split(|c: char| !c.is_alphabetic()).any(is_word)
}

/// True if a class declares that the image is a formula.
pub(in crate::html) fn names_formula(page: &Page, id: Id) -> bool {
    page.class_names(id).any(|class| {
        CLASSES.iter().any(|known| class == *known || known.ends_with('-') && class.starts_with(known))
            || class.starts_with("mwe-math")
    })
}

/// TeX in the URL of an image.
fn tex_in(address: &str) -> Option<String> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (before, query) = address.split_once('?').unwrap_or((address, ""));
    let in_path = PATH_SERVICES.iter().find_map(|service| Some(address.split_once(service)?.1));
    let tex = if let Some(path) = in_path {
        decoded(path)
    } else if !query.is_empty() && QUERY_SERVICES.iter().any(|service| before.contains(service)) {
        decoded(query)
    } else {
        let lower = before.to_ascii_lowercase();
        if !ADDRESS_WORDS.iter().any(|word| lower.contains(word)) {
            return None;
        }
        let mut parameters = form_urlencoded::parse(query.as_bytes());
        let (_, tex) = parameters.find(|(name, value)| {
            PARAMETERS.contains(&name.as_ref()) && value.contains(['\\', '^', '_', '=', '{'])
        })?;
        tex.into_owned()
    };
    let tex = tex.replace("&space;", " ").replace("&plus;", "+");
    let tex = clean_tex(without_settings(&tex));
    (!tex.is_empty()).then_some(tex)
}

/// Returns TeX without the leading commands for the image service.
fn without_settings(tex: &str) -> &str {
    let mut rest = tex.trim_start();
    while let Some(setting) = SETTINGS.iter().find(|setting| rest.starts_with(**setting)) {
        let after = &rest[setting.len()..];
        let value = match setting.chars().next_back() {
            Some('{') => after.find('}').map_or(after.len(), |end| end + 1),
            Some('_') => after.find([' ', '\\']).unwrap_or(after.len()),
            _ => 0,
        };
        rest = after[value..].trim_start();
    }
    rest
}
