//! Tests with a real browser. Without one, they are skipped and say so.

#![cfg(test)]

mod canaries;
mod kills;
mod measure;
mod pages;
mod site;

use std::time::Duration;

use browser::{RenderRequest, Renderer, RendererSettings};
use fetch::{Fetcher, FetcherSettings, RobotsRule};

/// Renderer that may reach these ports of 127.0.0.1. `None` without a browser.
fn renderer(ports: &[u16]) -> Option<Renderer> {
    let Some(program) = browser::find_program() else {
        eprintln!("SKIPPED: no Chromium is installed, so nothing is rendered (apt-get install chromium)");
        return None;
    };
    let allow = ports.iter().map(|port| format!("127.0.0.1/32:{port}").parse().unwrap()).collect();
    let settings = FetcherSettings { allow, robots: RobotsRule::Obey, ..FetcherSettings::default() };
    let settings = (RendererSettings::new(program), Fetcher::new(settings).unwrap());
    Some(Renderer::new(settings.0, settings.1))
}

fn request(url: String) -> RenderRequest {
    RenderRequest::page(url, Duration::from_secs(30))
}
