//! Queries with alternatives, parentheses, dates, and properties, in the library and in entries, and reports of their
//! faults.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::clock::DAY;
use crate::support::person::Person;
use crate::support::rss::{document, feed, poll};
use crate::support::{Reply, TestApp, on_each_world};

fn encoded(query: &str) -> String {
    url::form_urlencoded::byte_serialize(query.as_bytes()).collect()
}

/// Returns the titles of the objects at `path` that match a query, sorted and joined by spaces.
async fn titles(app: &TestApp, who: &Person, path: &str, query: &str) -> String {
    let answer = who.get(app, &format!("{path}?query={}", encoded(query))).await.expect(200).json();
    let list = ["items", "objects", "entries"].iter().find_map(|name| answer[*name].as_array()).unwrap();
    let mut titles: Vec<&str> = list.iter().map(|one| one["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    titles.join(" ")
}

async fn save(app: &TestApp, who: &Person, title: &str, fields: Value) {
    let mut item = json!({"url": format!("https://{title}.example.org/"), "title": title});
    item.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    who.post(app, "/v1/library/items", &item).await.expect(201);
}

/// Saves three items, one per day.
async fn fill(app: &TestApp, who: &Person) {
    save(app, who, "alpha", json!({"content": "<p>Boats leave a quiet harbour.</p>", "tags": ["sea"]})).await;
    app.clock.advance(DAY);
    let beta = json!({"content": "<p>Trains leave the harbour.</p>", "publishedAt": "2025-03-04"});
    save(app, who, "beta", beta).await;
    app.clock.advance(DAY);
    let long: Vec<String> = (0..9_000).map(|number| format!("word{number}")).collect();
    let gamma = format!("<p>Boats and trains.</p><p>{}</p>", long.join(" "));
    save(app, who, "gamma", json!({"content": gamma, "publishedAt": "2026-01-02", "tags": ["land"]})).await;
}

#[test]
fn alternatives_and_parentheses_select_items() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        fill(&app, &who).await;
        save(
            &app,
            &other,
            "foreign",
            json!({"content": "Boats and trains in the harbour.", "tags": ["sea"]}),
        )
        .await;
        for (query, expected) in [
            ("boats OR trains", "alpha beta gamma"),
            ("boats | nothing", "alpha gamma"),
            ("harbour (boats OR nothing)", "alpha"),
            ("(boats harbour) OR word8999", "alpha gamma"),
            ("word1 (trains OR nothing) word8998", "gamma"),
            ("\"quiet harbour\" OR \"and trains\"", "alpha gamma"),
            ("\"harbour quiet\" OR \"trains and\"", ""),
            ("leave (\"quiet harbour\" OR tag:land)", "alpha"),
            ("tag:sea OR tag:land", "alpha gamma"),
            ("tag:sea OR trains", "alpha beta gamma"),
            ("-(boats OR nothing)", "beta"),
            ("-(boats harbour)", "beta gamma"),
            ("-boats OR tag:land", "beta gamma"),
            ("harb* -(trains | tag:land)", "alpha"),
            ("(domain:beta.example.org OR kind:book) leave", "beta"),
        ] {
            for path in ["/v1/library/items", "/v1/library/objects"] {
                assert_eq!(titles(&app, &who, path, query).await, expected, "{path} {query}");
            }
        }
    });
}

#[test]
fn dates_select_items() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let date = |days: i64| kernel::rfc3339(app.app.domain.now() + days * DAY)[..10].to_owned();
        let (today, tomorrow) = (date(0), date(1));
        fill(&app, &who).await;
        for (query, expected) in [
            (format!("after:{tomorrow}"), "beta gamma"),
            (format!("before:{tomorrow}"), "alpha"),
            (format!("saved:{tomorrow}"), "beta"),
            (format!("-saved:{tomorrow} leave"), "alpha"),
            (format!("trains before:{tomorrow}"), ""),
            (format!("after:{today} before:{tomorrow} boats"), "alpha"),
            (format!("after:{}", &today[..4]), "alpha beta gamma"),
            (format!("saved:{today} OR published:2026-01"), "alpha gamma"),
            ("published:2025".to_owned(), "beta"),
            ("published:2026-01-02 boats".to_owned(), "gamma"),
            ("-published:2025".to_owned(), "alpha gamma"),
        ] {
            for path in ["/v1/library/items", "/v1/library/objects"] {
                assert_eq!(titles(&app, &who, path, &query).await, expected, "{path} {query}");
            }
        }
    });
}

