//! OPDS catalogue in both versions, browsed as e-readers browse it, and the books that it serves.

use std::io::Cursor;

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::person::Person;
use crate::support::{HttpAnswer, TestApp, on_each_world};

fn basic(email: &str, key: &str) -> String {
    format!("Basic {}", data_encoding::BASE64.encode(format!("{email}:{key}").as_bytes()))
}

async fn ask(app: &TestApp, who: &Person, path: &str) -> HttpAnswer {
    app.get_with(path, &[("authorization", &basic(&who.email, &who.key))]).await
}

async fn save(app: &TestApp, who: &Person, title: &str, more: &serde_json::Value) -> String {
    let mut body = json!({ "title": title, "content": format!("# {title}\n\nWords & more of {title}.\n\n## Two\n\nEnd.\n\n## Three\n\nEnd."), "mimeType": "text/markdown" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = who.post(app, "/v1/library/items", &body).await.expect(201).json();
    made["item"]["id"].as_str().unwrap().to_owned()
}

fn links<'a>(feed: &'a str, relation: &str) -> Vec<&'a str> {
    let pattern = format!("rel=\"{relation}\" href=\"");
    feed.split(&pattern).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn catalogue_can_be_browsed_and_searched_and_serves_books() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let id =
            save(&app, &who, "Harbours", &json!({"tags": ["To read & more"], "author": "Ana <Lima>"})).await;
        save(&app, &who, "Ships", &json!({"status": "archive"})).await;
        let root = ask(&app, &who, "/opds").await.expect(200);
        let kind = "application/atom+xml;profile=opds-catalog;kind=navigation";
        assert_eq!(root.header("content-type"), kind);
        let root = root.text();
        let ways = links(&root, "subsection");
        assert_eq!(ways.len(), 7, "{root}");
        for way in &ways {
            ask(&app, &who, way).await.expect(200);
        }
        let inbox = ask(&app, &who, "/opds/inbox").await.expect(200).text();
        assert!(inbox.contains("<title>Harbours</title>") && !inbox.contains("Ships"), "{inbox}");
        assert!(inbox.contains("<name>Ana &lt;Lima&gt;</name>"));
        assert!(ask(&app, &who, "/opds/archive").await.expect(200).text().contains("Ships"));
        let tags = ask(&app, &who, "/opds/tags").await.expect(200).text();
        let tagged = ask(&app, &who, links(&tags, "subsection")[0]).await.expect(200).text();
        assert!(tagged.contains("Harbours") && !tagged.contains("Ships"));
        let description = ask(&app, &who, "/opds/search.xml").await.expect(200).text();
        let template = description.split("template=\"").nth(1).unwrap().split('"').next().unwrap();
        let results =
            ask(&app, &who, &template.replace("{searchTerms}", "harbours")).await.expect(200).text();
        assert!(results.contains("<title>Harbours</title>") && !results.contains("<title>Ships</title>"));

        let book = links(&inbox, "http://opds-spec.org/acquisition")[0];
        assert!(book.ends_with(&format!("/opds/items/{id}.epub")));
        let book = ask(&app, &who, book).await.expect(200);
        assert_eq!(book.header("content-type"), "application/epub+zip");
        let credentials = basic(&who.email, &who.key);
        let known = [("authorization", credentials.as_str()), ("if-none-match", book.header("etag"))];
        app.get_with(&format!("/opds/items/{id}.epub"), &known).await.expect(304);
        let mut archive = zip::ZipArchive::new(Cursor::new(book.body)).unwrap();
        assert_eq!(archive.by_index(0).unwrap().name().unwrap(), "mimetype");
        let chapter = std::io::read_to_string(archive.by_name("OEBPS/chapter2.xhtml").unwrap()).unwrap();
        assert!(chapter.contains("<h2 id="), "{chapter}");
        let waiting = json!({ "title": "Waiting", "fileName": "a.pdf" });
        let waiting = who.post(&app, "/v1/library/items", &waiting).await.expect(201).json();
        let waiting = waiting["item"]["id"].as_str().unwrap();
        ask(&app, &who, &format!("/opds/items/{waiting}.epub")).await.expect(200);
        for lost in ["/opds/items/x.epub", "/opds/nowhere", "/opds/tags/%ff"] {
            ask(&app, &who, lost).await.expect(404);
        }
        let stranger = Person::free(&app).await;
        ask(&app, &stranger, &format!("/opds/items/{id}.epub")).await.expect(404);
        assert!(!ask(&app, &stranger, "/opds/all").await.expect(200).text().contains("Harbours"));
    });
}

#[test]
fn long_feed_is_paged() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        for n in 0..60 {
            save(&app, &who, &format!("Piece {n}"), &json!({"status": "later"})).await;
        }
        let (mut titles, mut page) = (Vec::new(), "/opds/later".to_owned());
        loop {
            let text = ask(&app, &who, &page).await.expect(200).text();
            let of_page = text.split("<entry>").skip(1);
            titles.extend(of_page.map(|entry| entry.split("<title>").nth(1).unwrap()[..9].to_owned()));
            let Some(next) = links(&text, "next").first().map(|next| next.replace("&amp;", "&")) else {
                break;
            };
            page = next;
        }
        titles.sort();
        titles.dedup();
        assert_eq!(titles.len(), 60);
        ask(&app, &who, "/opds/later?c=broken").await.expect(400);
    });
}

