//! Random libraries, created over HTTP from a seed: items of every kind and state with unusual text in every
//! field, notes, highlights, and deletions.

use fastrand::Rng;
use reqwest::Method;
use serde_json::{Value, json};

use super::person::Person;
use super::{HttpAnswer, Reply, TestApp};

/// Texts that a parser may misinterpret.
const ODD: &[&str] = &[
    "=HYPERLINK(\"http://evil.example\")",
    "+1+1",
    "-2",
    "@SUM(A1)",
    "\u{ff1d}wide",
    "a,\"b\";c|d",
    "<b>bold</b> & <!-- no -->",
    "e\u{301} is not \u{e9}",
    "\u{202e}from right to left",
    "\u{feff}marked",
    "👩\u{200d}👩\u{200d}👧 family",
    "𐍈𝒳 beyond the plane",
    "日本語の題名、漢字と仮名",
    "ﬁ ligature ß İstanbul ſ",
    "line\nbreak\u{2028}and\u{85}more",
    "a\tb",
    "\\u0041 \\n ${x} %s {}",
    "\u{1f3f4}\u{e0067}\u{e0062}",
    "null",
    "שלום עולם",
];
/// Tags. Some of them are equal after normalisation.
const TAGS: &[&str] =
    &["Read me", "read ME", "É", "e\u{301}", "=tag", "a,b", "日本", "x", "İ", "long long long long"];
const MARKUP: &str = "<!doctype html><html lang=en><head><title>Carrels</title></head><body><article><h1>Carrels</h1>\
    <p>A carrel is a <b>small</b> desk for one <em>quiet</em> reader in a library, as \
    <a href='https://example.org/desk?a=1&amp;b=2#top'>somebody</a> said<sup>2</sup>.</p><h2>Lists</h2>\
    <ul><li>One <code>x &lt; y</code></li><li>Two, by <a href='mailto:a@example.org'>mail</a> or <a href='tel:+4930'>call</a></li></ul>\
    <blockquote><p>Quoted words of somebody else altogether.</p></blockquote><pre><code>fn main() {}\n  indented</code></pre>\
    <table><tr><th>Year</th><th>Desks</th></tr><tr><td>1900</td><td>12</td></tr></table>\
    <figure><img src='https://example.org/a.png' alt='A desk'><figcaption>Shown</figcaption></figure>\
    <p>The last paragraph tells of %ODD% and then ends.</p></article></body></html>";
/// Edited version of [`MARKUP`].
const EDITED: &str = "<p>New at its front.</p><p>A carrel is a little desk for one quiet reader in a library, \
    as somebody said.</p>";

/// Fills the library of an account. The same seed always creates the same library.
pub(crate) async fn fill(app: &TestApp, who: &Person, seed: u64) {
    let mut library = RandomLibrary { app, who, rng: Rng::with_seed(seed), count: 0 };
    let mut items = Vec::new();
    for _ in 0..14 {
        items.push(library.item().await);
    }
    app.tick().await;
    app.run_jobs().await;
    // This file is uploaded but not yet extracted.
    items.push(library.upload(1).await);
    for id in &items {
        library.change(id).await;
        for _ in 0..library.rng.u8(0..3) {
            library.highlight(id).await;
        }
    }
    library.edit(&items[library.count % items.len()]).await;
    for _ in 0..5 {
        let about = library.rng.bool().then(|| items[library.rng.usize(..items.len())].clone());
        library.note(about.as_deref()).await;
    }
    // These objects are duplicates: equal texts at the same time.
    for _ in 0..2 {
        library.post("/v1/library/notes", json!({"text": "to do"})).await;
    }
    for number in 0..2 {
        let id = &items.swap_remove(library.rng.usize(..items.len()));
        let annotations = if number == 0 { "keep" } else { "delete" };
        library.note(Some(id)).await;
        library
            .send(Method::DELETE, &format!("/v1/library/items/{id}?annotations={annotations}"), None)
            .await;
    }
}

struct RandomLibrary<'a> {
    app: &'a TestApp,
    who: &'a Person,
    rng: Rng,
    count: usize,
}

