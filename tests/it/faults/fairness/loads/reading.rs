//! Loads from reading: public reads and batches, read jobs, article operations, and pictures.

use std::sync::Arc;

use reqwest::Method;
use serde_json::json;

use super::text::{large_page, large_paragraphs};
use crate::faults::fairness::greedy::{Greedy, Traffic, expect_success, status};
use crate::support::Reply;
use crate::support::app::read_path;

/// Number of hosts that serve the pages. It is high enough that the limit of a single host does not reduce
/// the load.
const HOSTS: u16 = 50;
/// Number of items in a batch.
const BATCH: usize = 10;
/// Number of pictures on a page, and number of such pages.
const PICTURES: usize = 10;
const GALLERIES: usize = 6;
/// Size of a picture, in bytes. The limit is 8 MiB.
const PICTURE_BYTES: usize = 7_000_000;

/// Publishes large pages at all paths that start with `/page/`.
fn publish_pages(greedy: &Greedy) {
    let paragraphs = large_paragraphs();
    greedy.site.put_prefix("/page/", move |number| large_page(&paragraphs, number));
}

/// Reads fresh large pages. One in four requests is a batch.
pub(super) fn public_reads(greedy: Arc<Greedy>) -> Traffic {
    publish_pages(&greedy);
    Traffic::new(32, move |number| {
        let page = |index: usize| greedy.url("/page/", number * BATCH + index, HOSTS);
        let request = if number.is_multiple_of(4) {
            let requests: Vec<_> = (0..BATCH).map(|index| json!({ "url": page(index) })).collect();
            let body = json!({ "requests": requests }).to_string();
            let request = greedy.anonymous(Method::POST, "/api/v1/read/batch");
            request.header("content-type", "application/json").body(body)
        } else {
            greedy.anonymous(Method::GET, &read_path(&page(0), &[("format", "json")]))
        };
        status(request)
    })
}

/// Submits durable jobs that read fresh large pages.
pub(super) fn read_jobs(greedy: Arc<Greedy>) -> Traffic {
    publish_pages(&greedy);
    Traffic::new(16, move |number| {
        let body = json!({ "url": greedy.url("/page/", number, HOSTS) }).to_string();
        let request = greedy.anonymous(Method::POST, "/api/v1/read/jobs");
        status(request.header("content-type", "application/json").body(body))
    })
}

/// Extracts and reads fresh large pages with an API key.
pub(super) fn article_operations(greedy: Arc<Greedy>) -> Traffic {
    publish_pages(&greedy);
    Traffic::new(32, move |number| {
        let operation = if number.is_multiple_of(2) { "/v1/articles/extract" } else { "/v1/articles/read" };
        status(greedy.post(operation, &json!({ "url": greedy.url("/page/", number, HOSTS) })))
    })
}

/// Requests large pictures of reading pages. The first request for a picture fetches it, and further requests
/// are served from the cache.
pub(super) async fn pictures(greedy: Arc<Greedy>) -> Traffic {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x28\0\0\0\x1e\x08\x06\0\0\0".to_vec();
    png.resize(PICTURE_BYTES, 7);
    let png = Reply::bytes("image/png", png);
    greedy.site.put_prefix("/picture/", move |_| png.clone());
    let mut paths = Vec::new();
    for gallery in 0..GALLERIES {
        let path = format!("/gallery/{gallery}");
        greedy.site.put(&path, Reply::html(gallery_page(&greedy, gallery)));
        let read = greedy.anonymous(Method::GET, &format!("/{}", greedy.site.url_at(0, &path)));
        let page = expect_success(read.header("accept", "text/html")).await.text();
        let sources = page.split("src=\"/pictures/").skip(1).filter_map(|rest| rest.split('"').next());
        paths.extend(sources.map(|sealed| format!("/pictures/{sealed}")));
    }
    assert!(!paths.is_empty(), "the reading pages have pictures");
    Traffic::new(16, move |number| {
        let request = greedy.anonymous(Method::GET, &paths[number % paths.len()]);
        status(request.header("accept", "image/avif,image/webp,*/*;q=0.8"))
    })
}

/// Returns an article with pictures between its paragraphs.
fn gallery_page(greedy: &Greedy, gallery: usize) -> String {
    let figure = |number: usize| {
        let source = greedy.site.url_at(0, &format!("/picture/{gallery}-{number}.png"));
        format!(
            "<p>Paragraph {number} is about boats and tide, the people who come every morning, and the \
             light over the town in the evening.</p><figure><img src=\"{source}\" alt=\"A tower by the sea\">\
             <figcaption>Tower {number} in winter</figcaption></figure>"
        )
    };
    let figures: String = (0..PICTURES).map(figure).collect();
    format!(
        "<!doctype html><html lang=\"en\"><head><title>Towers {gallery}</title></head><body><article>\
         <h1>Towers {gallery}</h1>{figures}</article></body></html>"
    )
}