#[test]
fn ages_select_items_relative_to_the_day_of_the_search() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        fill(&app, &who).await;
        for (days, query, expected) in [
            (0, "saved:1d", "beta gamma"),
            (0, "saved:<0d", "gamma"),
            (0, "saved:>1d", "alpha"),
            (0, "before:1d", "alpha"),
            (0, "after:1d trains", "beta gamma"),
            (0, "boats (saved:0d OR before:1d)", "alpha gamma"),
            (0, "published:100y", "beta gamma"),
            (1, "saved:1d", "gamma"),
            (0, "-saved:1d", "alpha beta"),
            (6, "saved:1w", "gamma"),
            (1, "saved:1w", ""),
        ] {
            app.clock.advance(days * DAY);
            for path in ["/v1/library/items", "/v1/library/objects"] {
                assert_eq!(titles(&app, &who, path, query).await, expected, "{path} {query}");
            }
        }
    });
}

#[test]
fn properties_select_items() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        fill(&app, &who).await;
        let town = json!({"url": app.site.article("/town")});
        who.post(&app, "/v1/library/items", &town).await.expect(201);
        let body = json!({"title": "Énorme boats", "content": "Nothing.", "status": "archive", "tags": ["Favorite"]});
        let saved = who.post(&app, "/v1/library/items", &body).await.expect(201).json();
        let note = json!({"text": "A remark.", "title": "remark", "itemId": saved["item"]["id"]});
        who.post(&app, "/v1/library/notes", &note).await.expect(201);
        let mark = json!({"itemId": saved["item"]["id"], "quote": "Nothing"});
        who.post(&app, "/v1/library/highlights", &mark).await.expect(201);
        for (query, expected) in [
            ("title:boats", "Énorme boats"),
            ("title:\"ENORME boats\"", "Énorme boats"),
            ("title:\"boats enorme\"", ""),
            ("title:enor", ""),
            ("title:enor*", "Énorme boats"),
            ("-title:boats boats", "A town by the sea alpha gamma"),
            ("title:alpha OR title:gamma", "alpha gamma"),
            ("author:quill", "A town by the sea"),
            ("author:\"ada quill\" is:unread", "A town by the sea"),
            ("author:town", ""),
            ("site:alpha.example.org", "alpha"),
            ("is:archived", "Énorme boats"),
            ("is:starred -is:read", "Énorme boats"),
            ("is:read", ""),
            ("has:note has:highlight", "Énorme boats"),
            ("boats -has:note", "A town by the sea alpha gamma"),
            ("has:file OR has:audio", ""),
            ("minutes:>10", "gamma"),
            ("minutes:<1 leave", "alpha beta"),
            ("-minutes:<1 trains", "gamma"),
            ("feed:harbour", ""),
        ] {
            assert_eq!(titles(&app, &who, "/v1/library/items", query).await, expected, "{query}");
            assert_eq!(titles(&app, &other, "/v1/library/items", query).await, "", "{query}");
        }
        assert_eq!(titles(&app, &who, "/v1/library/objects", "title:boats").await, "Énorme boats");
    });
}

#[test]
fn titles_in_many_scripts_are_selected_by_their_words() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for title in ["Straße", "Œuvre", "Știri", "أخبار", "Rust入門", "скот", "Émile-7"] {
            let body = json!({"title": title, "content": format!("The text кот mile of {title}.")});
            who.post(&app, "/v1/library/items", &body).await.expect(201);
        }
        for (query, expected) in [
            ("title:straße", "Straße"),
            ("title:STRASSE", "Straße"),
            ("title:œuvre OR title:oeuvr*", "Œuvre"),
            ("title:știri", "Știri"),
            ("title:stiri", "Știri"),
            ("title:أخبار", "أخبار"),
            ("title:اخبار", "أخبار"),
            ("title:rust", "Rust入門"),
            ("title:入門", "Rust入門"),
            ("title:\"rust入門\"", "Rust入門"),
            ("title:кот", ""),
            ("title:mile", ""),
            ("title:\"emile 7\"", "Émile-7"),
            ("-title:кот title:скот", "скот"),
            ("-title:\"mile 7\" title:émile", "Émile-7"),
        ] {
            assert_eq!(titles(&app, &who, "/v1/library/items", query).await, expected, "{query}");
        }
    });
}

