//! Web pages and machine-readable documents: the reading page, the home page, and the pages of each host.

use serde_json::json;

use crate::support::{Reply, Setup, TestApp, World, on_each_world, run, wire};

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

#[test]
fn reading_page_contains_no_active_content_of_the_source() {
    on_each_world(async |app| {
        let hostile = "<script>steal()</script><img src=x onerror=steal()><a href=\"javascript:steal()\">a link</a>\
            <a href=\" jav&#x09;ascript:steal()\">another</a><a href=\"data:text/html,steal()\">a third</a>\
            <svg onload=steal()></svg><iframe src=//frame.example></iframe><style>body{background:url(//evil.example)}</style>\
            <p onclick=steal() style=\"color:red\">A paragraph with a handler, long enough to be kept by anybody.</p>\
            <p>It is written &lt;script&gt;steal()&lt;/script&gt; in plain text, and that must stay text.</p>";
        let page = crate::support::site::article()
            .replace("<h2>Market</h2>", &format!("{hostile}<h2>Market</h2>"))
            .replace("A town by the sea</title>", "A town &lt;img src=x onerror=steal()&gt;</title>")
            .replace("Ada Quill", "&lt;b onmouseover=steal()&gt;Ada");
        let url = app.site.put("/hostile", Reply::html(page));
        let answer = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200);
        // The only script and the pictures are served by Carrel itself.
        let own = answer.text();
        let script = crate::support::browser::between(&own, "<script src=\"/assets/reading-", "</script>");
        let text = own.replacen(&format!("<script src=\"/assets/reading-{script}</script>"), "", 1);
        let text = text.replace("<img class=\"picture\" src=\"/pictures/", "<ours src=\"");
        for harm in [
            "<script", "<img", "<iframe", "<svg", "<style", "<b ", "javascript:", "data:", "style=\"color",
            "evil.example",
        ] {
            assert!(!text.to_lowercase().contains(harm), "{harm} must not occur in {text}");
        }
        assert!(!has_attribute(&text, "on"), "{text}");
        assert!(text.contains("&lt;script&gt;steal()"), "{text}");
        let policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; script-src 'self'; \
            connect-src 'self'; media-src blob:; base-uri 'none'; frame-ancestors 'none'";
        assert_eq!(answer.header("content-security-policy"), policy);
        let json = app.read(&url, &[]).await.expect(200).json();
        for link in
            json["blocks"].as_array().unwrap().iter().filter_map(|block| block["links"].as_array()).flatten()
        {
            assert!(link["url"].as_str().unwrap().starts_with("http"), "{link}");
        }
        let markdown = app.read(&url, &[("format", "markdown")]).await.expect(200).text();
        assert!(
            !markdown.contains("javascript:") && !markdown.replace("\\<", "").contains("<script"),
            "{markdown}"
        );
    });
}

/// True if a tag has an attribute whose name starts with `start`. Escaped text is not a tag.
fn has_attribute(html: &str, start: &str) -> bool {
    let tags = html.split('<').skip(1).filter_map(|tag| tag.split('>').next());
    tags.flat_map(str::split_whitespace)
        .skip(1)
        .any(|word| word.split_once('=').is_some_and(|(name, _)| name.to_lowercase().starts_with(start)))
}

#[test]
fn reading_page_has_title_byline_outline_and_source() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let answer = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200);
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        let page = answer.text();
        let style = page.split("href=\"/assets/").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let rendered = app.replace_ports(&page).replace(&style, "STYLE").replace(
            "><", ">
<",
        );
        insta::assert_snapshot!("reading_page", rendered);
        for anchor in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(page.contains(&format!("id=\"{anchor}\"")), "nothing has the id {anchor}");
        }
        let style = app.get(&format!("/assets/{style}")).await.expect(200);
        assert_eq!(style.header("content-type"), "text/css; charset=utf-8");
        assert!(style.header("cache-control").contains("immutable"));
        app.get("/assets/nothing.css").await.expect(404);
    });
}

