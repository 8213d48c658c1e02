//! Documentation pages: static pages that are generated from the OpenAPI documents, and the interactive
//! reference.

use crate::support::operations::Operation;
use crate::support::{TestApp, run};

/// Path of a documentation page, of its OpenAPI document, and of its interactive reference.
const PAGES: [(&str, &str, &str); 2] = [
    ("/docs", "/api/v1/openapi.json", "/docs/reference"),
    ("/docs/developer", "/v1/openapi.json", "/docs/developer/reference"),
];

/// Areas of the Developer API, which have a page each.
const AREAS: [&str; 6] = ["account", "articles", "feeds", "library", "monitors", "rss"];

/// Returns the pages that describe the operations of a document, by path.
async fn reference_pages(app: &TestApp, docs: &str) -> Vec<(String, String)> {
    let paths = match docs {
        "/docs/developer" => AREAS.iter().map(|area| format!("{docs}/{area}")).collect(),
        _ => vec![docs.to_owned()],
    };
    let mut pages = Vec::new();
    for path in paths {
        let page = app.get(&path).await.expect(200).text();
        pages.push((path, page));
    }
    pages
}

/// Returns the part of a page from the element with this id to the next section.
fn section<'a>(page: &'a str, id: &str) -> Option<&'a str> {
    let start = page.find(&format!("<section class=\"op\" id=\"{id}\""))?;
    page[start..].split("</section>").next()
}

async fn all_reference_pages(app: &TestApp) -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for (docs, _, _) in PAGES {
        pages.extend(reference_pages(app, docs).await);
    }
    pages
}

#[test]
fn every_operation_has_a_request_fields_and_a_response() {
    run(async {
        let app = TestApp::spawn().await;
        for (path, description, _) in PAGES {
            let pages = reference_pages(&app, path).await;
            let document = app.get(description).await.expect(200).json();
            let operations = Operation::all(&document);
            let documented =
                operations.iter().filter(|it| !["HEAD", "OPTIONS"].contains(&it.method.as_str()));
            for operation in documented {
                let about = format!("{} in {path}", operation.id);
                let mut sections =
                    pages.iter().filter_map(|(_, page)| Some((page, section(page, &operation.id)?)));
                let (page, part) = sections.next().unwrap_or_else(|| panic!("{about} has no section"));
                assert!(sections.next().is_none(), "{about} has two sections");
                assert!(
                    page.contains(&format!("href=\"#{}\"", operation.id)),
                    "{about} is missing in the contents"
                );
                assert!(part.contains("curl "), "{about} has no request");
                assert!(part.contains("Response <code>2"), "{about} has no response");
                let good = operation.description["responses"].as_object().unwrap();
                let good = good.iter().find(|(status, _)| status.starts_with('2')).unwrap().1;
                if good["content"]["application/json"].is_object() {
                    assert!(part.contains(">Response</h4><table"), "{about} has no fields");
                }
                if operation.description["requestBody"].is_object() {
                    let sends = ["-d ", "-F ", "--data-binary"].iter().any(|flag| part.contains(flag));
                    assert!(sends, "{about} does not send its body");
                    assert!(
                        part.contains("requests.") && part.contains("fetch("),
                        "{about} has no other languages"
                    );
                }
            }
        }
    });
}

#[test]
fn summaries_contain_no_interactive_elements() {
    run(async {
        let app = TestApp::spawn().await;
        for (path, page) in all_reference_pages(&app).await {
            let summaries =
                page.split("<summary>").skip(1).map(|rest| rest.split("</summary>").next().unwrap());
            let mut count = 0;
            for summary in summaries {
                assert!(!summary.contains('<'), "{path}: {summary}");
                count += 1;
            }
            assert!(count > 0 && page.contains("<li><a href=\"#group-"), "{path} has no links to its groups");
        }
    });
}

#[test]
fn documents_have_no_placeholder_values_or_broken_anchors() {
    run(async {
        let app = TestApp::spawn().await;
        for (path, page) in all_reference_pages(&app).await {
            for riddle in [
                "Value\">any<", "999999999999999", "999,999", "9,223", "null</td>, ", ">array<", "at least 0",
            ] {
                assert!(!page.contains(riddle), "{path} contains {riddle}");
            }
            for anchor in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                assert!(page.contains(&format!("id=\"{anchor}\"")), "{path}: nothing is at #{anchor}");
            }
            assert!(page.contains("<code>text</code>, <code>markdown</code>") || path != "/docs");
            assert!(page.matches("as for every operation").count() > 2, "common errors are described once");
            assert!(!page.contains("style="), "the page has no inline styles");
            assert!(
                !page.contains("<table>") && page.contains("table class=\"cards"),
                "tables are rendered as cards on phones"
            );
        }
    });
}

