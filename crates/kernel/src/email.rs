//! Normalisation of e-mail addresses.

use crate::code::Code;
use crate::error::{Error, Result};

/// Trims and lowercases an address.
///
/// # Errors
/// `invalid_request` for the field `email` if the text cannot be an address.
pub fn normalize_email(email: &str) -> Result<String> {
    const MESSAGE: &str = "Enter an e-mail address, like name@example.org.";
    let email = email.trim().to_lowercase();
    let odd =
        |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | ',' | ';' | '(' | ')');
    let good = match email.rsplit_once('@') {
        Some((name, host)) => {
            !name.is_empty()
                && name.len() <= 64
                && !name.contains('@')
                && is_host(host)
                && !email.contains(odd)
        }
        None => false,
    };
    if good && email.len() <= 254 {
        Ok(email)
    } else {
        Err(Error::new(Code::InvalidRequest, MESSAGE).at("email", MESSAGE))
    }
}

/// Removes the differences that a mailbox ignores: case, a suffix after `+`, and, for some providers, dots in
/// the name. Mail to `me+1@example.org` and `me+2@example.org` reaches the same person.
pub fn mailbox_of(address: &str) -> String {
    let address = address.to_lowercase();
    let Some((name, host)) = address.rsplit_once('@') else { return address };
    let name = name.split('+').next().filter(|name| !name.is_empty()).unwrap_or(name);
    match host {
        "gmail.com" | "googlemail.com" => format!("{}@gmail.com", name.replace('.', "")),
        _ => format!("{name}@{host}"),
    }
}

fn is_host(host: &str) -> bool {
    !host.is_empty() && !host.starts_with(['.', '-']) && !host.ends_with(['.', '-']) && !host.contains("..")
}