#[test]
fn home_page_form_redirects_to_the_reading_page() {
    run(async {
        let app = TestApp::spawn().await;
        let home = app.get("/").await.expect(200).text();
        assert!(home.contains("<form") && home.contains("name=\"url\"") && !home.contains("<script"));
        let url = app.site.article("/town?a=b");
        let encoded: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
        let answer = app.get(&format!("/read?url={encoded}")).await.expect(303);
        assert_eq!(answer.header("location"), format!("/{url}"));
        app.get_with(answer.header("location"), &[BROWSER]).await.expect(200);
        for (typed, target) in [
            ("example.com", "/https://example.com/"),
            ("%20https://example.com/a%20", "/https://example.com/a"),
        ] {
            assert_eq!(app.get(&format!("/read?url={typed}")).await.expect(303).header("location"), target);
        }
        let odd = app.get("/read?url=ht%0d%0atp:x").await.expect(303);
        assert!(odd.header("location").starts_with("/api/v1/read?format=html&url="));
        app.get("/read?url=").await.expect(400);
        app.get("/read?url=https%3A%2F%2Fexample.com%2Fcaf%e9").await.expect(400);
    });
}

#[test]
fn home_page_describes_the_service_and_links_to_an_account() {
    run(async {
        let app = TestApp::spawn().await;
        let home = app.get("/").await.expect(200).text();
        for part in [
            "Read</h2>", "Follow</h2>", "Save</h2>", "Watch</h2>", "/sign-up\"", "/sign-in\"", "/docs/agents",
        ] {
            assert!(home.contains(part), "{part} is missing in {home}");
        }
        assert!(!home.contains("/assets/site-") && home.len() < 40 * 1024, "{home}");
        let pictures: Vec<&str> = home.split('"').filter(|part| part.contains(".webp")).collect();
        assert_eq!(pictures.len(), 6, "three pages in light and dark");
        for path in pictures {
            let picture = app.get(path).await.expect(200);
            assert_eq!(picture.header("content-type"), "image/webp");
            assert_eq!(picture.header("cache-control"), "public, max-age=31536000, immutable");
        }
        let closed = Setup::on(World::Small).set("CARREL_SIGNUP", "closed").spawn().await;
        assert!(!closed.get("/").await.expect(200).text().contains("/sign-up"));
    });
}

#[test]
fn installation_has_its_own_name_color_and_welcome_text() {
    run(async {
        let app = Setup::on(World::Small)
            .set("CARREL_SITE_NAME", "Harbour <b>")
            .set("CARREL_SITE_COLOR", "#ffff00")
            .set("CARREL_SITE_WELCOME", "For everyone in town & on the islands.")
            .spawn()
            .await;
        let home = app.get("/").await.expect(200);
        let policy = home.header("content-security-policy").to_owned();
        assert!(policy.contains("style-src 'self'") && !policy.contains("unsafe"), "{policy}");
        let home = home.text();
        assert!(home.contains("<title>Harbour &lt;b&gt;</title>"), "{home}");
        assert!(home.contains("For everyone in town &amp; on the islands."), "{home}");
        let name = crate::support::browser::between(&home, "href=\"/assets/site-", "\"");
        let sheet = app.get(&format!("/assets/site-{name}")).await.expect(200);
        assert_eq!(sheet.header("content-type"), "text/css; charset=utf-8");
        assert!(sheet.text().contains("--accent: light-dark(#") && !sheet.text().contains("(#ffff00,"));
        let url = app.site.article("/town");
        let text = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
        assert!(text.contains(" · Harbour &lt;b&gt;</title>") && text.contains("/assets/site-"), "{text}");
        let manifest = app.get("/manifest.webmanifest").await.json();
        assert_eq!(manifest["name"], "Harbour <b>");
        let icon = app.get(manifest["icons"][0]["src"].as_str().unwrap()).await.expect(200).text();
        let color = manifest["theme_color"].as_str().unwrap();
        assert!(icon.contains(color) && !icon.contains("#7a3b1d") && color != "#ffff00", "{icon}");
        let other = TestApp::spawn().await;
        other.get(&format!("/assets/site-{name}")).await.expect(404);
    });
}

#[test]
fn unknown_path_returns_a_page_for_people() {
    run(async {
        let app = TestApp::spawn().await;
        let page = app.get_with("/docs/nothing", &[BROWSER]).await.expect(404).text();
        assert!(page.contains("<h1>Page not found</h1>") && page.contains("typing mistakes"), "{page}");
        assert!(!page.contains("the path and the id"), "{page}");
        let page = app.get("/read?url=").await.expect(400).text();
        assert!(page.contains("<h1>Enter an address</h1>"), "{page}");
    });
}

