//! Rendering of a page for `carrel read`, in a browser on this machine.

use std::time::Duration;

use ::extract::{Document, ExtractionOutcome, ExtractionSource, Input, Warning};
use anyhow::Context;
use articles::worker_tools::{RenderRequest, Renderer, RendererSettings};
use clap::ValueEnum;
use fetch::{Fetched, Fetcher};

use http_kit::config::Settings;

/// Time after which a document is taken as it is.
const DEADLINE: Duration = Duration::from_secs(25);
/// Advice if a page needs a browser and none is installed.
pub(super) const MISSING: &str = "the page shows its text only to browsers that run scripts: install Chromium (`apt-get install chromium`)";

/// Choice whether a page is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Render {
    /// If the page shows its text only to browsers that run scripts.
    Auto,
    /// Never.
    Never,
    /// Every web page.
    Always,
}

impl Render {
    /// Returns whether a page is rendered after it was read as served.
    pub(super) fn renders(self, served: &ExtractionOutcome) -> bool {
        match (self, served) {
            (Self::Never, _) => false,
            (Self::Auto, served) => needs_scripts(served),
            (Self::Always, ExtractionOutcome::Document(document)) => is_web_page(document),
            (Self::Always, ExtractionOutcome::NoText { .. }) => true,
            (Self::Always, _) => false,
        }
    }
}

/// True if the page shows its text only to browsers that run scripts.
pub(super) fn needs_scripts(served: &ExtractionOutcome) -> bool {
    let warnings = match served {
        ExtractionOutcome::Document(document) => &document.warnings,
        ExtractionOutcome::NoText { warnings, .. } => warnings,
        ExtractionOutcome::Unsupported { .. } | ExtractionOutcome::TooComplex { .. } => return false,
    };
    warnings.contains(&Warning::JavascriptRequired)
}

fn is_web_page(document: &Document) -> bool {
    matches!(document.source, ExtractionSource::Html | ExtractionSource::StructuredData)
}

/// Rendered page.
pub(super) struct RenderedInput {
    pub(super) input: Input,
    /// True if text may be missing.
    pub(super) is_cut: bool,
}

/// Renders the page at `url`.
///
/// # Errors
/// If no browser is installed, or the page cannot be rendered.
pub(super) async fn render(settings: &Settings, url: &str) -> anyhow::Result<RenderedInput> {
    let program = settings.renderer.program().context(MISSING)?;
    let fetcher = Fetcher::new(http_kit::app::fetch_policy(settings))?;
    let renderer = Renderer::new(RendererSettings::new(program), fetcher);
    let request = RenderRequest { url: url.to_owned(), deadline: DEADLINE };
    let rendered = renderer.render(&request).await;
    renderer.shutdown().await;
    let rendered = rendered?;
    let is_cut = rendered.is_cut;
    let page = Fetched::of_rendered(rendered.url, rendered.status, rendered.html)?;
    let input =
        Input { bytes: page.body.to_vec(), content_type: page.content_type, url: Some(page.url.into()) };
    Ok(RenderedInput { input, is_cut })
}
