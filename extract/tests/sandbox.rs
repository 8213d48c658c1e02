//! Tests of the pool with real children: the example program of this crate, started as the executable would
//! be.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::{path::PathBuf, time::Duration};

use extract::{
    ExtractionOutcome, Input, picture,
    sandbox::{FileChild, FileChildError, FileFrame, Pool, PoolSettings, SandboxError},
    smaller_picture::PictureInput,
    watch::{ObservationPurpose, ObserveError, ObserveInput, Target, observe_input},
};
#[cfg(target_os = "linux")]
use permits::Pace;

/// Path of an example program. Cargo builds examples next to the folder of the tests.
fn program(name: &str) -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples");
    path.push(name);
    path
}

fn settings() -> PoolSettings {
    PoolSettings { workers: 1, ..PoolSettings::new(program("sandbox_child"), Vec::new()) }
}

fn page(text: &str) -> Input {
    Input { bytes: text.as_bytes().to_vec(), content_type: Some("text/plain".into()), url: None }
}

#[test]
fn child_cannot_access_files_network_or_processes() {
    // Descriptor 9 is a descriptor that the parent leaves open.
    let script = "exec 9</dev/null; exec \"$0\" probe";
    let tried = std::process::Command::new("/bin/sh")
        .args(["-c", script])
        .arg(program("sandbox_child"))
        .output()
        .unwrap();
    assert!(tried.status.success(), "{tried:?}");
    let output = String::from_utf8(tried.stdout).unwrap();
    let lacks = |part: &str| output.contains(&format!("unsupported {part}\n"));
    let mut refused = vec!["inherited"];
    if !lacks("seccomp") {
        refused.extend(["read", "list", "write", "listen", "datagram", "process", "thread"]);
    } else if !lacks("landlock") {
        refused.extend(["read", "list", "write", "listen"]);
    }
    for attempt in refused {
        assert!(output.contains(&format!("{attempt} refused\n")), "{output}");
    }
    assert!(output.contains("memory done\n"), "{output}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn pooled_child_cannot_gain_privileges() {
    let pool = Pool::new(settings());
    assert!(matches!(pool.extract(page("some text")).await, Ok(ExtractionOutcome::Document(_))));
    let own = std::process::id();
    let status = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("status")).ok();
    let children: Vec<String> = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(status)
        .filter(|text| text.contains(&format!("PPid:\t{own}\n")) && text.contains("Name:\tsandbox_child"))
        .collect();
    assert!(!children.is_empty());
    for child in children.iter().filter(|child| child.contains("Seccomp:\t2")) {
        assert!(child.contains("NoNewPrivs:\t1"), "{child}");
    }
    pool.shutdown().await;
}

#[tokio::test]
async fn picture_is_reduced_in_a_child() {
    let pool = Pool::new(settings());
    let input = |bytes: &[u8]| PictureInput {
        bytes: bytes.to_vec(),
        url: "https://example.org/a.jpg".to_owned(),
        max_width: 30,
    };
    let smaller = pool.reduce_picture(input(include_bytes!("pictures/baseline.jpg"))).await.unwrap();
    let info = picture::identify(&smaller.unwrap().bytes().unwrap()).unwrap();
    assert_eq!((info.media_type, info.width), ("image/jpeg", 30));
    assert_eq!(pool.reduce_picture(input(b"\xff\xd8\xff\xe0 not a picture")).await, Ok(None));
    pool.shutdown().await;
}

/// Id and nice value of a process.
#[cfg(target_os = "linux")]
#[derive(Debug, PartialEq, Eq)]
struct ProcessNice {
    id: String,
    nice: i32,
}

/// Returns a path to the example program with the file name `name`. A test finds its own children by this name.
#[cfg(target_os = "linux")]
fn named_program(name: &str) -> PathBuf {
    let link = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if link.is_symlink() {
        std::fs::remove_file(&link).unwrap();
    }
    std::os::unix::fs::symlink(program("sandbox_child"), &link).unwrap();
    link
}

/// Returns the running processes that `is_selected` selects by id, name, and id of the parent.
#[cfg(target_os = "linux")]
fn processes(is_selected: impl Fn(&str, &str, &str) -> bool) -> Vec<ProcessNice> {
    let mut selected = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        // A process that exits meanwhile has no file.
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let (start, rest) = stat.rsplit_once(") ").unwrap();
        let (id, name) = start.split_once(" (").unwrap();
        let fields: Vec<&str> = rest.split(' ').collect();
        if is_selected(id, name, fields[1]) {
            selected.push(ProcessNice { id: id.to_owned(), nice: fields[16].parse().unwrap() });
        }
    }
    selected
}