#[test]
fn machine_readable_documents_have_their_well_known_paths() {
    run(async {
        let app = TestApp::spawn().await;
        let document = app.get("/api/v1/openapi.json").await.expect(200).json();
        assert_eq!(document, app.get("/openapi.json").await.expect(200).json());
        assert_eq!(document["servers"], json!([{"url": app.origin}]));
        let catalog = app.get("/.well-known/api-catalog").await.expect(200);
        assert_eq!(catalog.header("content-type"), "application/linkset+json");
        assert_eq!(catalog.json()["linkset"][0]["service-desc"][0]["href"], app.url("/api/v1/openapi.json"));
        let developer = &catalog.json()["linkset"][1];
        assert_eq!(developer["service-desc"][0]["href"], app.url("/v1/openapi.json"));
        let llms = app.get("/llms.txt").await.expect(200);
        assert_eq!(llms.header("content-type"), "text/plain; charset=utf-8");
        insta::assert_snapshot!("llms", app.replace_ports(&llms.text()));
        let robots = app.get("/robots.txt").await.expect(200).text();
        assert!(robots.contains("User-agent: *") && robots.contains("Disallow: /\n"));
        let docs = app.get("/docs").await.expect(200).text();
        for operation in [
            "readPublicUrl", "readPublicUrls", "createReadJob", "getReadJob", "verifyQuotes", "sandboxRead",
            "readByPrefix",
        ] {
            assert!(docs.contains(&format!("id=\"{operation}\"")), "{operation}");
        }
        assert!(!docs.contains("https://cdn") && !docs.contains("<script"));
        assert!(docs.contains("neither changes its spelling"), "the page explains the two spellings");
        assert!(app.get("/about").await.expect(200).text().contains("CarrelBot"));
    });
}

/// Pages that redirect to another host or path: host and path of the page.
const REDIRECTED_PAGES: [(&str, &str); 6] = [
    ("api.carrel.example", "/"),
    ("api.carrel.example", "/docs"),
    ("auth.carrel.example", "/"),
    ("auth.carrel.example", "/docs"),
    ("read.carrel.example", "/docs/developer/reference"),
    ("read.carrel.example", "/docs/"),
];

#[test]
fn each_surface_is_served_only_by_its_own_host() {
    run(async {
        let app = Setup::on(World::Small)
            .set("CARREL_READER_LIMITS", "off")
            .set("CARREL_BASE_URL", "https://api.carrel.example")
            .set("CARREL_READER_URL", "https://read.carrel.example")
            .set("CARREL_AUTH_URL", "https://auth.carrel.example")
            .spawn()
            .await;
        let get = async |host: &str, path: &str| {
            let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
            wire::send(&app, request.as_bytes()).await
        };
        let own = get("read.carrel.example", "/api/v1/sandbox/read?format=json").await;
        assert_eq!(own.status, 200);
        assert!(own.body.contains("https://read.carrel.example/https://example.com/sandbox"));
        assert_eq!(get("READ.carrel.example", "/api/v1/sandbox/read").await.status, 200);
        for host in ["api.carrel.example", "auth.carrel.example", "evil.example", "127.0.0.1"] {
            assert_eq!(get(host, "/api/v1/sandbox/read").await.status, 404, "{host}");
            assert_eq!(get(host, "/http://example.com/").await.status, 404, "{host}");
            assert_eq!(get(host, "/healthz").await.status, 200, "{host}");
        }
        assert_eq!(get("read.carrel.example", "/openapi.json").await.status, 200);
        let developer = get("api.carrel.example", "/openapi.json").await;
        assert!(developer.status == 200 && developer.body.contains("/v1/articles/read"));
        let request = b"GET /openapi.json HTTP/1.1\r\nhost: api.carrel.example\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n";
        let packed = wire::send(&app, request).await;
        assert!(packed.status == 200 && packed.head.to_lowercase().contains("content-encoding: gzip"));
        for (host, path) in REDIRECTED_PAGES {
            assert!([302, 308].contains(&get(host, path).await.status), "{host}{path}");
        }
        let page = get("auth.carrel.example", "/sign-in").await.body;
        assert!(page.contains("href=\"https://read.carrel.example/docs\""), "{page}");
        for host in ["read.carrel.example", "api.carrel.example", "auth.carrel.example"] {
            let page = get(host, "/docs/developer").await;
            assert_eq!(page.status, 200, "{host}");
            let links = page.body.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
            for link in links.filter(|link| link.starts_with('/')) {
                assert!(link.starts_with("/assets/"), "{link} does not exist on {host}");
            }
        }
        assert_eq!(get("api.carrel.example", "/docs/developer/reference").await.status, 200);
        let page = get("read.carrel.example", "/about").await.body;
        assert!(page.contains("href=\"https://auth.carrel.example/today\""), "{page}");
        for own in [
            "https://api.carrel.example/x",
            "https://read.carrel.example/x",
            "https://AUTH.carrel.example./x",
        ] {
            app.send(
                reqwest::Method::GET,
                &crate::support::app::read_path(own, &[]),
                &[("host", "read.carrel.example")],
                None,
            )
            .await
            .problem(400, "url_not_allowed");
        }
    });
}