#[test]
fn properties_select_entries() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let named = document(1..=4).replace(
            "<title>Note 2</title>",
            "<title>Note 2</title><author>ada@x.example (Ada Reader)</author>\
             <enclosure url=\"https://example.org/2.mp3\" type=\"audio/mpeg\" length=\"9\"/>",
        );
        let url = app.site.put("/f.xml", Reply::bytes("application/rss+xml", named.into_bytes()));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let list = who.get(&app, "/v1/rss/entries?query=1").await.expect(200).json();
        let read = json!({"ids": [list["entries"][0]["id"]], "unread": false}).to_string();
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        app.send(Method::PATCH, "/v1/rss/entries", &headers, Some(read)).await.expect(200);
        let days = app.app.domain.now().div_euclid(DAY) - 20_761;
        for (query, expected) in [
            ("title:3", "Note 3"),
            ("title:words", ""),
            ("words -title:\"note 3\" -title:4", "Note 1 Note 2"),
            ("author:reader", "Note 2"),
            ("-author:ada words", "Note 1 Note 3 Note 4"),
            ("is:read", "Note 1"),
            ("is:unread words -4", "Note 2 Note 3"),
            ("is:read OR has:audio", "Note 1 Note 2"),
            ("is:starred OR is:archived OR has:note OR minutes:<5", ""),
            ("feed:harbour has:file", "Note 2"),
            ("-feed:harbour", ""),
            ("feed:other OR title:3", "Note 3"),
            (format!("published:{days}d").as_str(), "Note 3 Note 4"),
            (format!("words published:>{days}d").as_str(), "Note 1 Note 2"),
        ] {
            assert_eq!(titles(&app, &who, "/v1/rss/entries", query).await, expected, "{query}");
            assert_eq!(titles(&app, &other, "/v1/rss/entries", query).await, "", "{query}");
            let body = json!({"select": "entries", "where": {"text": query}});
            let answer = who.post(&app, "/v1/feeds/query", &body).await.expect(200).json();
            assert_eq!(answer["total"], expected.matches("Note").count(), "{query}: {answer}");
        }
        let body = json!({"select": "entries", "where": {"text": "words is:unread"}, "order": "relevance"});
        let answer = who.post(&app, "/v1/feeds/query", &body).await.expect(200).json();
        assert_eq!(answer["total"], 3, "{answer}");
    });
}

#[test]
fn alternatives_and_dates_select_entries() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let url = app.site.put("/f.xml", feed(1..=4));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        for (query, expected) in [
            ("1 OR 3", "Note 1 Note 3"),
            ("words (1 OR (3 -note))", "Note 1"),
            ("\"words of 2\" OR \"of words\"", "Note 2"),
            ("-(1 OR 2 OR 3)", "Note 4"),
            ("after:2026-11-04", "Note 3 Note 4"),
            ("before:2026-11-03 OR published:2026-11-05", "Note 1 Note 4"),
            ("domain:example.org (2 | tag:x)", "Note 2"),
            ("saved:2026", ""),
        ] {
            assert_eq!(titles(&app, &who, "/v1/rss/entries", query).await, expected, "{query}");
            assert_eq!(titles(&app, &other, "/v1/rss/entries", query).await, "", "{query}");
            let body = json!({"select": "entries", "where": {"text": query}, "order": "relevance"});
            let answer = who.post(&app, "/v1/feeds/query", &body).await.expect(200).json();
            assert_eq!(answer["total"], expected.matches("Note").count(), "{query}: {answer}");
        }
    });
}

#[test]
fn fault_of_a_query_is_reported_with_its_position() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        for (query, words) in [
            ("boats (trains", "parenthesis at character 7"),
            ("boats OR", "operator at character 7"),
            ("after:2026-02-30", "no valid date at character 1"),
            ("boats saved:7h", "no valid date at character 7"),
            ("boats is:new", "filter at character 7"),
        ] {
            for path in ["/v1/library/items", "/v1/library/objects", "/v1/rss/entries"] {
                let answer = who.get(&app, &format!("{path}?query={}", encoded(query))).await;
                let fault = answer.api_error(422, "invalid_request");
                assert!(fault["error"].as_str().unwrap().contains(words), "{path}: {fault}");
            }
            for page in ["/library", "/entries", "/search"] {
                let answer = browser.open(&format!("{page}?q={}", encoded(query))).await.expect(200).text();
                assert!(
                    answer.contains("id=\"query-fault\"") && answer.contains("character"),
                    "{page}: {answer}"
                );
            }
        }
    });
}
