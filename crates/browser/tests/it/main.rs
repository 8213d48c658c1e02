//! Tests with a real browser. Without a browser, they are skipped with a message.

#![cfg(test)]

mod canaries;
mod kills;
mod measure;
mod pages;
mod requests;
mod site;

use std::ops::Deref;
use std::time::Duration;

use browser::{RenderRequest, Renderer, RendererSettings};
use fetch::{Fetcher, FetcherSettings, PageLimits, RobotsRule};
use tokio::sync::{Semaphore, SemaphorePermit};

/// Allows one renderer at a time, because tests count the processes of browsers.
static ONLY: Semaphore = Semaphore::const_new(1);

/// Renderer of one test.
struct TestRenderer {
    renderer: Renderer,
    _only: SemaphorePermit<'static>,
}

impl Deref for TestRenderer {
    type Target = Renderer;

    fn deref(&self) -> &Renderer {
        &self.renderer
    }
}

/// Renderer that may reach these ports of 127.0.0.1. `None` if there is no browser.
async fn renderer(ports: &[u16]) -> Option<TestRenderer> {
    limited_renderer(ports, PageLimits::default()).await
}

/// Like [`renderer`], with limits of the traffic of a page.
async fn limited_renderer(ports: &[u16], page: PageLimits) -> Option<TestRenderer> {
    let Some(program) = browser::find_program() else {
        eprintln!("SKIPPED: no Chromium is installed, so nothing is rendered (apt-get install chromium)");
        return None;
    };
    let only = ONLY.acquire().await.unwrap();
    let allow = ports.iter().map(|port| format!("127.0.0.1/32:{port}").parse().unwrap()).collect();
    let settings = FetcherSettings { allow, robots: RobotsRule::Obey, ..FetcherSettings::default() };
    let browser = RendererSettings { page, ..RendererSettings::new(program) };
    let renderer = Renderer::new(browser, Fetcher::new(settings).unwrap());
    Some(TestRenderer { renderer, _only: only })
}

/// Request whose caller is its URL, so that different pages are rendered at the same time.
fn request(url: String) -> RenderRequest {
    RenderRequest { caller: Some(url.clone()), ..RenderRequest::page(url, Duration::from_mins(1)) }
}