#[test]
fn host_header_is_not_repeated_in_responses() {
    run(async {
        let app = TestApp::spawn().await;
        for path in [
            "/",
            "/docs",
            "/docs/developer",
            "/docs/agents",
            "/about",
            "/sign-in",
            "/sign-up",
            "/forgot",
            "/today",
            "/llms.txt",
            "/robots.txt",
            "/openapi.json",
            "/v1/openapi.json",
            "/opensearch.xml",
            "/manifest.webmanifest",
            "/.well-known/api-catalog",
            "/.well-known/oauth-authorization-server",
            "/.well-known/oauth-protected-resource",
            "/docs/",
            "/nothing",
        ] {
            let request = format!(
                "GET {path} HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-host: evil.example\r\n\
                 connection: close\r\n\r\n"
            );
            let answer = wire::send(&app, request.as_bytes()).await;
            assert!(answer.status < 500, "{path}: {}", answer.status);
            assert!(!answer.head.contains("evil.example"), "{path}: {}", answer.head);
            assert!(!answer.body.contains("evil.example"), "{path}: {}", answer.body);
        }
    });
}

#[test]
fn paths_with_parent_folders_serve_no_files() {
    run(async {
        let app = TestApp::spawn().await;
        for path in [
            "/../../etc/passwd",
            "/assets/../../../etc/passwd",
            "/assets/..%2f..%2f..%2fetc%2fpasswd",
            "/assets/%2e%2e/%2e%2e/etc/passwd",
            "/assets//etc/passwd",
            "/docs/../../etc/passwd",
            "/problems/..%2f..%2fetc%2fpasswd",
            "/feeds/..%2f..%2fetc%2fpasswd",
            "/pictures/..%2f..%2fetc%2fpasswd",
        ] {
            let answer = wire::get(&app, path, &[]).await;
            assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
            assert!(!answer.body.contains("root:"), "{path}: {}", answer.body);
        }
    });
}

#[test]
fn long_responses_are_compressed_if_the_client_accepts_it() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let paths = [
            "/docs/developer".to_owned(),
            format!("/{url}"),
            format!("/api/v1/read?url={url}&format=json"),
            format!("/api/v1/read?url={url}&format=text"),
            "/v1/openapi.json".to_owned(),
        ];
        for path in &paths {
            let plain = app.get_with(path, &[BROWSER]).await.expect(200);
            assert_eq!(plain.header("content-encoding"), "", "{path}");
            assert_eq!(plain.header_lines("content-type").len(), 1, "{path} has one Content-Type");
            let length = plain.body.len();
            for coding in ["gzip", "br"] {
                let packed = app.get_with(path, &[BROWSER, ("accept-encoding", coding)]).await.expect(200);
                assert_eq!(packed.header("content-encoding"), coding, "{path}");
                assert!(
                    packed.header_lines("vary").join(",").to_lowercase().contains("accept-encoding"),
                    "{path}"
                );
                assert!(packed.body.len() * 10 < length * 8, "{path} {coding}");
                let etag = packed.header("etag").to_owned();
                if !etag.is_empty() {
                    assert!(etag.starts_with("W/"), "{etag}");
                    let headers = [BROWSER, ("accept-encoding", coding), ("if-none-match", &etag)];
                    let known = app.get_with(path, &headers).await.expect(304);
                    assert_eq!(known.header("etag"), etag, "{path} confirms the sent ETag");
                    let vary = known.header_lines("vary").join(",").to_lowercase();
                    assert!(vary.contains("accept-encoding"), "{path}: {vary}");
                }
            }
        }
        let secret = app.get_with("/sign-in", &[("accept-encoding", "gzip, br")]).await.expect(200);
        assert_eq!(secret.header("content-encoding"), "", "pages with form tokens are not compressed");
    });
}