impl RandomLibrary<'_> {
    /// Sends a request. Sometimes advances the clock before it.
    async fn send(&mut self, method: Method, path: &str, body: Option<Value>) -> HttpAnswer {
        if self.rng.u8(0..3) > 0 {
            self.app.clock.advance(self.rng.i64(1..90_000));
        }
        let headers = [("x-api-key", self.who.key.as_str()), ("content-type", "application/json")];
        self.app.send(method, path, &headers, body.map(|body| body.to_string())).await
    }

    async fn post(&mut self, path: &str, body: Value) -> Value {
        let answer = self.send(Method::POST, path, Some(body.clone())).await;
        assert!(matches!(answer.status, 200 | 201), "{body}: {} {}", answer.status, answer.text());
        answer.json()
    }

    fn odd(&mut self) -> String {
        let pick = ODD[self.rng.usize(..ODD.len())];
        match self.rng.u8(0..4) {
            0 => format!("  {pick} "),
            1 => format!("{pick} {}", ODD[self.rng.usize(..ODD.len())]),
            _ => pick.to_owned(),
        }
    }

    /// Returns a random unusual text, or null.
    fn odd_or_null(&mut self) -> Value {
        if self.rng.bool() { self.odd().into() } else { Value::Null }
    }

    fn tags(&mut self) -> Vec<&'static str> {
        (0..self.rng.u8(0..5)).map(|_| TAGS[self.rng.usize(..TAGS.len())]).collect()
    }

    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.rng.usize(..words.len())]
    }

    fn metadata(&mut self) -> Value {
        match self.rng.u8(0..3) {
            0 => Value::Null,
            1 => json!({"z": 1, "a": [1.50, -0.0, 1e300, 9_007_199_254_740_993_i64], "": {"null": null}}),
            _ => json!({self.odd(): self.odd(), "deep": {"er": [{"x": self.odd()}]}}),
        }
    }

    /// Creates a random item and returns its id.
    async fn item(&mut self) -> String {
        self.count += 1;
        let (number, path) = (self.count, format!("/{}-{}", self.who.id, self.count));
        let mut body = match self.rng.u8(0..8) {
            0 => {
                let url = format!("https://example.org/{number}?b=2&a=1#/part");
                json!({"content": MARKUP.replace("%ODD%", &number.to_string()), "url": url})
            }
            1 => {
                let odd = self.odd();
                let text = format!("# Heading\n\n[Linked](https://example.org/) {odd}.\n\n- one\n- two");
                json!({"content": text, "mimeType": "text/markdown"})
            }
            2 => {
                let text = format!("{} plain\n\nwords {number}", self.odd());
                json!({"content": text, "format": "plain_text"})
            }
            3 => json!({"url": self.app.site.article(&path)}),
            4 => json!({"url": self.app.site.put(&path, Reply::status(404))}),
            5 => json!({"url": self.app.site.put(&path, Reply::status(503))}),
            6 => {
                let url = format!("HTTPS://Bücher.example:443/{number}?utm_source=x");
                json!({"fileName": format!("{}.pdf", self.odd()), "url": url})
            }
            7 => {
                // Two URLs of one page are two items. One of them refers to the other.
                let page = self.app.site.article(&format!("/{}-page", self.who.id));
                json!({"url": self.app.site.put(&path, Reply::redirect(&page))})
            }
            _ => return self.upload(4).await,
        };
        let extra = self.random_fields();
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        self.save(body).await
    }

    fn random_fields(&mut self) -> Value {
        let mut fields = json!({
            "author": self.odd_or_null(), "tags": self.tags(), "metadata": self.metadata(),
            "status": self.pick(&["inbox", "later", "archive"]),
            "captureMethod": self.pick(&["api", "extension", "upload", "email_inbox"]),
            "publishedAt": self.pick(&["2021-03-03", "Mar 3, 2021 10:00 +0200", "soon", ""]),
        });
        if self.rng.bool() {
            fields["title"] = self.odd().into();
        }
        if self.rng.u8(0..3) == 0 {
            let id = format!(" {} {}", self.count, ODD[self.rng.usize(..4)]);
            fields["externalId"] = id.into();
        }
        fields
    }

    async fn save(&mut self, mut body: Value) -> String {
        if body["metadata"].is_null() {
            body.as_object_mut().unwrap().remove("metadata");
        }
        let saved = self.post("/v1/library/items", body).await;
        saved["item"]["id"].as_str().unwrap().to_owned()
    }

    /// Creates an item with one of the first `among` files.
    async fn upload(&mut self, among: usize) -> String {
        self.count += 1;
        let number = self.count;
        let files: [(&str, Vec<u8>); 4] = [
            (
                "Notes of é.md",
                format!("# Notes {number}\n\nA carrel is a small desk for one quiet reader in a library.")
                    .into(),
            ),
            ("picture.png", [b"\x89PNG\r\n\x1a\n".as_slice(), &number.to_be_bytes()].concat()),
            ("what.bin", vec![0, 1, 2, u8::try_from(number).unwrap()]),
            ("=evil.csv", b"a,b\n=1+1,2\n".to_vec()),
        ];
        let (name, bytes) = files[self.rng.usize(..among)].clone();
        let mut body = self.random_fields();
        body["fileName"] = name.into();
        let id = self.save(body).await;
        let request = self.app.request(Method::PUT, &format!("/v1/library/items/{id}/file"));
        let sent = request.header("x-api-key", &self.who.key).body(bytes).send().await.unwrap();
        assert_eq!(sent.status(), 201);
        id
    }

    async fn change(&mut self, id: &str) {
        let mut changes = match self.rng.u8(0..6) {
            0 => json!({"readProgress": self.rng.u8(1..=99)}),
            1 => json!({"markRead": true}),
            2 => json!({"contentKind": self.pick(&["book", "video", "pdf", "article"])}),
            3 => json!({"title": self.odd(), "author": self.odd_or_null(), "publishedAt": "2020-02-29"}),
            4 => json!({"metadata": {"own": self.odd(), "z": null}}),
            _ => return,
        };
        if self.rng.bool() {
            changes["tags"] = self.tags().into();
        }
        self.send(Method::PATCH, &format!("/v1/library/items/{id}"), Some(changes)).await.expect(200);
    }

    /// Adds a highlight. Its quote occurs in the text, may occur in it, or does not occur in it.
    async fn highlight(&mut self, id: &str) {
        let odd = self.odd();
        let quote = self.pick(&[
            "A carrel is a small desk for one quiet reader",
            "said2.\n\nLists\n\nOne",
            "not there at all",
        ]);
        let note = if self.rng.bool() { json!(format!("\n {odd} ")) } else { Value::Null };
        let mut body = json!({
            "itemId": id, "quote": quote, "note": note, "tags": self.tags(),
            "color": self.pick(&["yellow", "green", "blue", "red", "purple"]),
        });
        if self.rng.bool() {
            body["prefix"] = " before\t".into();
            body["suffix"] = format!("{odd} ").into();
            body["anchor"] = 2.into();
        }
        if self.rng.u8(0..3) == 0 {
            self.count += 1;
            body["externalId"] = format!(" h{} ", self.count).into();
        }
        self.post("/v1/library/highlights", body).await;
    }

    /// Creates an item with highlights and replaces its text, so that the highlights are re-anchored. Adds a
    /// note to the item `id`.
    async fn edit(&mut self, id: &str) {
        let made = self.save(json!({"content": MARKUP, "externalId": "edited"})).await;
        self.highlight(&made).await;
        let quote = "A carrel is a small desk for one quiet reader in a library, as somebody said";
        self.post("/v1/library/highlights", json!({"itemId": made, "quote": quote})).await;
        self.save(json!({"content": EDITED, "externalId": "edited"})).await;
        self.note(Some(id)).await;
    }

    async fn note(&mut self, item_id: Option<&str>) {
        let mut body = json!({"text": format!("{}\r\n\n{} ", self.odd(), self.odd()), "title": self.odd_or_null(), "tags": self.tags(), "itemId": item_id});
        if self.rng.bool() {
            self.count += 1;
            body["externalId"] = format!("n{}\u{3000}", self.count).into();
        }
        self.post("/v1/library/notes", body).await;
    }
}
