//! Lists in the formats that other programs export.

use std::io::{Cursor, Write};

use serde_json::json;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::*;
use crate::watch::{Ignore, Target, TriggerKind};

fn page(selector: &str) -> Target {
    Target::Page { selector: Some(selector.to_owned()) }
}

fn archive(files: &[(&str, serde_json::Value)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content.to_string().as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn single_file_backup_is_read_with_its_global_settings() {
    let watches = json!({
        "watching": {
            "u1": {
                "url": "https://example.org/a", "title": "Ferry", "tags": ["t1"], "paused": true,
                "include_filters": ["//*[@id=\"main\"]/div[2]", ".price"],
                "time_between_check_use_default": true,
                "subtractive_selectors": ["nav"], "ignore_text": ["Updated", "/as of \\d+/i"],
                "trigger_text": ["in stock"], "headers": {"cookie": "a"}, "method": "POST",
                "fetch_backend": "html_webdriver", "notification_urls": ["tgram://a/b"]
            },
            "u2": {"url": "https://example.org/b", "tag": "Old, New", "time_between_check": {"minutes": 30},
                "include_filters": ["jq:.items[].price"], "filter_text_removed": false,
                "filter_text_replaced": false}
        },
        "settings": {
            "application": {"tags": {"t1": {"title": "Travel"}}},
            "requests": {"time_between_check": {"hours": 3, "minutes": null}}
        }
    });
    let file = archive(&[("url-watches.json", watches.clone()), ("u1/1700.txt", json!("old text"))]);
    let list = read(&file).unwrap();
    assert_eq!(read(watches.to_string().as_bytes()), Some(list.clone()), "the file itself is read too");
    assert_eq!((list.format, list.monitors.len(), list.dropped), (ListFormat::Changedetection, 2, 0));
    let ferry = &list.monitors[0];
    assert_eq!((ferry.name.as_str(), ferry.is_paused, ferry.interval_minutes), ("Ferry", true, Some(180)));
    assert_eq!(ferry.target, page("//*[@id=\"main\"]/div[2]\n.price"));
    assert_eq!(ferry.tags, ["Travel"]);
    let ignored = [
        Ignore::Selector("nav".to_owned()),
        Ignore::Text("Updated".to_owned()),
        Ignore::Regex("(?i)as of \\d+".to_owned()),
    ];
    assert_eq!(ferry.ignore, ignored);
    assert_eq!(
        (ferry.trigger.kind, ferry.trigger.value.as_deref()),
        (TriggerKind::TextAppears, Some("in stock"))
    );
    assert_eq!(
        ferry.not_imported,
        ["request method", "request headers", "loading with a browser", "notification addresses"]
    );
    let second = &list.monitors[1];
    assert_eq!((second.name.as_str(), second.interval_minutes), ("https://example.org/b", Some(30)));
    assert_eq!(
        (&second.target, &second.tags),
        (&page("jq:.items[].price"), &vec!["Old".to_owned(), "New".to_owned()])
    );
    assert_eq!((second.trigger.kind, second.not_imported.len()), (TriggerKind::Added, 0));
}

#[test]
fn backup_with_one_file_per_watch_is_read() {
    let file = archive(&[
        ("changedetection.json", json!({"settings": {"requests": {"time_between_check": {"days": 1}}}})),
        (
            "a/watch.json",
            json!({"url": "https://example.org/a", "tags": ["t"], "conditions": [{"field": "x"}]}),
        ),
        ("b/watch.json", json!(["broken"])),
        ("t/tag.json", json!({"title": "Shops"})),
    ]);
    let list = read(&file).unwrap();
    assert_eq!((list.monitors.len(), list.dropped), (1, 1));
    let monitor = &list.monitors[0];
    assert_eq!(
        (monitor.interval_minutes, monitor.tags.as_slice()),
        (Some(1440), ["Shops".to_owned()].as_slice())
    );
    assert_eq!(monitor.not_imported, ["conditions"]);
}

#[test]
fn urlwatch_list_is_read_with_its_filters() {
    let list = concat!(
        "name: Ferry\nurl: https://example.org/a\nfilter:\n",
        "  - css:\n      selector: ul#times\n      exclude: .ad\n",
        "  - html2text\n  - grepi: Updated\n  - re.sub: '\\d+ views'\n  - shellpipe: tr a b\n",
        "headers:\n  a: b\n",
        "---\ncommand: ls\n",
        "---\nurl: https://example.org/b\nfilter: 'element-by-id:x,strip'\n",
        "enabled: false\nadditions_only: true\n",
    );
    let list = read(list.as_bytes()).unwrap();
    assert_eq!((list.format, list.monitors.len()), (ListFormat::Urlwatch, 3));
    let ferry = &list.monitors[0];
    assert_eq!(ferry.target, page("ul#times"));
    let ignored = [
        Ignore::Selector(".ad".to_owned()),
        Ignore::Regex("(?m)^.*(?:Updated).*$".to_owned()),
        Ignore::Regex("\\d+ views".to_owned()),
    ];
    assert_eq!(ferry.ignore, ignored);
    assert_eq!(ferry.not_imported, ["filter shellpipe", "setting headers"]);
    let command = &list.monitors[1];
    assert_eq!((command.name.as_str(), command.url.as_str()), ("ls", ""));
    assert_eq!(command.not_imported, ["command"]);
    let third = &list.monitors[2];
    assert_eq!((&third.target, third.is_paused), (&page("[id=\"x\"]"), true));
    assert_eq!(third.trigger.kind, TriggerKind::Added);
}

#[test]
fn files_of_other_formats_are_not_read_as_lists() {
    for file in
        ["", "just a text", "{}", "{\"watching\": 3}", "- 1\n- 2", "PK\u{3}\u{4}broken", "a: [", "key: value"]
    {
        assert_eq!(read(file.as_bytes()), None, "{file}");
    }
}

#[test]
fn monitors_beyond_the_maximum_are_counted_as_dropped() {
    let jobs = "url: https://example.org/\n---\n".repeat(MAX_MONITORS + 3);
    let list = read(jobs.as_bytes()).unwrap();
    assert_eq!((list.monitors.len(), list.dropped), (MAX_MONITORS, 3));
}

#[test]
fn yaml_with_nested_aliases_is_refused() {
    let mut list = "url: https://example.org/\na0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let previous = format!("*a{}, ", level - 1).repeat(9);
        list.push_str(&format!("a{level}: &a{level} [{}]\n", previous.trim_end_matches(", ")));
    }
    assert_eq!(read(list.as_bytes()), None);
}

#[test]
fn selectors_of_each_language_are_imported_or_reported() {
    let watch = |filters: &[&str]| {
        let list = json!({"watching": {"u1": {"url": "https://example.org/a", "include_filters": filters,
            "subtractive_selectors": ["xpath://nav[last()]", "xpath1://footer", "//aside", ".ad"]}}});
        read(list.to_string().as_bytes()).unwrap().monitors.remove(0)
    };
    for (filter, selector) in [
        ("//a[contains(., 'x')][2]/@href", "//a[contains(., 'x')][2]/@href"),
        ("xpath://div", "xpath://div"),
        ("xpath1:string(//h1)", "xpath:string(//h1)"),
        ("css:.a:not(.b)", ".a:not(.b)"),
        ("li:nth-child(2)", "li:nth-child(2)"),
        ("json:$.a[*]", "$.a[*]"),
        ("jq:.items[] | select(.price > 3)", "jq:.items[] | select(.price > 3)"),
        ("jqraw:.a\n| .b", "jq:.a\n  | .b"),
    ] {
        let monitor = watch(&[filter]);
        assert_eq!((monitor.target, monitor.not_imported.len()), (page(selector), 0), "{filter}");
    }
    let monitor = watch(&["//a", ".b", "xpath:ends-with(//a, 'x')", "json:.a", "jq:env", "jq:.a", "xpath:"]);
    assert_eq!(monitor.target, page("//a\n.b"));
    assert_eq!(
        monitor.not_imported,
        [
            "selector xpath:ends-with(//a, 'x')",
            "selector json:.a",
            "selector jq:env",
            "selector xpath:",
            "selector jq:.a",
        ]
    );
    let ignored: Vec<Ignore> = ["xpath://nav[last()]", "xpath://footer", "//aside", ".ad"]
        .map(|selector| Ignore::Selector(selector.to_owned()))
        .into();
    assert_eq!(monitor.ignore, ignored);
    let many: Vec<String> = (0..12).map(|number| format!("#p{number}")).collect();
    let monitor = watch(&many.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(monitor.not_imported, ["selector #p10", "selector #p11"]);
}

#[test]
fn urlwatch_filters_with_xpath_and_jq_become_selectors() {
    let list = concat!(
        "url: https://example.org/a\nfilter:\n  - xpath:\n      path: //div[@id='x']//tr[position() > 1]\n",
        "      exclude: //tr[th]\n  - html2text\n",
        "---\nurl: https://example.org/b\nfilter:\n  - jq: '.items | map(.name)'\n",
        "---\nurl: https://example.org/c\nfilter:\n  - jq:\n      query: .[0].price\n",
        "---\nurl: https://example.org/d\nfilter: 'xpath://h1'\n",
    );
    let list = read(list.as_bytes()).unwrap();
    let selectors =
        ["xpath://div[@id='x']//tr[position() > 1]", "jq:.items | map(.name)", "jq:.[0].price", "xpath://h1"];
    for (monitor, selector) in list.monitors.iter().zip(selectors) {
        assert_eq!((&monitor.target, monitor.not_imported.len()), (&page(selector), 0));
    }
    assert_eq!(list.monitors[0].ignore, [Ignore::Selector("//tr[th]".to_owned())]);
}
