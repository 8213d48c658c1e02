//! Style sheets of a copy: files become `data:` URLs, imported style sheets are inserted, and everything that could
//! load something or run a script is removed.

use cssparser::{Delimiter, ParseError, Parser, ToCss, Token, serialize_string};
use url::Url;

use super::inliner::{Inliner, NOTHING};

/// Maximum nesting depth of imported style sheets.
const MAX_IMPORT_DEPTH: u8 = 4;
/// Functions whose string arguments are URLs.
const PICTURE_FUNCTIONS: [&str; 5] =
    ["image-set", "-webkit-image-set", "image", "cross-fade", "-webkit-cross-fade"];
/// Functions that a browser replaces with a text from another declaration or attribute.
const SUBSTITUTED: [&str; 4] = ["var", "env", "attr", "if"];
/// Functions and properties through which old browsers run scripts.
const SCRIPTED: [&str; 3] = ["expression", "behavior", "-moz-binding"];

/// Meaning of a quoted string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    Text,
    Url,
}

/// Style sheet that is being written.
struct StyleSheetWriter<'a, 'r> {
    out: String,
    inliner: &'a mut Inliner<'r>,
    base: Option<&'a Url>,
    depth: u8,
    /// True if blocks are nested too deeply. The rest is left out.
    is_broken: bool,
}

/// Returns a style sheet, or the declarations of an element, for a copy. The text may be the content of a `style`
/// element.
pub(super) fn clean(css: &str, inliner: &mut Inliner<'_>, base: Option<&Url>) -> String {
    clean_nested(css, inliner, base, 0)
}

fn clean_nested(css: &str, inliner: &mut Inliner<'_>, base: Option<&Url>, depth: u8) -> String {
    let mut sheet =
        StyleSheetWriter { out: String::with_capacity(css.len()), inliner, base, depth, is_broken: false };
    sheet.copy(&mut Parser::new(css), Quoted::Text);
    if sheet.is_broken {
        sheet.inliner.omissions.styles += 1;
    }
    sheet.out
}

impl StyleSheetWriter<'_, '_> {
    /// Copies the tokens up to the end of the block.
    fn copy(&mut self, parser: &mut Parser<'_>, quoted: Quoted) {
        while !self.is_broken {
            let start = parser.position();
            let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else { return };
            // A browser that parses the style sheet as markup would read `<` and a name as a tag.
            if self.out.ends_with('<') && token != Token::Delim('=') {
                self.out.push(' ');
            }
            match &token {
                Token::UnquotedUrl(url) => self.write_url(url),
                Token::QuotedString(url) if quoted == Quoted::Url => self.write_url(url),
                Token::QuotedString(text) => self.write_text(text),
                Token::Function(name) if is_one_of(name, &["url", "src"]) => self.copy_url(parser),
                Token::Function(name) if is_one_of(name, &SCRIPTED) => {
                    skip_block(parser);
                    self.out.push(' ');
                }
                Token::Ident(name) if is_one_of(name, &SCRIPTED) => self.out.push(' '),
                Token::Function(name) if quoted == Quoted::Url && is_one_of(name, &SUBSTITUTED) => {
                    skip_block(parser);
                    self.inliner.omissions.pictures += 1;
                    self.out.push_str(NOTHING);
                }
                Token::Function(name) => {
                    self.write_name(&token.to_css_string());
                    self.copy_block(parser, ')', meaning_in(name, quoted));
                }
                Token::ParenthesisBlock => {
                    self.out.push('(');
                    self.copy_block(parser, ')', quoted);
                }
                Token::SquareBracketBlock => {
                    self.out.push('[');
                    self.copy_block(parser, ']', Quoted::Text);
                }
                Token::CurlyBracketBlock => {
                    self.out.push('{');
                    self.copy_block(parser, '}', Quoted::Text);
                }
                Token::AtKeyword(name) if is_one_of(name, &["import"]) => self.insert_import(parser),
                Token::AtKeyword(name) if is_one_of(name, &["charset", "namespace"]) => {
                    skip_statement(parser);
                }
                Token::Ident(_) | Token::AtKeyword(_) | Token::Hash(_) | Token::IDHash(_) => {
                    self.write_name(&token.to_css_string());
                }
                Token::Dimension { .. } => self.write_name(parser.slice_from(start)),
                token if is_removed(token) => self.out.push(' '),
                _ => self.out.push_str(parser.slice_from(start)),
            }
        }
    }

