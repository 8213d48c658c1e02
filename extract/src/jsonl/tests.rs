//! Line protocol of the benchmarks.

use super::*;

fn ask(line: &str, page: &str) -> serde_json::Value {
    serde_json::from_str(&answer(line, |_| Ok(page.as_bytes().to_vec()))).unwrap()
}

#[test]
fn response_for_a_page_contains_text_and_time() {
    let page = format!(
        "<title>A title of it</title><article><p>{}</p></article>",
        "Words, and more words. ".repeat(40)
    );
    let reply = ask(r#"{"id":"7","url":null,"html_path":"x"}"#, &page);
    assert_eq!(reply["id"], "7");
    assert_eq!(reply["title"], "A title of it");
    assert!(reply["text"].as_str().unwrap().starts_with("Words, and"));
    assert!(reply["ms"].as_f64().unwrap() > 0.0);
}

#[test]
fn invalid_request_and_unreadable_page_return_an_error() {
    assert!(ask("{", "")["error"].is_string());
    let reply = answer(r#"{"id":1,"html_path":"x"}"#, |_| Err(io::ErrorKind::NotFound.into()));
    let reply: serde_json::Value = serde_json::from_str(&reply).unwrap();
    assert_eq!(reply["id"], 1);
    assert!(reply["error"].is_string());
}
