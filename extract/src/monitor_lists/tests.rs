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
    assert_eq!(ferry.not_imported, ["request method", "request headers", "notification addresses"]);
    assert_eq!(ferry.browser, Some(ListedBrowser::default()));
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

/// Watch as changedetection.io writes it, with the fields that concern a browser.
fn browser_watch(changed: &serde_json::Value) -> serde_json::Value {
    let mut watch = json!({
        "browser_steps": [
            {"operation": "Goto site", "selector": "", "optional_value": ""},
            {"operation": "Choose one", "selector": "", "optional_value": ""}
        ],
        "browser_steps_last_error_step": null, "fetch_backend": "system", "include_filters": [],
        "method": "GET", "processor": "text_json_diff", "time_between_check_use_default": true,
        "title": null, "url": "https://example.org/harbour", "uuid": "cc0cfffa-f449-477b-83ea-0caafd1dc091",
        "webdriver_delay": null, "webdriver_js_execute_code": null
    });
    for (name, value) in changed.as_object().unwrap() {
        watch[name] = value.clone();
    }
    watch
}

fn first(file: &[u8]) -> ListedMonitor {
    read(file).unwrap().monitors.remove(0)
}

fn first_of(watch: &serde_json::Value, settings: &serde_json::Value) -> ListedMonitor {
    first(json!({"watching": {"u1": watch}, "settings": settings}).to_string().as_bytes())
}

#[test]
fn watch_is_rendered_if_its_fetcher_or_the_default_fetcher_is_a_browser() {
    let of_default = |backend: &str| json!({"application": {"fetch_backend": backend}});
    for (own, default, is_browser) in [
        ("html_webdriver", "html_requests", true),
        ("system", "html_webdriver", true),
        ("html_requests", "html_webdriver", false),
        ("system", "html_requests", false),
        ("extra_browser_pier", "html_requests", true),
    ] {
        let monitor = first_of(&browser_watch(&json!({"fetch_backend": own})), &of_default(default));
        assert_eq!(monitor.browser.is_some(), is_browser, "{own}, {default}");
        let expected: &[&str] = if own.starts_with("extra") { &["address of the browser"] } else { &[] };
        assert_eq!(monitor.not_imported, expected);
    }
    let plugin = first_of(&browser_watch(&json!({"fetch_backend": "html_other"})), &json!({}));
    assert_eq!((plugin.browser, plugin.not_imported), (None, vec!["loading with html_other".to_owned()]));
    let api = json!({"fetch_backend": "html_webdriver", "include_filters": ["jq:.price"]});
    let api = first_of(&browser_watch(&api), &json!({}));
    assert_eq!((api.browser, api.not_imported), (None, vec!["loading with a browser".to_owned()]));
}

#[test]
fn delay_and_steps_of_a_watch_are_read_in_order() {
    let step = |operation: &str, selector: &str, value: &str| {
        let (selector, value) = (json!(selector), json!(value));
        json!({"operation": operation, "selector": selector, "optional_value": value})
    };
    let steps = json!([
        step("Goto site", "", ""),
        step("Click element if exists", "#accept", ""),
        step("Remove elements", "div.advert", ""),
        step("Enter text in field", "input[name=q]", " boats"),
        step("Choose one", "", ""),
        step("Click element", "//button[1]", ""),
        step("Click element", "button:has-text('Go')", ""),
        step("Enter text in field", "#day", "{{ now }}"),
        step("Wait for seconds", "", "2.5"),
        step("Wait for seconds", "", ""),
        step("Scroll down", "", ""),
        step("Press Enter", "", ""),
    ]);
    let watch = browser_watch(&json!({"browser_steps": steps, "webdriver_delay": 3}));
    let monitor = first_of(&watch, &json!({"application": {"webdriver_delay": 9}}));
    assert_eq!(monitor.ignore, [Ignore::Selector("div.advert".to_owned())]);
    let browser = monitor.browser.unwrap();
    let typed = StepAction::Type { selector: "input[name=q]".to_owned(), text: " boats".to_owned() };
    let wait = |milliseconds| StepAction::Wait { milliseconds };
    let expected = [
        ("delay after loading", wait(3_000)),
        ("step 2: Click element if exists", StepAction::Dispensable),
        ("step 4: Enter text in field", typed),
        ("step 5: Click element", StepAction::Unsupported),
        ("step 6: Click element", StepAction::Unsupported),
        ("step 7: Enter text in field", StepAction::Unsupported),
        ("step 8: Wait for seconds", wait(2_500)),
        ("step 9: Wait for seconds", wait(1_000)),
        ("step 10: Scroll down", StepAction::ScrollToEnd),
        ("step 11: Press Enter", StepAction::Unsupported),
    ];
    for (step, (label, action)) in browser.steps.iter().zip(&expected) {
        assert_eq!((step.label.as_str(), &step.action), (*label, action));
    }
    assert_eq!(browser.steps.len(), expected.len());
    assert_eq!(browser.not_imported_without, ["browser steps"]);
}

#[test]
fn comparison_of_screenshots_is_imported_and_rules_for_texts_are_reported() {
    let watch = browser_watch(&json!({
        "fetch_backend": "html_webdriver", "processor": "image_ssim_diff", "ignore_text": ["Updated"],
        "include_filters": ["#chart", "xpath://p"], "ssim_threshold": "0.9"
    }));
    let file = archive(&[
        ("changedetection.json", json!({"settings": {}})),
        ("cc0cfffa-f449-477b-83ea-0caafd1dc091/watch.json", watch),
        (
            "cc0cfffa-f449-477b-83ea-0caafd1dc091/image_ssim_diff.json",
            json!({"auto_track_region": false, "bounding_box": "5,5,90,40", "comparison_threshold": "50"}),
        ),
    ]);
    let monitor = first(&file);
    assert_eq!((&monitor.target, monitor.not_imported.len()), (&page("#chart\nxpath://p"), 0));
    let browser = monitor.browser.unwrap();
    assert_eq!(browser.visual, Some(ListedVisual { selector: Some("#chart".to_owned()) }));
    assert_eq!(
        browser.not_imported,
        ["selector xpath://p", "ignored content Updated", "threshold of the comparison", "compared area"]
    );
    assert_eq!(browser.not_imported_without, ["detection image_ssim_diff"]);
}
