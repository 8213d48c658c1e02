//! Derives browser names for account owners from user agents. User agents imitate each other (Chrome claims
//! to be Safari, Edge claims to be both), so the order of the table matters.

/// Marker of a browser in a user agent, and the browser's name.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Marker of an operating system in a user agent, and the system's name.
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
    ("BSD", "BSD"),
];

/// Describes a user agent: `Firefox on Linux`. `None` if neither the browser nor the system is known.
pub(super) fn describe(user_agent: &str) -> Option<String> {
    let named = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    match (named(&BROWSERS), named(&SYSTEMS)) {
        (Some(browser), Some(system)) => Some(format!("{browser} on {system}")),
        (Some(one), None) | (None, Some(one)) => Some(one.to_owned()),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_that_imitate_others_are_distinguished() {
        let chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36";
        for (agent, words) in [
            (chrome.to_owned(), Some("Chrome on Linux")),
            (format!("{chrome} Edg/142.0"), Some("Edge on Linux")),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; rv:144.0) Gecko/20100101 Firefox/144.0".into(), Some("Firefox on Windows")),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile Safari/604.1".into(),
                Some("Safari on iPhone"),
            ),
            ("Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 SamsungBrowser/29.0 Chrome/136.0".into(), Some("Samsung Internet on Android")),
            ("curl/8.5".into(), None),
            (String::new(), None),
        ] {
            assert_eq!(describe(&agent).as_deref(), words, "{agent}");
        }
    }
}