    fn copy_block(&mut self, parser: &mut Parser<'_>, closing: char, quoted: Quoted) {
        let copied = parser.parse_nested_block(|inner| -> Result<(), ParseError<()>> {
            self.copy(inner, quoted);
            Ok(())
        });
        self.is_broken |= copied.is_err();
        self.out.push(closing);
    }

    /// Copies a `url()` whose URL is in quotes.
    fn copy_url(&mut self, parser: &mut Parser<'_>) {
        let url = parser.parse_nested_block(|inner| -> Result<_, ParseError<()>> {
            let url = inner.expect_string_cloned().ok();
            while inner.next().is_ok() {}
            Ok(url)
        });
        self.write_url(url.ok().flatten().as_deref().unwrap_or_default());
    }

    /// Writes a name, or a number with its unit. A `<` in them always follows a backslash, so `\<` becomes `\3c `.
    fn write_name(&mut self, name: &str) {
        self.out.push_str(&name.replace('<', "3c "));
    }

    /// Writes a quoted string. It contains no `<`, so it is never read as a tag.
    fn write_text(&mut self, text: &str) {
        let mut quoted = String::with_capacity(text.len() + 2);
        serialize_string(text, &mut quoted).ok();
        self.out.push_str(&quoted.replace('<', "\\3c "));
    }

    fn write_url(&mut self, url: &str) {
        let value = self.inliner.style_value(url, self.base);
        self.out.push_str(&value);
    }

    /// Inserts an imported style sheet.
    fn insert_import(&mut self, parser: &mut Parser<'_>) {
        let parsed = parser.parse_until_after(Delimiter::Semicolon, |inner| -> Result<_, ParseError<()>> {
            let url = inner.expect_url_or_string().ok();
            let start = inner.position();
            while inner.next().is_ok() {}
            Ok((url, inner.slice_from(start).to_owned()))
        });
        let Ok((Some(url), condition)) = parsed else { return };
        if self.depth >= MAX_IMPORT_DEPTH {
            self.inliner.omissions.styles += 1;
            return;
        }
        let Some((css, base)) = self.inliner.style_sheet(&url, self.base) else {
            self.inliner.omissions.styles += 1;
            return;
        };
        let css = clean_nested(&css, self.inliner, Some(&base), self.depth + 1);
        match media_query(&condition) {
            Some(query) => self.out.push_str(&format!("@media {query}{{{css}}}")),
            None => self.out.push_str(&css),
        }
    }
}

/// Meaning of the quoted strings among the arguments of a function.
fn meaning_in(name: &str, outside: Quoted) -> Quoted {
    let is_type = is_one_of(name, &["type"]);
    let is_picture = is_one_of(name, &PICTURE_FUNCTIONS) || (outside == Quoted::Url && !is_type);
    if is_picture { Quoted::Url } else { Quoted::Text }
}

/// Media query after the URL of an imported style sheet. Its layer and other conditions are left out.
fn media_query(condition: &str) -> Option<&str> {
    let condition = condition.trim();
    let is_query =
        condition.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" ():,.<>=/%-".contains(&byte));
    let is_markup = condition.split('<').skip(1).any(|rest| !rest.starts_with([' ', '=']));
    let name = condition.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let is_known = is_query && !is_markup && !is_one_of(name, &["layer", "supports"]);
    (!condition.is_empty() && is_known).then_some(condition)
}

/// Skips the arguments of a function.
fn skip_block(parser: &mut Parser<'_>) {
    let skipped = parser.parse_nested_block(|inner| -> Result<(), ParseError<()>> {
        while inner.next().is_ok() {}
        Ok(())
    });
    skipped.ok();
}

fn skip_statement(parser: &mut Parser<'_>) {
    let skipped = parser.parse_until_after(Delimiter::Semicolon, |inner| -> Result<(), ParseError<()>> {
        while inner.next().is_ok() {}
        Ok(())
    });
    skipped.ok();
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// True if the token is invalid, or a comment.
fn is_removed(token: &Token<'_>) -> bool {
    matches!(
        token,
        Token::Comment(_)
            | Token::BadUrl(_)
            | Token::BadString(_)
            | Token::CDO
            | Token::CDC
            | Token::Delim('\\')
            | Token::CloseParenthesis
            | Token::CloseSquareBracket
            | Token::CloseCurlyBracket
    )
}
