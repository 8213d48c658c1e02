//! Every form of address of every service, and the table of services in the documentation.

use super::*;

/// Document with the table of services.
const DOCUMENT: &str = include_str!("../../../../docs/feeds_and_monitors.md");

/// First result for an address, and true if it is converted.
fn first(address: &str) -> Option<(String, bool)> {
    let rules = site_rules(address);
    match (rules.feeds.into_iter().next(), rules.naming_document) {
        (Some(feed), _) => Some((feed.feed_url, feed.kind == FeedKind::Converted)),
        (None, document) => Some((document?, false)),
    }
}

#[test]
fn every_form_of_address_leads_to_its_feed() {
    for service in SERVICES {
        assert!(!service.forms.is_empty(), "{}", service.name);
        for form in service.forms {
            let expected = match form.result {
                FormResult::Feed(url) | FormResult::NamedBy(url) => (url.to_owned(), false),
                FormResult::Converted(url) => (url.to_owned(), true),
            };
            let about = format!("{}, {}: {}", service.name, form.name, form.address);
            assert_eq!(first(form.address), Some(expected), "{about}");
            let is_named = site_rules(form.address).naming_document.is_some();
            assert_eq!(is_named, matches!(form.result, FormResult::NamedBy(_)), "{about}");
        }
    }
}

#[test]
fn rules_return_the_same_feed_or_no_feed_for_their_own_results() {
    for service in SERVICES {
        for form in service.forms {
            let (FormResult::Feed(url) | FormResult::Converted(url) | FormResult::NamedBy(url)) = form.result;
            if let Some((again, _)) = first(url) {
                assert_eq!(again, url, "{}, {}", service.name, form.name);
            }
        }
    }
}

#[test]
fn at_least_twenty_five_services_have_a_rule() {
    let mut names: Vec<&str> = SERVICES.iter().map(|service| service.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), SERVICES.len());
    assert!(names.len() >= 25, "{}", names.len());
}

#[test]
fn pages_without_a_rule_have_no_feed() {
    for address in [
        "https://example.org/article",
        "https://youtube.com.example/channel/UCabc",
        "https://notreddit.com/r/rust",
        "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc",
        "https://github.com/topics/rust",
        "https://gitlab.com/explore/projects",
        "https://t.me/joinchat/abc",
        "https://t.me/+abc",
        "https://vimeo.com/1084537",
        "https://bandcamp.com/discover",
        "https://social.example/@ann@",
        "https://bsky.app/profile/ann.example/feed/boats",
        "ftp://github.com/rust-lang/rust",
        "not an address",
    ] {
        assert_eq!(first(address), None, "{address}");
    }
}

#[test]
fn app_address_of_a_page_leads_to_the_feed_of_its_user() {
    let page = "https://soundcloud.com/harbour";
    let feed =
        |content: &str, address: &str| in_meta("al:ios:url", content, address).map(|feed| feed.feed_url);
    assert_eq!(
        feed("soundcloud://users:42", page).as_deref(),
        Some("https://feeds.soundcloud.com/users/soundcloud:users:42/sounds.rss")
    );
    for (content, address) in [
        ("soundcloud://sounds:42", page),
        ("soundcloud://users:42/likes", page),
        ("soundcloud://users:42", "https://example.org/"),
    ] {
        assert_eq!(feed(content, address), None);
    }
}

#[test]
fn feed_is_read_from_podcast_lookup_response() {
    let answer = r#"

{"resultCount":1, "results":[{"wrapperType":"track", "kind":"podcast", "collectionId":1234567890,
"collectionName":"Harbour talk", "feedUrl":"https://talk.example/feed.xml"}, {"kind":"song"}]}"#;
    let address = "https://itunes.apple.com/lookup?id=1234567890&entity=podcast";
    let feeds = in_document(answer, address);
    let actual: Vec<_> = feeds.iter().map(|feed| (feed.feed_url.as_str(), feed.title.as_deref())).collect();
    assert_eq!(actual, [("https://talk.example/feed.xml", Some("Harbour talk"))]);
    assert!(in_document(answer, "https://example.org/lookup").is_empty());
    assert!(in_document("<html>", address).is_empty());
}

/// Row of the table for a service.
fn row(service: &Service) -> String {
    let forms: Vec<&str> = service.forms.iter().map(|form| form.name).collect();
    let is_converted = |form: &AddressPattern| matches!(form.result, FormResult::Converted(_));
    let converted: Vec<&str> =
        service.forms.iter().filter(|form| is_converted(form)).map(|form| form.name).collect();
    let converted = match converted.len() {
        0 => "no".to_owned(),
        count if count == forms.len() => "yes".to_owned(),
        _ => converted.join(", "),
    };
    format!("| {} | {} | {converted} |", service.name, forms.join(", "))
}

#[test]
fn documentation_has_a_row_for_each_service() {
    let rows: Vec<String> = SERVICES.iter().map(row).collect();
    let missing: Vec<&String> = rows.iter().filter(|row| !DOCUMENT.contains(row.as_str())).collect();
    assert!(
        missing.is_empty(),
        "docs/feeds_and_monitors.md has a table with these rows:\n{}",
        rows.join("\n")
    );
}
