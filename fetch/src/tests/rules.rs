//! Parsing and matching of robots.txt (RFC 9309 section 2.2).

use url::Url;

use crate::robots::rules::RobotsRules;

fn allows(file: &str, path: &str) -> bool {
    let url = Url::parse(&format!("https://example.com{path}")).unwrap();
    RobotsRules::parse(file.as_bytes()).allows(&url)
}

fn allows_all_agents(rules: &str, path: &str) -> bool {
    allows(&format!("User-agent: *\n{rules}"), path)
}

#[test]
fn specific_group_takes_precedence_over_wildcard_group() {
    let file = "User-agent: *\nDisallow: /\n\nUser-agent: CarrelBot\nDisallow: /private\n";
    assert!(allows(file, "/"));
    assert!(!allows(file, "/private/x"));
    let file = "User-agent: carrelbot/2.0 (anything)\nDisallow: /\n\nUser-agent: *\nAllow: /\n";
    assert!(!allows(file, "/"));
    let file = "User-agent: CarrelBotanist\nDisallow: /\n";
    assert!(allows(file, "/"));
}

#[test]
fn groups_share_agents_and_are_merged() {
    let file = "User-agent: a\nUser-agent: CarrelBot\nUser-agent: b\nDisallow: /one\n\
                User-agent: c\nDisallow: /\nUser-agent: carrelbot\nDisallow: /two\n";
    assert!(!allows(file, "/one"));
    assert!(!allows(file, "/two"));
    assert!(allows(file, "/three"));
}

#[test]
fn empty_specific_group_allows_everything() {
    assert!(allows("User-agent: *\nDisallow: /\n\nUser-agent: CarrelBot\nDisallow:\n", "/x"));
}

#[test]
fn unknown_lines_do_not_end_a_group() {
    let file =
        "User-agent: CarrelBot\nCrawl-delay: 5\nSitemap: https://example.com/s.xml\nDisallow: /x # why\n";
    assert!(!allows(file, "/x"));
    assert!(allows("Disallow: /\n", "/x"), "a rule without an agent applies to no agent");
}

#[test]
fn longest_match_decides_and_allow_wins_a_tie() {
    assert!(allows_all_agents("Disallow: /a\nAllow: /a/b\n", "/a/b/c"));
    assert!(!allows_all_agents("Allow: /a\nDisallow: /a/b\n", "/a/b/c"));
    assert!(allows_all_agents("Disallow: /page\nAllow: /page\n", "/page"));
    assert!(allows_all_agents("Allow: /\nDisallow:\n", "/page"));
}

#[test]
fn wildcards_and_end_anchor_follow_the_standard() {
    for (rule, path, matches) in [
        ("/fish", "/fish.html", true),
        ("/fish", "/catfish", false),
        ("/Fish", "/fish", false),
        ("/fish*", "/fishheads/yummy.html", true),
        ("/*.php", "/folder/filename.php?x=1", true),
        ("/*.php$", "/folder/filename.php", true),
        ("/*.php$", "/filename.php?x=1", false),
        ("/*.php$", "/filename.php5", false),
        ("/fish*.php", "/fishheads/catfish.php?id=1", true),
        ("/fish*.php", "/Fish.PHP", false),
        ("*/x", "/a/x", true),
        ("/a*b*c$", "/abcabc", true),
        ("/a*b*c$", "/abcab", false),
        ("/ab*ba$", "/aba", false),
        ("/$", "/", true),
        ("/$", "/x", false),
        ("/***$", "/x", true),
        ("/a$b", "/a$bc", true),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", true),
        ("/path/foo-%24", "/path/foo-$", true),
    ] {
        assert_eq!(
            !allows_all_agents(&format!("Disallow: {rule}\n"), path),
            matches,
            "rule {rule}, path {path}"
        );
    }
}

#[test]
fn percent_encoding_is_normalised() {
    for (rule, path) in [
        ("/foo/bar/\u{30c4}", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%e3%83%84", "/foo/bar/\u{30c4}"),
        ("/%62%61r", "/bar"),
        ("/bar", "/%62ar"),
        ("/a%3cd", "/a%3Cd"),
    ] {
        assert!(!allows_all_agents(&format!("Disallow: {rule}\n"), path), "rule {rule}, path {path}");
    }
    assert!(allows_all_agents("Disallow: /a%2Fb\n", "/a/b"), "an encoded slash is another path");
}

#[test]
fn malformed_files_are_parsed() {
    assert!(!allows("\u{feff}User-agent: *\r\nDisallow: /\r\n", "/x"));
    assert!(!allows("user-AGENT:*\rDISALLOW:/", "/x"));
    assert!(allows("", "/x"));
    assert!(allows("<html><body>404: not found</body></html>", "/x"));
    let url = Url::parse("https://example.com/x").unwrap();
    assert!(RobotsRules::parse(&[0, 159, 146, 150, b'\n', b':', b'%']).allows(&url));
    assert!(
        !RobotsRules::parse(b"User-agent: *\nDisallow: /%\nDisallow: /x%zz\nDisallow: /x\n").allows(&url)
    );
}

#[test]
fn hostile_file_is_matched_in_linear_time() {
    let file = format!("User-agent: *\n{}", "Disallow: /*a*a*a*a*a*a*a*a*ab$\n".repeat(15_000));
    let rules = RobotsRules::parse(file.as_bytes());
    let url = Url::parse(&format!("https://example.com/{}", "a".repeat(4000))).unwrap();
    // A backtracking matcher would not finish even a single match.
    assert!(rules.allows(&url));
    assert!(rules.size_bytes() < 4 * file.len());
}