/// Returns the children of this process with a name.
#[cfg(target_os = "linux")]
fn children(name: &str) -> Vec<ProcessNice> {
    let own = std::process::id().to_string();
    processes(|_, own_name, parent| own_name == name && parent == own)
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn background_pages_are_read_by_a_child_of_lower_priority() {
    let program = named_program("paced_child");
    let pool = Pool::new(PoolSettings { workers: 2, ..PoolSettings::new(program, Vec::new()) });
    for pace in [Pace::Interactive, Pace::Background, Pace::Interactive, Pace::Background] {
        let read = pool.at_pace(pace).extract(page("some text")).await;
        assert!(matches!(read, Ok(ExtractionOutcome::Document(_))));
    }
    let own_id = std::process::id().to_string();
    let own = processes(|id, _, _| id == own_id)[0].nice;
    let mut nice_values: Vec<i32> = children("paced_child").iter().map(|child| child.nice).collect();
    nice_values.sort_unstable();
    assert_eq!(nice_values, [5, 10].map(|nice| (own + nice).min(19)), "each priority has one child");
    pool.shutdown().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn child_is_replaced_after_a_large_page() {
    let program = named_program("large_child");
    let pool = Pool::new(PoolSettings { workers: 1, ..PoolSettings::new(program, Vec::new()) });
    assert_eq!(pool.read_outlines(b"no list".to_vec()).await, Ok(None));
    let first = children("large_child");
    assert_eq!(pool.read_outlines(b"no list".to_vec()).await, Ok(None));
    assert_eq!(children("large_child"), first, "the child is reused");
    assert_eq!(pool.read_outlines(vec![b' '; 5 << 20]).await, Ok(None));
    assert_eq!(pool.read_outlines(b"no list".to_vec()).await, Ok(None));
    // The first child may not have exited yet.
    assert!(children("large_child").iter().any(|child| !first.contains(child)));
    pool.shutdown().await;
}

#[tokio::test]
async fn page_read_in_child_equals_page_read_in_process() {
    let pool = Pool::new(settings());
    let markup = format!(
        "<title>T</title><article><h1>Head</h1><p>{}</p></article>",
        "Some words, and others. ".repeat(50)
    );
    let input = Input { bytes: markup.into_bytes(), content_type: Some("text/html".into()), url: None };
    assert_eq!(pool.extract(input.clone()).await, Ok(extract::extract(&input)));
    pool.shutdown().await;
    assert!(matches!(pool.extract(page("a")).await, Err(SandboxError::Spawn(_))));
}

#[tokio::test]
async fn pages_are_read_after_a_child_is_replaced() {
    let pool = Pool::new(PoolSettings { recycle_after: 2, ..settings() });
    for _ in 0..5 {
        assert!(matches!(pool.extract(page("some text")).await, Ok(ExtractionOutcome::Document(_))));
    }
    pool.shutdown().await;
}

#[tokio::test]
async fn page_over_the_time_limit_fails_without_affecting_the_next_page() {
    let pool = Pool::new(PoolSettings { page_timeout: Duration::from_millis(300), ..settings() });
    let slow = page(&"x ".repeat(8_000_000));
    assert_eq!(pool.extract(slow).await, Err(SandboxError::TimedOut));
    assert!(matches!(pool.extract(page("some text")).await, Ok(ExtractionOutcome::Document(_))));
    pool.shutdown().await;
}

#[tokio::test]
async fn page_over_the_memory_limit_fails_without_affecting_the_next_page() {
    let pool = Pool::new(PoolSettings { memory_bytes: 300 * 1024 * 1024, ..settings() });
    let large = page(&"word ".repeat(20_000_000));
    assert_eq!(pool.extract(large).await, Err(SandboxError::MemoryLimit));
    assert!(matches!(pool.extract(page("some text")).await, Ok(ExtractionOutcome::Document(_))));
    pool.shutdown().await;
}

#[tokio::test]
async fn program_that_does_not_follow_the_protocol_fails_with_a_spawn_error() {
    let pool = Pool::new(PoolSettings { program: "/bin/false".into(), ..settings() });
    assert!(matches!(pool.extract(page("a")).await, Err(SandboxError::Spawn(_))));
}

#[tokio::test]
async fn feed_read_in_child_equals_feed_read_in_process() {
    let pool = Pool::new(settings());
    let body =
        b"<rss version='2.0'><channel><title>T</title><item><title>A</title></item></channel></rss>".to_vec();
    let input = extract::feed::FeedInput { body, ..Default::default() };
    let from_child = pool.read_feed(input.clone()).await.unwrap();
    let in_process = extract::feed::parse(&input);
    assert_eq!(serde_json::to_value(&from_child).unwrap(), serde_json::to_value(&in_process).unwrap());
    assert_eq!(from_child.entries.len(), 1);
    assert!(matches!(pool.extract(page("some text")).await, Ok(ExtractionOutcome::Document(_))));
    pool.shutdown().await;
}

#[tokio::test]
async fn converted_feed_and_list_of_a_page_are_read_in_child() {
    let pool = Pool::new(settings());
    let body = b"<div class=tgme_widget_message data-post=harbour_news/1><div class=js-message_text>Tide</div></div>";
    let input = extract::feed::FeedInput {
        body: body.to_vec(),
        base_url: Some("https://t.me/s/harbour_news".into()),
        ..Default::default()
    };
    let parsed = pool.read_feed(input).await.unwrap();
    assert_eq!(parsed.kind, Some(extract::feed::FeedKind::Converted));
    assert_eq!(parsed.entries[0].url.as_deref(), Some("https://t.me/harbour_news/1"));

    let items = [1, 2, 3, 4, 5].map(|n| format!("<li class=post><a href=/{n}>Post {n}</a></li>")).concat();
    let page = Input {
        bytes: format!("<ul id=posts>{items}</ul>").into_bytes(),
        content_type: Some("text/html".into()),
        url: Some("https://a.example/news".into()),
    };
    let list = pool.find_list(page).await.unwrap().unwrap();
    assert_eq!(
        (list.selector.as_str(), list.title.as_str(), list.total),
        ("#posts > li.post", "a.example", 5)
    );
    pool.shutdown().await;
}

#[tokio::test]
async fn selectors_of_marked_parts_are_read_in_child() {
    let pool = Pool::new(settings());
    let page = Input {
        bytes: b"<body><p data-carrel-part=7 class=price>12 EUR</p><p>Not marked</p></body>".to_vec(),
        content_type: Some("text/html; charset=utf-8".into()),
        url: Some("https://a.example/".into()),
    };
    let parts = pool.part_selectors(page).await.unwrap().unwrap();
    let parts: Vec<_> = parts.iter().map(|part| (part.number, &*part.selector, &*part.text)).collect();
    assert_eq!(parts, [(7, ".price", "12 EUR")]);
    pool.shutdown().await;
}

#[tokio::test]
async fn feed_links_and_opml_are_read_in_child() {
    let pool = Pool::new(settings());
    let page = Input {
        bytes:
            b"<html><head><link rel=alternate type=application/rss+xml href=/feed title=News></head></html>"
                .to_vec(),
        content_type: Some("text/html".into()),
        url: Some("https://a.example/x/".into()),
    };
    let candidates = pool.find_feeds(page).await.unwrap();
    assert_eq!(
        candidates.iter().map(|feed| feed.feed_url.as_str()).collect::<Vec<_>>(),
        ["https://a.example/feed"]
    );
    let list =
        b"<opml><body><outline text=A><outline xmlUrl='https://a.example/feed'/></outline></body></opml>";
    let outlines = pool.read_outlines(list.to_vec()).await.unwrap().unwrap();
    assert_eq!((outlines.len(), outlines[0].folders.as_slice()), (1, ["A".to_owned()].as_slice()));
    assert_eq!(pool.read_outlines(b"no list".to_vec()).await, Ok(None));
    pool.shutdown().await;
}

/// Child that reads a file of eight bytes and has sent its first two frames.
async fn file_child(request: &str) -> FileChild {
    let mut path = std::env::temp_dir();
    path.push(format!("carrel-file-child-{}-{request}", std::process::id()));
    std::fs::write(&path, b"headtail").unwrap();
    let file = std::fs::File::open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut child = Pool::new(settings()).start_file_child(file, request).await.unwrap();
    for bytes in [b"tail", b"head"] {
        assert_eq!(child.read_frame(4).await, Ok(FileFrame { tag: b'B', body: bytes.to_vec() }));
    }
    child
}

#[tokio::test]
async fn frames_of_a_file_child_are_received() {
    let mut child = file_child("words").await;
    assert_eq!(child.read_frame(7).await, Ok(FileFrame { tag: b'J', body: b"\"words\"".to_vec() }));
    assert_eq!(child.read_frame(7).await, Err(FileChildError::Crashed), "nothing follows");
}

/// The pipe has space for only a part of the frames, so the child is still running when it gets the signals.
#[tokio::test]
async fn child_survives_the_signals_that_stop_a_service() {
    let mut child = file_child("long").await;
    for signal in ["TERM", "INT", "HUP"] {
        let kill = format!("kill -{signal} {}", child.id().unwrap());
        assert!(std::process::Command::new("/bin/sh").args(["-c", &kill]).status().unwrap().success());
    }
    for frame in 0..200 {
        assert!(child.read_frame(100_000).await.is_ok(), "frame {frame}");
    }
}

#[tokio::test]
async fn failed_file_child_returns_the_reason() {
    for (request, error) in [
        ("abort", FileChildError::Crashed),
        ("allocate", FileChildError::MemoryLimit),
        ("flood", FileChildError::Crashed),
    ] {
        assert_eq!(file_child(request).await.read_frame(99).await, Err(error), "{request}");
    }
    let nowhere = Pool::new(PoolSettings { program: "/bin/false".into(), ..settings() });
    let file = std::fs::File::open("/dev/null").unwrap();
    assert!(matches!(nowhere.start_file_child(file, "").await, Err(FileChildError::Start(_))));
}

#[tokio::test]
async fn monitored_page_is_observed_in_a_child() {
    let pool = Pool::new(settings());
    let input = |markup: &str, selector: &str| ObserveInput {
        bytes: markup.as_bytes().to_vec(),
        content_type: Some("text/html".to_owned()),
        url: Some("https://a.example/".to_owned()),
        target: Target::Page { selector: Some(selector.to_owned()) },
        ignore: Vec::new(),
        filters: Vec::new(),
        purpose: ObservationPurpose::Run,
    };
    let good = input("<p class=x>Some words <a href=/y>here</a></p>", ".x");
    assert_eq!(pool.observe(good.clone()).await, Ok(observe_input(&good)));
    let absent = pool.observe(input("<p>Some words</p>", ".x")).await.unwrap().unwrap();
    assert_eq!(absent.absent.as_deref(), Some("/selector"));
    let deep = pool.observe(input(&"<div>".repeat(100_000), ".x")).await;
    assert!(matches!(deep, Ok(Err(ObserveError::TooComplex { .. }))));
    assert!(
        matches!(pool.extract(page("some text")).await, Ok(ExtractionOutcome::Document(_))),
        "the child is still usable"
    );
    pool.shutdown().await;
}

#[tokio::test]
async fn endless_jq_program_fails_without_affecting_the_next_request() {
    let memory_bytes = 300 * 1024 * 1024;
    let pool = Pool::new(PoolSettings { page_timeout: Duration::from_secs(1), memory_bytes, ..settings() });
    let input = |program: &str| ObserveInput {
        bytes: b"{\"a\": 1}".to_vec(),
        content_type: Some("application/json".to_owned()),
        url: None,
        target: Target::Page { selector: Some(format!("jq:{program}")) },
        ignore: Vec::new(),
        filters: Vec::new(),
        purpose: ObservationPurpose::Run,
    };
    for (program, expected) in [
        ("def f: f; f", vec![SandboxError::TimedOut]),
        ("last(range(1e15))", vec![SandboxError::TimedOut]),
        ("[repeat(1)]", vec![SandboxError::MemoryLimit, SandboxError::TimedOut]),
        ("def f: 1 + f; f", vec![SandboxError::Crashed, SandboxError::MemoryLimit, SandboxError::TimedOut]),
        (
            "reduce repeat(\"xxxxxxxx\") as $x (\"\"; . + . + $x)",
            vec![SandboxError::MemoryLimit, SandboxError::TimedOut],
        ),
    ] {
        let failed = pool.observe(input(program)).await.unwrap_err();
        assert!(expected.contains(&failed), "{program}: {failed:?}");
        let next = input(".a");
        assert_eq!(pool.observe(next.clone()).await, Ok(observe_input(&next)), "{program}");
    }
    pool.shutdown().await;
}
