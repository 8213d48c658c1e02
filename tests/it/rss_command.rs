//! Command `carrel feed`: it prints one feed, or filters many feeds as JSON lines.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::rss::feed;
use crate::support::servers::CARREL;
use crate::support::{TestApp, run};

const FEED: &str = "<?xml version=\"1.0\"?><rss><channel><title>Harbour &amp; sons</title>\
    <link>https://example.org/</link><item><title>One</title><link>/1?utm_source=rss</link>\
    <guid isPermaLink=\"false\">g1</guid><pubDate>Tue, 01 Oct 2024 10:00:00 +0200</pubDate>\
    <description>Words &lt;script&gt;x()&lt;/script&gt;</description></item></channel></rss>";

fn carrel(arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    Command::new(CARREL).args(arguments).env_clear().envs(settings.iter().copied()).output().unwrap()
}

#[test]
fn feed_is_printed_from_a_file_or_an_allowed_url() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("feed.xml");
    std::fs::write(&file, FEED).unwrap();
    let text = String::from_utf8(carrel(&["feed", file.to_str().unwrap()], &[]).stdout).unwrap();
    assert!(text.starts_with("Harbour & sons\nRSS, 1 entry\n"), "{text}");
    assert!(text.contains("* One\n  2024-10-01T08:00:00"), "{text}");
    std::fs::write(&file, "<html>no feed</html>").unwrap();
    let refused = carrel(&["feed", file.to_str().unwrap()], &[]);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("is no feed"));
    let page = "<html><head><link rel=alternate type=application/rss+xml href=https://example.org/f></head>";
    std::fs::write(&file, page).unwrap();
    let refused = carrel(&["feed", file.to_str().unwrap()], &[]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("try `carrel feed https://example.org/f`"));
    let help = String::from_utf8(carrel(&["feed", "--help"], &[]).stdout).unwrap();
    assert!(help.contains("{\"id\":\"1\",\"path\":\"feed.xml\""), "{help}");
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.put("/f.xml", feed(1..=2));
        let ask = async |settings: &'static [(&'static str, &'static str)]| {
            let url = url.clone();
            tokio::task::spawn_blocking(move || carrel(&["feed", &url], settings)).await.unwrap()
        };
        let opened = ask(&[("CARREL_FETCH_ALLOW", "127.0.0.1")]).await;
        assert!(String::from_utf8_lossy(&opened.stdout).starts_with("Harbour\n"));
        assert!(!ask(&[]).await.status.success());
        assert_eq!(app.site.hits("/f.xml"), 1);
    });
}

#[test]
fn filter_answers_line_by_line_and_survives_invalid_input() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (folder.path().join("good.xml"), folder.path().join("bad.xml"));
    std::fs::write(&good, FEED).unwrap();
    std::fs::write(&bad, [0xFE, 0xFF, 0x00, 0x3C]).unwrap();
    let mut filter = Command::new(CARREL)
        .args(["feed", "--jsonl"])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut questions = filter.stdin.take().unwrap();
    let mut answers = BufReader::new(filter.stdout.take().unwrap());
    let mut ask = |line: String| -> Value {
        writeln!(questions, "{line}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    };
    let request = |id: &str, path: &Path| {
        let headers = json!({"content-type": "application/rss+xml"});
        json!({"id": id, "path": path, "headers": headers, "base_uri": "https://example.org/news/feed"})
            .to_string()
    };
    for _ in 0..2 {
        let read = ask(request("a", &good));
        assert_eq!((&read["id"], &read["ok"]), (&json!("a"), &json!(true)));
        assert_eq!(read["title"], "Harbour & sons");
        let entry = &read["entries"][0];
        assert_eq!((&entry["id"], &entry["link"]), (&json!("g1"), &json!("https://example.org/1")));
        assert!(entry["published"].as_str().unwrap().starts_with("2024-10-01T08:00:00"));
        assert!(!entry.to_string().contains("script"));
        let unread = ask(request("b", &bad));
        assert_eq!((&unread["id"], &unread["ok"]), (&json!("b"), &json!(false)));
        assert_eq!(ask("{broken".to_owned())["ok"], false);
        assert_eq!(ask(request("c", &folder.path().join("none")))["ok"], false);
    }
    drop(questions);
    assert!(filter.wait().unwrap().success());
}