#[test]
fn unknown_client_is_challenged_for_a_password() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        for headers in [
            vec![],
            vec![("authorization", basic(&who.email, "wrong"))],
            vec![("authorization", basic("other@example.org", &who.key))],
            vec![("authorization", format!("Bearer {}", who.key))],
            vec![("authorization", "Basic !".to_owned())],
        ] {
            let headers: Vec<(&str, &str)> =
                headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let refused = app.get_with("/opds", &headers).await.expect(401);
            assert_eq!(refused.header("www-authenticate"), "Basic realm=\"Carrel\", charset=\"UTF-8\"");
        }
        let sent = [("authorization", basic(&who.email, &who.key))];
        let sent: Vec<(&str, &str)> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
        app.send(Method::POST, "/opds", &sent, None).await.expect(405);
    });
}

/// Returns the targets of an OPDS 2.0 document's links with this relation.
fn json_links<'a>(document: &'a Value, relation: &str) -> Vec<&'a str> {
    let links = document["links"].as_array().unwrap().iter();
    links.filter(|link| link["rel"] == relation).map(|link| link["href"].as_str().unwrap()).collect()
}

#[test]
fn catalogue_in_json_has_navigation_groups_search_and_books() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let id = save(&app, &who, "Harbours", &json!({"tags": ["To read & more"], "author": "Ana Lima, Bo"}))
            .await;
        save(&app, &who, "Ships", &json!({"status": "archive"})).await;
        let get = async |path: &str| {
            let answer = ask(&app, &who, path).await.expect(200);
            assert_eq!(answer.header("content-type"), "application/opds+json");
            answer.json()
        };
        let atom = ask(&app, &who, "/opds").await.expect(200).text();
        let root = get(links(&atom, "alternate")[0]).await;
        assert_eq!(root["metadata"]["title"], "Carrel");
        let navigation = root["navigation"].as_array().unwrap();
        assert_eq!(navigation.len(), 7, "{root}");
        for link in navigation {
            get(link["href"].as_str().unwrap()).await;
        }
        assert_eq!(root["groups"][0]["metadata"]["title"], "Inbox");
        assert_eq!(root["groups"][0]["publications"][0]["metadata"]["title"], "Harbours");
        assert_eq!(root["groups"].as_array().unwrap().len(), 1, "a group without books is omitted");

        let inbox = get("/opds/2/inbox").await;
        let book = &inbox["publications"][0];
        assert_eq!(inbox["publications"].as_array().unwrap().len(), 1);
        assert_eq!(book["metadata"]["author"], json!([{"name": "Ana Lima"}, {"name": "Bo"}]));
        assert_eq!(book["metadata"]["subject"], json!(["To read & more"]));
        let href = json_links(book, "http://opds-spec.org/acquisition/open-access")[0];
        assert!(href.ends_with(&format!("/opds/items/{id}.epub")));
        ask(&app, &who, href).await.expect(200);
        let tags = get("/opds/2/tags").await;
        let tagged = get(tags["navigation"][0]["href"].as_str().unwrap()).await;
        assert_eq!(tagged["publications"][0]["metadata"]["title"], "Harbours");
        let template = json_links(&root, "search")[0];
        let results = get(&template.replace("{?query}", "?query=ships")).await;
        let titles: Vec<&Value> =
            results["publications"].as_array().unwrap().iter().map(|one| &one["metadata"]["title"]).collect();
        assert_eq!(titles, ["Ships"]);
        for lost in ["/opds/2/nowhere", "/opds/2/search.xml", "/opds/22"] {
            ask(&app, &who, lost).await.expect(404);
        }
        let stranger = Person::free(&app).await;
        let all = ask(&app, &stranger, "/opds/2/all").await.expect(200).json();
        assert_eq!(all["publications"], json!([]));
    });
}

#[test]
fn long_feed_in_json_is_paged() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        for n in 0..60 {
            save(&app, &who, &format!("Piece {n}"), &json!({"status": "later"})).await;
        }
        let (mut titles, mut page) = (Vec::new(), "/opds/2/later".to_owned());
        loop {
            let feed = ask(&app, &who, &page).await.expect(200).json();
            let books = feed["publications"].as_array().unwrap();
            titles.extend(books.iter().map(|book| book["metadata"]["title"].as_str().unwrap().to_owned()));
            let Some(next) = json_links(&feed, "next").first().map(|next| (*next).to_owned()) else { break };
            page = next;
        }
        titles.sort();
        titles.dedup();
        assert_eq!(titles.len(), 60);
        ask(&app, &who, "/opds/2/later?c=broken").await.expect(400);
    });
}

#[test]
fn json_catalogue_sends_the_authentication_document_to_unknown_clients() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let wrong = basic(&who.email, "wrong");
        for headers in [vec![], vec![("authorization", wrong.as_str())]] {
            let refused = app.get_with("/opds/2/inbox", &headers).await.expect(401);
            assert_eq!(refused.header("content-type"), "application/opds-authentication+json");
            assert_eq!(refused.header("www-authenticate"), "Basic realm=\"Carrel\", charset=\"UTF-8\"");
            let document = refused.json();
            assert_eq!(document["authentication"][0]["type"], "http://opds-spec.org/auth/basic");
            let own = document["id"].as_str().unwrap();
            assert_eq!(app.get(own).await.expect(200).json(), document);
        }
    });
}