#[test]
fn interactive_reference_loads_only_assets_of_its_host() {
    run(async {
        let app = TestApp::spawn().await;
        for (docs, description, path) in PAGES {
            assert!(app.get(docs).await.text().contains(path), "{docs} does not link to {path}");
            let answer = app.get(path).await.expect(200);
            let policy = answer.header("content-security-policy").to_owned();
            assert!(policy.starts_with("default-src 'none'") && !policy.contains("http"), "{policy}");
            assert!(!policy.contains('*') && !policy.contains("unsafe-eval"), "{policy}");
            let script = policy.split("; ").find(|rule| rule.starts_with("script-src")).unwrap();
            assert_eq!(script, "script-src 'self'");
            let page = answer.text();
            assert!(page.contains(&format!("data-document=\"{description}\"")));
            let named = |name: &str| -> Vec<String> {
                let mark = format!("{name}=\"");
                let parts = page.split(&mark).skip(1);
                parts.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
            };
            let assets: Vec<String> = named("src").into_iter().chain(named("href")).collect();
            let assets: Vec<&String> = assets.iter().filter(|link| link.contains("/assets/")).collect();
            assert_eq!(assets.len(), 4, "{assets:?}");
            for asset in assets {
                assert!(asset.starts_with("/assets/"), "{asset}");
                let file = app.get(asset).await.expect(200);
                assert!(file.header("cache-control").contains("immutable") && !file.body.is_empty());
            }
            assert!(app.get(description).await.expect(200).json()["paths"].is_object());
            let inside = page
                .split("<script")
                .skip(1)
                .any(|rest| !rest.split('>').nth(1).unwrap().starts_with("</script"));
            assert!(!inside, "the page has no inline script");
        }
    });
}

#[test]
fn developer_page_lists_every_operation_with_a_link_that_resolves() {
    run(async {
        let app = TestApp::spawn().await;
        let index = app.get("/docs/developer").await.expect(200).text();
        assert!(!index.contains("<script") && index.len() < 200_000, "{}", index.len());
        let pages = reference_pages(&app, "/docs/developer").await;
        let document = app.get("/v1/openapi.json").await.expect(200).json();
        let listed = Operation::all(&document);
        let listed = listed.iter().filter(|it| !["HEAD", "OPTIONS"].contains(&it.method.as_str()));
        for operation in listed {
            let page = pages.iter().find(|(_, page)| section(page, &operation.id).is_some());
            let (path, page) = page.unwrap_or_else(|| panic!("{} has no page", operation.id));
            assert!(index.contains(&format!("href=\"{}{path}#{}\"", app.origin, operation.id)), "{path}");
            let part = section(page, &operation.id).unwrap();
            assert!(part.contains("<code>svc:"), "{} names no scope", operation.id);
        }
        for (path, page) in &pages {
            assert!(page.contains(&format!("href=\"{}/docs/developer#errors\"", app.origin)), "{path}");
            assert_eq!(page.matches("<script").count(), 1, "{path} has the script of the copy buttons");
        }
        let unknown = app.get_with("/docs/developer/lamps", &[("accept", "text/html")]).await.expect(404);
        assert!(unknown.text().contains("Page not found"));
    });
}

#[test]
fn search_on_the_developer_page_lists_matching_operations() {
    run(async {
        let app = TestApp::spawn().await;
        let search =
            async |words: &str| app.get(&format!("/docs/developer?q={words}")).await.expect(200).text();
        let results = search("LIBRARY+rename").await;
        assert!(
            results.contains("/docs/developer/library#") && results.contains("Rename a tag"),
            "{results}"
        );
        assert!(!results.contains("Create a monitor"), "{results}");
        let none = search("%3Cscript%3E").await;
        assert!(none.contains("&lt;script&gt;") && none.contains("No operation has"), "{none}");
    });
}

#[test]
fn collection_for_api_clients_has_every_operation() {
    run(async {
        let app = TestApp::spawn().await;
        let answer = app.get("/docs/developer/postman.json").await.expect(200);
        assert!(answer.header("content-disposition").starts_with("attachment"));
        let collection = answer.json();
        assert_eq!(collection["variable"][0]["value"], app.origin.as_str());
        let folders = collection["item"].as_array().unwrap();
        let requests: usize = folders.iter().map(|folder| folder["item"].as_array().unwrap().len()).sum();
        let document = app.get("/v1/openapi.json").await.expect(200).json();
        let listed = Operation::all(&document);
        let listed = listed.iter().filter(|it| !["HEAD", "OPTIONS"].contains(&it.method.as_str()));
        assert_eq!(requests, listed.count());
        for request in folders.iter().flat_map(|folder| folder["item"].as_array().unwrap()) {
            let address = request["request"]["url"]["raw"].as_str().unwrap();
            assert!(address.starts_with("{{baseUrl}}/v1/") && !address.contains("/{id"), "{address}");
        }
    });
}
