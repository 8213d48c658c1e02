//! Splits an expression into tokens.

use super::error::XPathError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum XPathToken<'e> {
    /// Name, with or without a prefix.
    Name(&'e str),
    /// Content of a string literal.
    Text(&'e str),
    /// Digits with at most one decimal point.
    Number(&'e str),
    Symbol(&'static str),
}

/// Token with its byte offset in the expression.
#[derive(Debug, Clone, Copy)]
pub(super) struct XPathLexeme<'e> {
    pub(super) token: XPathToken<'e>,
    pub(super) at: usize,
}

/// Symbols. A symbol precedes its own prefixes.
const SYMBOLS: [&str; 22] = [
    "//", "::", "..", "!=", "<=", ">=", "/", ".", "@", ",", "(", ")", "[", "]", "|", "+", "-", "=", "<", ">",
    "*", "$",
];

/// Splits an expression into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<XPathLexeme<'_>>, XPathError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        if letter.is_whitespace() {
            at += letter.len_utf8();
            continue;
        }
        let (token, length) = token(rest).map_err(|reason| XPathError::new(text, at, reason))?;
        tokens.push(XPathLexeme { token, at });
        at += length;
    }
    Ok(tokens)
}

/// First token of a text, and the length of the token in bytes.
fn token(rest: &str) -> Result<(XPathToken<'_>, usize), String> {
    if let Some(quote) = rest.chars().next().filter(|letter| matches!(letter, '"' | '\'')) {
        let inner = &rest[1..];
        let end = inner.find(quote).ok_or_else(|| "a text has no closing quote".to_owned())?;
        return Ok((XPathToken::Text(&inner[..end]), end + 2));
    }
    let length = number_length(rest);
    if length > 0 {
        return Ok((XPathToken::Number(&rest[..length]), length));
    }
    if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| rest.starts_with(*symbol)) {
        return Ok((XPathToken::Symbol(symbol), symbol.len()));
    }
    let mut length = name_length(rest);
    if length == 0 {
        let letter = rest.chars().next().unwrap_or_default();
        return Err(format!("{letter:?} is not expected"));
    }
    if let Some(local) = rest[length..].strip_prefix(':') {
        length += match name_length(local) {
            0 => 0,
            local => local + 1,
        };
    }
    Ok((XPathToken::Name(&rest[..length]), length))
}

fn number_length(rest: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    match rest[whole..].strip_prefix('.').map(digits) {
        Some(decimals) if whole + decimals > 0 => whole + 1 + decimals,
        _ => whole,
    }
}

fn name_length(rest: &str) -> usize {
    if !rest.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
        return 0;
    }
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())
}