#[test]
fn trailing_slash_redirects_to_the_page() {
    run(async {
        let app = TestApp::spawn().await;
        for (path, target) in [
            ("/docs/", "/docs"),
            ("/docs/developer/", "/docs/developer"),
            ("/sign-up/", "/sign-up"),
            ("/monitors/?x=1", "/monitors?x=1"),
            ("/problems/", "/problems"),
        ] {
            assert_eq!(app.get(path).await.expect(308).header("location"), target);
        }
        let missing = app.get_with("/docs/nothing", &[BROWSER]).await.expect(404).text();
        assert!(missing.contains("href=\"/docs\""), "an unknown page links the documentation: {missing}");
    });
}

#[test]
fn right_to_left_text_is_rendered_right_to_left() {
    run(async {
        let app = TestApp::spawn().await;
        let line = "تعلّمت الموانئ القديمة أن تتنفّس مع البحر، فلم تعد الجدران تصدّ الماء بل تفسح له الطريق في كل شتاء، ثم تعيده برفق.";
        let page = format!(
            "<html lang='ar' dir='rtl'><head><title>الموانئ</title><meta name='author' content='مارا Ellison'>\
             <meta property='article:published_time' content='2026-10-01T08:00:00Z'></head><body><article>\
             <h1>الموانئ</h1><p>{line}</p><blockquote><p>{line}</p></blockquote><pre><code>let x = 1;</code></pre><p>{line}</p></article></body></html>"
        );
        let url = app.site.put("/ar", Reply::html(page));
        let rendered = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
        assert!(rendered.contains("<article lang=\"ar\" dir=\"rtl\" "), "{rendered}");
        assert!(rendered.contains("<bdi>مارا Ellison</bdi>"), "{rendered}");
        // English words of the byline and of the bar are isolated from the text.
        assert!(rendered.contains("<bdi lang=\"en\"><time datetime=\"2026-10-01"), "{rendered}");
        assert!(rendered.contains("</time></bdi> · <bdi lang=\"en\">"), "{rendered}");
        assert!(rendered.contains("class=\"bar noprint\" lang=\"en\" dir=\"ltr\""), "{rendered}");
        let style = rendered.split("href=\"/assets/").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let sheet = app.get(&format!("/assets/{style}")).await.expect(200).text();
        for physical in [
            "padding-left", "padding-right", "margin-left", "margin-right", "border-left", "border-right",
            "float:",
        ] {
            assert!(!sheet.contains(physical), "{physical} ignores the writing direction");
        }
        assert!(
            sheet.contains("direction: ltr; text-align: left; unicode-bidi: isolate"),
            "code is left to right"
        );
    });
}

#[test]
fn print_layout_includes_source_time_and_link_targets() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let rendered = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200).text();
        let line =
            rendered.split("class=\"only-print\">").nth(1).unwrap().split("</p>").next().unwrap().to_owned();
        assert!(line.contains(&url) && line.contains("UTC"), "{line}");
        let style = rendered.split("href=\"/assets/").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let sheet = app.get(&format!("/assets/{style}")).await.expect(200).text();
        let print = sheet.split("@media print").nth(1).unwrap();
        assert!(print.contains("attr(href)") && print.contains(".only-print { display: block; }"), "{print}");
    });
}

#[test]
fn hsts_header_is_sent_only_with_an_https_base_url() {
    run(async {
        let plain = TestApp::spawn().await;
        assert_eq!(plain.get("/").await.header("strict-transport-security"), "");
        let secure =
            Setup::on(World::Small).set("CARREL_BASE_URL", "https://carrel.example.org").spawn().await;
        let answer = secure.get_with("/", &[("host", "carrel.example.org")]).await;
        assert_eq!(answer.header("strict-transport-security"), "max-age=31536000");
    });
}

#[test]
fn stylesheet_adds_no_symbols_to_changed_text() {
    let style = include_str!("../../crates/web/src/carrel.css");
    for selector in ["ins::before", "del::before", "ins:before", "del:before", "ins::after", "del::after"] {
        assert!(!style.contains(selector), "{selector} must not add signs to changed text");
    }
}
