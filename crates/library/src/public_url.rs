//! Addresses and titles of items as other people see them: without sign-in tokens, session ids, and signatures,
//! which would give their readers the rights of the owner.

use kernel::Domain;
use url::{Url, form_urlencoded};

/// Endings of parameter names whose values are credentials, without punctuation.
const CREDENTIAL_ENDINGS: [&str; 12] = [
    "token", "secret", "password", "passwd", "signature", "credential", "apikey", "authkey", "accesskey",
    "sessionid", "sessid", "jwt",
];
/// Other parameter names whose values are credentials, without punctuation.
const CREDENTIAL_NAMES: [&str; 9] =
    ["auth", "authorization", "key", "otp", "pass", "pwd", "session", "sid", "sig"];

/// Returns an address without its credentials. `None` if the address is not public, such as one in a private
/// network.
pub(crate) fn public_url(domain: &Domain, text: &str) -> Option<String> {
    let mut url = fetch::check_url(text, &domain.policy().fetch).ok()?;
    if url.domain().is_some_and(fetch::is_local_name) {
        return None;
    }
    remove_credentials(&mut url);
    Some(url.into())
}

/// Returns a title. `None` if it is an address, which may contain credentials.
pub(crate) fn public_title(title: &str) -> Option<&str> {
    (!title.contains("://")).then_some(title)
}

fn remove_credentials(url: &mut Url) {
    if let Some(query) = url.query() {
        let retained = query.split('&').filter(|pair| !is_credential(pair)).collect::<Vec<_>>().join("&");
        if retained != query {
            url.set_query(Some(retained.as_str()).filter(|retained| !retained.is_empty()));
        }
    }
    if url.fragment().is_some_and(|fragment| fragment.split(['&', '?']).any(is_credential)) {
        url.set_fragment(None);
    }
    // Session ids of some servers follow a semicolon at the end of the path.
    let path = url.path().to_owned();
    if let Some((path, parameter)) = path.rsplit_once(';')
        && !parameter.contains('/')
        && is_credential(parameter)
    {
        url.set_path(path);
    }
}

/// Returns true if the name in a name-value pair indicates that the value is a credential.
fn is_credential(pair: &str) -> bool {
    let Some((name, value)) = form_urlencoded::parse(pair.as_bytes()).next() else { return false };
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = name.to_ascii_lowercase();
    !value.is_empty()
        && (CREDENTIAL_NAMES.contains(&name.as_str())
            || CREDENTIAL_ENDINGS.iter().any(|ending| name.ends_with(ending)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_credentials(text: &str) -> String {
        let mut url = Url::parse(text).unwrap();
        remove_credentials(&mut url);
        url.into()
    }

    #[test]
    fn credentials_are_removed_from_addresses() {
        for (text, expected) in [
            ("https://a.example/x?page=2&access_token=s1#top", "https://a.example/x?page=2#top"),
            ("https://a.example/x?Access%5FToken=s1", "https://a.example/x"),
            ("https://a.example/x?X-Amz-Signature=s1&X-Amz-Date=d", "https://a.example/x?X-Amz-Date=d"),
            ("https://a.example/x?PHPSESSID=s1&user[password]=s2&key=s3", "https://a.example/x"),
            ("https://a.example/x;jsessionid=s1?a=1", "https://a.example/x?a=1"),
            ("https://a.example/x#access_token=s1&state=2", "https://a.example/x"),
            ("https://a.example/x#/page?token=s1", "https://a.example/x"),
        ] {
            assert_eq!(without_credentials(text), expected, "{text}");
        }
    }

    #[test]
    fn addresses_without_credentials_are_unchanged() {
        for text in [
            "https://a.example/x?a=1&&b=%20c",
            "https://a.example/x?keyword=token&monkey=1&side=2&token=",
            "https://a.example/a;b=1/c?d",
            "https://a.example/a;sid=1/c",
            "https://a.example/x?#part",
        ] {
            assert_eq!(without_credentials(text), text);
        }
    }
}
